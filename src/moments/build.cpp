// Moments of a set of rows from the sums over all rows and over folds: centred by these rows' own
// means, with the ridge, and without what the included columns explain.
#include <Eigen/Cholesky>
#include <cmath>
#include <lass0/error.hpp>
#include <limits>

#include "moments/independent.hpp"
#include "moments/parts.hpp"
#include "util/blas.hpp"
#include "util/memory.hpp"
#include "util/tolerances.hpp"

namespace lass0 {

std::shared_ptr<GramPlan> make_gram_plan(const Problem& problem, RowGroups groups,
                                         const Budget& budget) {
  auto rows = std::make_shared<AllRows>(problem, std::move(groups), budget);
  if (rows->in_full()) return full_gram(std::move(rows), budget);
  if (auto sparse = sparse_gram(rows)) return sparse;
  return cached_gram(std::move(rows));
}

Moments moments_within(const Problem& problem, std::span<const int> folds, const Budget& budget) {
  if (problem.family != Family::gaussian || !problem.offset.empty())
    throw UsageError(
        "this works with the family gaussian without an offset only: sums of squares and products "
        "are all that it looks at");
  const Control control = budget.remaining();
  RowGroups groups = RowGroups::single();
  if (!folds.empty()) {
    if (!problem.design || std::ssize(folds) != problem.design->rows()) {
      throw Error("folds: " + std::to_string(folds.size()) +
                  " labels were given, but every row needs one");
    }
    groups = RowGroups::from_labels(folds);
  }
  auto plan = make_gram_plan(problem, std::move(groups), budget);
  return MomentsMaker::view(problem, control, std::move(plan), {}, &budget);
}

Moments MomentsMaker::view(const Problem& problem, const Control& control,
                           std::shared_ptr<GramPlan> plan, std::vector<Index> held_out,
                           const Budget* budget) {
  const auto parts = std::make_shared<Moments::Parts>();
  Moments moments;
  moments.problem_ = problem;
  moments.control_ = control;
  moments.parts_ = parts;
  parts->scale = {plan->shared_rows(), &plan->rows().scale()};
  parts->centre = {plan->shared_rows(), &plan->rows().centre()};
  parts->plan = std::move(plan);
  MomentsMaker builder(moments, *parts);
  GramView view = builder.centre_sums(std::move(held_out));
  builder.add_ridge();
  view.ridge = moments.ridge_;
  moments.squares_ = moments.diagonal_;
  moments.target_square_ = moments.yty_;
  builder.look_with(std::move(view));
  builder.take_out_included(budget);
  return moments;
}

void MomentsMaker::look_with(GramView view) {
  parts_.view = std::make_shared<const GramView>(std::move(view));
  parts_.gram = parts_.plan->source(parts_.view);
}

// From sums about the means over all rows to sums about these rows' own means.
GramView MomentsMaker::centre_sums(std::vector<Index> without) {
  const AllRows& all = parts_.rows();
  GramView view;
  view.held_out = std::move(without);
  const std::vector<Index>& held_out = view.held_out;
  const SlotSum slots = all.slots_without(held_out);
  const auto of_columns = [&](const Matrix& sums) {
    Vector sum(sums.rows());
    slots.of(sum, [&](Index s) { return sums.col(s); });
    return sum;
  };
  const auto of_number = [&](const Vector& sums) {
    Vector sum(1);
    slots.of(sum, [&](Index s) { return sums.segment(s, 1); });
    return sum[0];
  };
  parts_.rows_used = static_cast<Index>(of_number(all.rows_used()));
  // Of one row that outweighs all others, a difference would leave nothing of them.
  view.weight = all.weight()[0];
  if (!held_out.empty()) {
    Vector kept = all.weight().tail(all.folds());
    for (const Index fold : held_out) kept[fold] = 0;
    view.weight = kept.sum();
  }
  view.target_sum = of_number(all.target_sum());
  view.sums = of_columns(all.sums());
  double& yty = moments_.yty_;
  Vector &xty = moments_.xty_, &diagonal = moments_.diagonal_;
  yty = of_number(all.target_square());
  xty = of_columns(all.xty());
  diagonal = of_columns(all.squares());
  if (parts_.rows_used == 0 || !(view.weight > 0))
    throw Error("a training set has no rows of positive weight");
  if (moments_.problem_.intercept) {
    yty -= view.target_sum * view.target_sum / view.weight;
    xty -= view.sums * (view.target_sum / view.weight);
    diagonal -= view.sums.cwiseAbs2() / view.weight;
  }
  const Index p = all.cols();
  if (!held_out.empty()) {
    bool& lost = parts_.lost_digits;
    lost =
        view.weight < kDigitsLost * all.weight()[0] || yty < kDigitsLost * all.target_square()[0];
    for (Index j = 0; j < p && !lost; ++j)
      lost = diagonal[j] < kDigitsLost * all.squares()(j, 0) && varies(j, held_out);
    yty = yty > kRoundingOfSquares * all.target_square()[0] ? yty : 0.0;
    for (Index j = 0; j < p; ++j)
      if (diagonal[j] <= kRoundingOfSquares * all.squares()(j, 0)) diagonal[j] = xty[j] = 0;
  }
  moments_.l1_weights_.resize(p);
  for (Index j = 0; j < p; ++j) {
    const double deviation =
        moments_.problem_.standardize ? std::sqrt(diagonal[j] / view.weight) : 1 / all.scale()[j];
    moments_.l1_weights_[j] = deviation / all.weight_root();
  }
  return view;
}

// By looking at the rows: a column that is constant on them, as rare indicators are, has nothing to
// lose.
bool MomentsMaker::varies(Index j, const std::vector<Index>& held_out) const {
  const Vector kept = (parts_.rows().weights_without(held_out).array() > 0).template cast<double>();
  Vector z = Vector::Zero(kept.size());
  parts_.rows().add_internal_column(j, kept, z);
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (Index i = 0; i < kept.size(); ++i) {
    if (kept[i] == 0) continue;
    least = std::min(least, z[i]);
    most = std::max(most, z[i]);
  }
  const double size = std::max(std::abs(least), std::abs(most));
  return most - least > 4 * std::numeric_limits<double>::epsilon() * size;
}

// ridge * (s_j beta_j)^2 for a coefficient b_j of z_j is ridge * (l1_weight_j b_j)^2 e^2.
void MomentsMaker::add_ridge() {
  const Problem& problem = moments_.problem_;
  if (problem.ridge == 0) return;
  Vector& ridge = moments_.ridge_;
  ridge = (std::sqrt(problem.ridge) * moments_.l1_weights_).cwiseAbs2();
  for (Index j = 0; j < ridge.size(); ++j) {
    if (moments_.diagonal_[j] == 0) ridge[j] = 0;
    if (!std::isfinite(ridge[j])) {
      throw Error("column '" + column_name(problem, j) +
                  "': the ridge is too large for its values: rescale it");
    }
  }
  moments_.diagonal_ += ridge;
}

void MomentsMaker::take_out_included(const Budget* budget) {
  const Columns include = moments_.problem_.include;
  if (include.empty()) return;
  if (budget) prefetch_within(moments_, include, *budget);
  parts_.included = independent_columns(moments_, include, kAliasTolerance).kept;
  const std::vector<Index>& included = parts_.included;
  const Index m = std::ssize(included), p = moments_.cols();
  if (m == 0) return;
  Matrix G(m, m), U = allocate_matrix(p, m, "what the included columns explain");
  moments_.gram_block(included, included, G);
  moments_.gram_columns(included, U);
  parts_.included_factor = Eigen::LLT<Matrix>(G).matrixL();
  blas::solve_lower_transposed_right(p, m, parts_.included_factor.data(), m, U.data(), p);
  Vector &z = parts_.explained_target, &xty = moments_.xty_, &diagonal = moments_.diagonal_;
  z = xty(included);
  blas::lower_solve(m, parts_.included_factor.data(), m, z.data());

  diagonal -= U.rowwise().squaredNorm();
  xty -= U * z;
  moments_.yty_ -= z.squaredNorm();
  if (moments_.yty_ <= kRoundingOfSquares * moments_.target_square_) {
    moments_.yty_ = 0;
    xty.setZero();
  }
  for (Index j = 0; j < p; ++j)
    if (diagonal[j] <= kAliasTolerance * moments_.squares_[j]) diagonal[j] = xty[j] = 0;
  for (const Index j : included) diagonal[j] = xty[j] = 0;
  GramView view = *parts_.view;
  view.explained = std::move(U);
  look_with(std::move(view));
}

}  // namespace lass0
