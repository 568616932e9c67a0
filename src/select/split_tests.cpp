#include "select/split_tests.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/support_table.hpp>
#include <mutex>

#include "model/included.hpp"
#include "moments/access.hpp"
#include "problem/weights.hpp"
#include "select/t_tests.hpp"
#include "util/budget.hpp"
#include "util/parallel.hpp"
#include "util/random.hpp"

namespace lass0 {
namespace {

constexpr Index kPerSplits = 20;  // gamma_min = 1 / kPerSplits
constexpr Index kMostTested = 100;
constexpr Index kRowsPerTest = 5;      // of a half
constexpr Index kFewestSpareRows = 3;  // of a half, beyond included columns and intercept

struct HalfWeights {
  Vector choice, test;  // weights: 0 for the rows of the other half
};

HalfWeights half_weights(const Vector& weights, const std::vector<Index>& rows, Random& random) {
  HalfWeights split{Vector::Zero(weights.size()), weights};
  std::vector<Index> order = rows;
  random.shuffle(std::span(order), std::ssize(order) / 2);
  for (std::size_t i = 0; i < order.size() / 2; ++i) {
    split.choice[order[i]] = weights[order[i]];
    split.test[order[i]] = 0;
  }
  return split;
}

// How many columns are chosen on each half. Fixed, so that it tells nothing of the other half; as
// many as a test can bear, so that the true columns are among them.
Index tested_columns(const Problem& problem, Index rows) {
  const Index fixed = std::ssize(include_list(problem)) + (problem.intercept ? 1 : 0);
  const Index spare = rows / 2 - fixed;
  if (spare < kFewestSpareRows)
    throw Error("split-sample p-values need at least " +
                std::to_string(2 * (fixed + kFewestSpareRows)) +
                " rows of positive weight here, but there are " + std::to_string(rows));
  return std::min({std::max<Index>(1, spare / kRowsPerTest), kMostTested, problem.design->cols()});
}

class SplitTester {
 public:
  SplitTester(const Problem& problem, const SplitTestOptions& options)
      : problem_(problem), budget_(options.control), weights_(row_weights(problem)) {
    for (Index i = 0; i < weights_.size(); ++i) {
      if (weights_[i] > 0) rows_.push_back(i);
    }
    tests_.size = tested_columns(problem, std::ssize(rows_));
    tests_.included = include_list(problem);
    tests_.asked = options.splits;
    // All halves are drawn first: none depends on how the others went.
    Random random(options.seed);
    for (Index b = 0; b < options.splits; ++b) seeds_.push_back(random.bits());
    splits_.resize(seeds_.size());
  }

  SplitTests run() {
    std::atomic<Index> done = 0;
    std::mutex mutex;
    for_each_block(std::ssize(splits_), budget_.threads(), [&](Index b) {
      try {
        budget_.check();
        splits_[static_cast<std::size_t>(b)] = one_split(seeds_[static_cast<std::size_t>(b)]);
      } catch (const Stop& stop) {
        const std::lock_guard lock(mutex);
        tests_.status = stop.status;
        return;
      }
      budget_.progress("p-values",
                       static_cast<double>(++done) / static_cast<double>(splits_.size()));
    });
    std::erase_if(splits_, [](const Split& split) { return !split.done; });
    combine();
    return std::move(tests_);
  }

 private:
  struct Split {
    bool done = false;
    std::vector<Index> columns;
    std::vector<double> p_values;  // of those columns
  };

  Split one_split(std::uint64_t seed) const {
    Random random(seed);
    const HalfWeights split = half_weights(weights_, rows_, random);
    Split result;
    result.columns = chosen_on(with_weights(problem_, split.choice));
    result.p_values = t_test_p_values(with_weights(problem_, split.test), result.columns);
    result.done = true;
    return result;
  }

  // The best support of the fixed size. The search itself is the one that folds use.
  std::vector<Index> chosen_on(const Problem& half) const {
    Control control = budget_.remaining();
    control.progress = {};
    control.memory /= thread_count(budget_.threads());  // as many halves are searched side by side
    const Budget quiet(control);
    const Moments moments = moments_within(half, {}, quiet);
    const SupportTable table = best_supports(
        moments, {.max_k = tests_.size, .effort = Effort::quick, .control = quiet.remaining()});
    if (stopped(table.status)) throw Stop{table.status};
    return table.rows.back().support;
  }

  void combine() {
    const auto p = static_cast<std::size_t>(problem_.design->cols());
    std::vector<std::vector<double>> of_column(p);
    for (const Split& split : splits_) {
      const double tested = static_cast<double>(split.columns.size());
      for (std::size_t c = 0; c < split.columns.size(); ++c)
        of_column[static_cast<std::size_t>(split.columns[c])].push_back(
            std::min(1.0, tested * split.p_values[c]));
    }
    tests_.splits = std::ssize(splits_);
    for (std::vector<double>& values : of_column) {
      const double all = std::max(1.0, static_cast<double>(splits_.size()));
      tests_.selected.push_back(static_cast<double>(values.size()) / all);
      values.resize(splits_.size(), 1.0);  // where it was not chosen
      tests_.p_values.push_back(combined_p_value(std::move(values)));
    }
  }

  const Problem& problem_;
  const Budget budget_;
  const Vector weights_;
  std::vector<Index> rows_;  // of positive weight
  std::vector<std::uint64_t> seeds_;
  std::vector<Split> splits_;
  SplitTests tests_;
};

}  // namespace

std::vector<Index> SplitTests::listed(Columns support) const {
  std::vector<Index> columns;
  for (Index j = 0; j < std::ssize(p_values); ++j) {
    const bool chosen = std::find(support.begin(), support.end(), j) != support.end() &&
                        !std::binary_search(included.begin(), included.end(), j);
    if (chosen || p_values[static_cast<std::size_t>(j)] < 1) columns.push_back(j);
  }
  std::stable_sort(columns.begin(), columns.end(), [&](Index a, Index b) {
    const auto i = static_cast<std::size_t>(a), k = static_cast<std::size_t>(b);
    return p_values[i] != p_values[k] ? p_values[i] < p_values[k] : selected[i] > selected[k];
  });
  return columns;
}

void check_split_tests(const Problem& problem) {
  if (problem.family != Family::gaussian)
    throw UsageError(
        "split-sample p-values work with the family gaussian only: they are those of least "
        "squares");
  require_rows(problem, "a split-sample p-value");
  tested_columns(problem, rows_used(problem));
}

SplitTests split_tests(const Problem& problem, const SplitTestOptions& options) {
  validate(problem);
  if (options.splits < 1 || options.splits > kMostSplits)
    throw UsageError("the number of splits must be from 1 to " + std::to_string(kMostSplits) +
                     ", not " + std::to_string(options.splits));
  return SplitTester(problem, options).run();
}

// quantile_g is the smallest value that at least a share g of the p-values do not exceed, so the
// i-th smallest for g from (i - 1) / B to i / B: the minimum is at one of the i / B.
double combined_p_value(std::vector<double> p_values) {
  std::sort(p_values.begin(), p_values.end());
  const Index count = std::ssize(p_values);
  double least = 1;
  for (Index i = std::max<Index>(1, (count + kPerSplits - 1) / kPerSplits); i <= count; ++i) {
    least = std::min(least, p_values[static_cast<std::size_t>(i - 1)] * static_cast<double>(count) /
                                static_cast<double>(i));
  }
  return std::min(1.0, (1 + std::log(static_cast<double>(kPerSplits))) * least);
}

}  // namespace lass0
