// The phase diagram: how often a method finds a support of the true size that fits at least as well
// as the true one, over the share of true columns and the signal-to-noise ratio.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <lass0/compare.hpp>
#include <lass0/lasso.hpp>
#include <lass0/support_table.hpp>

#include "experiments.hpp"

namespace lass0::experiments {
namespace {

struct Grid {
  Index n, p;
  std::vector<Index> sizes;
  std::vector<double> ratios, correlations;
  std::uint64_t data_sets;
};

Grid grid_of(const Scope& scope) {
  if (scope.tiny) return {40, 80, {2, 4}, {5, 50}, {0.7}, 2};
  return {200, 2000, {6, 12, 18, 24, 30, 36, 42, 48}, {2, 5, 10, 20, 50}, {0, 0.7}, 10};
}

// Of all Lasso solutions with at most twice the true number of columns, one with the true support;
// or else the support of the true size with the lowest RSS, empty where there is none of that size.
// The grid of lambdas is fine, so that few supports on the path are missed.
std::vector<Index> lasso_support(const HardProblem& hard) {
  const Moments moments(hard.problem());
  const Index k = std::ssize(hard.data.support);
  const LassoPath path =
      lasso_path(moments, {.count = 1000, .ratio = 1e-3, .max_support = 2 * k + 10});
  std::vector<Index> best;
  double least = 0;
  for (const LassoPoint& point : path.points) {
    if (std::ssize(point.at.support) != k || point.at.support == best) continue;
    if (point.at.support == hard.data.support) return point.at.support;
    const double rss = least_squares_rss(hard.data, point.at.support);
    if (best.empty() || rss < least) {
      best = point.at.support;
      least = rss;
    }
  }
  return best;
}

std::vector<Index> forward_support(const HardProblem& hard) {
  const MethodCurve curve = method_curve(hard.problem(), "forward");
  const std::size_t k = hard.data.support.size();
  for (const Iterate& model : curve.models)
    if (model.support.size() == k) return model.support;
  return {};
}

std::vector<Index> table_support(const HardProblem& hard) {
  return best_supports(hard.problem()).at_k(std::ssize(hard.data.support)).support;
}

std::string csv_row(const Setting& setting, std::uint64_t seed, const char* method,
                    const HardProblem& hard, std::vector<Index> support) {
  std::ranges::sort(support);
  std::vector<Index> common;
  std::ranges::set_intersection(support, hard.data.support, std::back_inserter(common));
  const double truth = least_squares_rss(hard.data, hard.data.support);
  // No support of the true size: none to compare.
  const bool any = support.size() == hard.data.support.size();
  const double ratio = any ? least_squares_rss(hard.data, support) / truth : 0;
  return fmt::format("{},{},{},{},{},{},{},{},{},{}", setting.n, setting.p, setting.k, setting.rho,
                     setting.snr, seed, method, any ? fmt::format("{:.10g}", ratio) : "",
                     any && ratio <= kSameRss ? 1 : 0, common.size());
}

}  // namespace

void phase(const std::string& output, const Scope& scope) {
  const Grid grid = grid_of(scope);
  std::vector<std::string> lines;
  for (const double rho : grid.correlations)
    for (const double snr : grid.ratios)
      for (const Index k : grid.sizes)
        for (std::uint64_t i = 0; i < grid.data_sets; ++i) {
          const Setting setting = {grid.n, grid.p, k, rho, snr};
          const std::uint64_t seed = kFirstSeed + i;
          const HardProblem hard(setting, seed);
          const auto add = [&](const char* method, std::vector<Index> support) {
            lines.push_back(csv_row(setting, seed, method, hard, std::move(support)));
          };
          add("lass0", table_support(hard));
          if (scope.only_lass0) continue;
          add("forward", forward_support(hard));
          add("lasso", lasso_support(hard));
        }
  write_csv(output, "n,p,k,rho,snr,seed,method,rss_over_truth,found,true_columns", lines);
}

}  // namespace lass0::experiments
