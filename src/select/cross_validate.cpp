#include <algorithm>
#include <cmath>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <mutex>

#include "search/table/evidence.hpp"
#include "search/table/larger_moves.hpp"
#include "select/batches.hpp"
#include "select/choose.hpp"
#include "select/fold_curve.hpp"
#include "select/fold_training.hpp"
#include "util/memory.hpp"
#include "util/pace.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr int kLambdasOfAStoppedRun = 100;
constexpr double kMuchBetter = 3;      // columns: what short lists may miss on all rows
constexpr double kWorkOfAnAnswer = 8;  // multiplications (pace.hpp) that take as long

void check_options(const CrossValidateOptions& options) {
  if (options.lambdas < 2) throw UsageError("a grid needs at least 2 lambdas");
  if (options.lambdas > kMostLambdas)
    throw UsageError("a grid has at most " + std::to_string(kMostLambdas) + " lambdas, not " +
                     std::to_string(options.lambdas));
  if (options.max_k < -1) throw UsageError("the largest size must be 0 or more");
  if (options.start == Start::Method::empty || options.start == Start::Method::support)
    throw UsageError("cross-validation starts from the table or, as the paper, from the Lasso");
  if (options.start == Start::Method::paper && options.tune == Tune::k)
    throw UsageError("the paper's start needs a lambda: it goes without tuning k");
}

class CrossValidator {
 public:
  CrossValidator(const Problem& problem, const CrossValidateOptions& options)
      : problem_(problem), options_(options), budget_(options.control) {
    cv_.tune = options.tune;
    cv_.rule = options.rule;
    cv_.repeats = options.repeats;
    cv_.effort = options.effort;
  }

  CrossValidation run() {
    check_options(options_);
    validate(problem_);
    check_start(problem_, options_.start);
    const std::vector<Batch> batches = make_all_batches();
    for (const Batch& batch : batches) cv_.folds += batch.folds;
    folds_.resize(static_cast<std::size_t>(cv_.folds));
    // The sums of all rows come with those of the first folds, where these are of all rows.
    const bool shared = batches.front().weights.empty();
    const Moments all(problem_, {.folds = shared ? std::span<const int>(batches.front().labels)
                                                 : std::span<const int>(),
                                 .control = budget_.remaining()});
    cv_.ridges = options_.tune_ridge ? ridge_grid(all) : std::vector<double>{problem_.ridge};
    try {
      if (shared) {
        run_first_batch(batches.front(), all);
      } else {
        look_at_all_rows(all);
      }
      for (std::size_t b = shared ? 1 : 0; b < batches.size(); ++b) {
        budget_.check();
        const Moments moments = moments_of(batches[b]);
        run_batch(batches[b], moments);
        cv_.gram_use.add(moments.gram_use());
      }
    } catch (const Stop& stop) {
      cv_.status = stop.status;
    }
    draw_curve();
    choose(cv_);
    fit_all_rows(all);
    cv_.gram_use.add(all.gram_use());
    cv_.seconds = budget_.seconds();
    return std::move(cv_);
  }

  bool lists_were_too_short() const { return lists_too_short_; }

 private:
  struct Fold {
    bool done = false;
    double weight = 0;
    Index rows = 0;
    double null_error = 0;
    std::vector<FoldCurve> curves;  // one a ridge
  };

  Index table_rows() const { return options_.tune == Tune::k ? options_.max_k : -1; }

  bool paper() const { return options_.start == Start::Method::paper; }

  Moments at_ridge(const Moments& moments, double ridge) const {
    return ridge == moments.problem().ridge ? moments : moments.with_ridge(ridge);
  }

  std::vector<Batch> make_all_batches() const {
    const std::vector<Partition> partitions = make_partitions(problem_, options_);
    return options_.splits.empty() ? make_batches(partitions, problem_.design->cols())
                                   : make_batches(problem_, options_.splits);
  }

  Moments moments_of(const Batch& batch) const {
    Problem problem = problem_;
    if (!batch.weights.empty()) problem.weights = batch.weights;
    return Moments(problem, batch.labels, budget_);
  }

  // For each ridge the table of all rows.
  void look_at_all_rows(const Moments& all) {
    for (const double ridge : cv_.ridges) {
      budget_.report("cross-validation: all rows", 0);
      const Moments moments = at_ridge(all, ridge);
      Control control = budget_.remaining();
      control.progress = {};
      tables_.push_back(best_supports(
          moments, {.max_k = table_rows(), .effort = options_.effort, .control = control}));
      if (stopped(tables_.back().status)) throw Stop{tables_.back().status};
      ranges_.push_back(lambda_range(moments, tables_.back(), options_.max_k));
    }
  }

  // All rows are one more task beside the folds, unless those need to know its lambdas.
  void run_first_batch(const Batch& batch, const Moments& all) {
    if (paper()) {
      look_at_all_rows(all);
      return run_batch(batch, all);
    }
    for_each_block(batch.folds + 1, options_.control.threads, [&](Index task) {
      if (task == 0)
        look_at_all_rows(all);
      else
        run_fold(batch, all, task - 1);
    });
  }

  // Gram columns have the same bits whoever asks for them first, so folds may run side by side.
  void run_batch(const Batch& batch, const Moments& moments) {
    for_each_block(batch.folds, options_.control.threads,
                   [&](Index fold) { run_fold(batch, moments, fold); });
  }

  void run_fold(const Batch& batch, const Moments& moments, Index fold) try {
    const Index number = batch.first + fold;
    const Budget budget(fold_control(number));
    budget.check();
    const FoldTraining training(moments.problem(), moments, batch.labels, fold, budget);
    Fold result;
    result.weight = training.left_out_weight();
    result.rows = training.left_out_rows();
    result.null_error = null_error(moments.problem(), batch.labels, fold);
    for (std::size_t r = 0; r < cv_.ridges.size(); ++r) {
      const TrainingSet set = training.at_ridge(cv_.ridges[r]);
      result.curves.push_back(
          paper()
              ? paper_curve(set, lambda_grid(ranges_[r], {}, options_.lambdas), options_, budget)
              : table_curve(set, options_, budget));
    }
    result.done = true;
    const bool listed = std::any_of(result.curves.begin(), result.curves.end(),
                                    [](const FoldCurve& curve) { return curve.listed; });
    if (listed) {
      const std::lock_guard lock(mutex_);
      cv_.short_lists = true;
    }
    if (training.by_rows()) {
      const std::lock_guard lock(mutex_);
      cv_.gram_use.add(training.moments().gram_use());
    }
    folds_[static_cast<std::size_t>(number)] = std::move(result);
  } catch (const Stop& stop) {
    const std::lock_guard lock(mutex_);
    cv_.status = stop.status;
  }

  Control fold_control(Index number) {
    Control control = budget_.remaining();
    if (control.progress) {
      control.progress = [this, number](std::string_view, double fraction) {
        const double done = static_cast<double>(number) + std::clamp(fraction, 0.0, 1.0);
        budget_.report("cross-validation: fold " + std::to_string(number + 1) + " of " +
                           std::to_string(cv_.folds),
                       done / static_cast<double>(cv_.folds));
      };
    }
    return control;
  }

  void draw_curve() {
    std::erase_if(folds_, [](const Fold& fold) { return !fold.done; });
    if (folds_.size() < 2 || tables_.size() < cv_.ridges.size()) {
      throw Error(stopped_before(cv_.status, "two folds were finished") +
                  ": nothing is known yet; allow more time");
    }
    for (const Fold& fold : folds_) {
      cv_.fold_rows.push_back(fold.rows);
      cv_.fold_weights.push_back(fold.weight);
    }
    Vector null_errors(std::ssize(folds_));
    for (std::size_t f = 0; f < folds_.size(); ++f)
      null_errors[static_cast<Index>(f)] = folds_[f].null_error / folds_[f].weight;
    summarise(null_errors, cv_.fold_weights, cv_.null_model);
    const double points = static_cast<double>(cv_.ridges.size()) * options_.lambdas;
    if (options_.tune == Tune::lambda)  // twice: while they are gathered, and as a matrix
      require_memory(2 * sizeof(double) * points * static_cast<double>(folds_.size()),
                     "the errors of all folds at all lambdas");
    std::vector<Vector> errors;
    for (std::size_t r = 0; r < cv_.ridges.size(); ++r) {
      if (options_.tune == Tune::k)
        draw_sizes(r, errors);
      else
        draw_lambdas(r, errors);
    }
    cv_.fold_errors.resize(std::ssize(folds_), std::ssize(errors));
    for (std::size_t i = 0; i < errors.size(); ++i)
      cv_.fold_errors.col(static_cast<Index>(i)) = errors[i];
  }

  void draw_sizes(std::size_t r, std::vector<Vector>& errors) {
    Index max_k = tables_[r].max_k();
    for (const Fold& fold : folds_) {
      const FoldCurve& curve = fold.curves[r];
      if (!curve.complete) max_k = std::min(max_k, std::ssize(curve.answers) - 1);
    }
    for (Index k = 0; k <= max_k; ++k) {
      CurvePoint point;
      point.k = k;
      add_point(r, point, errors, [&](const FoldCurve& curve) { return curve.at_most(k); });
    }
  }

  void draw_lambdas(std::size_t r, std::vector<Vector>& errors) {
    std::vector<LambdaRange> training;
    for (const Fold& fold : folds_) training.push_back(fold.curves[r].range);
    if (paper()) return draw_at(lambda_grid(ranges_[r], {}, options_.lambdas), r, errors, nullptr);
    const bool many = options_.lambdas > kLambdasOfAStoppedRun;
    const std::size_t before = errors.size();
    try {
      draw_at(lambda_grid(ranges_[r], training, options_.lambdas), r, errors,
              many ? &budget_ : nullptr);
    } catch (const Stop& stop) {
      // A run that was stopped has its folds all the same, and a short curve of them at once.
      cv_.status = stop.status;
      cv_.curve.resize(before);
      errors.resize(before);
      draw_at(lambda_grid(ranges_[r], training, kLambdasOfAStoppedRun), r, errors, nullptr);
    }
  }

  void draw_at(const std::vector<double>& lambdas, std::size_t r, std::vector<Vector>& errors,
               const Budget* budget) {
    double work = 0;  // for each lambda
    for (const Fold& fold : folds_)
      work += kWorkOfAnAnswer * static_cast<double>(fold.curves[r].answers.size());
    Pace pace(budget, "cross-validation: curve", work * static_cast<double>(lambdas.size()));
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      CurvePoint point;
      point.lambda = lambdas[l];
      add_point(r, point, errors, [&](const FoldCurve& curve) {
        return paper() ? curve.answers[l] : curve.at_lambda(lambdas[l]);
      });
      pace.did(work);
    }
  }

  template <class AnswerOf>
  void add_point(std::size_t r, CurvePoint point, std::vector<Vector>& errors,
                 const AnswerOf& answer_of) {
    point.ridge = cv_.ridges[r];
    Vector error(std::ssize(folds_));
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const Answer answer = answer_of(folds_[f].curves[r]);
      error[static_cast<Index>(f)] = answer.error / folds_[f].weight;
      point.mean_size += static_cast<double>(answer.size);
    }
    point.mean_size /= static_cast<double>(folds_.size());
    summarise(error, cv_.fold_weights, point);
    if (!std::isfinite(point.mean_error) || !std::isfinite(point.se))
      throw Error("the errors are too large for a double: rescale the target");
    cv_.curve.push_back(point);
    errors.push_back(std::move(error));
  }

  // Where the run was stopped, this last fit is made all the same: its table is there, and without
  // it all would have been for nothing.
  void fit_all_rows(const Moments& all) {
    const CurvePoint& best = cv_.best();
    const auto at = std::find(cv_.ridges.begin(), cv_.ridges.end(), best.ridge);
    cv_.table = std::move(tables_[static_cast<std::size_t>(at - cv_.ridges.begin())]);
    const Moments moments = at_ridge(all, best.ridge);
    search_in_full(moments);
    FitOptions options;
    options.table = &cv_.table;
    options.start.method = options_.start;
    options.l1_tolerance = options_.l1_tolerance;
    options.control.threads = options_.control.threads;
    if (cv_.status == Status::local_optimum) options.control = budget_.remaining();
    if (options_.tune == Tune::k)
      options.k = best.k;
    else
      options.lambda = best.lambda;
    cv_.fit = fit(moments, options);
    if (options_.models) cv_.models = refit_table(moments, cv_.table);
    cv_.model = cv_.fit.model;
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

  // The model is that of `fit` at what was chosen, so the table is that of `fit` and `path`,
  // whatever the folds had. Unless there is no time for it.
  void search_in_full(const Moments& moments) {
    if (cv_.table.effort == Effort::full || cv_.status != Status::local_optimum) return;
    SupportTable full =
        best_supports(moments, {.max_k = table_rows(), .control = budget_.remaining()});
    if (stopped(full.status)) {
      cv_.status = full.status;
    } else {
      compare_with_lists(moments, full);
      cv_.table = std::move(full);
      keep_first_point_empty();
    }
  }

  // A short list is too short where the full table of all rows has a size that may matter and is
  // better by what several columns are worth: then the same is to be expected of the folds.
  void compare_with_lists(const Moments& moments, const SupportTable& full) {
    if (!cv_.short_lists) return;
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
  std::mutex mutex_;                  // guards cv_ while folds run
  std::vector<SupportTable> tables_;  // of all rows, one a ridge
  std::vector<LambdaRange> ranges_;   // likewise
  std::vector<Fold> folds_;

  CrossValidation cv_;
};

}  // namespace

double CrossValidation::held_out_r_squared() const {
  if (model.at.support.empty() || !(null_model.mean_error > 0)) return 0;
  return 1 - best().mean_error / null_model.mean_error;
}

std::string_view to_string(Tune tune) { return tune == Tune::k ? "k" : "lambda"; }

std::string_view to_string(Rule rule) { return rule == Rule::min ? "min" : "1se"; }

std::vector<double> ridge_grid(const Moments& moments) {
  double unit = moments.weight();
  if (!moments.problem().standardize) {
    double squares = 0;
    Index columns = 0;
    for (Index j = 0; j < moments.cols(); ++j) {
      if (moments.constant(j)) continue;
      squares += moments.deviation(j) * moments.deviation(j);
      ++columns;
    }
    unit *= columns > 0 ? squares / static_cast<double>(columns) : 1;
  }
  std::vector<double> ridges;
  for (const double share : {0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0}) ridges.push_back(share * unit);
  return ridges;
}

CrossValidation cross_validate(const Problem& problem, const CrossValidateOptions& options) {
  const Budget budget(options.control);
  CrossValidator quick(problem, options);
  CrossValidation cv = quick.run();
  if (!quick.lists_were_too_short() || stopped(cv.status)) return cv;
  CrossValidateOptions rest = options;
  rest.effort = Effort::full;
  rest.control = budget.remaining();
  try {
    CrossValidation full = CrossValidator(problem, rest).run();
    if (stopped(full.status)) return cv;
    full.lists_too_short = true;
    full.gram_use.add(cv.gram_use);
    full.seconds = budget.seconds();
    return full;
  } catch (const Error&) {  // stopped before two folds were finished
    return cv;
  }
}

}  // namespace lass0
