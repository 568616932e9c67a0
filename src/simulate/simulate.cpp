#include <fmt/format.h>

#include <cmath>
#include <lass0/error.hpp>
#include <lass0/simulate.hpp>

#include "util/memory.hpp"
#include "util/random.hpp"

namespace lass0 {
namespace {

void check(const SimulateOptions& options) {
  const double rho = options.rho;
  if (options.n < 1 || options.p < 1)
    throw UsageError(
        fmt::format("n is {} and p is {}, but data need at least one row and one column", options.n,
                    options.p));
  if (options.k < 0 || options.k > options.p)
    throw UsageError(
        fmt::format("k is {}, but of p = {} columns only 0 to {} can be in the support", options.k,
                    options.p, options.p));
  if (options.correlation == Correlation::equal && !(rho >= 0 && rho < 1))
    throw UsageError(fmt::format(
        "rho is {}, but equal correlations need 0 <= rho < 1 (ar1 takes negative ones)", rho));
  if (options.correlation == Correlation::ar1 && !(rho > -1 && rho < 1))
    throw UsageError(fmt::format("rho is {}, but ar1 correlations need -1 < rho < 1", rho));
  if (!(options.snr > 0))
    throw UsageError(
        fmt::format("snr is {}, but it must be positive (infinity: no noise)", options.snr));
}

void fill_normal(Random& random, MutVec out) {
  for (double& value : out) value = random.normal();
}

// Rows are independent draws of N(0, Sigma), in O(n p): Sigma itself is never formed.
Matrix draw_columns(const SimulateOptions& options, Random& random) {
  Matrix X = allocate_matrix(options.n, options.p,
                             fmt::format("the data ({} x {})", options.n, options.p));
  if (options.correlation == Correlation::equal) {
    Vector shared(options.n);
    fill_normal(random, shared);
    shared *= std::sqrt(options.rho);
    for (auto column : X.colwise()) {
      fill_normal(random, column);
      column = shared + std::sqrt(1 - options.rho) * column;
    }
  } else {
    fill_normal(random, X.col(0));
    for (Index j = 1; j < options.p; ++j) {
      fill_normal(random, X.col(j));
      X.col(j) = options.rho * X.col(j - 1) + std::sqrt(1 - options.rho * options.rho) * X.col(j);
    }
  }
  return X;
}

// beta' Sigma beta, in O(k).
double signal_variance(const SimulateOptions& options, Columns support, const Vector& beta) {
  const double rho = options.rho;
  if (options.correlation == Correlation::equal)
    return (1 - rho) * beta.squaredNorm() + rho * beta.sum() * beta.sum();
  double variance = 0;
  double carried = 0;  // sum over members i up to the last one of beta_i * rho^(last - i)
  Index last = 0;
  for (const Index j : support) {
    carried *= std::pow(rho, static_cast<double>(j - last));
    variance += beta[j] * (beta[j] + 2 * carried);
    carried += beta[j];
    last = j;
  }
  return variance;
}

double noise_deviation(const SimulateOptions& options, Columns support, const Vector& beta) {
  if (std::isinf(options.snr)) return 0;
  if (support.empty()) return 1;  // no signal to compare with
  return std::sqrt(signal_variance(options, support, beta) / options.snr);
}

// y = 0 or 1, and beta in the units of log odds.
void draw_classes(const SimulateOptions& options, Random& random, Simulated& data) {
  const double variance = signal_variance(options, data.support, data.beta);
  const bool certain = std::isinf(options.snr);  // the class is the sign of X beta
  if (!certain && variance > 0) data.beta *= std::sqrt(options.snr / variance);
  Vector eta = Vector::Zero(options.n);
  for (const Index j : data.support) eta += data.beta[j] * data.X.col(j);
  for (Index i = 0; i < options.n; ++i) {
    const double draw = random.uniform(0, 1);
    data.y[i] = certain ? eta[i] > 0 : draw < 1 / (1 + std::exp(-eta[i]));
  }
}

}  // namespace

Simulated simulate(const SimulateOptions& options) {
  check(options);
  Random random(options.seed);
  Simulated data;
  // X comes first and the noise last: with one seed, another k keeps X, and another snr keeps all
  // but the noise's size.
  data.X = draw_columns(options, random);
  data.support = random.sample(options.p, options.k);
  data.beta = Vector::Zero(options.p);
  for (const Index j : data.support) {
    const double draw = random.uniform(-1, 1);
    data.beta[j] = options.coefficients == TrueCoefficients::unit ? (draw < 0 ? -1 : 1) : draw;
  }
  data.y.resize(options.n);
  if (options.family == Family::binomial) {
    draw_classes(options, random, data);
    return data;
  }
  data.noise = noise_deviation(options, data.support, data.beta);
  fill_normal(random, data.y);
  data.y *= data.noise;
  for (const Index j : data.support) data.y += data.beta[j] * data.X.col(j);
  return data;
}

}  // namespace lass0
