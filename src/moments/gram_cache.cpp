#include "moments/gram_cache.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>
#include <limits>
#include <numeric>

#include "problem/weights.hpp"
#include "util/blas.hpp"
#include "util/blas_buffers.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

// Of the room, where there are training sets: their own columns are what the search looks at.
constexpr double kShareOfAllRows = 0.5;
// A search has use for so many columns; more are those that it has left behind.
constexpr double kColumnsOfUse = 800;
constexpr double kAlwaysEnough = 256.0 * 1024 * 1024;  // bytes

double enough(const Problem& problem, bool training_sets, int threads) {
  const double column =
      problem.design ? sizeof(double) * static_cast<double>(problem.design->cols()) : 0;
  return std::max(kAlwaysEnough, kColumnsOfUse * column * (training_sets ? 1 + threads : 2));
}

// Sums of squares outside this range are computed again with care: they may have overflowed or lost
// digits.
constexpr double kSmallestSquare = 1e-280, kLargestSquare = 1e280;
// A column that varies by no more than the last bits of its values is constant.
constexpr double kConstantDeviation = 2 * std::numeric_limits<double>::epsilon();
// V of one batch of Gram columns: at most this many doubles.
constexpr Index kBatchDoubles = Index{1} << 22;
constexpr Index kBatchColumns = 256;
// Where columns are few enough, the whole Gram matrix is computed at once.
constexpr Index kFewColumns = 256, kFewColumnsOfFolds = 1024;
constexpr double kLargestFull = 32e6;  // doubles, over all folds
// Means up to so many deviations may stay in X: what it is multiplied with sums to 0 over all rows,
// so that only a digit is lost.
constexpr double kSmallMean = 8;
// Less where it is squared, as products from non-zeros have it: no column with as many zeros as
// other values of one sign has more.
constexpr double kSmallMeanSquared = 2;
constexpr double kMeasured = 12;      // multiplications take as long as measuring a value of X
constexpr double kShareOfRows = 0.5;  // of the room, for a sparse X once more by rows

[[noreturn]] void throw_not_finite(const Problem& problem, Index row, Index column) {
  throw Error("row " + std::to_string(row + 1) + ", column '" + column_name(problem, column) +
              "': the value is not a finite number");
}

// The sum over all rows from the sums over folds, in a fixed order.
template <class Slots>
void add_up_folds(Slots&& slots) {
  if (slots.cols() > 1) slots.col(0) = slots.rightCols(slots.cols() - 1).rowwise().sum();
}

}  // namespace

GramCache::GramCache(const Problem& problem, RowGroups groups, const Budget& budget)
    : problem_(problem),
      groups_(std::move(groups)),
      threads_(budget.threads()),
      room_(budget.memory(), enough(problem, groups_.count > 1, thread_count(threads_))),
      store_(problem.design ? problem.design->cols() : 0, room_,
             groups_.count > 1 ? kShareOfAllRows : 1) {
  validate(problem_);
  reserve_blas_buffers(thread_count(threads_));
  const Index p = problem_.design->cols();
  ScaledWeights scaled = scaled_weights(problem_);
  w_ = std::move(scaled.values);
  weight_root_ = scaled.root;
  while (w_[first_used_row_] == 0) ++first_used_row_;  // validate() made sure that there is one

  rows_used_ = weight_ = target_sum_ = target_square_ = Vector::Zero(slots());
  sums_ = xty_ = squares_ = Matrix::Zero(p, slots());
  scale_ = std::make_shared<Vector>(Vector::Ones(p));
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
  if (sums_with_gram_) compute_by_folds(budget);
  shift_ = small_means(kSmallMean) ? Vector::Zero(p) : centre_;
  if (!in_full_ && small_means(kSmallMeanSquared)) {
    sparse_rows_ = SparseRows::of(*problem_.design, unit(), kShareOfRows * room_.asked_for());
    if (sparse_rows_) room_.take(sparse_rows_->bytes());
  }
  if (in_full_ && !sums_with_gram_) compute_in_full(budget);
}

Vector GramCache::unit(Index first, Index count) const {
  return (squares_.col(0).segment(first, count).array() > 0)
      .select(scale_->segment(first, count).cwiseInverse(), 0.0);
}

void GramCache::measure_target() {
  const Eigen::Map<const Vector> y(problem_.y.data(), std::ssize(problem_.y));
  if (problem_.intercept) {
    // About a provisional centre, so that a constant y has deviations of exactly 0.
    const double provisional = y[first_used_row_];
    target_centre_ = provisional + (w_.array() * (y.array() - provisional)).sum() / w_.sum();
  }
  Vector u = y.array() - target_centre_;
  const double largest = (w_.array() > 0).select(u.array().abs(), 0.0).maxCoeff();
  if (!std::isfinite(largest))
    throw Error("the target's values are too large to be centred: rescale the target");
  if (largest <= kConstantDeviation * std::abs(target_centre_)) {
    u.setZero();
  } else {
    u /= largest;  // so that squares neither overflow nor underflow
    const double norm = std::sqrt(
        (w_.array() * u.array() * u.array()).sum());  // in this order: 0 * huge * huge is 0
    u /= norm;
    target_scale_ = largest * norm;
    const double in_user_units = target_scale_ * weight_root_;
    if (!std::isnormal(in_user_units * in_user_units)) {
      throw Error("the target's values are too " +
                  std::string(in_user_units > 1 ? "large" : "small") +
                  " for sums of squares: rescale the target" +
                  (problem_.weights.empty() ? "" : " or the weights"));
    }
  }
  if (slots() == 1) {
    rows_used_[0] = static_cast<double>((w_.array() > 0).count());
    weight_[0] = w_.sum();
    target_sum_[0] = w_.dot(u);
    target_square_[0] = (w_.array() * u.array() * u.array()).sum();
    return;
  }
  for (Index i = 0; i < u.size(); ++i) {
    const Index slot = groups_.of_row[static_cast<std::size_t>(i)] + 1;
    rows_used_[slot] += w_[i] > 0 ? 1 : 0;
    weight_[slot] += w_[i];
    target_sum_[slot] += w_[i] * u[i];
    target_square_[slot] += w_[i] * u[i] * u[i];
  }
  for (Vector* sum : {&rows_used_, &weight_, &target_sum_, &target_square_})
    add_up_folds(sum->transpose());
}

Index GramCache::block_size() const {
  return std::max<Index>(64, (cols() + 63) / 64);  // never a function of the number of threads
}

void GramCache::measure_columns(const Budget& budget) {
  const Index p = cols();
  const Eigen::Map<const Vector> y(problem_.y.data(), std::ssize(problem_.y));
  RowMatrix weighted_target(y.size(), slots() == 1 ? 1 : 2);
  weighted_target.col(0) = w_.array() * (y.array() - target_centre_) / target_scale_;
  if (slots() > 1) weighted_target.col(1) = w_;

  const Index block = block_size();
  const Index values = std::max<Index>(1, problem_.design->values_per_column());
  const double work = kMeasured * static_cast<double>(values);
  Pace pace(&budget, "sums over the rows", work * static_cast<double>(p));
  for_each_block((p + block - 1) / block, threads_, [&](Index b) {
    // Few enough columns that the looks at them below read memory once.
    const Index in_cache = std::max<Index>(4, (Index{1} << 16) / values);
    const Index end = std::min(p, (b + 1) * block);
    for (Index first = b * block; first < end; first += in_cache) {
      const Index count = std::min(in_cache, end - first);
      measure_block(first, count, weighted_target);
      pace.did(work * static_cast<double>(count));
    }
  });
  count_pass();
  if (sums_with_gram_) return;
  for (Matrix* sum : {&sums_, &xty_, &squares_}) add_up_folds(*sum);
}

void GramCache::measure_block(Index first, Index count, const RowMatrix& weighted_target) {
  const Design& X = *problem_.design;
  const RowGroups all = RowGroups::single();
  Matrix out(count, 1);
  Vector centre = Vector::Zero(count);
  if (problem_.intercept) {
    for (Index j = 0; j < count; ++j) centre[j] = X.value(first_used_row_, first + j);
    const RowMatrix w = w_;
    X.products(first, count, centre, all, w, out);
    centre += out.col(0) / weight_[0];
    centre_.segment(first, count) = centre;
  }
  X.squares(first, count, centre, all, w_, out);
  for (Index j = 0; j < count; ++j) {
    const double square = out(j, 0);
    if (square > kSmallestSquare && square < kLargestSquare) {
      (*scale_)[first + j] = std::sqrt(square);
    } else {
      rescue_extreme_column(first + j);  // constant, extreme, or not a number
      centre[j] = centre_[first + j];
    }
  }

  const Index m = weighted_target.cols();
  Matrix products(count, m * groups_.count), squares(count, groups_.count);
  if (!sums_with_gram_) {
    X.products(first, count, centre, groups_, weighted_target, products);
    if (slots() > 1) X.squares(first, count, centre, groups_, w_, squares);
  }
  for (Index j = 0; j < count; ++j) {
    const double d = (*scale_)[first + j];
    const double deviation = d / std::sqrt(weight_[0]);
    if (d == 0 || deviation <= kConstantDeviation * std::abs(centre[j])) {
      (*scale_)[first + j] = 1;  // constant: all sums stay 0
      continue;
    }
    if (!std::isnormal(target_scale_ / d)) {
      throw Error(
          "column '" + column_name(problem_, first + j) +
          "': its values and the target's are too far apart in size for a coefficient: rescale it");
    }
    squares_(first + j, 0) = 1;
    for (Index g = 0; g < groups_.count && !sums_with_gram_; ++g) {
      const Index slot = slots() == 1 ? 0 : g + 1;
      xty_(first + j, slot) = products(j, g * m) / d;
      if (slots() > 1) {
        sums_(first + j, slot) = products(j, g * m + 1) / d;
        squares_(first + j, slot) = squares(j, g) / d / d;
      }
    }
  }
}

// A column whose squares left the range of doubles, or that holds a value that is no number: one at
// a time, scaled by its largest deviation. Sets centre and scale (0: constant).
void GramCache::rescue_extreme_column(Index j) {
  Vector x = Vector::Zero(problem_.design->rows());
  problem_.design->add_column(j, 1.0, x);
  for (Index i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) throw_not_finite(problem_, i, j);
  }
  const double provisional = problem_.intercept ? x[first_used_row_] : 0.0;
  x = (w_.array() > 0).select(x.array() - provisional, 0.0);
  const double largest = x.cwiseAbs().maxCoeff();
  if (!std::isfinite(largest)) {
    throw Error("column '" + column_name(problem_, j) +
                "': the values are too large to be centred: rescale the column");
  }
  (*scale_)[j] = largest;
  if (largest == 0) {
    centre_[j] = provisional;
    return;
  }
  x /= largest;
  if (problem_.intercept) {
    const double mean = w_.dot(x) / weight_[0];
    centre_[j] = provisional + largest * mean;
    x.array() -= mean;
  }
  (*scale_)[j] = largest * std::sqrt((w_.array() * x.array() * x.array()).sum());
}

bool GramCache::small_means(double most) const {
  for (Index j = 0; j < cols(); ++j) {
    const double deviation = (*scale_)[j] / std::sqrt(weight_[0]);
    if (squares_(j, 0) > 0 && std::abs(centre_[j]) > most * deviation) return false;
  }
  return true;
}

void GramCache::fetch(Columns columns, const Budget* budget) {
  if (store_.want(columns).empty()) return;
  std::unique_lock lock(compute_mutex_);
  // Several threads compute at a time, never the same column. Where there is little room, what one
  // has fetched may make way for another before it is used: no one tries for ever.
  for (Index tries = 2 + 2 * std::ssize(columns) / kGramBatch; tries > 0;) {
    std::vector<Index> batch = store_.want(columns);
    if (batch.empty()) return;
    std::erase_if(batch, [&](Index j) { return under_way_.count(j) > 0; });
    if (batch.empty()) {
      one_done_.wait(lock);
      continue;
    }
    batch.resize(std::min(batch.size(), static_cast<std::size_t>(kGramBatch)));
    if (!store_.reserve(cols(), std::ssize(batch))) return;
    --tries;
    under_way_.insert(batch.begin(), batch.end());
    const auto done = [&] {
      for (const Index j : batch) under_way_.erase(j);
      one_done_.notify_all();
    };
    lock.unlock();
    try {
      const Matrix values = compute(batch, budget);
      lock.lock();
      store_.keep(batch, values);
    } catch (...) {
      if (!lock) lock.lock();
      store_.release(cols(), std::ssize(batch));
      done();
      throw;
    }
    done();
  }
}

void GramCache::compute_in_full(const Budget& budget) {
  if (slots() == 1 && compute_by_rows(budget)) return;
  const Index n = problem_.design->rows(), p = cols();
  const Index most = std::clamp<Index>(kBatchDoubles / std::max<Index>(1, n), 16, kBatchColumns);
  std::vector<Index> all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), 0);
  Pace pace(&budget, kGramMatrix, multiplications(p));
  for (Index begin = 0; begin < p; begin += most) {
    const Index count = std::min(most, p - begin);
    const Columns batch =
        Columns(all).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    store_.keep_for_good(batch, compute(batch, count, pace));
  }
}

// Filled up to the same number of columns, so that the arithmetic is the same whatever is asked for
// together.
Matrix GramCache::compute(Columns batch, const Budget* budget) const {
  Pace pace(budget, {}, multiplications(kGramBatch));
  return compute(batch, kGramBatch, pace);
}

double GramCache::multiplications(Index columns) const {
  return static_cast<double>(problem_.design->values_per_column()) * static_cast<double>(cols()) *
         static_cast<double>(columns);
}

GramUse GramCache::use() const {
  const GramUse::Plan plan = sparse_rows_       ? GramUse::Plan::sparse
                             : in_full_         ? GramUse::Plan::full
                             : room_.was_full() ? GramUse::Plan::recomputed
                                                : GramUse::Plan::cached;
  return {plan, store_.count(), room_.most_used(), passes_};
}

void GramCache::add_internal_column(Index j, const Vector& weights, MutVec out) const {
  if (!(squares_(j, 0) > 0)) return;
  Vector z = Vector::Constant(out.size(), -centre_[j]);
  problem_.design->add_column(j, 1.0, z);
  out.array() += weights.array() * z.array() / (*scale_)[j];
}

Matrix GramCache::times(const RowMatrix& V, const Budget* budget) const {
  Pace pace(budget, {}, multiplications(V.cols()));
  return times(V, pace);
}

Matrix GramCache::times(const RowMatrix& V, Pace& pace) const {
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

Matrix GramCache::compute(Columns batch, Index padded, Pace& pace) const {
  const Index n = problem_.design->rows(), p = cols(), m = std::ssize(batch);
  RowMatrix V = RowMatrix::Zero(n, padded);
  Vector z(n);
  for (Index l = 0; l < m; ++l) {
    z.setZero();
    add_internal_column(batch[static_cast<std::size_t>(l)], w_, z);
    V.col(l) = z;
  }
  if (!in_full_) {
    Matrix fresh = times(V, pace);
    if (m < padded) fresh.conservativeResize(Eigen::NoChange, m);
    return fresh;
  }
  count_pass();
  const Index folds = groups_.count;
  Matrix fresh = allocate_matrix(p * slots(), m, "columns of the Gram matrix");

  const Index block = block_size();
  for_each_block((p + block - 1) / block, threads_, [&](Index b) {
    const Index first = b * block, count = std::min(block, p - first);
    Matrix out(count, padded * folds);
    problem_.design->products(first, count, centre_.segment(first, count), groups_, V, out);
    const Vector units = unit(first, count);
    for (Index l = 0; l < m; ++l) {
      const auto slot = [&](Index s) { return fresh.col(l).segment(s * p + first, count); };
      slot(0) = out.col(l).cwiseProduct(units);
      if (folds == 1) continue;
      slot(1) = slot(0);
      for (Index g = 1; g < folds; ++g) {
        slot(g + 1) = out.col(g * padded + l).cwiseProduct(units);
        slot(0) += slot(g + 1);
      }
    }
    pace.did(multiplications(m) * static_cast<double>(count) / static_cast<double>(p));
  });
  return fresh;
}

}  // namespace lass0
