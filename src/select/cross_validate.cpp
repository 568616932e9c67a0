#include <algorithm>
#include <cmath>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <lass0/options.hpp>

#include "search/table/evidence.hpp"
#include "search/table/larger_moves.hpp"
#include "select/fold_engine.hpp"
#include "select/fold_models.hpp"
#include "select/held_out_links.hpp"
#include "select/lass0_method.hpp"
#include "select/sizes_that_matter.hpp"
#include "select/split_tests.hpp"

namespace lass0 {
namespace {

void check_measure(Measure measure, Family family) {
  if (works_with(measure, family)) return;
  std::string known;
  for (const MeasureInfo& info : measures()) {
    if (works_with(info.measure, family)) known.append(known.empty() ? "" : ", ").append(info.name);
  }
  throw UsageError("the measure " + std::string(to_string(measure)) +
                   " does not work with the family " + std::string(to_string(family)) +
                   ": use one of " + known);
}

constexpr double kMuchBetter = 3;  // columns: what short lists may miss on all rows
// A full search keeps some hundred numbers for each column: with more columns than this, gigabytes.
constexpr Index kMostColumnsInFull = 250'000;

std::unique_ptr<Method> make_method(const Problem& problem, const CrossValidateOptions& options) {
  const Lass0Options lass0{.tune = options.tune,
                           .lambdas = options.lambdas,
                           .max_k = options.max_k,
                           .effort = options.effort,
                           .tune_ridge = options.tune_ridge && problem.ridge == 0,
                           .l1_tolerance = options.l1_tolerance};
  return options.start == Start::Method::paper ? make_lass0_paper(lass0) : make_lass0_table(lass0);
}

class CrossValidator {
 public:
  CrossValidator(const Problem& problem, const CrossValidateOptions& options)
      : problem_(problem), options_(options), budget_(options.control) {
    cv_.tune = options.tune;
    cv_.rule = options.rule;
    cv_.repeats = options.repeats;
    cv_.effort = options.effort;
    cv_.measure = options.measure;
  }

  CrossValidation run() {
    validate(problem_);
    check(options_, has_signs(problem_));
    check_measure(options_.measure, problem_.family);
    const std::vector<Batch> batches = make_all_batches();
    for (const Batch& batch : batches) cv_.folds += batch.folds;
    // The sums of all rows come with those of the first folds, where these are of all rows.
    const bool shared = batches.front().weights.empty();
    const std::unique_ptr<Solver> all = make_solver(
        problem_,
        shared ? std::span<const int>(batches.front().summed_by()) : std::span<const int>(),
        budget_.remaining());
    const std::unique_ptr<Method> method = make_method(problem_, options_);
    FoldEngine engine(*method, *all, batches, budget_, options_.measure);
    engine.run();
    keep_curve(engine);
    fit_all_rows(*all, engine.table(cv_.best().ridge));
    keep_fold_models(*all, batches);
    cv_.gram_use.add(all->moments().gram_use());
    cv_.seconds = budget_.seconds();
    return std::move(cv_);
  }

  bool lists_were_too_short() const { return lists_too_short_; }

 private:
  std::vector<Batch> make_all_batches() const {
    const std::vector<Partition> partitions = make_partitions(problem_, options_);
    return options_.splits.empty() ? make_batches(partitions, problem_.design->cols())
                                   : make_batches(problem_, options_.splits);
  }

  void keep_curve(FoldEngine& engine) {
    ErrorCurve curve = engine.curve();
    Vector null_errors(engine.folds());
    Index f = 0;
    for (const FoldEngine::HeldOut& fold : engine.held_out()) {
      cv_.fold_rows.push_back(fold.rows);
      cv_.fold_weights.push_back(fold.weight);
      null_errors[f++] = fold.null_error / fold.weight;
    }
    const ErrorSummary nothing = summarise(null_errors, cv_.fold_weights);
    cv_.null_model.mean_error = nothing.mean;
    cv_.null_model.se = nothing.se;
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      const auto& [mean, se] = curve.errors[i];
      if (!std::isfinite(mean) || !std::isfinite(se))
        throw Error("the errors are too large for a double: rescale the target");
      const Tuning& at = curve.values[i];
      cv_.curve.push_back({at.lambda, at.k, at.ridge, mean, se, curve.mean_sizes[i]});
    }
    cv_.points = choose(curve);
    cv_.chosen = cv_.points[cv_.rule];
    cv_.without_ridge = choose_without_ridge(curve, cv_.rule);
    cv_.fold_supports = engine.fold_supports(curve, cv_.chosen);
    cv_.fold_errors = std::move(curve.fold_errors);
    cv_.ridges = engine.ridges();
    cv_.ridges_left_out = options_.tune_ridge && problem_.ridge == 0 && cv_.ridges.size() == 1;
    cv_.short_lists = engine.short_lists();
    cv_.status = engine.status();
    cv_.gram_use.add(engine.gram_use());
  }

  // Where the run was stopped, this last fit is made all the same: its table is there, and without
  // it all would have been for nothing.
  void fit_all_rows(const Solver& all, SupportTable& table) {
    const CurvePoint& best = cv_.best();
    cv_.table = std::move(table);
    const std::unique_ptr<Solver> rows = all.at_ridge(best.ridge);
    search_in_full(*rows);
    FitOptions options;
    options.table = &cv_.table;
    options.control.threads = options_.control.threads;
    if (cv_.status == Status::local_optimum) options.control = budget_.remaining();
    if (options_.tune == Tune::k)
      options.goal = OfSize{*best.k};
    else
      options.goal = AtLambda{.penalty = {best.lambda},
                              .start = {options_.start, {}},
                              .l1_tolerance = options_.l1_tolerance};
    cv_.fit = fit(*rows, options);
    count_choices();
    if (options_.models) cv_.models = rows->refit_table(cv_.table);
  }

  // What predicts the held-out rows at the chosen point.
  void keep_fold_models(const Solver& all, const std::vector<Batch>& batches) {
    const bool finished = std::ssize(cv_.fold_supports) == cv_.folds;
    const double ridge = cv_.best().ridge;
    if (!finished) return;
    try {
      if (problem_.family != Family::gaussian)
        cv_.held_out_links = held_out_links(all, batches, cv_.fold_supports, ridge, budget_);
      else if (options_.fold_models && options_.splits.empty() && !problem_.summed)
        cv_.fit.model.folds = fold_models(all, batches, cv_.fold_supports, ridge, budget_);
    } catch (const Stop& stop) {
      cv_.status = stop.status;
    }
  }

  void count_choices() {
    const std::vector<Index>& support = cv_.fit.model.at.support;
    const std::vector<Index>& include = cv_.fit.problem.include;
    ChosenInFolds in_folds{std::ssize(cv_.fold_supports), {}};
    for (const Index j : support) {
      const bool included = std::binary_search(include.begin(), include.end(), j);
      in_folds.times.push_back(std::ranges::count_if(cv_.fold_supports, [&](const auto& fold) {
        return included || std::binary_search(fold.begin(), fold.end(), j);
      }));
    }
    cv_.fit.chosen_in_folds = std::move(in_folds);
  }

  // The full table may have columns at larger lambdas than the quick one. Where no training set has
  // any, none has at a larger lambda, so the first point of the curve may as well be there.
  void keep_first_point_empty() {
    if (options_.tune == Tune::k) return;
    const double ridge = cv_.best().ridge;
    const auto first = std::find_if(cv_.curve.begin(), cv_.curve.end(),
                                    [&](const CurvePoint& point) { return point.ridge == ridge; });
    const double highest = cv_.table.rows.front().lambda_min.value_or(0);
    if (first->mean_size == 0) first->lambda = std::max(first->lambda, highest * kAbove);
  }

  // The sizes that may still be the answer, unless the models of all sizes are asked for.
  SupportTable full_table(const Solver& rows_of_all) {
    if (!options_.models && cv_.table.separated_by.empty()) {
      const Chosen chosen{cv_.best().lambda, cv_.best().k};
      const Index last = last_size_that_matters(cv_.table, chosen);
      if (last < cv_.table.max_k()) {
        std::optional<SupportTable> some = rows_of_all.supports_up_to(last, budget_.remaining());
        if (some && (stopped(some->status) || decides(*some, cv_.table, chosen))) {
          cv_.sizes_left_out = !stopped(some->status);
          return std::move(*some);
        }
      }
    }
    const auto rows = options_.tune == Tune::k ? options_.max_k : std::nullopt;
    return rows_of_all.best_supports({.max_k = rows, .control = budget_.remaining()});
  }

  // The model is that of `fit` at what was chosen, so the table is that of `fit` and `path` (or the
  // sizes of it that matter), whatever the folds had. Unless there is no time for it.
  void search_in_full(const Solver& rows_of_all) {
    if (cv_.table.effort == Effort::full || cv_.status != Status::local_optimum) return;
    if (cv_.short_lists && problem_.design->cols() > kMostColumnsInFull) return;
    SupportTable full = full_table(rows_of_all);
    if (stopped(full.status)) {
      cv_.status = full.status;
    } else if (options_.tune == Tune::k && full.max_k() < *cv_.best().k) {
      // It ends earlier, with a perfect fit that lists have missed.
      lists_too_short_ = true;
    } else {
      compare_with_lists(rows_of_all.moments(), full);
      cv_.table = std::move(full);
      keep_first_point_empty();
    }
  }

  // A short list is too short where the full table of all rows has a size that may matter and is
  // better by what several columns are worth: then the same is to be expected of the folds.
  void compare_with_lists(const Moments& moments, const SupportTable& full) {
    if (!cv_.short_lists || problem_.family != Family::gaussian) return;
    const Evidence evidence(moments);
    double best = evidence.of(cv_.table.at_k(0).loss, 0);
    const Index last = std::min({full.max_k(), cv_.table.max_k(), largest_findable(moments)});
    for (Index k = 1; k <= last; ++k) best = std::max(best, evidence.of(cv_.table.at_k(k).loss, k));
    for (Index k = 1; k <= last && !lists_too_short_; ++k) {
      const double listed = cv_.table.at_k(k).loss, loss = full.at_k(k).loss;
      if (!(loss > 0)) break;
      lists_too_short_ = evidence.near(evidence.of(loss, k), best) &&
                         evidence.rise(listed, loss) >= kMuchBetter * evidence.column();
    }
  }

  const Problem& problem_;
  const CrossValidateOptions& options_;
  const Budget budget_;
  bool lists_too_short_ = false;
  CrossValidation cv_;
};

}  // namespace

double CrossValidation::held_out_r_squared() const {
  if (model().at.support.empty() || !(null_model.mean_error > 0)) return 0;
  return 1 - best().mean_error / null_model.mean_error;
}

std::string_view to_string(Tune tune) { return tune == Tune::k ? "k" : "lambda"; }

std::string_view to_string(Inference inference) {
  return inference == Inference::splits ? "splits" : "none";
}

namespace {

CrossValidation cross_validate_alone(const Problem& problem, const CrossValidateOptions& options) {
  const Budget budget(options.control);
  CrossValidator quick(problem, options);
  CrossValidation cv = quick.run();
  if (!quick.lists_were_too_short() || stopped(cv.status)) return cv;
  CrossValidateOptions rest = options;
  rest.effort = Effort::full;
  rest.control = budget.remaining();
  try {
    CrossValidation full = CrossValidator(problem, rest).run();
    if (!stopped(full.status)) {
      full.lists_too_short = true;
      full.gram_use.add(cv.gram_use);
      full.seconds = budget.seconds();
      return full;
    }
    cv.status = full.status;
  } catch (const Error&) {  // stopped before two folds were finished
    try {
      budget.check();
      throw;
    } catch (const Stop& stop) {
      cv.status = stop.status;
    }
  }
  cv.seconds = budget.seconds();
  return cv;
}

}  // namespace

CrossValidation cross_validate(const Problem& problem, const CrossValidateOptions& options) {
  if (options.inference == Inference::none) return cross_validate_alone(problem, options);
  validate(problem);
  check(options, has_signs(problem));
  check_split_tests(problem);
  const Budget budget(options.control);
  CrossValidation cv = cross_validate_alone(problem, options);
  cv.split_tests = split_tests(problem, {.seed = options.seed, .control = budget.remaining()});
  cv.seconds = budget.seconds();
  return cv;
}

}  // namespace lass0
