#include "search/larger_moves.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/search.hpp>

namespace lass0 {
namespace {

// Columns at a time: this share of the rows, beyond which a fit is all but perfect, and this many
// times the largest size of the table.
constexpr double kShareOfRows = 0.85;
constexpr Index kFar = 4, kNotFar = 2;
constexpr Index kBeyondTheTable = 10;  // columns that the Lasso path goes beyond it at least

// Sizes that are tried: each this many times the next.
constexpr double kFewSizes = 1.3, kManySizes = 1.1;

// Sizes that are tried, by k log(p / k) / n. Above 1/2 rows are too few for the Lasso to find k
// true columns among p independent ones (Wainwright 2009), and greedy steps fail there, too; beyond
// 1 there is nothing that any search could find; and where rows are plenty, swaps find as much.
constexpr double kRowsArePlenty = 0.25, kTooFewForTheLasso = 0.5, kTooFewForAnyone = 1.0;

// A first try ends where a round does not bring the loss this much nearer to that of the row.
constexpr double kFirstTryProgress = 0.85;
constexpr double kToSpeakOf = 0.1;  // of the log-likelihood

constexpr std::size_t kStarts = 3;  // of each size
constexpr double kSameLoss = 1e-9;

double difficulty(const Moments& moments, Index k) {
  const double size = static_cast<double>(k), p = static_cast<double>(moments.cols());
  return size * std::log(p / size) / static_cast<double>(moments.rows());
}

// How many columns join a support of k, largest first.
std::vector<Index> expansions(Index k, Index most_columns) {
  std::vector<Index> sizes;
  for (const Index joining : {3 * k, 2 * k, k, k / 2, k / 4, k / 8}) {
    const Index L = std::max<Index>(1, joining);
    if (k + L <= most_columns && (sizes.empty() || L < sizes.back())) sizes.push_back(L);
  }
  return sizes;
}

}  // namespace

Index LargerMoves::most_columns(Index multiple, Index last) const {
  const Index rows = moments_.rows() - 1 - std::ssize(moments_.included());
  const auto share = static_cast<Index>(kShareOfRows * static_cast<double>(rows));
  return std::min({share, multiple * last, moments_.cols()});
}

void LargerMoves::visit_lasso(const Rows& rows, Index longest) {
  lasso_.visit(longest, rows.last, [&](const std::vector<Index>& support, double loss, bool sure) {
    keep_start(support, loss);
    rows.offer(support, loss, sure);
  });
}

void LargerMoves::begin(const Rows& rows) {
  starts_.resize(static_cast<std::size_t>(rows.last) + 1);
  found_.resize(starts_.size());
  const bool plenty = difficulty(moments_, rows.last) < kRowsArePlenty;
  visit_lasso(rows,
              std::max(rows.last + kBeyondTheTable, plenty ? 0 : most_columns(kNotFar, rows.last)));
}

void LargerMoves::keep_start(const std::vector<Index>& support, double loss) {
  auto& starts = starts_[support.size()];
  if (starts.size() == kStarts && !(loss < starts.back().loss)) return;
  const auto place =
      std::lower_bound(starts.begin(), starts.end(), loss,
                       [](const auto& start, double than) { return start.loss < than; });
  // The same support again, but for rounding.
  const auto same = [&](const auto& start) {
    return std::abs(start.loss - loss) <= kSameLoss * loss;
  };
  if (std::any_of(starts.begin(), starts.end(), same)) return;
  starts.insert(place, {support, loss});
  if (starts.size() > kStarts) starts.pop_back();
}

// The support of k columns that is left of an expanded one.
BestBySize::Support LargerMoves::shrink(const std::vector<Index>& expanded, Index k) {
  BestBySize::Support reached;
  eliminate(moments_, expanded, [&](const std::vector<Index>& support, double loss, bool) {
    const Index size = std::ssize(support);
    if (size == k) reached = {support, loss};
    if (size < found_.sizes() && found_.promises(size, loss)) found_.keep(support, loss);
    return true;
  });
  return reached;
}

void LargerMoves::descend(const Rows& rows, BestBySize::Support at, Index most_columns,
                          double least_progress) {
  const Index k = std::ssize(at.columns);
  const std::vector<Index> joining = expansions(k, most_columns);
  if (joining.empty()) return;
  const double goal = rows.loss(k);
  const auto slack = [&](double loss) {
    return std::max(kStrictImprovement * loss, kRoundingOfSums * moments_.target_square());
  };
  for (;;) {
    budget_.check();
    const std::vector<Index> best = rows.best_columns(at.columns, joining.front());
    std::vector<Index> all = at.columns;
    all.insert(all.end(), best.begin(), best.end());
    if (!moments_.sparse()) moments_.prefetch_block(all);
    const double before = at.loss;
    for (const Index L : joining) {
      if (L > std::ssize(best)) continue;
      const std::vector<Index> expanded(all.begin(), all.begin() + k + L);
      if (!expanded_.insert(set_hash(expanded)).second) continue;
      const BestBySize::Support reached = shrink(expanded, k);
      if (!(reached.loss < at.loss - slack(at.loss))) continue;
      at = reached;
      break;
    }
    if (at.loss == before) return;
    if (at.loss > goal && at.loss - goal > least_progress * (before - goal)) return;
  }
}

// By the fall of the log-likelihood: as much as a column is worth, or, where rows are too few for
// the Lasso, anything to speak of.
bool LargerMoves::worth_going_on(const Rows& rows) const {
  const double n = static_cast<double>(moments_.rows());
  const double column = std::log(static_cast<double>(std::max<Index>(2, moments_.cols())));
  for (Index k = rows.first; k <= rows.last; ++k) {
    const double loss = rows.loss(k), found = found_.at(k).loss;
    if (!(found < loss)) continue;
    const bool few = difficulty(moments_, k) > kTooFewForTheLasso;
    if (0.5 * n * std::log(loss / found) >= (few ? kToSpeakOf : column)) return true;
  }
  return false;
}

bool LargerMoves::offer_found(const Rows& rows) {
  return found_.offer_all([&](const std::vector<Index>& support, double loss) {
    if (!rows.offer(support, loss, false)) return false;
    ++tried_.improved;
    return true;
  });
}

std::vector<Index> LargerMoves::sizes(const Rows& rows, double ratio) const {
  std::vector<Index> sizes;
  for (double k = static_cast<double>(rows.last); k >= static_cast<double>(rows.first);
       k = std::min(k - 1, k / ratio)) {
    const auto size = static_cast<Index>(std::ceil(k));
    const double difficulty = lass0::difficulty(moments_, size);
    if (difficulty >= kRowsArePlenty && difficulty <= kTooFewForAnyone) sizes.push_back(size);
  }
  return sizes;
}

bool LargerMoves::run(const Rows& rows) {
  for (const Index k : sizes(rows, kFewSizes)) {
    const auto& starts = starts_[static_cast<std::size_t>(k)];
    if (starts.empty()) continue;
    tried_.sizes.push_back(k);
    descend(rows, starts.front(), most_columns(kNotFar, rows.last), kFirstTryProgress);
  }
  if (!worth_going_on(rows)) return false;
  const Index far = most_columns(kFar, rows.last);
  visit_lasso(rows, far);
  for (const Index k : sizes(rows, kManySizes)) {
    tried_.sizes.push_back(k);
    if (!found_.at(k).columns.empty()) descend(rows, found_.at(k), far, 1.0);
    for (const auto& start : starts_[static_cast<std::size_t>(k)]) descend(rows, start, far, 1.0);
  }
  return offer_found(rows);
}

bool LargerMoves::again(const Rows& rows) {
  const Index far = most_columns(kFar, rows.last);
  for (const Index k : sizes(rows, kManySizes))
    descend(rows, {rows.support(k), rows.loss(k)}, far, 1.0);
  return offer_found(rows);
}

}  // namespace lass0
