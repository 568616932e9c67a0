#include "moments/all_rows.hpp"

#include <algorithm>
#include <cmath>

#include "problem/weights.hpp"
#include "util/blas_buffers.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

// A search among training sets uses about this many columns of each at a time; further ones are
// those it has left behind.
constexpr double kColumnsOfUse = 800;
constexpr double kAlwaysEnough = 256.0 * 1024 * 1024;  // bytes
// Without training sets, what is evicted costs one pass over X for eight columns.
constexpr double kColumnsWithoutFolds = 272;
constexpr double kEnoughWithoutFolds = 208.0 * 1024 * 1024;
// Where columns are few enough, the whole Gram matrix is computed at once.
constexpr Index kFewColumns = 256, kFewColumnsOfFolds = 1024;
constexpr double kLargestFull = 32e6;  // doubles, over all folds
// Means up to this many standard deviations may stay in X: what it is multiplied with sums to 0
// over all rows, so that only a digit is lost.
constexpr double kSmallMean = 8;
constexpr Index kPanelDoubles = Index{1} << 22;
constexpr Index kFewestTogether = 8;

double enough(const Problem& problem, bool training_sets, int threads) {
  const double column =
      problem.design ? sizeof(double) * static_cast<double>(problem.design->cols()) : 0;
  return training_sets ? std::max(kAlwaysEnough, kColumnsOfUse * column * (1 + threads))
                       : std::max(kEnoughWithoutFolds, kColumnsWithoutFolds * column);
}

}  // namespace

AllRows::AllRows(const Problem& problem, RowGroups groups, const Budget& budget)
    : problem_(problem),
      groups_(std::move(groups)),
      threads_(budget.threads()),
      room_(budget.memory(), enough(problem, groups_.count > 1, thread_count(threads_))) {
  validate(problem_);
  reserve_blas_buffers(thread_count(threads_));
  const Index p = problem_.design->cols();
  ScaledWeights scaled = scaled_weights(problem_);
  w_ = std::move(scaled.values);
  weight_root_ = scaled.root;
  while (w_[first_used_row_] == 0) ++first_used_row_;  // validate() made sure that there is one

  rows_used_ = weight_ = target_sum_ = target_square_ = Vector::Zero(slots());
  sums_ = xty_ = squares_ = Matrix::Zero(p, slots());
  scale_ = Vector::Ones(p);
  centre_ = Vector::Zero(p);
  const double doubles =
      static_cast<double>(p) * static_cast<double>(p) * static_cast<double>(slots());
  // Twice: with room for what it is summed up from.
  in_full_ = p <= (slots() > 1 ? kFewColumnsOfFolds : kFewColumns) && doubles <= kLargestFull &&
             2 * sizeof(double) * doubles <= room_.asked_for();
  // Sums over folds look at rows in their order, which is what takes long: with the Gram matrix,
  // which is always asked for, they cost next to nothing.
  Matrix none(0, p);
  sums_with_gram_ = in_full_ && slots() > 1 && problem_.design->gather({}, none);
  measure_target();
  measure_columns(budget);
  shift_ = small_means(kSmallMean) ? Vector::Zero(p) : centre_;
}

Vector AllRows::unit(Index first, Index count) const {
  return (squares_.col(0).segment(first, count).array() > 0)
      .select(scale_.segment(first, count).cwiseInverse(), 0.0);
}

bool AllRows::small_means(double most) const {
  for (Index j = 0; j < cols(); ++j) {
    const double deviation = scale_[j] / std::sqrt(weight_[0]);
    if (squares_(j, 0) > 0 && std::abs(centre_[j]) > most * deviation) return false;
  }
  return true;
}

std::vector<Index> AllRows::rows_of_folds(const std::vector<Index>& folds) const {
  std::vector<Index> rows;
  for (const Index fold : folds) {
    const auto f = static_cast<std::size_t>(fold);
    rows.insert(rows.end(), groups_.order.begin() + groups_.start[f],
                groups_.order.begin() + groups_.start[f + 1]);
  }
  if (folds.size() > 1) std::sort(rows.begin(), rows.end());
  return rows;
}

Vector AllRows::weights_without(const std::vector<Index>& folds) const {
  Vector kept = w_;
  for (const Index i : rows_of_folds(folds)) kept[i] = 0;
  return kept;
}

SlotSum AllRows::slots_without(const std::vector<Index>& without) const {
  SlotSum sum{2 * std::ssize(without) < folds() || without.size() <= 1, {}};
  auto next = without.begin();
  for (Index fold = 0; fold < folds(); ++fold) {
    const bool out = next != without.end() && *next == fold;
    if (out) ++next;
    if (out == sum.from_all) sum.slots.push_back(fold + 1);
  }
  return sum;
}

void AllRows::add_internal_column(Index j, const Vector& weights, MutVec out) const {
  if (!(squares_(j, 0) > 0)) return;
  Vector z = Vector::Constant(out.size(), -centre_[j]);
  problem_.design->add_column(j, 1.0, z);
  out.array() += weights.array() * z.array() / scale_[j];
}

Matrix AllRows::internal_columns(Columns columns, const Vector& weights) const {
  Matrix Z = Matrix::Zero(weights.size(), std::ssize(columns));
  problem_.design->fetch(columns);
  for (Index l = 0; l < Z.cols(); ++l)
    add_internal_column(columns[static_cast<std::size_t>(l)], weights, Z.col(l));
  return Z;
}

Index AllRows::columns_at_a_time() const {
  return std::max(kFewestTogether, kPanelDoubles / std::max<Index>(1, w_.size()));
}

double AllRows::multiplications(Index columns) const {
  return static_cast<double>(problem_.design->values_per_column()) * static_cast<double>(cols()) *
         static_cast<double>(columns);
}

Index AllRows::block_size() const {
  const Index asked = problem_.design->columns_per_call();
  return asked > 0 ? asked : std::max<Index>(64, (cols() + 63) / 64);
}

Matrix AllRows::times(const RowMatrix& V, const Budget* budget) const {
  Pace pace(budget, {}, multiplications(V.cols()));
  count_pass();
  const Index p = cols(), block = block_size();
  Matrix out = allocate_matrix(p, V.cols(), "columns of the Gram matrix");
  for_each_block((p + block - 1) / block, threads_, [&](Index b) {
    const Index first = b * block, count = std::min(block, p - first);
    Matrix here(count, V.cols());
    problem_.design->products(first, count, shift_.segment(first, count), RowGroups::single(), V,
                              here);
    out.middleRows(first, count) = unit(first, count).asDiagonal() * here;
    pace.did(multiplications(V.cols()) * static_cast<double>(count) / static_cast<double>(p));
  });
  return out;
}

}  // namespace lass0
