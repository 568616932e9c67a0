// The refit from moments, corrected on the data: Cholesky on k x k numbers instead of QR on n x k.
#include "model/refit_moments.hpp"

#include <cmath>
#include <lass0/model.hpp>

#include "model/included.hpp"
#include "problem/weights.hpp"
#include "util/cholesky.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr int kSteps = 3;
constexpr double kLargeMean = 1e3;  // deviations
constexpr double kMuchForQr = 4e6;  // multiplications

// What is left of y; its weighted mean goes into the intercept.
Vector residual(const Problem& problem, const Vector& w, Iterate& at) {
  Vector r = Eigen::Map<const Vector>(problem.y.data(), std::ssize(problem.y));
  r.array() -= at.intercept;
  for (Index l = 0; l < std::ssize(at.support); ++l) {
    problem.design->add_column(at.support[static_cast<std::size_t>(l)], -at.coefficients[l], r);
  }
  if (problem.intercept) {
    const double mean = w.dot(r) / w.sum();
    at.intercept += mean;
    r.array() -= mean;
  }
  return r;
}

Refit with_rss(const Problem& problem, Iterate at) {
  const double rss = residual_sum_of_squares(problem, at);
  return {std::move(at), rss};
}

enum class Digits { enough, all };

Refit refit_to(Digits digits, const Moments& moments, const Problem& problem, Columns support) {
  const Index k = std::ssize(support);
  const auto by_qr = [&] {
    return with_rss(problem, refit(problem, with_included(moments, support)));
  };
  if (!problem.include.empty()) return by_qr();
  const double unit = moments.target_scale() * moments.target_scale();
  if (k == 0 && digits == Digits::all) return by_qr();
  if (k == 0) return {moments.model({}, Vector()), moments.yty() * unit};
  Matrix G(k, k);
  Vector b(k), ridge(k);
  moments.gram_block(support, support, G);
  for (Index l = 0; l < k; ++l) {
    const Index j = support[static_cast<std::size_t>(l)];
    b[l] = moments.xty()[j];
    ridge[l] = problem.ridge * moments.l1_weights()[j] * moments.l1_weights()[j];
  }
  const Cholesky factor(std::move(G));
  if (!factor.positive_definite()) return by_qr();
  const Vector h = factor.inverse_diagonal();
  double inflation = 1;
  for (Index l = 0; l < k; ++l) {
    const double square = moments.squares()[support[static_cast<std::size_t>(l)]];
    inflation = std::max(inflation, h[l] * square);
    if (!(inflation < kIllConditionedForRefits)) return by_qr();
    // Residuals are computed from the columns as they are: large means would cost digits.
    const Index j = support[static_cast<std::size_t>(l)];
    const double deviation = moments.deviation(j);
    if (!(std::abs(moments.mean(j)) < kLargeMean * deviation)) return by_qr();
  }
  const Vector c = b;
  factor.solve_in_place(b);
  const auto keeps_signs = [&] {  // or else rounding has turned one, which is left to QR
    for (Index l = 0; l < k; ++l) {
      if (problem.sign(support[static_cast<std::size_t>(l)]) * b[l] < 0) return false;
    }
    return true;
  };
  const double loss = moments.yty() - c.dot(b);
  if (digits == Digits::enough && keeps_signs() &&
      inflation * std::sqrt(static_cast<double>(moments.rows())) < kElevenDigits &&
      loss > kEnoughForRefits * moments.yty()) {
    const double rss = loss - b.cwiseAbs2().dot(ridge);
    return {moments.model(support, b), rss * unit};
  }

  const auto [w, root] = scaled_weights(problem);
  Iterate at = moments.model(support, b);
  Matrix product(1, 1);
  Vector gradient(k);
  for (int step = 0; step < kSteps; ++step) {
    const RowMatrix V = w.cwiseProduct(residual(problem, w, at));
    for (Index l = 0; l < k; ++l) {
      const Index j = support[static_cast<std::size_t>(l)];
      // The residuals have mean 0, so any centre will do; one that is near keeps the digits.
      const Vector centre = Vector::Constant(1, problem.intercept ? moments.mean(j) : 0);
      problem.design->products(j, 1, centre, RowGroups::single(), V, product);
      gradient[l] =
          product(0, 0) / (moments.column_scale(j) / root) / (moments.target_scale() / root) -
          ridge[l] * b[l];
    }
    if (!gradient.allFinite()) return by_qr();
    factor.solve_in_place(gradient);
    b += gradient;
    at = moments.model(support, b);
    // The next one would be by the inflation, in units in the last place, smaller than this.
    if (gradient.lpNorm<Eigen::Infinity>() * inflation < b.lpNorm<Eigen::Infinity>()) break;
  }
  return keeps_signs() ? with_rss(problem, std::move(at)) : by_qr();
}

}  // namespace

Refit refit(const Moments& moments, const Problem& problem, Columns support) {
  return refit_to(Digits::enough, moments, problem, support);
}

Refit refit_on_data(const Moments& moments, Columns support) {
  const Problem& problem = moments.problem();
  const double n = static_cast<double>(moments.rows()), k = static_cast<double>(support.size());
  if (n * k * k > kMuchForQr) return refit_to(Digits::all, moments, problem, support);
  return with_rss(problem, refit(problem, with_included(moments, support)));
}

Refit refit(const Moments& moments, Columns support) {
  return refit(moments, moments.problem(), support);
}

}  // namespace lass0
