#include "glm/glm_table.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <memory>
#include <numeric>
#include <set>

#include "glm/fit_together.hpp"
#include "glm/likely_columns.hpp"
#include "glm/move_scores.hpp"
#include "glm/predictions.hpp"
#include "glm/second_order.hpp"
#include "search/table/envelope.hpp"
#include "search/table/rows_between.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Otherwise this many of the best adds at the first fit, and at each later one.
constexpr Index kFirstColumns = 192, kMoreColumns = 48;
// How many of the best moves of a kind are fitted exactly.
constexpr Index kSwapsFitted = 4, kNeighboursFitted = 2;
// Scores are to second order: what a move gains and costs may be off by this factor.
constexpr double kScoresOff = 1.5;
// Multiplications, estimated from sizes alone: of looking at the rows' own moves in a quick search,
// and of fitting every add, remove and swap of every row.
constexpr double kQuickPolish = 2e6, kFitAllMoves = 1e7;

// A second-order model is good for sizes from about 3/4 to 4/3 of its own fit's; a quick search
// makes do with fewer.
Index next_anchor(Index k, Effort effort, bool heavy, bool with_starts) {
  // With good supports of all sizes at hand, one model in the middle is enough.
  if (effort == Effort::quick)
    return with_starts ? std::max<Index>(10, 10 * k) : std::max<Index>(5, 3 * k);
  return heavy ? std::max(k + 3, 3 * k) : std::max(k + 1, k + k / 3);
}
// Of predictions, up to which curvatures of rows do for a first look at columns.
constexpr double kRoughChange = 1;
// Numbers: of the products of all columns that are kept at a time.
constexpr double kMostProducts = 2e7;
// With many rows a model costs much, and is good for more sizes: multiplications of one.
constexpr double kHeavyModel = 2e8;

class TableSearch {
 public:
  TableSearch(Panel& panel, const GlmTableOptions& options, const Budget& budget)
      : panel_(panel),
        rows_(panel.rows()),
        settled_(options.effort == Effort::quick ? kNearlySettledFit : kSettledFit),
        options_(options),
        budget_(budget),
        all_in_panel_(rows_.cols() <= kAllInPanel),
        makes_list_(!all_in_panel_ && !(quick() && !options.starts.empty())),
        began_(budget.seconds()),
        fits_(static_cast<std::size_t>(options.max_k) + 1),
        separated_(fits_.size(), std::numeric_limits<double>::infinity()),
        separated_by_(fits_.size()) {
    for (GlmFit& fit : fits_) fit.loss = std::numeric_limits<double>::infinity();
  }

  GlmTable run() {
    budget_.check();
    fits_[0] = Newton(panel_, settled_).fit({});
    total_ = fits_[0].loss;
    GlmTable result;
    result.table.status = quick() ? Status::unchecked : Status::second_order_optimum;
    try {
      fill();
      if (all_moves_fitted_) result.table.status = Status::local_optimum;
    } catch (const Stop& stop) {
      result.table.status = stop.status;
      all_moves_fitted_ = false;
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

  // Supports that were not fitted before.
  template <class Start>
  void want(std::vector<WantedFit>& wanted, std::vector<Index> support, const Start& start) {
    const double limit = at(std::ssize(support)).loss;
    if (tried_.insert(support).second) wanted.push_back({std::move(support), start(), limit});
  }

  void want(std::vector<WantedFit>& wanted, const MoveScores& scores, const GlmFit& fit,
            const Step& step) {
    std::vector<Index> support = fit.support;
    if (step.remove >= 0) std::erase(support, step.remove);
    if (step.add >= 0)
      support.insert(std::upper_bound(support.begin(), support.end(), step.add), step.add);
    want(wanted, std::move(support), [&] { return scores.start(step); });
  }

  // True: some row got better.
  bool fit(std::vector<WantedFit> wanted) {
    bool better = false;
    for (GlmFit& found :
         fit_together(panel_, std::move(wanted), settled_, budget_, FitsToKeep::best_of_each_size))
      better = offer(std::move(found)) || better;
    return better;
  }

  // Nothing but separated supports, or better ones of them than any other.
  bool separated(Index k) const {
    return separated_[static_cast<std::size_t>(k)] < fits_[static_cast<std::size_t>(k)].loss;
  }

  // ---- the search ----

  bool heavy() const {
    const double m = static_cast<double>(panel_.size());
    return static_cast<double>(rows_.rows()) * m * m > kHeavyModel;
  }
  bool quick() const { return options_.effort == Effort::quick; }

  void fill() {
    last_ = options_.max_k;
    choose_first_columns();
    sweep();
    if (!quick()) {
      for (int round = 1; round < most_sweeps() && !changed_.empty(); ++round) sweep();
    }
    if (!quick() || moves_work() <= kQuickPolish) settle();
    if (!quick() && !all_in_panel_) {
      while (look_at_all_columns()) settle();
    }
    if (moves_work() <= kFitAllMoves && !quick()) {
      while (fit_all_moves()) settle();
      all_moves_fitted_ = true;
    }
  }

  // Of fitting all swaps of all rows.
  double moves_work() const {
    const double k = static_cast<double>(std::min(options_.max_k, rows_.cols()));
    return static_cast<double>(rows_.rows()) * k * k * (k + 1) * static_cast<double>(rows_.cols());
  }

  void choose_first_columns() {
    std::vector<Index> columns;
    for (Index j = 0; j < rows_.cols(); ++j) {
      if (rows_.eligible(j)) columns.push_back(j);
    }
    if (!all_in_panel_ && std::ssize(columns) > kFirstColumns) {
      columns.clear();
      if (makes_list_) columns = likely_columns(rows_, fits_[0], kFirstColumns);
    }
    for (const std::vector<Index>& support : options_.starts)
      columns.insert(columns.end(), support.begin(), support.end());
    std::sort(columns.begin(), columns.end());
    panel_.add(columns);
  }

  // Second-order models at fits of growing size, each for the sizes around its own.
  void sweep() {
    const std::set<Index> changed = std::exchange(changed_, {});
    for (Index k = 0; k < last_;) {
      const Index next =
          std::min(next_anchor(k, options_.effort, heavy(), !options_.starts.empty()), last_);
      // Where nothing changed since it was last looked at, nothing will.
      const auto from = changed.lower_bound(first_around(k));
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
  static Index first_around(Index k) { return k - k / 3; }

  void look_around(Index k, Index next) {
    budget_.check();
    predict(panel_, at(k));
    const GlmFit fit = at(k);
    if (makes_list_ && sweeps_ == 0 && k > 0) panel_.add(likely_columns(rows_, fit, kMoreColumns));
    const std::unique_ptr<const SecondOrder> at_fit = model_at(fit);
    const SecondOrder& model = *at_fit;
    const auto places = [&](const std::vector<Index>& support) {
      std::vector<Index> list;
      for (const Index j : support) list.push_back(panel_.place(j));
      std::sort(list.begin(), list.end());
      return list;
    };
    const Index below = std::max<Index>(0, first_around(k) - 1);  // the row below those filled
    std::vector<std::vector<Index>> starts;
    for (Index size = below + 1; size <= next; ++size) {
      if (reached(size)) starts.push_back(places(at(size).support));
    }
    std::vector<WantedFit> wanted;
    if (sweeps_ == 0) {
      for (const std::vector<Index>& support : options_.starts) {
        const Index size = std::ssize(support);
        if (size <= below || size > next) continue;
        starts.push_back(places(support));
        want(wanted, support, [&] { return model.start(support); });
      }
    }
    for (const Row& row : rows_between(model.moments(), places(at(below).support), next, starts,
                                       options_.effort, budget_)) {
      if (!std::isfinite(row.loss) || row.support.empty()) continue;
      const std::vector<Index> support = model.columns_of(row.support);
      want(wanted, support, [&] { return model.start(support); });
    }
    this->fit(std::move(wanted));
  }

  std::unique_ptr<const SecondOrder> model_at(const GlmFit& fit) {
    try {
      if (!quick() && heavy() && rows_.included().empty() && !fit.support.empty())
        return std::make_unique<const SecondOrder>(panel_, fit, curvatures_.near(panel_, fit),
                                                   budget_.remaining());
      return std::make_unique<const SecondOrder>(panel_, fit, quick(), budget_.remaining());
    } catch (const Error&) {
      budget_.check();  // a pass over the rows that was stopped
      throw;
    }
  }

  // The moves of every row, until no row gets better: by the curvature of a row nearby as long as
  // that finds better rows, then by its own.
  void settle() {
    while (!unsettled_.empty()) {
      const std::vector<Index> sizes = rows_of(std::exchange(unsettled_, {}));
      std::vector<WantedFit> wanted;
      if (heavy())
        want_moves_nearby(wanted, sizes);
      else
        for_each_group(sizes, SharedCurvature::Among::panel,
                       [&](Index k, const MoveScores& scores) { want_moves(wanted, k, scores); });
      fit(std::move(wanted));
      if (unsettled_.empty() && !heavy()) settle_by_own_curvature();
    }
  }

  void settle_by_own_curvature() {
    std::vector<WantedFit> wanted;
    for (Index k = 0; k <= last_; ++k) {
      if (reached(k) && scored_.insert(at(k).support).second)
        want_moves(wanted, k, MoveScores::Among::panel);
    }
    fit(std::move(wanted));
  }

  std::vector<Index> rows_of(const std::set<Index>& changed) {
    std::vector<Index> sizes;
    for (const Index k : changed) {
      if (k <= last_ && reached(k)) sizes.push_back(k);
    }
    return sizes;
  }

  // Calls use(k, scores) with scores by the curvature of a row nearby.
  template <class Use>
  void for_each_group(const std::vector<Index>& sizes, SharedCurvature::Among among,
                      const Use& use) {
    for (std::size_t begin = 0; begin < sizes.size();) {
      budget_.check();
      predict(panel_, at(sizes[begin]));
      const NearbyFits nearby(rows_, at(sizes[begin]));
      std::vector<const GlmFit*> fits;
      for (std::size_t s = begin; s < sizes.size(); ++s) {
        GlmFit& row = at(sizes[s]);
        predict(panel_, row);
        if (s > begin && (!nearby.holds_at(row, kRoughChange) || !room_for(fits, row))) break;
        fits.push_back(&row);
      }
      const SharedCurvature shared(panel_, fits, among);
      for (std::size_t s = 0; s < fits.size(); ++s)
        use(sizes[begin + s], MoveScores(panel_, *fits[s], shared, s));
      begin += fits.size();
    }
  }

  // For the products of all columns with those of these fits: memory.
  bool room_for(const std::vector<const GlmFit*>& fits, const GlmFit& one) const {
    const double columns = static_cast<double>(one.support.size() + 2 * fits.size());
    return columns * static_cast<double>(rows_.cols()) <= kMostProducts;
  }

  void want_moves(std::vector<WantedFit>& wanted, Index k, MoveScores::Among among) {
    budget_.check();
    predict(panel_, at(k));
    want_moves(wanted, k, MoveScores(panel_, at(k), among));
  }

  // With many rows: by the second derivatives of a fit nearby, and one look at the rows for all.
  void want_moves_nearby(std::vector<WantedFit>& wanted, const std::vector<Index>& sizes) {
    budget_.check();
    std::vector<GlmFit*> rows;
    for (const Index k : sizes) rows.push_back(&at(k));
    const Matrix products = residual_products(panel_, rows);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      budget_.check();
      const GlmFit& row = *rows[r];
      want_moves(wanted, sizes[r],
                 MoveScores(panel_, row, curvatures_.near(panel_, row),
                            products.col(static_cast<Index>(r))));
    }
  }

  // The best moves of a row by their scores.
  void want_moves(std::vector<WantedFit>& wanted, Index k, const MoveScores& scores) {
    if (!scores.valid()) return;
    for (const Step& step : worth_fitting(k, scores)) want(wanted, scores, at(k), step);
  }

  std::vector<Step> worth_fitting(Index k, const MoveScores& scores) {
    const GlmFit& row = at(k);
    std::vector<Step> steps;
    // With many rows scores are nearly exact, and fits dear.
    bool first = !heavy();
    for (const Step& swap : scores.swaps(kSwapsFitted)) {
      // The best one is fitted in any case; the others where the loss might fall.
      const double cost = scores.worth_of(swap);
      if (std::exchange(first, false) || kScoresOff * (swap.gain + cost) > cost / kScoresOff)
        steps.push_back(swap);
    }
    if (k < last_) {
      for (const Step& add : scores.adds(kNeighboursFitted)) {
        if (row.loss - kScoresOff * add.gain < at(k + 1).loss) steps.push_back(add);
      }
    }
    if (k > 1) {
      for (const Step& remove : scores.removes(kNeighboursFitted)) {
        if (row.loss - remove.gain / kScoresOff < at(k - 1).loss) steps.push_back(remove);
      }
    }
    return steps;
  }

  // Columns outside the panel are scored by the curvature of a fit nearby. Those with the best
  // moves come into the panel, where the curvature of the row itself decides what is fitted.
  bool look_at_all_columns() {
    std::vector<Index> sizes;
    for (Index k = 0; k <= last_; ++k) {
      if (reached(k) && looked_at_.insert(at(k).support).second) sizes.push_back(k);
    }
    std::vector<Index> with_new, fresh;
    for_each_group(sizes, SharedCurvature::Among::all, [&](Index k, const MoveScores& scores) {
      if (!scores.valid()) return;
      const std::size_t before = fresh.size();
      for (const Step& step : worth_fitting(k, scores))
        if (step.add >= 0) fresh.push_back(step.add);
      if (fresh.size() > before) with_new.push_back(k);
    });
    panel_.add(fresh);
    std::vector<WantedFit> wanted;
    for (const Index k : with_new) want_moves(wanted, k, MoveScores::Among::panel);
    return fit(std::move(wanted));
  }

  // Every add, remove and swap of every row, fitted. True: some row got better.
  bool fit_all_moves() {
    bool better = false;
    for (Index k = 0; k <= last_; ++k) {
      if (!reached(k) || !all_fitted_.insert(at(k).support).second) continue;
      predict(panel_, at(k));
      const GlmFit row = at(k);
      const MoveScores scores(panel_, row, MoveScores::Among::panel);
      if (!scores.valid()) continue;
      const auto all = std::numeric_limits<Index>::max();
      std::vector<Step> steps = scores.swaps(all);
      if (k < last_) {
        for (const Step& add : scores.adds(all)) steps.push_back(add);
      }
      if (k > 1) {
        for (const Step& remove : scores.removes(all)) steps.push_back(remove);
      }
      std::vector<WantedFit> wanted;
      for (const Step& step : steps) want(wanted, scores, row, step);
      better = fit(std::move(wanted)) || better;
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
      result.table.rows.push_back(
          {.support = fit.support, .loss = fit.loss, .swap_optimal = all_moves_fitted_});
      result.fits.push_back(std::move(fit));
    }
    find_lambda_ranges(result.table.rows);
    if (result.separation) result.table.separated_by = result.separation->support;
    result.table.effort = options_.effort;
    result.table.seconds = budget_.seconds() - began_;
  }

  // Further sweeps help among strongly correlated columns; among very many they cost much, and what
  // they find is as often worse as better.
  int most_sweeps() const { return heavy() ? 2 : rows_.cols() > kVeryMany ? 1 : 4; }
  static constexpr Index kVeryMany = 1024;

  Panel& panel_;
  const GlmRows& rows_;
  const double settled_;
  const GlmTableOptions& options_;
  const Budget& budget_;
  const bool all_in_panel_;
  const bool makes_list_;  // a quick search with starts has the list of the one that found them
  double total_ = 0;
  Index last_ = 0;  // the largest size that is filled
  int sweeps_ = 0;
  bool all_moves_fitted_ = false;
  const double began_;
  std::vector<GlmFit> fits_;
  std::vector<double> separated_;  // the lowest loss seen of a separated support of each size
  std::vector<std::vector<Index>> separated_by_;
  std::set<std::vector<Index>> tried_, scored_, looked_at_, all_fitted_;
  std::set<Index> unsettled_, changed_;
  KnownCurvatures curvatures_;
};

}  // namespace

GlmTable best_glm_supports(Panel& panel, const GlmTableOptions& options, const Budget& budget) {
  return TableSearch(panel, options, budget).run();
}

}  // namespace lass0
