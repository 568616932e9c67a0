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

// Training rows, then as many to validate; the noise is one more simulated column.
struct CellData {
  Matrix X;
  Vector beta, y;
  double signal = 0, variance = 0;

  explicit CellData(const Cell& cell)
      : X(simulate({.n = 2 * cell.setting.n,
                    .p = cell.setting.p,
                    .k = 1,
                    .rho = cell.rho,
                    .seed = cell.seed,
                    .correlation = Correlation::ar1})
              .X),
        beta(coefficients(cell.type, cell.setting.p, cell.setting.s)),
        signal(risk_form(beta, cell.rho)),
        variance(signal / cell.snr) {
    const Simulated noise =
        simulate({.n = X.rows(), .p = 1, .k = 1, .rho = 0, .seed = cell.seed + 1000003});
    y = X * beta + std::sqrt(variance) * noise.X.col(0);
  }

  double risk(const Cell& cell, const Iterate& model) const {
    Vector difference = -beta;
    for (std::size_t l = 0; l < model.support.size(); ++l)
      difference[model.support[l]] += model.coefficients[static_cast<Index>(l)];
    return risk_form(difference, cell.rho) + model.intercept * model.intercept;
  }

  // "setting,type,rho,snr,seed,METHOD,relative_risk,relative_test_error,pve,size"
  std::string row(const Cell& cell, const std::string& method, const Iterate& model) const {
    const double loss = risk(cell, model);
    return fmt::format("{},{},{},{},{},{},{:.5g},{:.5g},{:.5g},{}\n", cell.setting.name, cell.type,
                       cell.rho, cell.snr, cell.seed, method, loss / signal,
                       (loss + variance) / variance, 1 - (loss + variance) / (signal + variance),
                       model.support.size());
  }
};

// Tuned on the validation rows.
std::string run(const Cell& cell) {
  const CellData data(cell);
  const Index n = cell.setting.n;
  const DenseDesign design(data.X.data(), n, data.X.cols(), data.X.rows());
  const Problem problem{.design = &design, .y = {data.y.data(), static_cast<std::size_t>(n)}};
  std::string rows;
  for (const char* method : {"lasso", "relaxed", "forward", "lass0", "lass0-ridge"}) {
    const MethodCurve curve = method_curve(problem, method);
    double least = std::numeric_limits<double>::infinity();
    const Iterate* best = nullptr;
    for (const Iterate& at : curve.models) {
      Vector residual = data.y.tail(n).array() - at.intercept;
      for (std::size_t l = 0; l < at.support.size(); ++l)
        residual -= at.coefficients[static_cast<Index>(l)] * data.X.col(at.support[l]).tail(n);
      if (!(residual.squaredNorm() < least)) continue;
      least = residual.squaredNorm();
      best = &at;
    }
    rows += data.row(cell, method, *best);
  }
  return rows;
}

// Tuned by 10-fold cross-validation of the training rows, by every rule: means over the data sets
// of one cell, which differ in their seeds alone.
std::string run_cv(std::span<const Cell> same) {
  const std::vector<std::string> methods = {"lasso", "relaxed", "lass0", "lass0-ridge"};
  std::vector<ByRule<double>> errors(methods.size()), sizes(methods.size());
  const auto count = static_cast<double>(same.size());
  for (const Cell& cell : same) {
    const CellData data(cell);
    const Index n = cell.setting.n;
    const DenseDesign design(data.X.data(), n, data.X.cols(), data.X.rows());
    const Problem problem{.design = &design, .y = {data.y.data(), static_cast<std::size_t>(n)}};
    const auto tuned = tuned_methods(problem, {.seed = cell.seed, .methods = methods});
    for (std::size_t m = 0; m < methods.size(); ++m) {
      for (const RuleInfo& rule : rules()) {
        const Iterate& model = tuned[m].by[rule.rule].at;
        errors[m][rule.rule] += (data.risk(cell, model) / data.variance + 1) / count;
        sizes[m][rule.rule] += static_cast<double>(model.support.size()) / count;
      }
    }
  }
  std::string rows;
  const Cell& cell = same.front();
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (const RuleInfo& rule : rules())
      rows += fmt::format("{},{},{},{},{},{},{},{:.6g},{:.4g}\n", cell.setting.name, cell.type,
                          cell.rho, cell.snr, methods[m], rule.name, same.size(),
                          errors[m][rule.rule], sizes[m][rule.rule]);
  }
  return rows;
}

std::vector<Cell> cells_of(Size size, int repeats_of_medium) {
  std::vector<Setting> settings = {{"low", 100, 10, 5, 20},
                                   {"medium", 500, 100, 5, repeats_of_medium}};
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
  return cells;
}

}  // namespace

void htt(const std::string& csv, Size size) {
  const std::vector<Cell> cells = cells_of(size, 16);
  write_csv(csv, "setting,type,rho,snr,seed,method,relative_risk,relative_test_error,pve,size",
            in_parallel(std::ssize(cells),
                        [&](Index i) { return run(cells[static_cast<std::size_t>(i)]); }));
}

void htt_cv(const std::string& csv, Size size) {
  const std::vector<Cell> cells = cells_of(size, 8);
  std::vector<std::span<const Cell>> groups;
  for (std::size_t i = 0; i < cells.size(); i += groups.back().size())
    groups.push_back(
        std::span(cells).subspan(i, static_cast<std::size_t>(cells[i].setting.repeats)));
  write_csv(csv, "setting,type,rho,snr,method,rule,data_sets,relative_test_error,size",
            in_parallel(std::ssize(groups),
                        [&](Index i) { return run_cv(groups[static_cast<std::size_t>(i)]); }));
}

}  // namespace lass0::experiments
