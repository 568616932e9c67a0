#include "select/halves.hpp"

#include <algorithm>
#include <lass0/error.hpp>
#include <numeric>

#include "problem/weights.hpp"
#include "select/method.hpp"
#include "util/memory.hpp"
#include "util/random.hpp"

namespace lass0 {
namespace {

constexpr Index kFewestRows = 4;  // two for each half
// What Moments keep in full for all rows and for each fold (src/moments/all_rows.cpp).
constexpr Index kFewColumns = 1024, kMostFolds = 100;
constexpr double kGramDoubles = 31e6;
constexpr double kLargestCopy = 16e6;  // doubles, of the rows of a half
// 8 folds have 35 pairs of complementary halves.
constexpr Index kFewestSummedFolds = 8;

// Halves are unions of the folds that the sums were made for.
Index summed_folds(const Problem& problem) {
  const Index folds = problem.summed->folds;
  if (folds < kFewestSummedFolds)
    throw Error("the sums are of " + std::to_string(folds) + (folds == 1 ? " fold" : " folds") +
                ", too few for different halves: make the file of moments again with at least " +
                std::to_string(kFewestSummedFolds) + " folds");
  return folds;
}

}  // namespace

Halves::Halves(const Problem& problem, Index pairs, std::uint64_t seed, const Budget& budget)
    : problem_(problem), pairs_(pairs) {
  validate(problem);
  const Vector weights = row_weights(problem);
  std::vector<Index> used;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) used.push_back(i);
  const Index n = std::ssize(used);
  if (rows_used(problem) < kFewestRows)
    throw Error("there " + std::string(n == 1 ? "is " : "are ") + std::to_string(n) + " row" +
                (n == 1 ? "" : "s") +
                " with a positive weight, too few for random halves: at least " +
                std::to_string(kFewestRows) + " are needed");
  Random random(seed);
  const Index folds = problem.summed   ? summed_folds(problem)
                      : n > kRowsApart ? small_folds(problem.design->cols())
                                       : 0;
  units_ = folds > 0 ? folds : n;
  unit_.assign(static_cast<std::size_t>(weights.size()), -1);
  if (folds > 0 && !problem.summed) random.shuffle(std::span(used));
  for (Index r = 0; r < n; ++r) {
    const auto row = static_cast<std::size_t>(used[static_cast<std::size_t>(r)]);
    unit_[row] = problem.summed ? problem.summed->fold[row] : r % units_;
  }

  require_memory(static_cast<double>(pairs) * static_cast<double>(units_), "the halves");
  sides_.assign(static_cast<std::size_t>(pairs * units_), -1);
  std::vector<Index> order(static_cast<std::size_t>(units_));
  for (Index pair = 0; pair < pairs; ++pair) {
    std::iota(order.begin(), order.end(), Index{0});
    random.shuffle(std::span(order));
    for (Index u = 0; u < 2 * (units_ / 2); ++u)
      sides_[static_cast<std::size_t>(pair * units_ + order[static_cast<std::size_t>(u)])] =
          u < units_ / 2 ? 0 : 1;
  }

  std::vector<int> labels;
  if (folds > 0) {
    for (const Index unit : unit_) labels.push_back(static_cast<int>(std::max<Index>(unit, 0)));
  }
  all_ = solver_within(problem, labels, budget);
}

Index Halves::small_folds(Index columns) {
  if (columns > kFewColumns) return 0;
  const double p = static_cast<double>(std::max<Index>(1, columns));
  const double most = std::min(kGramDoubles / (p * p) - 1, static_cast<double>(kMostFolds));
  return 2 * (static_cast<Index>(most) / 2);
}

std::vector<Index> Halves::rows(Index pair, int side) const {
  std::vector<Index> rows;
  for (Index i = 0; i < std::ssize(unit_); ++i) {
    const Index unit = unit_[static_cast<std::size_t>(i)];
    if (unit >= 0 && side_of(pair, unit) == side) rows.push_back(i);
  }
  return rows;
}

std::vector<Index> Halves::folds_outside(Index pair, int side) const {
  std::vector<Index> folds;
  for (Index unit = 0; unit < units_; ++unit)
    if (side_of(pair, unit) != side) folds.push_back(unit);
  return folds;
}

Half::Half(const Halves& halves, Index pair, int side, const Budget& budget) {
  const Problem& problem = halves.problem();
  const Moments& all = halves.all_rows();
  if (halves.by_folds()) {
    Moments half = all.without_folds(halves.folds_outside(pair, side));
    share_ = half.weight() / all.weight();
    if (!half.lost_digits()) {
      if (problem.family != Family::gaussian) {
        const std::vector<Index> rows = halves.rows(pair, side);
        keep_weights(row_weights(problem), rows);
      }
      rows_ = halves.solver().on_rows(std::move(half), weights_);
      solver_ = rows_->at_ridge(problem.ridge * share_);
      return;
    }
  }
  const std::vector<Index> rows = halves.rows(pair, side);
  const Vector weights = row_weights(problem);
  share_ = weights(rows).sum() / weights.sum();
  own_rows_ = true;
  copy_rows(halves, rows);
  Problem here = problem;
  here.ridge = problem.ridge * share_;
  if (design_) {
    here.design = &*design_;
    here.y = {y_.data(), static_cast<std::size_t>(y_.size())};
    if (offset_.size() > 0)
      here.offset = {offset_.data(), static_cast<std::size_t>(offset_.size())};
    if (!problem.weights.empty())
      here.weights = {weights_.data(), static_cast<std::size_t>(weights_.size())};
  } else {
    keep_weights(weights, rows);
    here = with_weights(here, weights_);
  }
  solver_ = solver_within(here, {}, budget);
}

// X itself, with weight 0 for the other rows.
void Half::keep_weights(const Vector& weights, const std::vector<Index>& rows) {
  weights_ = Vector::Zero(weights.size());
  for (const Index i : rows) weights_[i] = weights[i];
}

// Every pass over a copy reads half of X. Whether there is one must not depend on the machine: it
// decides last bits.
void Half::copy_rows(const Halves& halves, const std::vector<Index>& rows) {
  const Problem& problem = halves.problem();
  const Index n = std::ssize(rows), p = problem.design->cols();
  const double doubles = static_cast<double>(n) * static_cast<double>(p);
  const double memory = halves.all_rows().control().memory;
  Matrix none(0, p);
  if (problem.summed || doubles > kLargestCopy ||
      (memory > 0 && sizeof(double) * doubles > memory) || !problem.design->gather({}, none))
    return;
  X_.resize(n, p);
  problem.design->gather(rows, X_);
  design_.emplace(X_);
  const Eigen::Map<const Vector> y(problem.y.data(), std::ssize(problem.y));
  y_ = y(rows);
  if (!problem.weights.empty()) weights_ = row_weights(problem)(rows);
  if (!problem.offset.empty())
    offset_ = Eigen::Map<const Vector>(problem.offset.data(), std::ssize(problem.offset))(rows);
}

}  // namespace lass0
