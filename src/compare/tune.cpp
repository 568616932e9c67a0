#include "compare/tune.hpp"

#include <map>

#include "compare/least_squares.hpp"
#include "model/included.hpp"
#include "select/choose.hpp"
#include "select/fold_training.hpp"

namespace lass0 {
namespace {

constexpr double kIllConditioned = 1e8;  // variance inflation
constexpr double kPerfect = 1e-4;        // of y'y unexplained

// The errors of all candidates on the rows left out. Neighbours on a curve often have the same
// columns, whose error is then computed once.
class Errors {
 public:
  explicit Errors(const FoldTraining& training) : training_(training) {}

  double of(const Candidate& candidate, double ridge) {
    const TrainingSet& set = at_ridge(ridge);
    if (candidate.b) return left_out_error(set, candidate.support, *candidate.b);
    const auto [at, is_new] = known_.try_emplace({ridge, candidate.support}, 0.0);
    if (is_new) at->second = least_squares_error(set, candidate.support);
    return at->second;
  }

 private:
  // To compare tuning values, six digits of an error are enough: columns need a QR on all rows only
  // where they are nearly dependent or leave next to nothing unexplained.
  static double least_squares_error(const TrainingSet& set, Columns support) {
    const SumsFit fit = fit_from_sums(set.moments, support);
    const bool good = fit.inflation < kIllConditioned && fit.loss > kPerfect * set.moments.yty();
    return good ? left_out_error(set, support, fit.b) : left_out_error(set, support);
  }

  const TrainingSet& at_ridge(double ridge) {
    const auto at = sets_.find(ridge);
    return at != sets_.end() ? at->second
                             : sets_.emplace(ridge, training_.at_ridge(ridge)).first->second;
  }

  const FoldTraining& training_;
  std::map<double, TrainingSet> sets_;
  std::map<std::pair<double, std::vector<Index>>, double> known_;
};

// `choose` looks for the sparser model along one ridge; for us along one relaxation as well.
std::vector<double> parts(std::span<const Tuning> grid) {
  std::vector<double> part(grid.size(), 0.0);
  for (std::size_t i = 1; i < grid.size(); ++i) {
    const bool same = grid[i].ridge == grid[i - 1].ridge && grid[i].relax == grid[i - 1].relax;
    part[i] = part[i - 1] + (same ? 0 : 1);
  }
  return part;
}

}  // namespace

InnerFolds::InnerFolds(const Problem& training, Index folds, std::uint64_t seed,
                       const Budget& budget)
    : problem_(training),
      partition_(make_partitions(training, {.folds = folds, .seed = seed}).front()),
      all_(training, partition_.labels, budget) {}

Iterate model_of(const Problem& training, const Moments& moments, const Candidate& candidate,
                 const Tuning& tuning) {
  if (candidate.b) return moments.model(candidate.support, *candidate.b);
  Problem with_ridge = training;
  with_ridge.ridge = tuning.ridge;
  return refit(with_ridge, with_included(moments, candidate.support));
}

TunedByRule tune(const Method& method, const InnerFolds& training, const Budget& budget) {
  const std::vector<Tuning> grid = method.grid(training.all(), budget);
  const std::vector<double> part = parts(grid);
  Matrix errors(training.folds(), std::ssize(grid));
  std::vector<double> weights;
  for (Index fold = 0; fold < training.folds(); ++fold) {
    const FoldTraining rows(training.problem(), training.all(), training.labels(), fold, budget);
    const TrainingSet set = rows.at_ridge(training.problem().ridge);
    const std::vector<Candidate> candidates = method.fit(set.moments, grid, budget);
    Errors errors_of(rows);
    for (std::size_t i = 0; i < grid.size(); ++i) {
      budget.check();
      errors(fold, static_cast<Index>(i)) =
          errors_of.of(candidates[i], grid[i].ridge) / rows.left_out_weight();
    }
    weights.push_back(rows.left_out_weight());
  }

  CrossValidation curve;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    CurvePoint point;
    point.ridge = part[i];
    summarise(errors.col(static_cast<Index>(i)), weights, point);
    curve.curve.push_back(point);
  }
  choose(curve);

  const std::vector<Candidate> candidates = method.fit(training.all(), grid, budget);
  const auto tuned = [&](Index chosen) {
    const auto i = static_cast<std::size_t>(chosen);
    return Tuned{grid[i], model_of(training.problem(), training.all(), candidates[i], grid[i]),
                 std::ssize(candidates[i].support)};
  };
  return {tuned(curve.minimum), tuned(curve.one_se)};
}

}  // namespace lass0
