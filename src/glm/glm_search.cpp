#include "glm/glm_search.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <tuple>
#include <utility>

#include "glm/fit_together.hpp"
#include "glm/move_scores.hpp"
#include "glm/separation.hpp"
#include "moments/fetch.hpp"
#include "moments/independent.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr Index kFitted = 4;  // of the best moves by score
// Multiplications (of one Newton step each) that fitting all adds and removes of a step may take,
// and all swaps at the end; decided by sizes alone.
constexpr double kAllMoves = 5e7, kAllSwaps = 5e8;
constexpr double kPerRow = 50;  // what a row costs beside products, in multiplications
// Fits that are made together, and what is remembered of fits: memory.
constexpr std::size_t kFitsAtOnce = 64, kMostKnown = 200'000;

std::vector<Index> sorted(Columns columns) {
  std::vector<Index> list(columns.begin(), columns.end());
  std::sort(list.begin(), list.end());
  return list;
}

// A fitted support, the scores of all moves from it, and the exact fits of some.
class Neighbourhood {
 public:
  Neighbourhood(Panel& panel, const GlmFit& fit)
      : panel_(panel), fit_(fit), scores_(panel, fit, MoveScores::Among::all) {}

  const MoveScores& scores() const { return scores_; }

  // What the exact fits after these steps find, in their order: those that are not known together.
  std::vector<KnownFit> look_up(const std::vector<Step>& steps, KnownFits& known,
                                const Budget& budget) const {
    std::vector<KnownFit> found(steps.size());
    std::vector<std::size_t> places;
    std::vector<WantedFit> wanted;
    const auto fit_wanted = [&] {
      auto place = places.begin();
      for (const GlmFit& fit : fit_together(panel_, std::exchange(wanted, {}), kSettledFit, budget))
        found[*place++] = known.emplace(fit.support, sure(fit)).first->second;
      places.clear();
    };
    if (known.size() > kMostKnown) known.clear();
    for (std::size_t s = 0; s < steps.size(); ++s) {
      std::vector<Index> support = after(fit_.support, steps[s]);
      if (const auto at = known.find(support); at != known.end()) {
        found[s] = at->second;
        continue;
      }
      GlmStart start = start_of(steps[s], std::ssize(support));
      wanted.push_back({std::move(support), std::move(start)});
      places.push_back(s);
      if (wanted.size() == kFitsAtOnce) fit_wanted();
    }
    fit_wanted();
    return found;
  }

  GlmFit fit(const Step& step) const {
    std::vector<Index> support = after(fit_.support, step);
    if (scores_.valid()) {
      const GlmStart start = scores_.start(step);
      if (start.b.allFinite() && std::isfinite(start.intercept)) {
        GlmFit there = Newton(panel_).fit(support, &start);
        // A start far out may have no curvature left to tell the columns apart.
        if (there.state != GlmFit::State::dependent) return there;
      }
    }
    return Newton(panel_).fit(std::move(support));
  }

  std::vector<Step> every_add() const {
    std::vector<Step> steps;
    for (Index j = 0; j < panel_.rows().cols(); ++j) {
      if (panel_.rows().eligible(j) && !member(j)) steps.push_back({-1, j, 0});
    }
    return steps;
  }
  std::vector<Step> every_remove() const {
    std::vector<Step> steps;
    for (const Index i : fit_.support) steps.push_back({i, -1, 0});
    return steps;
  }
  std::vector<Step> every_swap() const {
    std::vector<Step> steps;
    for (const Index i : fit_.support) {
      for (Step step : every_add()) {
        step.remove = i;
        steps.push_back(step);
      }
    }
    return steps;
  }

 private:
  bool member(Index j) const {
    return std::binary_search(fit_.support.begin(), fit_.support.end(), j);
  }

  // By the scores, or else from no effects.
  GlmStart start_of(const Step& step, Index size) const {
    if (scores_.valid()) return scores_.start(step);
    const GlmRows& rows = panel_.rows();
    const Index effects = std::ssize(rows.included()) + size;
    return {rows.problem().intercept ? rows.loss().null_intercept(rows.response()) : 0,
            Vector::Zero(effects)};
  }

  // A start far out may have no curvature left to tell the columns apart.
  KnownFit sure(const GlmFit& fit) const {
    if (fit.state != GlmFit::State::dependent || !scores_.valid()) return {fit.state, fit.loss};
    const GlmFit again = Newton(panel_).fit(fit.support);
    return {again.state, again.loss};
  }

  Panel& panel_;
  const GlmFit& fit_;
  const MoveScores scores_;
};

StandIns stand_ins_of(const Neighbourhood& near, const GlmFit& fit, double total, Index per_member,
                      KnownFits& known, const Budget& budget) {
  StandIns found;
  if (!near.scores().valid()) return found;
  std::vector<Step> steps;
  for (const Index member : fit.support) {
    steps.push_back({member, -1, 0});
    for (const Step& swap : near.scores().swaps(per_member, Columns(&member, 1)))
      steps.push_back(swap);
  }
  const std::vector<KnownFit> fits = near.look_up(steps, known, budget);
  const auto increase = [&](const KnownFit& other) {
    const double more = other.loss - fit.loss;
    return std::abs(more) <= slack(fit.loss, total) ? 0.0 : more;
  };
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const auto& [member, stand_in, gain] = steps[s];
    if (stand_in < 0)
      found.without.push_back({member, increase(fits[s])});
    else if (fits[s].state == GlmFit::State::fitted)
      found.alternatives.push_back({member, stand_in, increase(fits[s])});
  }
  std::sort(found.alternatives.begin(), found.alternatives.end(),
            [](const Alternative& a, const Alternative& b) {
              return std::tie(a.member, a.loss_increase, a.stand_in) <
                     std::tie(b.member, b.loss_increase, b.stand_in);
            });
  return found;
}

// One run of Algorithm 1.
class Search {
 public:
  Search(Panel& panel, const Penalty& penalty, Index stand_ins, KnownFits& known,
         const Budget& budget)
      : panel_(panel),
        rows_(panel.rows()),
        newton_(panel),
        penalty_(penalty),
        stand_ins_(stand_ins),
        known_(known),
        budget_(budget) {}

  void run(Columns start, SearchResult& result) {
    const GlmFit null = newton_.fit({});
    refuse_separated(null);
    total_ = null.loss;
    record(null, result);
    GlmFit fit = fit_start(start, result);
    for (;;) {
      record(fit, result);
      budget_.check();
      const Neighbourhood near(panel_, fit);
      GlmFit best = best_move(near, fit);
      if (!(objective(fit) - objective(best) > slack(objective(fit)))) {
        finish(near, fit, result);
        return;
      }
      refuse_separated(best);
      note(fit, best, result);
      fit = std::move(best);
    }
  }

 private:
  double objective(double loss, std::size_t size) const {
    return 0.5 * loss + penalty_.lambda * static_cast<double>(size);
  }
  double objective(const GlmFit& fit) const { return objective(fit.loss, fit.support.size()); }
  double slack(double objective) const { return lass0::slack(objective, total_); }

  void refuse_separated(const GlmFit& fit) const {
    if (fit.state != GlmFit::State::separated) return;
    std::vector<Index> columns = rows_.included();
    columns.insert(columns.end(), fit.support.begin(), fit.support.end());
    throw_separated(rows_.problem(), sorted(columns));
  }

  // Independent columns; where the weights of this loss leave them dependent, without the last.
  GlmFit fit_start(Columns start, SearchResult& result) const {
    fetch_within_budget(rows_.base(), start, budget_);
    auto independent = independent_columns(rows_.base(), start, kAliasTolerance);
    std::vector<Index> kept = std::move(independent.kept);
    result.dropped = std::move(independent.dropped);
    GlmFit fit = newton_.fit(kept);
    while (fit.state == GlmFit::State::dependent && !kept.empty()) {
      result.dropped.push_back(kept.back());
      kept.pop_back();
      fit = newton_.fit(kept);
    }
    std::sort(result.dropped.begin(), result.dropped.end());
    refuse_separated(fit);
    result.start = std::move(kept);
    return fit;
  }

  // Whatever happens next, this is the best so far.
  void record(const GlmFit& fit, SearchResult& result) const {
    result.support = fit.support;
    result.objective = objective(fit);
  }

  void note(const GlmFit& from, const GlmFit& to, SearchResult& result) const {
    Move move;
    const auto& larger = to.support.size() > from.support.size() ? to.support : from.support;
    const auto& smaller = to.support.size() > from.support.size() ? from.support : to.support;
    std::vector<Index> difference;
    std::set_difference(larger.begin(), larger.end(), smaller.begin(), smaller.end(),
                        std::back_inserter(difference));
    move.kind = &larger == &to.support ? Move::Kind::add : Move::Kind::remove;
    move.column = difference.front();
    move.gain = objective(from) - objective(to);
    move.objective = objective(to);
    result.moves.push_back(move);
    budget_.progress("search: " + std::to_string(result.moves.size()) + " moves", -1);
  }

  double work(double fits, std::size_t k) const {
    const double d = static_cast<double>(k) + 1;
    return fits * static_cast<double>(rows_.rows()) * (d * d + kPerRow);
  }
  bool all_moves(std::size_t k) const {
    return work(static_cast<double>(rows_.cols()), k) <= kAllMoves;
  }
  bool all_swaps(std::size_t k) const {
    return work(static_cast<double>(rows_.cols()) * static_cast<double>(k), k) <= kAllSwaps;
  }

  GlmFit best_move(const Neighbourhood& near, const GlmFit& fit) const {
    std::vector<Step> steps;
    if (all_moves(fit.support.size()) || !near.scores().valid()) {
      steps = near.every_add();
      const auto removes = near.every_remove();
      steps.insert(steps.end(), removes.begin(), removes.end());
    } else {
      steps = near.scores().adds(kFitted);
      const auto removes = near.scores().removes(kFitted);
      steps.insert(steps.end(), removes.begin(), removes.end());
      const auto gain = [&](const Step& step) {
        return 0.5 * step.gain + (step.add >= 0 ? -penalty_.lambda : penalty_.lambda);
      };
      std::stable_sort(steps.begin(), steps.end(),
                       [&](const Step& a, const Step& b) { return gain(a) > gain(b); });
      if (std::ssize(steps) > kFitted) steps.resize(kFitted);
    }
    return best_of(near, fit, std::move(steps));
  }

  // The one of lowest objective; of those that are as good, the one of the lowest column.
  GlmFit best_of(const Neighbourhood& near, const GlmFit& fit, std::vector<Step> steps) const {
    const auto columns = [](const Step& step) {
      return step.remove < 0 ? std::pair(step.add, Index{-1}) : std::pair(step.remove, step.add);
    };
    std::sort(steps.begin(), steps.end(),
              [&](const Step& a, const Step& b) { return columns(a) < columns(b); });
    const std::vector<KnownFit> fits = near.look_up(steps, known_, budget_);
    const Step* best = nullptr;
    double lowest = objective(fit);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const Step& step = steps[s];
      if (fits[s].state == GlmFit::State::dependent) continue;
      const std::size_t size = fit.support.size() + (step.add >= 0) - (step.remove >= 0);
      const double there = objective(fits[s].loss, size);
      if (!(lowest - there > slack(objective(fit)))) continue;
      lowest = there;
      best = &step;
    }
    return best ? near.fit(*best) : fit;
  }

  void finish(const Neighbourhood& near, const GlmFit& fit, SearchResult& result) const {
    const std::size_t k = fit.support.size();
    const bool swaps = all_swaps(k);
    result.aliased = glm_aliased(panel_, fit.support);
    if (stand_ins_ == 0) return;  // add_remove_optimum: swaps are not asked for
    result.stand_ins = stand_ins_of(near, fit, total_, stand_ins_, known_, budget_);
    const GlmFit best = best_of(near, fit,
                                swaps                   ? near.every_swap()
                                : near.scores().valid() ? near.scores().swaps(kFitted)
                                                        : std::vector<Step>());
    if (best.fitted() && objective(fit) - objective(best) > slack(objective(fit))) {
      Swap swap{-1, -1, objective(fit) - objective(best)};
      for (const Index i : fit.support) {
        if (!std::binary_search(best.support.begin(), best.support.end(), i)) swap.remove = i;
      }
      for (const Index j : best.support) {
        if (!std::binary_search(fit.support.begin(), fit.support.end(), j)) swap.add = j;
      }
      result.improving_swap = swap;
      result.status = Status::add_remove_optimum;
    } else {
      result.status = swaps && all_moves(k) ? Status::local_optimum : Status::second_order_optimum;
    }
  }

  Panel& panel_;
  const GlmRows& rows_;
  const Newton newton_;
  const Penalty penalty_;
  const Index stand_ins_;
  KnownFits& known_;
  const Budget& budget_;
  double total_ = 0;
};

void check(const Problem& problem, Columns start, const Penalty& penalty) {
  if (!std::isfinite(penalty.lambda) || penalty.lambda < 0)
    throw UsageError("lambda must be a finite number, 0 or more");
  if (penalty.power != 0)
    throw UsageError(
        "a power of the coefficients as the penalty works with the family gaussian "
        "only: leave out the power");
  if (has_signs(problem))
    throw UsageError("sign constraints work with the family gaussian only: leave them out");
  check_support(problem, start);
}

}  // namespace

SearchResult glm_search(Panel& panel, Columns start, const Penalty& penalty, KnownFits& known,
                        const Control& control, Index stand_ins) {
  check(panel.rows().problem(), start, penalty);
  const Budget budget(control);
  SearchResult result;
  try {
    Search(panel, penalty, stand_ins, known, budget).run(start, result);
  } catch (const Stop& stop) {
    result.status = stop.status;
  }
  return result;
}

StandIns glm_stand_ins(Panel& panel, Columns support, Index per_member, const Budget& budget) {
  const double total = Newton(panel).fit({}).loss;
  const GlmFit fit = Newton(panel).fit(sorted(support));
  if (!fit.fitted()) return {};
  KnownFits known;
  return stand_ins_of(Neighbourhood(panel, fit), fit, total, per_member, known, budget);
}

std::vector<Index> glm_aliased(Panel& panel, Columns support) {
  return aliased_columns(panel.rows().base(), support);
}

}  // namespace lass0
