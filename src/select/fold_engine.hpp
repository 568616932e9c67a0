// Cross-validation of one method: its models on every training set, and their errors on the rows
// that each set holds out. `cv` and `compare` differ in the method, and in what they make of the
// curve.
#pragma once

#include <mutex>

#include "select/batches.hpp"
#include "select/choose.hpp"
#include "select/fold_error.hpp"
#include "select/fold_training.hpp"
#include "select/method.hpp"
#include "select/support_sequence.hpp"

namespace lass0 {

class FoldEngine {
 public:
  // The held-out rows of a fold.
  struct HeldOut {
    Index rows = 0;
    double weight = 0;
    double null_error = 0;  // as FoldCurve::errors, of the model with no column at all
  };

  // `all`: of all rows, its moments by the labels of the first batch unless that has weights of
  // its own. All of these must outlive the engine.
  FoldEngine(const Method& method, const Solver& all, std::span<const Batch> batches,
             const Budget& budget, Measure measure = Measure::deviance);

  // Fits the method on all training sets. Stopped: status() says so, and the folds are those that
  // were finished.
  void run();

  Status status() const { return status_; }
  Index folds() const { return std::ssize(folds_); }  // finished
  bool short_lists() const { return short_lists_; }   // in some fold
  const std::vector<double>& ridges() const { return ridges_; }
  std::vector<HeldOut> held_out() const;
  const GramUse& gram_use() const { return gram_use_; }  // of all moments but `all`

  // Throws Error where all rows or two folds were not finished. Where it takes long and is stopped,
  // it has fewer values, and status() says so.
  ErrorCurve curve();

  // The columns that each fold chose at a value of the curve.
  std::vector<std::vector<Index>> fold_supports(const ErrorCurve& curve, Index value) const;

  // On all rows: the model at a value of the curve (throws Stop), and the table at a ridge, of
  // methods that have one.
  Candidate candidate(const ErrorCurve& curve, Index value);
  SupportTable& table(double ridge);

 private:
  // The models of one training set at one ridge, with `supports` instead of candidates.
  struct FoldCurve {
    Models models;
    SupportSequence supports;
    std::vector<double> errors;  // one per model: weight of the held-out rows times the measure
  };
  struct Fold {
    bool done = false;
    Index partition = 0;
    HeldOut held_out;
    std::vector<FoldCurve> curves;  // one per ridge
  };
  struct AllRows {
    Grid grid;
    std::optional<Models> models;
  };

  void run_batches();
  void run_batch(const Batch& batch, const Solver& rows, bool with_all_rows);
  void run_fold(const Batch& batch, const Solver& rows, Index fold);
  FoldCurve fold_curve(const TrainingSet& training, const Problem& all,
                       std::span<const Tuning> values, const Budget& budget) const;
  void fit_all_rows();
  Budget quiet_budget() const;
  Control fold_control(Index number) const;
  std::size_t place_of(double ridge) const;
  static std::size_t place_at_ridge(const ErrorCurve& curve, Index value);
  std::vector<Tuning> values(std::size_t ridge, int most) const;
  void draw(std::size_t ridge, std::span<const Tuning> values, const Budget* budget,
            ErrorCurve& curve) const;

  const Method& method_;
  const Solver& all_;
  const std::span<const Batch> batches_;
  const Budget& budget_;
  const Measure measure_;
  const std::vector<double> ridges_;
  std::mutex mutex_;  // guards these three while folds run
  Status status_ = Status::local_optimum;
  bool short_lists_ = false;
  GramUse gram_use_;
  std::vector<AllRows> all_rows_;  // one per ridge
  std::vector<Fold> folds_;
};

}  // namespace lass0
