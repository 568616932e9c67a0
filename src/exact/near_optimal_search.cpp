#include "exact/near_optimal_search.hpp"

#include <algorithm>
#include <limits>

#include "exact/branch_and_bound.hpp"
#include "exact/collection.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr double kShareForModels = 0.5;  // of the time, if it is limited

class Search {
 public:
  Search(const Candidates& candidates, const Form& form, Columns best, double distance,
         const NearOptimalOptions& options, const Control& control)
      : candidates_(candidates),
        form_(form),
        unit_(candidates.unit()),
        options_(options),
        budget_(control),
        best_(candidates.incumbent(best)),
        given_(best.begin(), best.end()),
        least_(form.objective(best_)) {
    // Models at the distance itself, to the last digits, count as within it.
    const double end = least_ + distance / unit_;
    limit_ = end + 3 * std::max({kProofTolerance * end, kProofRounding * form.total,
                                 std::numeric_limits<double>::min()});  // the target is constant
    result_.within = distance;
  }

  NearOptimal run() {
    find_models();
    find_column_prices();
    result_.seconds = budget_.seconds();
    return std::move(result_);
  }

 private:
  void find_models() {
    std::vector<Index> copies;
    for (Index r = 0; r < candidates_.count(); ++r)
      copies.push_back(std::ssize(candidates_.copies(r)));
    Collection found(form_.lambda.value_or(0), static_cast<std::size_t>(options_.max_models),
                     std::move(copies));
    Control half = budget_.remaining();
    half.time_limit *= kShareForModels;
    const Budget budget(half);
    BranchAndBound tree(candidates_.search(), form_.goal(limit_, candidates_),
                        candidates_.everything(), found, half.threads, budget);
    try {
      tree.run();
    } catch (const Stop&) {
    }
    result_.nodes += tree.nodes();
    result_.best_listed = tree.finished();
    result_.complete =
        tree.finished() && !found.limit() && found.count() < Collection::kMostCountable;
    // All supports with an objective below this were met.
    certain_ = form_.lambda ? tree.lower_bound() : 0.5 * tree.lower_bound(form_.size);
    list(found);
    start_prices(found);
  }

  // Supports in the caller's columns, one for each choice among duplicates.
  void list(const Collection& found) {
    result_.count = std::max<std::int64_t>(1, found.count());
    add_model(given_, 0);
    for (const Incumbent& at : found.best()) {
      if (is_full()) break;
      std::vector<Index> chosen;
      expand(at, 0, std::max(0.0, found.objective(at) - least_), chosen);
    }
    std::stable_sort(result_.models.begin() + 1, result_.models.end(),
                     [](const NearOptimalModel& a, const NearOptimalModel& b) {
                       return a.objective < b.objective;
                     });
  }

  void expand(const Incumbent& at, std::size_t next, double rise, std::vector<Index>& chosen) {
    if (is_full()) return;
    if (next == at.support.size()) {
      std::vector<Index> support = chosen;
      std::sort(support.begin(), support.end());
      if (support != given_) add_model(std::move(support), rise);
      return;
    }
    for (const Index column : candidates_.copies(at.support[next])) {
      chosen.push_back(column);
      expand(at, next + 1, rise, chosen);
      chosen.pop_back();
    }
  }

  bool is_full() const { return std::ssize(result_.models) >= options_.max_models; }

  void add_model(std::vector<Index> support, double rise) {
    result_.models.push_back({std::move(support), (least_ + rise) * unit_});
  }

  bool in_best(Index r) const {
    return std::binary_search(best_.support.begin(), best_.support.end(), r);
  }

  // What the models met say of each column, and what one change of the best model does.
  void start_prices(const Collection& found) {
    for (Index r = 0; r < candidates_.count(); ++r) {
      if (in_best(r) && candidates_.copies(r).size() > 1) continue;  // a duplicate can replace it
      PriceSearch one{.column = r, .forced_in = !in_best(r)};
      const double met = one.forced_in ? found.best_with(r) : found.best_without(r);
      one.upper = std::min(met, best_single_change(candidates_, form_, best_, one));
      one.lower = std::min(one.upper, std::max(least_, certain_));
      one.exact = one.upper <= certain_;
      searches_.push_back(one);
    }
  }

  void find_column_prices() {
    try {
      bound_prices(candidates_, form_, limit_, searches_, budget_);
    } catch (const Stop&) {
    }
    result_.nodes += find_prices(candidates_, form_, searches_, budget_.remaining());
    for (Index r = 0; r < candidates_.count(); ++r) {
      if (in_best(r) && candidates_.copies(r).size() > 1)
        add_price(r, {.exact = true, .kind = ColumnPrice::Class::interchangeable});
    }
    for (const PriceSearch& one : searches_) add_price(one.column, price_of(one));
    std::sort(result_.columns.begin(), result_.columns.end(),
              [](const ColumnPrice& a, const ColumnPrice& b) { return a.column < b.column; });
  }

  ColumnPrice price_of(const PriceSearch& one) const {
    ColumnPrice price{.exact = one.exact};
    std::optional<double>& value = one.forced_in ? price.in : price.out;
    value = std::max(0.0, one.lower - least_) * unit_;
    if (one.exact && one.upper >= 0.25 * kNoLoss) value.reset();
    if (one.lower > end_of_near_optimal()) {
      price.kind = one.forced_in ? ColumnPrice::Class::never : ColumnPrice::Class::always;
    } else if (one.upper <= end_of_near_optimal()) {
      price.kind = ColumnPrice::Class::interchangeable;
    }
    return price;
  }

  // As the thresholds of the search have it, so that classes and models agree.
  double end_of_near_optimal() const {
    return limit_ - std::max(kProofTolerance * limit_, kProofRounding * form_.total);
  }

  void add_price(Index r, ColumnPrice price) {
    for (const Index column : candidates_.copies(r)) {
      price.column = column;
      result_.columns.push_back(price);
    }
  }

  const Candidates& candidates_;
  const Form form_;
  const double unit_;
  const NearOptimalOptions& options_;
  const Budget budget_;
  const Incumbent best_;
  const std::vector<Index> given_;  // the best support in the caller's columns
  const double least_;              // its objective
  double limit_ = 0;                // near-optimal supports are below this
  double certain_ = 0;
  std::vector<PriceSearch> searches_;
  NearOptimal result_;
};

}  // namespace

NearOptimal find_near_optimal(const Candidates& candidates, const Form& form, Columns best,
                              double distance, const NearOptimalOptions& options,
                              const Control& control) {
  return Search(candidates, form, best, distance, options, control).run();
}

}  // namespace lass0
