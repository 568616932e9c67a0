#include "glm/glm_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "glm/move_scores.hpp"
#include "glm/second_order.hpp"
#include "search/table/rows_between.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Up to this many columns, all of them are in the panel.
constexpr Index kAllInPanel = 256;
// Otherwise this many of the best scores at the first fit, and of new ones at each later one.
constexpr Index kFirstColumns = 192, kMoreColumns = 48;
// How many of the best moves of a kind are fitted exactly.
constexpr Index kSwapsFitted = 4, kNeighboursFitted = 2;
// Multiplications that looking at the rows' own moves may take in a quick search.
constexpr double kQuickPolish = 4e8;

// A second-order model is good for sizes from about 3/4 to 4/3 of its own fit's.
Index next_anchor(Index k) { return std::max(k + 1, k + k / 3); }

class TableSearch {
 public:
  TableSearch(Panel& panel, const GlmTableOptions& options, const Budget& budget)
      : panel_(panel),
        rows_(panel.rows()),
        newton_(panel),
        options_(options),
        budget_(budget),
        all_in_panel_(rows_.cols() <= kAllInPanel),
        fits_(static_cast<std::size_t>(options.max_k) + 1),
        separated_(fits_.size(), std::numeric_limits<double>::infinity()),
        separated_by_(fits_.size()) {
    for (GlmFit& fit : fits_) fit.loss = std::numeric_limits<double>::infinity();
  }

  GlmTable run() {
    budget_.check();
    fits_[0] = newton_.fit({});
    total_ = fits_[0].loss;
    GlmTable result;
    result.table.status = Status::second_order_optimum;
    try {
      fill();
    } catch (const Stop& stop) {
      result.table.status = stop.status;
    }
    keep_rows(result);
    return result;
  }

 private:
  // ---- rows ----

  GlmFit& at(Index k) { return fits_[static_cast<std::size_t>(k)]; }
  bool reached(Index k) const {
    return k >= 0 && k <= last_ && std::isfinite(fits_[static_cast<std::size_t>(k)].loss);
  }
  double slack(double loss) const { return lass0::slack(loss, total_); }

  // True: its row got better.
  bool offer(GlmFit fit) {
    const Index k = std::ssize(fit.support);
    if (k > options_.max_k || fit.state == GlmFit::State::dependent) return false;
    const auto place = static_cast<std::size_t>(k);
    if (fit.state == GlmFit::State::separated) {
      if (fit.loss < separated_[place]) {
        separated_[place] = fit.loss;
        separated_by_[place] = fit.support;
      }
      return false;
    }
    const double before = at(k).loss;
    if (!(fit.loss < before - (std::isfinite(before) ? slack(before) : 0))) return false;
    at(k) = std::move(fit);
    unsettled_.insert(k);
    changed_.insert(k);
    return true;
  }

  // A support that was not fitted before.
  template <class Start>
  bool offer(std::vector<Index> support, const Start& start) {
    if (!tried_.insert(support).second) return false;
    budget_.check();
    const GlmStart from = start();
    return offer(newton_.fit(std::move(support), &from));
  }

  bool offer(const MoveScores& scores, const GlmFit& fit, const Step& step) {
    std::vector<Index> support = fit.support;
    if (step.remove >= 0) std::erase(support, step.remove);
    if (step.add >= 0)
      support.insert(std::upper_bound(support.begin(), support.end(), step.add), step.add);
    return offer(std::move(support), [&] { return scores.start(step); });
  }

  // Nothing but separated supports, or better ones of them than any other.
  bool separated(Index k) const {
    return separated_[static_cast<std::size_t>(k)] < fits_[static_cast<std::size_t>(k)].loss;
  }

  // ---- the search ----

  void fill() {
    choose_first_columns();
    last_ = options_.max_k;
    for (const std::vector<Index>& support : options_.starts) {
      if (tried_.insert(support).second) offer(newton_.fit(support));
    }
    sweep();
    const bool quick = options_.effort == Effort::quick;
    if (!quick) {
      for (int round = 0; round < kMostSweeps && !changed_.empty(); ++round) sweep();
    }
    if (!quick || polish_work() <= kQuickPolish) settle();
    if (!quick && !all_in_panel_) {
      while (look_at_all_columns()) settle();
    }
  }

  double polish_work() const {
    const double k = static_cast<double>(last_ + 1);
    return static_cast<double>(rows_.rows()) * static_cast<double>(panel_.size()) * k * k;
  }

  void choose_first_columns() {
    std::vector<Index> columns;
    for (Index j = 0; j < rows_.cols(); ++j) {
      if (rows_.eligible(j)) columns.push_back(j);
    }
    if (!all_in_panel_ && std::ssize(columns) > kFirstColumns) {
      std::vector<Index> best;
      const MoveScores scores(panel_, fits_[0], MoveScores::Among::all);
      for (const Step& add : scores.adds(kFirstColumns)) best.push_back(add.add);
      columns = std::move(best);
    }
    std::sort(columns.begin(), columns.end());
    panel_.add(columns);
  }

  // Second-order models at fits of growing size, each for the sizes around its own.
  void sweep() {
    const std::set<Index> changed = std::exchange(changed_, {});
    for (Index k = 0; k < last_;) {
      const Index next = std::min(next_anchor(k), last_);
      if (!reached(k)) {
        last_ = std::max<Index>(0, k - 1);
        return;
      }
      // Where nothing changed since it was last looked at, nothing will.
      const auto from = changed.lower_bound(k - k / 3);
      if (sweeps_ == 0 || (from != changed.end() && *from <= next)) look_around(k, next);
      for (Index size = k + 1; size <= next; ++size) {
        if (!reached(size) || separated(size)) {
          last_ = size - 1;
          break;
        }
      }
      budget_.progress("the table of best supports", static_cast<double>(next) / last_or_one());
      k = next;
    }
    ++sweeps_;
  }

  double last_or_one() const { return static_cast<double>(std::max<Index>(1, last_)); }

  void look_around(Index k, Index next) {
    budget_.check();
    const GlmFit fit = at(k);
    if (!all_in_panel_ && sweeps_ == 0 && k > 0) {
      const MoveScores scores(panel_, fit, MoveScores::Among::all);
      std::vector<Index> best;
      for (const Step& add : scores.adds(kMoreColumns)) best.push_back(add.add);
      panel_.add(best);
    }
    const SecondOrder model(panel_, fit, budget_.remaining());
    const Index first = std::max<Index>(0, k - k / 3 - 1);  // the row below those that are filled
    if (!reached(first)) return;
    const auto places = [&](Index size) {
      std::vector<Index> list;
      for (const Index j : at(size).support) list.push_back(panel_.place(j));
      std::sort(list.begin(), list.end());
      return list;
    };
    std::vector<std::vector<Index>> starts;
    for (Index size = first + 1; size <= next; ++size) {
      if (reached(size)) starts.push_back(places(size));
    }
    for (const Row& row :
         rows_between(model.moments(), places(first), next, starts, options_.effort, budget_)) {
      if (!std::isfinite(row.loss)) continue;
      std::vector<Index> support = model.columns_of(row.support);
      if (support.empty()) continue;
      const std::vector<Index> copy = support;
      offer(std::move(support), [&] { return model.start(copy); });
    }
  }

  // The moves of every row at its own fit, until no row gets better.
  void settle() {
    while (!unsettled_.empty()) {
      const Index k = *unsettled_.begin();
      unsettled_.erase(unsettled_.begin());
      if (k <= last_ && reached(k)) settle(k, MoveScores::Among::panel);
    }
  }

  // True: some row got better.
  bool settle(Index k, MoveScores::Among among) {
    budget_.check();
    const GlmFit fit = at(k);
    const MoveScores scores(panel_, fit, among);
    if (!scores.valid()) return false;
    bool better = false;
    for (const Step& swap : scores.swaps(kSwapsFitted)) better = offer(scores, fit, swap) || better;
    if (k < last_) {
      for (const Step& add : scores.adds(kNeighboursFitted))
        better = offer(scores, fit, add) || better;
    }
    if (k > 1) {
      for (const Step& remove : scores.removes(kNeighboursFitted))
        better = offer(scores, fit, remove) || better;
    }
    return better;
  }

  bool look_at_all_columns() {
    bool better = false;
    for (Index k = 0; k <= last_; ++k) {
      if (!reached(k) || !looked_at_.insert(at(k).support).second) continue;
      better = settle(k, MoveScores::Among::all) || better;
    }
    return better;
  }

  // ---- the result ----

  void keep_rows(GlmTable& result) {
    for (Index k = 0; k <= options_.max_k; ++k) {
      if (k > 0 && separated(k)) {
        result.separation = Separation{separated_by_[static_cast<std::size_t>(k)]};
        break;
      }
      GlmFit& fit = at(k);
      if (!std::isfinite(fit.loss)) break;
      if (k > 0 && !(fit.loss < result.fits.back().loss - slack(result.fits.back().loss))) break;
      const bool scored = !stopped(result.table.status) && options_.effort == Effort::full;
      result.table.rows.push_back(
          {.support = fit.support, .loss = fit.loss, .swap_optimal = scored});
      result.fits.push_back(std::move(fit));
    }
    if (!stopped(result.table.status) && options_.effort == Effort::quick)
      result.table.status = Status::unchecked;
    result.table.effort = options_.effort;
  }

  static constexpr int kMostSweeps = 3;

  Panel& panel_;
  const GlmRows& rows_;
  const Newton newton_;
  const GlmTableOptions& options_;
  const Budget& budget_;
  const bool all_in_panel_;
  double total_ = 0;
  Index last_ = 0;  // the largest size that is filled
  int sweeps_ = 0;
  std::vector<GlmFit> fits_;
  std::vector<double> separated_;  // the lowest loss seen of a separated support of each size
  std::vector<std::vector<Index>> separated_by_;
  std::set<std::vector<Index>> tried_, looked_at_;
  std::set<Index> unsettled_, changed_;
};

}  // namespace

GlmTable best_glm_supports(Panel& panel, const GlmTableOptions& options, const Budget& budget) {
  return TableSearch(panel, options, budget).run();
}

}  // namespace lass0
