// Hastie, Tibshirani and Tibshirani: Best subset, forward stepwise or Lasso? (2020). Rows N(0,
// Sigma) with Sigma_ij = rho^|i - j|, coefficients of types 1, 2, 3 and 5, noise by the
// signal-to-noise ratio, every method tuned on a validation set of n more rows, its risk computed
// from Sigma itself.
#include <fmt/format.h>

#include <cmath>
#include <lass0/compare.hpp>
#include <lass0/design.hpp>
#include <lass0/simulate.hpp>
#include <limits>

#include "experiments.hpp"

namespace lass0::experiments {
namespace {

struct Setting {
  const char* name;
  Index n, p, s;
  int repeats;
};

struct Cell {
  Setting setting;
  int type;
  double rho, snr;
  std::uint64_t seed;
};

// beta types as in the paper's section 3.1.
Vector coefficients(int type, Index p, Index s) {
  Vector beta = Vector::Zero(p);
  for (Index i = 0; i < s; ++i) {
    const double share = s > 1 ? static_cast<double>(i) / static_cast<double>(s - 1) : 0;
    if (type == 1)
      beta[i * p / s + p / (2 * s)] = 1;
    else
      beta[i] = type == 3 ? 10 - 9.5 * share : 1;
  }
  for (Index i = s; type == 5 && i < p; ++i)
    beta[i] = std::pow(0.5, static_cast<double>(i - s + 1));
  return beta;
}

// v' Sigma v with Sigma_ij = rho^|i - j|, in O(p).
double risk_form(const Vector& v, double rho) {
  double sum = 0, carried = 0;  // carried = sum over i < j of rho^(j - i) v_i
  for (Index j = 0; j < v.size(); ++j) {
    sum += v[j] * (v[j] + 2 * carried);
    carried = rho * (carried + v[j]);
  }
  return sum;
}

std::string run(const Cell& cell) {
  const auto [name, n, p, s, repeats] = cell.setting;
  // Training rows, then as many to validate; the noise are draws of one more simulated column.
  Simulated data = simulate({.n = 2 * n,
                             .p = p,
                             .k = 1,
                             .rho = cell.rho,
                             .seed = cell.seed,
                             .correlation = Correlation::ar1});
  const Simulated noise =
      simulate({.n = 2 * n, .p = 1, .k = 1, .rho = 0, .seed = cell.seed + 1000003});
  const Vector beta = coefficients(cell.type, p, s);
  const double signal = risk_form(beta, cell.rho), variance = signal / cell.snr;
  const Vector y = data.X * beta + std::sqrt(variance) * noise.X.col(0);
  const DenseDesign design(data.X.data(), n, p, data.X.rows());
  const Problem problem{.design = &design, .y = {y.data(), static_cast<std::size_t>(n)}};

  std::string rows;
  for (const char* method : {"lasso", "relaxed", "forward", "lass0", "lass0-ridge"}) {
    const MethodCurve curve = method_curve(problem, method);
    double least = std::numeric_limits<double>::infinity();
    const Iterate* best = nullptr;
    for (const Iterate& at : curve.models) {
      Vector residual = y.tail(n).array() - at.intercept;
      for (std::size_t l = 0; l < at.support.size(); ++l)
        residual -= at.coefficients[static_cast<Index>(l)] * data.X.col(at.support[l]).tail(n);
      if (!(residual.squaredNorm() < least)) continue;
      least = residual.squaredNorm();
      best = &at;
    }
    Vector difference = -beta;
    for (std::size_t l = 0; l < best->support.size(); ++l)
      difference[best->support[l]] += best->coefficients[static_cast<Index>(l)];
    const double risk = risk_form(difference, cell.rho) + best->intercept * best->intercept;
    rows += fmt::format("{},{},{},{},{},{},{:.5g},{:.5g},{:.5g},{}\n", name, cell.type, cell.rho,
                        cell.snr, cell.seed, method, risk / signal, (risk + variance) / variance,
                        1 - (risk + variance) / (signal + variance), best->support.size());
  }
  return rows;
}

}  // namespace

void htt(const std::string& csv, Size size) {
  std::vector<Setting> settings = {{"low", 100, 10, 5, 20}, {"medium", 500, 100, 5, 16}};
  std::vector<double> ratios = {0.05, 0.25, 1.22, 6}, correlations = {0, 0.35, 0.7};
  std::vector<int> types = {1, 2, 3, 5};
  if (size == Size::full) {
    settings = {{"low", 100, 10, 5, 20},
                {"medium", 500, 100, 5, 20},
                {"high-5", 50, 1000, 5, 10},
                {"high-10", 100, 1000, 10, 10}};
    ratios = {0.05, 0.09, 0.14, 0.25, 0.42, 0.71, 1.22, 2.07, 3.52, 6};
  }
  if (size == Size::tiny) {
    settings = {{"low", 40, 6, 3, 2}};
    ratios = {0.25, 6};
    correlations = {0.35};
  }
  std::vector<Cell> cells;
  std::uint64_t seed = 0;
  for (const Setting& setting : settings) {
    for (const int type : types) {
      for (const double rho : correlations) {
        for (const double snr : ratios) {
          for (int repeat = 0; repeat < setting.repeats; ++repeat)
            cells.push_back({setting, type, rho, snr, ++seed});
        }
      }
    }
  }
  write_csv(csv, "setting,type,rho,snr,seed,method,relative_risk,relative_test_error,pve,size",
            in_parallel(std::ssize(cells),
                        [&](Index i) { return run(cells[static_cast<std::size_t>(i)]); }));
}

}  // namespace lass0::experiments
