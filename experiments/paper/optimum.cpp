// How near methods come to the least possible objective: 1/2 RSS + lambda * size at ten lambdas a
// data set, beside what branch and bound has proven. Data sets of at most 40 columns that vary,
// where a proof takes moments.
#include <fmt/format.h>

#include <algorithm>
#include <lass0/compare.hpp>
#include <lass0/fit.hpp>
#include <lass0/io.hpp>
#include <limits>

#include "experiments.hpp"

namespace lass0::experiments {
namespace {

constexpr Index kMostColumns = 40;
constexpr Index kMostRows = 10000;
constexpr int kLambdas = 10;
constexpr double kProofSeconds = 2;

// The objective of a method at this lambda: of all models on its curve the best.
double reached(const Moments& moments, const MethodCurve& curve, double lambda) {
  double least = std::numeric_limits<double>::infinity();
  const std::vector<Index>* previous = nullptr;
  for (const Iterate& at : curve.models) {
    if (previous && *previous == at.support) continue;
    previous = &at.support;
    const Fit fit = lass0::fit(
        moments, {.goal = AtLambda{.penalty = {lambda}, .start = Start::support(at.support)}});
    // The start itself, without the moves that Algorithm 1 makes from it.
    double objective = fit.objective;
    for (const Move& move : fit.trace.moves) objective += move.gain;
    least = std::min(least, objective);
  }
  return least;
}

}  // namespace

void optimum(const std::string& folder, const std::string& csv, Size size) {
  std::vector<std::string> rows;
  for (const std::string& name : data_sets(folder, size)) {
    const Table table = read_table(folder + "/" + name, {.target = "target"});
    if (table.design().rows() > kMostRows || table.design().cols() > kMostColumns) continue;
    const std::string data = name.substr(0, name.find('.'));
    const Problem problem = table.problem();
    const Moments moments(problem);
    const MethodCurve grid = method_curve(problem, "lass0");
    const std::size_t step = std::max<std::size_t>(1, grid.tunings.size() / kLambdas);
    std::vector<std::pair<std::string, MethodCurve>> curves;
    for (const char* method : {"lasso", "forward", "foba"})
      curves.emplace_back(method, method_curve(problem, method));
    for (std::size_t l = step / 2; l < grid.tunings.size(); l += step) {
      const double lambda = grid.tunings[l].lambda;
      FitOptions options{.goal = AtLambda{lambda}, .prove = true};
      options.control.time_limit = kProofSeconds;
      const Fit proven = lass0::fit(moments, options);
      const auto row = [&](const std::string& method, double objective) {
        rows.push_back(fmt::format("{},{:.6g},{},{:.10g},{:.10g},{},{}\n", data, lambda, method,
                                   objective, proven.lower_bound, to_string(proven.status),
                                   proven.k()));
      };
      row("lass0", lass0::fit(moments, {.goal = AtLambda{lambda}}).objective);
      row("lass0-paper",
          lass0::fit(moments, {.goal = AtLambda{.penalty = {lambda}, .start = Start::paper()}})
              .objective);
      for (const auto& [method, curve] : curves)
        row(method == "lasso" ? "lasso-l0" : method, reached(moments, curve, lambda));
    }
    fmt::print(stderr, "optimum: {}\n", data);
  }
  write_csv(csv, "data,lambda,method,objective,lower_bound,status,size", rows);
}

}  // namespace lass0::experiments
