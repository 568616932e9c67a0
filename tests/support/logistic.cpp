#include "support/logistic.hpp"

#include <Eigen/QR>
#include <cmath>

namespace lass0::testing {
namespace {

double log1pexp(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

// s_j of the ridge: the standard deviation over the weights, or the root mean square.
double deviation(const Data& data, Index j) {
  double weight = 0, mean = 0, square = 0;
  for (Index i = 0; i < data.n(); ++i) weight += data.weight(i);
  for (Index i = 0; i < data.n(); ++i) mean += data.weight(i) * data.X(i, j) / weight;
  if (!data.intercept) mean = 0;
  for (Index i = 0; i < data.n(); ++i)
    square += data.weight(i) * std::pow(data.X(i, j) - mean, 2) / weight;
  return std::sqrt(square);
}

}  // namespace

LogisticData random_logistic(const LogisticSpec& spec, Rng& rng) {
  LogisticData logistic;
  Data& data = logistic.data;
  data.intercept = spec.intercept;
  data.standardize = spec.standardize;
  data.ridge = spec.ridge;
  data.X.resize(spec.n, spec.p);
  for (Index i = 0; i < spec.n; ++i) {
    const double shared = rng.normal();
    for (Index j = 0; j < spec.p; ++j)
      data.X(i, j) = std::sqrt(spec.rho) * shared + std::sqrt(1 - spec.rho) * rng.normal();
  }
  Vector eta = Vector::Zero(spec.n);
  for (const Index j : rng.subset(spec.p, spec.k)) eta += rng.uniform(-1, 1) * data.X.col(j);
  const double mean = eta.mean();
  const double size = std::sqrt((eta.array() - mean).square().mean());
  if (size > 0) eta = (eta.array() - mean) * (spec.signal / size);
  eta.array() += rng.uniform(-0.5, 0.5);
  if (spec.offset) {
    logistic.offset.resize(spec.n);
    for (double& o : logistic.offset) o = rng.uniform(-1, 1);
    eta += logistic.offset;
  }
  data.y.resize(spec.n);
  for (Index i = 0; i < spec.n; ++i) data.y[i] = rng.chance(1 / (1 + std::exp(-eta[i]))) ? 1 : 0;
  if (spec.weights) {
    data.w.resize(spec.n);
    for (double& w : data.w) w = static_cast<double>(rng.below(4));
  }
  return logistic;
}

Problem problem_of(const LogisticData& logistic, const DenseDesign& design) {
  const Data& data = logistic.data;
  const auto span_of = [](const Vector& v) {
    return std::span(v.data(), static_cast<std::size_t>(v.size()));
  };
  return {.design = &design,
          .y = span_of(data.y),
          .weights = span_of(data.w),
          .intercept = data.intercept,
          .standardize = data.standardize,
          .include = data.include,
          .ridge = data.ridge,
          .family = Family::binomial,
          .offset = span_of(logistic.offset)};
}

std::optional<LogisticFit> logistic_by_definition(const LogisticData& logistic,
                                                  std::vector<Index> columns) {
  const Data& data = logistic.data;
  const Index n = data.n(), k = std::ssize(columns), first = data.intercept ? 1 : 0, d = k + first;
  Matrix A(n, d);
  Vector ridge = Vector::Zero(d);
  if (first > 0) A.col(0).setOnes();
  for (Index c = 0; c < k; ++c) {
    const Index j = columns[static_cast<std::size_t>(c)];
    A.col(first + c) = data.X.col(j);
    ridge[first + c] = data.ridge * (data.standardize ? std::pow(deviation(data, j), 2) : 1);
  }
  const Vector offset = logistic.offset.size() > 0 ? logistic.offset : Vector(Vector::Zero(n));
  const auto value = [&](const Vector& b) {
    const Vector eta = A * b + offset;
    double sum = 0.5 * ridge.dot(b.cwiseAbs2());
    for (Index i = 0; i < n; ++i) sum += data.weight(i) * (log1pexp(eta[i]) - data.y[i] * eta[i]);
    return sum;
  };
  Vector b = Vector::Zero(d);
  double now = value(b);
  bool settled = d == 0;
  for (int step = 0; step < 100 && !settled; ++step) {
    const Vector eta = A * b + offset;
    Matrix rows(n + d, d);
    Vector target(n + d);
    for (Index i = 0; i < n; ++i) {
      const double p = 1 / (1 + std::exp(-eta[i])), m = std::max(p * (1 - p), 1e-300);
      const double root = std::sqrt(data.weight(i) * m);
      rows.row(i) = root * A.row(i);
      target[i] = root * ((data.y[i] - p) / m);
    }
    rows.bottomRows(d) = Matrix(ridge.cwiseSqrt().asDiagonal());
    target.tail(d) = -ridge.cwiseSqrt().cwiseProduct(b);
    const Vector move = rows.colPivHouseholderQr().solve(target);
    // A fit that exists has settled by now, however large its predictions.
    if (step >= 25 && eta.cwiseAbs().maxCoeff() > 25 && data.ridge == 0 &&
        (A * move).cwiseAbs().maxCoeff() > 0.1)
      return {};
    double t = 1;
    while (t > 1e-10 && value(b + t * move) > now) t /= 2;
    b += t * move;
    const double next = value(b);
    settled = step > 3 && std::abs(next - now) <= 1e-14 * (1 + std::abs(now));
    now = std::min(now, next);
  }
  if (!settled) return {};
  LogisticFit fit;
  fit.at.support = std::move(columns);
  fit.at.coefficients = b.tail(k);
  fit.at.intercept = first > 0 ? b[0] : 0;
  fit.loss = 2 * now;
  return fit;
}

std::vector<LogisticFit> best_by_brute_force(const LogisticData& logistic) {
  const Index p = logistic.data.p();
  std::vector<std::optional<LogisticFit>> best(static_cast<std::size_t>(p) + 1);
  std::vector<bool> separated(best.size(), false);
  for (std::uint64_t set = 0; set < (std::uint64_t{1} << p); ++set) {
    std::vector<Index> columns;
    for (Index j = 0; j < p; ++j) {
      if ((set >> j) & 1) columns.push_back(j);
    }
    const std::size_t k = columns.size();
    const auto fit = logistic_by_definition(logistic, std::move(columns));
    if (!fit)
      separated[k] = true;
    else if (!best[k] || fit->loss < best[k]->loss)
      best[k] = fit;
  }
  std::vector<LogisticFit> all;
  for (std::size_t k = 0; k < best.size() && best[k] && !separated[k]; ++k) all.push_back(*best[k]);
  return all;
}

}  // namespace lass0::testing
