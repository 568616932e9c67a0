#include "search/table/larger_moves.hpp"

#include <algorithm>
#include <cmath>

#include "moments/access.hpp"
#include "search/table/evidence.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Columns at a time: this share of the rows, beyond which a fit is all but perfect, and this many
// times the largest size of the table.
constexpr double kShareOfRows = 0.85;
constexpr double kFar = 4, kNotFar = 2;
constexpr Index kBeyondTheTable = 10;  // columns that the Lasso path goes beyond it at least

// Sizes that are tried, each this many times the next: at first (few of large data), and where that
// has paid.
constexpr double kFewSizes = 1.3, kFewSizesOfLargeData = 1.7, kManySizes = 1.1;
constexpr double kLargeData = 3e6;  // rows times columns: all sizes take a second or more

// Sizes that are tried, by k log(p / k) / n. Above 1/2 rows are too few for the Lasso to find k
// true columns among p independent ones (Wainwright 2009), and greedy steps fail there, too; beyond
// 1 there is nothing that any search could find; and where rows are plenty, swaps find as much.
constexpr double kRowsArePlenty = 0.25, kTooFewForTheLasso = 0.5, kTooFewForAnyone = 1.0;

// A first try ends where a round does not bring the loss this much nearer to that of the row.
constexpr double kFirstTryProgress = 0.85;
constexpr double kAnyProgress = 1;
constexpr double kToSpeakOf = 0.1;  // of the log-likelihood
// Rows that swaps can't improve are never this many times above the best loss of their size.
constexpr double kFarthestAbove = 4;

// Noise alone has reached 1.2 with 200 rows and 1.02 with 500 or more.
constexpr double kFasterThanNoise = 1.15;
constexpr std::size_t kStarts = 3;  // of each size

// Those of X, also where the search is among a list of them.
double all_columns(const Moments& moments) {
  return static_cast<double>(moments.problem().design->cols());
}

double difficulty(const Moments& moments, Index k) {
  const double size = static_cast<double>(k), p = all_columns(moments);
  return size * std::log(p / size) / static_cast<double>(moments.rows());
}

Index most_columns(const Moments& moments, double multiple, Index last) {
  const Index rows = moments.rows() - 1 - std::ssize(moments.included());
  const auto share = static_cast<Index>(kShareOfRows * static_cast<double>(rows));
  return std::min(
      {share, static_cast<Index>(multiple * static_cast<double>(last)), moments.cols()});
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

bool is_large(const Moments& moments) {
  return static_cast<double>(moments.rows()) * all_columns(moments) > kLargeData;
}

std::vector<Index> first_hard_sizes(const Moments& moments, Index first, Index last) {
  return hard_sizes(moments, first, last, is_large(moments) ? kFewSizesOfLargeData : kFewSizes);
}

std::vector<Index> hard_sizes(const Moments& moments, Index first, Index last, double ratio) {
  std::vector<Index> sizes;
  for (double k = static_cast<double>(last); k >= static_cast<double>(first);
       k = std::min(k - 1, k / ratio)) {
    const auto size = static_cast<Index>(std::ceil(k));
    const double at = difficulty(moments, size);
    if (at >= kRowsArePlenty && at <= kTooFewForAnyone) sizes.push_back(size);
  }
  return sizes;
}

Index largest_findable(const Moments& moments) {
  Index k = 1;
  while (k < moments.cols() && difficulty(moments, k + 1) <= kTooFewForAnyone &&
         difficulty(moments, k + 1) >= difficulty(moments, k))
    ++k;
  return k < moments.cols() && difficulty(moments, k + 1) <= kTooFewForAnyone ? moments.cols() : k;
}

// From the smallest hard size to twice that. The best of p - k columns that mean nothing raises the
// log-likelihood by about log(p / k).
bool falls_faster_than_noise(const Moments& moments, Index last,
                             const std::function<double(Index k)>& loss) {
  const std::vector<Index> sizes = hard_sizes(moments, 1, last, kManySizes);
  if (sizes.empty()) return false;
  const Index from = sizes.back(), to = std::min(2 * from, sizes.front());
  if (!(loss(to) > 0)) return true;
  double by_noise = 0;
  for (Index k = from + 1; k <= to; ++k)
    by_noise += std::log(all_columns(moments) / static_cast<double>(k));
  const double freedom = static_cast<double>(moments.rows()) - 0.5 * static_cast<double>(from + to);
  const double rise = 0.5 * freedom * std::log(loss(from) / loss(to));
  return rise > kFasterThanNoise * by_noise;
}

Index first_path_length(const Moments& moments, Index last) {
  const Index least = last + kBeyondTheTable;
  if (last < 1 || is_large(moments) || difficulty(moments, last) < kRowsArePlenty) return least;
  return std::max(least, most_columns(moments, kNotFar, last));
}

LargerMoves::LargerMoves(const Moments& moments, Effort effort, const Budget& budget, Rows rows,
                         LargerMovesTried& tried)
    : moments_(moments),
      budget_(budget),
      thorough_(effort == Effort::full && !is_large(moments)),
      rows_(std::move(rows)),
      tried_(tried),
      lasso_(moments, budget) {
  starts_.resize(static_cast<std::size_t>(rows_.last()) + 1);
  found_.resize(starts_.size());
  visit_lasso(first_path_length(moments, rows_.last()));
}

void LargerMoves::visit_lasso(Index longest) {
  lasso_.visit(longest, rows_.last(),
               [&](const std::vector<Index>& support, double loss, bool sure) {
                 keep_start(support, loss);
                 rows_.offer(support, loss, sure);
               });
}

void LargerMoves::keep_start(const std::vector<Index>& support, double loss) {
  auto& starts = starts_[support.size()];
  if (starts.size() == kStarts && !(loss < starts.back().loss)) return;
  const auto same = [&](const BestBySize::Support& start) {
    return std::abs(start.loss - loss) <= kSameLoss * loss;
  };
  if (std::any_of(starts.begin(), starts.end(), same)) return;
  const auto place =
      std::find_if(starts.begin(), starts.end(),
                   [&](const BestBySize::Support& start) { return start.loss > loss; });
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

// Expands and shrinks until no expansion lowers the loss, or until a round leaves more than
// `least_progress` of the way to the row's loss.
void LargerMoves::descend(BestBySize::Support at, Index most_columns, double least_progress) {
  const Index k = std::ssize(at.columns);
  const std::vector<Index> joining = expansions(k, most_columns);
  if (joining.empty()) return;
  const double goal = rows_.loss(k);
  for (;;) {
    budget_.check();
    const std::vector<Index> best = rows_.best_columns(at.columns, joining.front());
    std::vector<Index> all = at.columns;
    all.insert(all.end(), best.begin(), best.end());
    if (!sparse_products(moments_)) moments_.prefetch_block(all);
    const double before = at.loss;
    for (const Index L : joining) {
      if (L > std::ssize(best)) continue;
      const std::vector<Index> expanded(all.begin(), all.begin() + k + L);
      if (!expanded_.insert(set_hash(expanded)).second) continue;
      BestBySize::Support reached = shrink(expanded, k);
      if (!(reached.loss < at.loss - slack(at.loss, moments_.target_square()))) continue;
      at = std::move(reached);
      break;
    }
    if (at.loss == before) return;
    if (at.loss > goal && at.loss - goal > least_progress * (before - goal)) return;
  }
}

double LargerMoves::best_evidence() const {
  const Evidence evidence(moments_);
  double best = evidence.of(moments_.yty(), 0);
  for (Index k = 1; k <= rows_.last(); ++k) best = std::max(best, evidence.of(rows_.loss(k), k));
  return best;
}

// Whether anything that could be found at a size may matter.
bool LargerMoves::may_matter(Index k) const {
  const Evidence evidence(moments_);
  return thorough_ ||
         evidence.near(evidence.of(rows_.loss(k) / kFarthestAbove, k), best_evidence());
}

// Where a support that may matter raises the log-likelihood of its row by as much as a column is
// worth, or, where rows are too few for the Lasso, by anything to speak of. (Rows that fit noise
// can nearly always be improved a little. A full search of data that are not large follows that,
// too.)
bool LargerMoves::worth_going_on() const {
  const Evidence evidence(moments_);
  const double best = best_evidence();
  for (Index k = rows_.first(); k <= rows_.last(); ++k) {
    const double loss = rows_.loss(k), found = found_.at(k).loss;
    if (!(found < loss)) continue;
    if (!thorough_ && !evidence.near(evidence.of(found, k), best)) continue;
    const bool few = difficulty(moments_, k) > kTooFewForTheLasso;
    if (evidence.rise(loss, found) >= (few ? kToSpeakOf : evidence.column())) return true;
  }
  return false;
}

bool LargerMoves::offer_found() {
  return found_.offer_all([&](const std::vector<Index>& support, double loss) {
    const bool better = std::ssize(support) <= rows_.last() && rows_.offer(support, loss, false);
    tried_.improved += better ? 1 : 0;
    return better;
  });
}

bool LargerMoves::run() {
  const Index first = rows_.first(), last = rows_.last();
  for (const Index k : first_hard_sizes(moments_, first, last)) {
    const auto& starts = starts_[static_cast<std::size_t>(k)];
    if (starts.empty() || !may_matter(k)) continue;
    tried_.sizes.push_back(k);
    descend(starts.front(), most_columns(moments_, kNotFar, last), kFirstTryProgress);
  }
  if (!worth_going_on() && !(first == 1 && falls_faster_than_noise(moments_, last, rows_.loss)))
    return false;
  const Index far = most_columns(moments_, kFar, last);
  visit_lasso(far);
  for (const Index k : hard_sizes(moments_, first, last, kManySizes)) {
    tried_.sizes.push_back(k);
    if (!found_.at(k).columns.empty()) descend(found_.at(k), far, kAnyProgress);
    for (const auto& start : starts_[static_cast<std::size_t>(k)])
      descend(start, far, kAnyProgress);
  }
  return offer_found();
}

bool LargerMoves::again() {
  const Index last = rows_.last(), far = most_columns(moments_, kFar, last);
  for (const Index k : hard_sizes(moments_, rows_.first(), last, kManySizes))
    descend({rows_.support(k), rows_.loss(k)}, far, kAnyProgress);
  return offer_found();
}

}  // namespace lass0
