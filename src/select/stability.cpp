#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/options.hpp>
#include <lass0/stability.hpp>
#include <mutex>

#include "select/halves.hpp"
#include "select/stability_bound.hpp"
#include "util/parallel.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

class StabilitySelection {
 public:
  StabilitySelection(const Problem& problem, const StabilityOptions& options)
      : problem_(problem), options_(options), budget_(options.control) {}

  Stability run() {
    check(options_);
    validate(problem_);
    choose_size();
    try {
      const Halves halves(problem_, options_.pairs, options_.seed, budget_);
      describe(halves.all_rows());
      search(halves);
      result_.gram_use.add(halves.all_rows().gram_use());
    } catch (const Stop& stop) {
      result_.status = stop.status;
    }
    count();
    bound();
    result_.seconds = budget_.seconds();
    return std::move(result_);
  }

 private:
  // Once, so that all halves are asked for the same and their frequencies can be compared.
  void choose_size() {
    result_.k = options_.k;
    result_.lambda = options_.lambda;
    if (options_.k || options_.lambda) return;
    CrossValidateOptions cv;
    cv.tune = Tune::k;
    cv.seed = options_.seed;
    cv.effort = options_.effort;
    cv.control = budget_.remaining();
    if (problem_.ridge > 0) cv.tune_ridge = false;  // it was given
    const CrossValidation found = cross_validate(problem_, cv);
    result_.k = found.best().k;
    problem_.ridge = found.best().ridge;
    result_.by_cross_validation = true;
    result_.gram_use.add(found.gram_use);
  }

  void describe(const Moments& all) {
    result_.problem = problem_info(all);
    result_.ridge = problem_.ridge;
    result_.pairs = options_.pairs;
    result_.threshold = options_.threshold;
    result_.seed = options_.seed;
    result_.effort = options_.effort;
    for (Index j = 0; j < all.cols(); ++j) result_.candidates += all.eligible(j) ? 1 : 0;
    if (options_.k && *options_.k > result_.candidates)
      throw Error("k is " + std::to_string(*options_.k) + ", but there " +
                  (result_.candidates == 1
                       ? "is 1 column"
                       : "are " + std::to_string(result_.candidates) + " columns") +
                  " to choose from: ask for a smaller k");
  }

  void search(const Halves& halves) {
    supports_.resize(static_cast<std::size_t>(2 * options_.pairs));
    for_each_block(2 * options_.pairs, budget_.threads(), [&](Index task) {
      try {
        search_half(halves, task);
      } catch (const Stop& stop) {
        const std::lock_guard lock(mutex_);
        result_.status = stop.status;
      }
    });
  }

  void search_half(const Halves& halves, Index task) {
    const Budget budget(half_control(task));
    budget.check();
    const Half half(halves, task / 2, static_cast<int>(task % 2), budget);
    const SupportTable table = half.solver().best_supports(
        {.max_k = result_.k, .effort = options_.effort, .control = budget.remaining()});
    if (stopped(table.status)) throw Stop{table.status};
    // The table of a half may end earlier: with a perfect fit, or under sign constraints.
    const TableRow& row = result_.k ? table.at_k(std::min(*result_.k, table.max_k()))
                                    : table.at_lambda(*result_.lambda * half.share());
    supports_[static_cast<std::size_t>(task)] = row.support;
    const std::lock_guard lock(mutex_);
    result_.short_lists = result_.short_lists || table.status == Status::unchecked;
    if (half.own_rows()) result_.gram_use.add(half.moments().gram_use());
  }

  Control half_control(Index task) const {
    Control control = budget_.remaining();
    if (control.progress) {
      control.progress = [this, task](std::string_view, double fraction) {
        const double done = static_cast<double>(task) + std::clamp(fraction, 0.0, 1.0);
        const Index halves = 2 * options_.pairs;
        budget_.progress(
            "stability: half " + std::to_string(task + 1) + " of " + std::to_string(halves),
            done / static_cast<double>(halves));
      };
    }
    return control;
  }

  // Of pairs only: a half whose other half was not searched does not count.
  void count() {
    std::vector<Index> chosen(static_cast<std::size_t>(result_.problem.p), 0);
    double sizes = 0;
    for (std::size_t first = 0; first + 1 < supports_.size(); first += 2) {
      if (!supports_[first] || !supports_[first + 1]) continue;
      ++result_.pairs_done;
      for (const auto& support : {*supports_[first], *supports_[first + 1]}) {
        sizes += static_cast<double>(support.size());
        for (const Index j : support) ++chosen[static_cast<std::size_t>(j)];
      }
    }
    if (result_.pairs_done == 0)
      throw Error(stopped_before(result_.status, "the first pair of halves was finished") +
                  ": allow more time");
    const double halves = 2 * static_cast<double>(result_.pairs_done);
    result_.mean_size = sizes / halves;
    const std::vector<Index>& include = result_.problem.include;
    for (Index j = 0; j < result_.problem.p; ++j) {
      if (std::binary_search(include.begin(), include.end(), j)) continue;
      const Index times = chosen[static_cast<std::size_t>(j)];
      result_.columns.push_back({j, times, static_cast<double>(times) / halves});
    }
    std::stable_sort(result_.columns.begin(), result_.columns.end(),
                     [](const auto& a, const auto& b) { return a.halves > b.halves; });
    const double least = options_.threshold * (1 - kLastDigits);  // 0.9 of 10 halves are 9
    result_.stable =
        std::count_if(result_.columns.begin(), result_.columns.end(),
                      [&](const ColumnFrequency& one) { return one.frequency >= least; });
  }

  void bound() {
    const auto p = static_cast<double>(result_.candidates);
    const double q = result_.mean_size;
    result_.low_probability = p > 0 ? q / p : 0;
    result_.expected_low_probability = worst_case_bound(q, p, options_.threshold);
    result_.expected_low_probability_r_concave =
        r_concave_bound(q, p, options_.threshold, result_.pairs_done);
  }

  Problem problem_;  // with the ridge that was chosen
  const StabilityOptions& options_;
  const Budget budget_;
  std::mutex mutex_;  // guards the result while halves are searched
  std::vector<std::optional<std::vector<Index>>> supports_;  // of each half that was finished
  Stability result_;
};

}  // namespace

Stability stability(const Problem& problem, const StabilityOptions& options) {
  return StabilitySelection(problem, options).run();
}

}  // namespace lass0
