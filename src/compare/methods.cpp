#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/lasso.hpp>

#include "compare/method.hpp"
#include "model/included.hpp"
#include "select/lass0_method.hpp"

namespace lass0 {
namespace {

// Smallest / largest lambda of the Lasso, as glmnet has them: below the rank the path ends near
// least squares, otherwise before it becomes a perfect fit.
constexpr double kRatioOfTall = 1e-4, kRatioOfWide = 1e-2;

constexpr Lass0Options kLass0{.lambdas = kGridLambdas, .lambdas_of_all_rows = true};

std::unique_ptr<Method> make_paper() { return make_lass0_paper(kLass0); }
std::unique_ptr<Method> make_lass0() { return make_lass0_table(kLass0); }
std::unique_ptr<Method> make_lass0_ridge() {
  Lass0Options options = kLass0;
  options.tune_ridge = true;
  return make_lass0_table(options);
}
std::unique_ptr<Method> make_exact() {
  Lass0Options options = kLass0;
  options.prove = true;
  return make_lass0_table(options);
}

struct Listed {
  const char* name;
  const char* description;
  std::unique_ptr<Method> (*make)();
  bool any_family = true;  // false: of least squares alone
  bool only_when_asked = false;

  MethodName full_name() const { return {name, description, any_family}; }
  NamedMethod named() const { return {full_name(), make()}; }
  bool works_with(Family family) const { return any_family || family == Family::gaussian; }
};
constexpr Listed kMethods[] = {
    {"lasso", "the Lasso", make_lasso},
    {"relaxed", "relaxed Lasso", make_relaxed_lasso, false},
    {"forward", "forward stepwise", make_forward},
    {"foba", "FoBa, forward-backward greedy", make_foba, false},
    {"lasso-l0", "L0 criterion over the Lasso path", make_lasso_criterion, false},
    {"lass0-paper", "Lass0 as in the paper", make_paper},
    {"lass0", "Lass0", make_lass0},
    {"lass0-ridge", "Lass0 with a ridge", make_lass0_ridge},
    {"exact", "the proven optimum", make_exact, true, true},  // a proof may take very long
};

NamedMethod make_method(const std::string& name, Family family) {
  std::string known;
  for (const Listed& method : kMethods) {
    if (!method.works_with(family)) {
      if (method.name == name)
        throw UsageError("the method " + name + " works with the family gaussian only");
      continue;
    }
    if (method.name == name) return method.named();
    known.append(known.empty() ? "" : ", ").append(method.name);
  }
  throw UsageError("there is no method " + name + ", only " + known);
}

}  // namespace

std::vector<MethodName> compare_methods() {
  std::vector<MethodName> names;
  for (const Listed& method : kMethods) names.push_back(method.full_name());
  return names;
}

std::vector<NamedMethod> make_methods(const std::vector<std::string>& names, Family family) {
  std::vector<NamedMethod> methods;
  if (names.empty()) {
    for (const Listed& method : kMethods) {
      if (!method.only_when_asked && method.works_with(family)) methods.push_back(method.named());
    }
    return methods;
  }
  for (const std::string& name : names) {
    methods.push_back(make_method(name, family));
    if (std::count(names.begin(), names.end(), name) > 1)
      throw UsageError("the method " + name + " is named twice");
  }
  return methods;
}

std::vector<Tuning> lasso_grid(const Solver& solver) {
  const Moments& training = solver.moments();
  const double ratio = training.rows() > training.cols() ? kRatioOfTall : kRatioOfWide;
  const double largest = solver.lasso_lambda_max() / training.weight();
  if (!(largest > 0)) return {Tuning{}};
  std::vector<Tuning> grid(kGridLambdas);
  for (int l = 0; l < kGridLambdas; ++l)
    grid[static_cast<std::size_t>(l)].lambda =
        largest * std::pow(ratio, static_cast<double>(l) / (kGridLambdas - 1));
  return grid;
}

std::vector<Candidate> lasso_candidates(const Solver& solver, std::span<const Tuning> grid,
                                        const Budget& budget) {
  const Moments& rows = solver.moments();
  LassoOptions options;
  options.control = budget.remaining();
  for (const Tuning& tuning : grid) options.lambdas.push_back(tuning.lambda * rows.weight());
  const LassoPath path = solver.lasso_path(options);
  budget.check();  // or else the path may have been stopped on its way
  std::vector<Candidate> candidates;
  for (const LassoPoint& point : path.points) {
    Candidate candidate;
    candidate.support = without_included(rows.problem(), point.at.support);
    if (solver.problem().family != Family::gaussian) {
      candidate.model = point.at;
      candidates.push_back(std::move(candidate));
      continue;
    }
    Vector b(std::ssize(candidate.support));
    std::size_t at = 0;
    for (std::size_t l = 0; l < point.at.support.size() && at < candidate.support.size(); ++l) {
      if (point.at.support[l] != candidate.support[at]) continue;
      b[static_cast<Index>(at)] = point.at.coefficients[static_cast<Index>(l)] /
                                  rows.coefficient_unit(candidate.support[at]);
      ++at;
    }
    candidate.b = std::move(b);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

std::vector<Tuning> size_grid(const Solver& training) {
  std::vector<Tuning> grid(static_cast<std::size_t>(training.default_max_k() + 1));
  for (std::size_t k = 0; k < grid.size(); ++k) grid[k].k = static_cast<Index>(k);
  return grid;
}

Models by_size(std::vector<std::vector<Index>> supports) {
  Models models;
  models.by = Models::By::size;
  for (std::vector<Index>& support : supports) {
    std::sort(support.begin(), support.end());
    models.add({std::move(support)});
  }
  return models;
}

}  // namespace lass0
