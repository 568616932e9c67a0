#include "select/fold_engine.hpp"

#include <algorithm>
#include <lass0/error.hpp>

#include "select/any_column.hpp"
#include "util/memory.hpp"
#include "util/pace.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr int kValuesOfAStoppedRun = 100;
constexpr double kWorkOfAModel = 8;  // multiplications (pace.hpp) that take as long

}  // namespace

FoldEngine::FoldEngine(const Method& method, const Solver& all, std::span<const Batch> batches,
                       const Budget& budget, Measure measure)
    : method_(method),
      all_(all),
      batches_(batches),
      budget_(budget),
      measure_(measure),
      ridges_(method.ridges(all)) {
  for (const Batch& batch : batches) folds_.resize(folds_.size() + std::size_t(batch.folds));
}

void FoldEngine::run() {
  try {
    run_batches();
  } catch (const Stop& stop) {
    status_ = stop.status;
  }
  std::erase_if(folds_, [](const Fold& fold) { return !fold.done; });
}

void FoldEngine::run_batches() {
  for (const double ridge : ridges_) {
    budget_.progress("cross-validation: all rows", 0);
    all_rows_.push_back({method_.grid(*all_.at_ridge(ridge), quiet_budget()), {}});
  }
  const bool fits_first = all_rows_.front().grid.values.empty();
  const bool shared = batches_.front().weights.empty();
  if (fits_first && !shared) fit_all_rows();
  if (shared) run_batch(batches_.front(), all_, fits_first);
  for (const Batch& batch : batches_.subspan(shared ? 1 : 0)) {
    budget_.check();
    if (batch.cells) {  // those of the first batch
      run_batch(batch, all_, false);
      continue;
    }
    Problem problem = all_.problem();
    if (!batch.weights.empty()) problem.weights = batch.weights;
    const std::unique_ptr<Solver> rows = solver_within(problem, batch.labels, budget_);
    run_batch(batch, *rows, false);
    gram_use_.add(rows->moments().gram_use());
  }
}

// All rows are one more task beside the folds, unless those need to know its values. Gram columns
// have the same bits whoever asks for them first, so folds may run side by side.
void FoldEngine::run_batch(const Batch& batch, const Solver& rows, bool with_all_rows) {
  const Index before = with_all_rows ? 1 : 0;
  for_each_block(batch.folds + before, budget_.threads(), [&](Index task) {
    if (task < before)
      fit_all_rows();
    else
      run_fold(batch, rows, task - before);
  });
}

void FoldEngine::fit_all_rows() {
  for (std::size_t r = 0; r < ridges_.size(); ++r) {
    AllRows& rows = all_rows_[r];
    rows.models = method_.fit(*all_.at_ridge(ridges_[r]), rows.grid.values, quiet_budget());
  }
}

void FoldEngine::run_fold(const Batch& batch, const Solver& rows, Index fold) try {
  const Index number = batch.first + fold;
  const Budget budget(fold_control(number));
  budget.check();
  const FoldTraining training(rows, batch, fold, budget);
  Fold result;
  result.partition = batch.partition;
  result.held_out = {training.held_out_rows(), training.held_out_weight(),
                     null_error(rows.problem(), batch.labels, fold, measure_)};
  bool short_list = false;
  for (std::size_t r = 0; r < ridges_.size(); ++r) {
    result.curves.push_back(fold_curve(training.at_ridge(ridges_[r]), rows.problem(),
                                       all_rows_[r].grid.values, budget));
    short_list = short_list || result.curves.back().models.short_list;
  }
  result.done = true;
  folds_[static_cast<std::size_t>(number)] = std::move(result);
  const std::lock_guard lock(mutex_);
  short_lists_ = short_lists_ || short_list;
  if (training.by_rows()) gram_use_.add(training.moments().gram_use());
} catch (const Stop& stop) {
  const std::lock_guard lock(mutex_);
  status_ = stop.status;
}

FoldEngine::FoldCurve FoldEngine::fold_curve(const TrainingSet& training, const Problem& all_rows,
                                             std::span<const Tuning> values,
                                             const Budget& budget) const {
  FoldCurve curve{method_.fit(*training.solver, values, budget), {}, {}};
  const std::vector<Candidate>& all = curve.models.candidates;
  const auto errors = held_out_errors(training, all_rows, measure_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    budget.check();
    curve.errors.push_back(i > 0 && curve.models.same(i - 1, i) ? curve.errors.back()
                                                                : errors->of(all[i]));
    curve.supports.add(all[i].support);
  }
  curve.models.candidates.clear();
  curve.models.table.reset();
  return curve;
}

// All rows do not count as progress: folds do.
Budget FoldEngine::quiet_budget() const {
  Control control = budget_.remaining();
  control.progress = {};
  return Budget(control);
}

Control FoldEngine::fold_control(Index number) const {
  Control control = budget_.remaining();
  if (control.progress) {
    control.progress = [this, number](std::string_view, double fraction) {
      const double done = static_cast<double>(number) + std::clamp(fraction, 0.0, 1.0);
      budget_.progress("cross-validation: fold " + std::to_string(number + 1) + " of " +
                           std::to_string(folds_.size()),
                       done / static_cast<double>(folds_.size()));
    };
  }
  return control;
}

std::vector<FoldEngine::HeldOut> FoldEngine::held_out() const {
  std::vector<HeldOut> all;
  for (const Fold& fold : folds_) all.push_back(fold.held_out);
  return all;
}

std::size_t FoldEngine::place_of(double ridge) const {
  return static_cast<std::size_t>(std::find(ridges_.begin(), ridges_.end(), ridge) -
                                  ridges_.begin());
}

std::vector<Tuning> FoldEngine::values(std::size_t ridge, int most) const {
  const AllRows& rows = all_rows_[ridge];
  std::vector<Tuning> values = rows.grid.values;
  if (values.empty()) {
    std::vector<const Models*> training;
    for (const Fold& fold : folds_) training.push_back(&fold.curves[ridge].models);
    values = method_.values(*rows.models, training, most);
  }
  for (Tuning& value : values) value.ridge = ridges_[ridge];
  return values;
}

ErrorCurve FoldEngine::curve() {
  const bool all_seen = all_rows_.size() == ridges_.size() &&
                        std::all_of(all_rows_.begin(), all_rows_.end(), [](const AllRows& rows) {
                          return !rows.grid.values.empty() || rows.models;
                        });
  if (folds_.size() < 2 || !all_seen)
    throw Error(stopped_before(status_, "two folds were finished") + ": allow more time");
  ErrorCurve curve;
  double null_error = 0, weight = 0;
  for (const Fold& fold : folds_) {
    curve.fold_weights.push_back(fold.held_out.weight);
    curve.partitions.push_back(fold.partition);
    null_error += fold.held_out.null_error;
    weight += fold.held_out.weight;
  }
  curve.null_error = null_error / weight;
  curve.any_column = any_column_p_value(all_);
  std::vector<std::vector<Tuning>> all;
  std::size_t count = 0;
  for (std::size_t r = 0; r < ridges_.size(); ++r) {
    all.push_back(values(r, kAllValues));
    count += all.back().size();
  }
  curve.fold_errors = allocate_matrix(std::ssize(folds_), static_cast<Index>(count),
                                      "the errors of all folds at all tuning values");
  for (std::size_t r = 0; r < ridges_.size(); ++r) {
    const std::vector<Tuning> few = values(r, kValuesOfAStoppedRun);
    try {
      draw(r, all[r], few.size() < all[r].size() ? &budget_ : nullptr, curve);
    } catch (const Stop& stop) {
      // A run that was stopped has its folds all the same, and a short curve of them at once.
      status_ = stop.status;
      const auto begun = std::find_if(curve.values.begin(), curve.values.end(),
                                      [&](const Tuning& at) { return at.ridge == ridges_[r]; });
      const auto before = static_cast<std::size_t>(begun - curve.values.begin());
      curve.values.resize(before);
      curve.errors.resize(before);
      curve.mean_sizes.resize(before);
      draw(r, few, nullptr, curve);
    }
  }
  if (curve.values.size() < count)
    curve.fold_errors.conservativeResize(Eigen::NoChange, std::ssize(curve.values));
  return curve;
}

void FoldEngine::draw(std::size_t ridge, std::span<const Tuning> values, const Budget* budget,
                      ErrorCurve& curve) const {
  double work = 0;  // for each value
  for (const Fold& fold : folds_)
    work += kWorkOfAModel * static_cast<double>(fold.curves[ridge].errors.size());
  Pace pace(budget, "cross-validation: curve", work * static_cast<double>(values.size()));
  for (std::size_t place = 0; place < values.size(); ++place) {
    auto errors = curve.fold_errors.col(std::ssize(curve.values));
    double sizes = 0;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const FoldCurve& fold = folds_[f].curves[ridge];
      const std::size_t i = fold.models.at(values[place], place);
      errors[static_cast<Index>(f)] = fold.errors[i] / curve.fold_weights[f];
      sizes += static_cast<double>(fold.models.sizes[i]);
    }
    curve.values.push_back(values[place]);
    curve.errors.push_back(summarise(errors, curve.fold_weights));
    curve.mean_sizes.push_back(sizes / static_cast<double>(folds_.size()));
    pace.did(work);
  }
}

Candidate FoldEngine::candidate(const ErrorCurve& curve, Index value) {
  const Tuning& at = curve.values[static_cast<std::size_t>(value)];
  AllRows& rows = all_rows_[place_of(at.ridge)];
  if (!rows.models) rows.models = method_.fit(*all_.at_ridge(at.ridge), rows.grid.values, budget_);
  return rows.models->candidates[rows.models->at(at, place_at_ridge(curve, value))];
}

std::vector<std::vector<Index>> FoldEngine::fold_supports(const ErrorCurve& curve,
                                                          Index value) const {
  const Tuning& at = curve.values[static_cast<std::size_t>(value)];
  const std::size_t ridge = place_of(at.ridge), place = place_at_ridge(curve, value);
  std::vector<std::vector<Index>> supports;
  for (const Fold& fold : folds_) {
    const FoldCurve& here = fold.curves[ridge];
    supports.push_back(here.supports.at(here.models.at(at, place)));
  }
  return supports;
}

std::size_t FoldEngine::place_at_ridge(const ErrorCurve& curve, Index value) {
  const double ridge = curve.values[static_cast<std::size_t>(value)].ridge;
  const auto first = std::find_if(curve.values.begin(), curve.values.end(),
                                  [&](const Tuning& other) { return other.ridge == ridge; });
  return static_cast<std::size_t>(value - (first - curve.values.begin()));
}

SupportTable& FoldEngine::table(double ridge) {
  AllRows& rows = all_rows_[place_of(ridge)];
  return rows.models ? *rows.models->table : *rows.grid.table;
}

}  // namespace lass0
