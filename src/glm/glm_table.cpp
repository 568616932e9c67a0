#include "glm/glm_table.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "glm/best_fits.hpp"
#include "glm/likely_columns.hpp"
#include "glm/move_scores.hpp"
#include "glm/predictions.hpp"
#include "glm/second_order.hpp"
#include "search/table/envelope.hpp"
#include "search/table/rows_between.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// With more than kAllInPanel columns: this many of the best adds at the first fit, and at each
// later one.
constexpr Index kFirstColumns = 192, kMoreColumns = 48;
// How many of the best moves of a kind are fitted exactly.
constexpr Index kSwapsFitted = 4, kNeighboursFitted = 2;
// Scores are to second order: what a move gains and costs may be off by this factor; with many rows
// for each column, effects are small or sure, and scores nearly exact.
constexpr double kScoresOff = 1.5, kScoresOffWithManyRows = 1.1;
// Multiplications, estimated from sizes alone: of looking at the rows' own moves in a quick search,
// and of fitting every add, remove and swap of every row.
constexpr double kQuickPolish = 2e6, kFitAllMoves = 1e7;

// A second-order model is good for sizes from about 3/4 to 4/3 of its own fit's; a quick search
// makes do with fewer.
Index next_anchor(Index k, Index last, Effort effort, bool heavy, bool with_starts) {
  if (effort == Effort::quick) {
    // With good supports of all sizes at hand, one model in the middle is enough.
    const Index next = with_starts ? std::max<Index>(10, 10 * k) : std::max<Index>(5, 3 * k);
    // Where a model costs much, the few last sizes get none of their own.
    return heavy && 4 * next > 3 * last ? last : std::min(next, last);
  }
  return std::min(last, heavy ? std::max(k + 3, 3 * k) : std::max(k + 1, k + k / 3));
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
        options_(options),
        budget_(budget),
        all_in_panel_(rows_.cols() <= kAllInPanel),
        makes_list_(!all_in_panel_ && !(quick() && panel.inherited() && !options.starts.empty())),
        began_(budget.seconds()),
        table_(panel, options.max_k, quick() ? kNearlySettledFit : kSettledFit, budget) {}

  GlmTable run() {
    GlmTable result;
    result.table.status = quick() ? Status::unchecked : Status::second_order_optimum;
    try {
      budget_.check();
      fill();
      if (!all_scored_) result.table.status = Status::unchecked;
      if (all_moves_fitted_) result.table.status = Status::local_optimum;
    } catch (const Stop& stop) {
      result.table.status = stop.status;
      all_moves_fitted_ = false;
    }
    keep_rows(result);
    return result;
  }

 private:
  // ---- the search ----

  bool heavy() const {
    const double m = static_cast<double>(panel_.size());
    return static_cast<double>(rows_.rows()) * m * m > kHeavyModel;
  }
  bool quick() const { return options_.effort == Effort::quick; }

  void fill() {
    choose_first_columns();
    sweep();
    if (!quick()) {
      for (int round = 1; round < most_sweeps() && table_.changed(); ++round) sweep();
    }
    if (!quick() || moves_work() <= kQuickPolish) settle();
    if (!quick() && !all_in_panel_) {
      while (look_at_all_columns()) settle();
    }
    if (moves_work() <= kFitAllMoves && !quick()) {
      panel_.add(eligible_columns());
      while (fit_all_moves()) settle();
    }
  }

  // Of fitting all swaps of all rows.
  double moves_work() const {
    const double k = static_cast<double>(std::min(options_.max_k, rows_.cols()));
    return static_cast<double>(rows_.rows()) * k * k * (k + 1) * static_cast<double>(rows_.cols());
  }

  std::vector<Index> eligible_columns() const {
    std::vector<Index> columns;
    for (Index j = 0; j < rows_.cols(); ++j) {
      if (rows_.eligible(j)) columns.push_back(j);
    }
    return columns;
  }

  void choose_first_columns() {
    std::vector<Index> columns = eligible_columns();
    if (!all_in_panel_ && std::ssize(columns) > kFirstColumns) {
      columns.clear();
      if (makes_list_) columns = likely_columns(rows_, table_[0], kFirstColumns);
    }
    for (const std::vector<Index>& support : options_.starts)
      columns.insert(columns.end(), support.begin(), support.end());
    std::sort(columns.begin(), columns.end());
    panel_.add(columns);
  }

  // Second-order models at fits of growing size, each for the sizes around its own.
  void sweep() {
    table_.take_changed();
    for (Index k = 0; k < table_.last();) {
      const Index next =
          next_anchor(k, table_.last(), options_.effort, heavy(), !options_.starts.empty());
      // Where nothing changed since it was last looked at, nothing will.
      if (seen_[k] != around(k, next)) {
        look_around(k, next);
        seen_[k] = around(k, next);
      }
      for (Index size = k + 1; size <= next; ++size) {
        if (!table_.reached(size) || table_.separated(size)) {
          table_.end_at(size - 1);
          break;
        }
      }
      budget_.progress("the table of best supports", static_cast<double>(next) / last_or_one());
      k = next;
    }
    ++sweeps_;
  }

  double last_or_one() const { return static_cast<double>(std::max<Index>(1, table_.last())); }
  // The row below those that a model at row k fills.
  static Index below(Index k) { return std::max<Index>(0, k - k / 3 - 1); }

  // What a look at the rows around k begins with.
  std::vector<std::vector<Index>> around(Index k, Index next) const {
    std::vector<std::vector<Index>> all = {panel_.columns()};
    for (Index size = below(k); size <= next; ++size) all.push_back(table_[size].support);
    return all;
  }

  void look_around(Index k, Index next) {
    budget_.check();
    predict(panel_, table_[k]);
    const GlmFit fit = table_[k];
    if (makes_list_ && sweeps_ == 0 && k > 0) panel_.add(likely_columns(rows_, fit, kMoreColumns));
    const std::unique_ptr<const SecondOrder> at_fit = model_at(fit);
    const SecondOrder& model = *at_fit;
    const auto places = [&](const std::vector<Index>& support) {
      std::vector<Index> list;
      for (const Index j : support) list.push_back(panel_.place(j));
      std::sort(list.begin(), list.end());
      return list;
    };
    const Index below = TableSearch::below(k);
    std::vector<std::vector<Index>> starts;
    for (Index size = below + 1; size <= next; ++size) {
      if (table_.reached(size)) starts.push_back(places(table_[size].support));
    }
    std::vector<std::vector<Index>> others;  // supports that may be better than the model shows
    if (sweeps_ == 0) {
      for (const std::vector<Index>& support : options_.starts) {
        const Index size = std::ssize(support);
        if (size <= below || size > next) continue;
        starts.push_back(places(support));
        others.push_back(support);
      }
    }
    std::vector<WantedFit> wanted;
    const auto want = [&](const std::vector<Index>& support) {
      table_.want(wanted, support, [&] { return model.start(support); });
    };
    const StartsAre known =
        quick() && has_start_of_each(below + 1, next) ? StartsAre::nearly_best : StartsAre::some;
    for (const Row& row : rows_between(model.moments(), places(table_[below].support), next, starts,
                                       options_.effort, known, budget_)) {
      if (!std::isfinite(row.loss) || row.support.empty()) continue;
      want(model.columns_of(row.support));
    }
    // After those of the model, which mostly are better: then one look at a fit shows it.
    std::for_each(others.begin(), others.end(), want);
    table_.fit(std::move(wanted));
  }

  bool has_start_of_each(Index first, Index last) const {
    std::set<Index> sizes;
    for (const std::vector<Index>& support : options_.starts) {
      if (std::ssize(support) >= first && std::ssize(support) <= last)
        sizes.insert(std::ssize(support));
    }
    return std::ssize(sizes) == last - first + 1;
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
    while (!table_.settled()) {
      const std::vector<Index> sizes = rows_of(table_.take_unsettled());
      std::vector<WantedFit> wanted;
      if (heavy())
        want_moves_nearby(wanted, sizes);
      else
        for_each_group(sizes, SharedCurvature::Among::panel,
                       [&](Index k, const MoveScores& scores) { want_moves(wanted, k, scores); });
      table_.fit(std::move(wanted));
      if (table_.settled() && !heavy()) settle_by_own_curvature();
    }
  }

  void settle_by_own_curvature() {
    std::vector<WantedFit> wanted;
    for (Index k = 0; k <= table_.last(); ++k) {
      if (table_.reached(k) && scored_.insert(table_[k].support).second)
        want_moves(wanted, k, MoveScores::Among::panel);
    }
    table_.fit(std::move(wanted));
  }

  std::vector<Index> rows_of(const std::set<Index>& changed) {
    std::vector<Index> sizes;
    for (const Index k : changed) {
      if (k <= table_.last() && table_.reached(k)) sizes.push_back(k);
    }
    return sizes;
  }

  // Calls use(k, scores) with scores by the curvature of a row nearby.
  template <class Use>
  void for_each_group(const std::vector<Index>& sizes, SharedCurvature::Among among,
                      const Use& use) {
    for (std::size_t begin = 0; begin < sizes.size();) {
      budget_.check();
      predict(panel_, table_[sizes[begin]]);
      const NearbyFits nearby(rows_, table_[sizes[begin]]);
      std::vector<const GlmFit*> fits;
      for (std::size_t s = begin; s < sizes.size(); ++s) {
        GlmFit& row = table_[sizes[s]];
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
    predict(panel_, table_[k]);
    want_moves(wanted, k, MoveScores(panel_, table_[k], among));
  }

  // With many rows: by the second derivatives of a fit nearby, and one look at the rows for all.
  void want_moves_nearby(std::vector<WantedFit>& wanted, const std::vector<Index>& sizes) {
    budget_.check();
    std::vector<GlmFit*> rows;
    for (const Index k : sizes) rows.push_back(&table_[k]);
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
    if (!scores.valid()) {
      all_scored_ = false;
      return;
    }
    const std::vector<Index>& support = table_[k].support;
    for (const Step& step : worth_fitting(k, scores))
      table_.want(wanted, after(support, step), [&] { return scores.start(step); });
  }

  std::vector<Step> worth_fitting(Index k, const MoveScores& scores) {
    const GlmFit& row = table_[k];
    std::vector<Step> steps;
    const double off = heavy() ? kScoresOffWithManyRows : kScoresOff;
    bool first = !heavy();
    for (const Step& swap : scores.swaps(kSwapsFitted)) {
      // The best one is fitted in any case; the others where the loss might fall.
      const double cost = scores.worth_of(swap);
      if (std::exchange(first, false) || off * (swap.gain + cost) > cost / off)
        steps.push_back(swap);
    }
    if (k < table_.last()) {
      for (const Step& add : scores.adds(kNeighboursFitted)) {
        if (row.loss - off * add.gain < table_[k + 1].loss) steps.push_back(add);
      }
    }
    if (k > 1) {
      for (const Step& remove : scores.removes(kNeighboursFitted)) {
        if (row.loss - remove.gain / off < table_[k - 1].loss) steps.push_back(remove);
      }
    }
    return steps;
  }

  // Columns outside the panel are scored by the curvature of a fit nearby. Those with the best
  // moves come into the panel, where the curvature of the row itself decides what is fitted.
  bool look_at_all_columns() {
    std::vector<Index> sizes;
    for (Index k = 0; k <= table_.last(); ++k) {
      if (table_.reached(k) && looked_at_.insert(table_[k].support).second) sizes.push_back(k);
    }
    std::vector<Index> with_new, fresh;
    for_each_group(sizes, SharedCurvature::Among::all, [&](Index k, const MoveScores& scores) {
      if (!scores.valid()) {
        all_scored_ = false;
        return;
      }
      const std::size_t before = fresh.size();
      for (const Step& step : worth_fitting(k, scores))
        if (step.add >= 0) fresh.push_back(step.add);
      if (fresh.size() > before) with_new.push_back(k);
    });
    panel_.add(fresh);
    std::vector<WantedFit> wanted;
    for (const Index k : with_new) want_moves(wanted, k, MoveScores::Among::panel);
    return table_.fit(std::move(wanted));
  }

  // Every add, remove and swap of every row, fitted exactly. True: some row got better.
  bool fit_all_moves() {
    bool better = false;
    all_moves_fitted_ = true;
    for (Index k = 0; k <= table_.last(); ++k) {
      if (!table_.reached(k) || all_fitted_.contains(table_[k].support)) continue;
      predict(panel_, table_[k]);
      const GlmFit row = table_[k];
      const MoveScores scores(panel_, row, MoveScores::Among::panel);
      if (!scores.valid()) {
        all_moves_fitted_ = false;
        continue;
      }
      all_fitted_.insert(row.support);
      const auto all = std::numeric_limits<Index>::max();
      std::vector<Step> steps = scores.swaps(all);
      if (k < table_.last()) {
        for (const Step& add : scores.adds(all)) steps.push_back(add);
      }
      if (k > 1) {
        for (const Step& remove : scores.removes(all)) steps.push_back(remove);
      }
      std::vector<WantedFit> wanted;
      for (const Step& step : steps)
        table_.want_to_the_end(wanted, after(row.support, step),
                               [&] { return scores.start(step); });
      better = table_.fit(std::move(wanted), FitsToKeep::all) || better;
    }
    return better;
  }

  // ---- the result ----

  void keep_rows(GlmTable& result) {
    for (Index k = 0; k <= options_.max_k; ++k) {
      if (k > 0 && table_.separated(k)) {
        result.separation = Separation{table_.separated_by(k)};
        break;
      }
      GlmFit& fit = table_[k];
      if (!std::isfinite(fit.loss)) break;
      if (k > 0) {
        const double before = result.fits.back().loss;
        if (!(fit.loss < before - table_.slack(before))) break;
      }
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
  const GlmTableOptions& options_;
  const Budget& budget_;
  const bool all_in_panel_;
  const bool makes_list_;  // a quick search at another ridge has that of the first
  int sweeps_ = 0;
  bool all_moves_fitted_ = false;
  bool all_scored_ = true;  // false: the columns of some row are too close to dependent for scores
  const double began_;
  BestFits table_;
  std::set<std::vector<Index>> scored_, looked_at_, all_fitted_;
  KnownCurvatures curvatures_;
  std::map<Index, std::vector<std::vector<Index>>> seen_;  // around(k), when last looked at
};

}  // namespace

GlmTable best_glm_supports(Panel& panel, const GlmTableOptions& options, const Budget& budget) {
  return TableSearch(panel, options, budget).run();
}

}  // namespace lass0
