// The sums over the rows: of the target, and of every column, with care for extreme values.
#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <limits>

#include "moments/all_rows.hpp"
#include "util/parallel.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Sums of squares outside this range are computed again with care: they may have overflowed or lost
// digits.
constexpr double kSmallestSquare = 1e-280, kLargestSquare = 1e280;
constexpr double kMeasured = 12;  // multiplications take as long as measuring a value of X

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

void AllRows::measure_target() {
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
    rows_used_[0] = static_cast<double>(lass0::rows_used(problem_));
    weight_[0] = w_.sum();
    target_sum_[0] = w_.dot(u);
    target_square_[0] = (w_.array() * u.array() * u.array()).sum();
    return;
  }
  for (Index i = 0; i < u.size(); ++i) {
    const Index slot = groups_.of_row[static_cast<std::size_t>(i)] + 1;
    const Index rows = problem_.summed ? problem_.summed->count[static_cast<std::size_t>(i)] : 1;
    rows_used_[slot] += w_[i] > 0 ? static_cast<double>(rows) : 0;
    weight_[slot] += w_[i];
    target_sum_[slot] += w_[i] * u[i];
    target_square_[slot] += w_[i] * u[i] * u[i];
  }
  for (Vector* sum : {&rows_used_, &weight_, &target_sum_, &target_square_})
    add_up_folds(sum->transpose());
}

void AllRows::measure_columns(const Budget& budget) {
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
    const Index in_cache = std::max(problem_.design->columns_together(), (Index{1} << 16) / values);
    const Index at_once = problem_.design->columns_per_call() > 0 ? block : in_cache;
    const Index end = std::min(p, (b + 1) * block);
    for (Index first = b * block; first < end; first += at_once) {
      const Index count = std::min(at_once, end - first);
      measure_block(first, count, weighted_target);
      pace.did(work * static_cast<double>(count));
    }
  });
  count_pass();
  if (sums_with_gram_) return;
  for (Matrix* sum : {&sums_, &xty_, &squares_}) add_up_folds(*sum);
}

void AllRows::measure_block(Index first, Index count, const RowMatrix& weighted_target) {
  const Design& X = *problem_.design;
  const RowGroups all = RowGroups::single();
  Matrix out(count, 1);
  Vector centre = Vector::Zero(count);
  if (problem_.intercept) {
    X.row(first_used_row_, first, centre);
    const RowMatrix w = w_;
    X.products(first, count, centre, all, w, out);
    centre += out.col(0) / weight_[0];
    centre_.segment(first, count) = centre;
  }
  X.squares(first, count, centre, all, w_, out);
  std::vector<Index> extreme;  // or constant, or not a number
  for (Index j = 0; j < count; ++j) {
    const double square = out(j, 0);
    if (square > kSmallestSquare && square < kLargestSquare)
      scale_[first + j] = std::sqrt(square);
    else
      extreme.push_back(first + j);
  }
  for (std::size_t i = 0; i < extreme.size(); ++i) {
    const auto some = static_cast<std::size_t>(columns_at_a_time());
    if (i % some == 0) X.fetch(Columns(extreme).subspan(i, std::min(some, extreme.size() - i)));
    rescue_extreme_column(extreme[i]);
    centre[extreme[i] - first] = centre_[extreme[i]];
  }

  const Index m = weighted_target.cols();
  Matrix products(count, m * groups_.count), squares(count, groups_.count);
  if (!sums_with_gram_) {
    X.products(first, count, centre, groups_, weighted_target, products);
    if (slots() > 1) X.squares(first, count, centre, groups_, w_, squares);
  }
  for (Index j = 0; j < count; ++j) {
    const double d = scale_[first + j];
    const double deviation = d / std::sqrt(weight_[0]);
    if (d == 0 || deviation <= kConstantDeviation * std::abs(centre[j])) {
      scale_[first + j] = 1;  // constant: all sums stay 0
      continue;
    }
    if (!std::isnormal(target_scale_ / d)) {
      throw Error(
          "column '" + column_name(problem_, first + j) +
          "': its scale and that of the target differ too much for a coefficient: rescale it");
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
void AllRows::rescue_extreme_column(Index j) {
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
  scale_[j] = largest;
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
  scale_[j] = largest * std::sqrt((w_.array() * x.array() * x.array()).sum());
}

void AllRows::set_fold_sums(Matrix sums, Matrix xty, Matrix squares) {
  sums_.rightCols(folds()) = std::move(sums);
  xty_.rightCols(folds()) = std::move(xty);
  squares_.rightCols(folds()) = std::move(squares);
  for (Matrix* sum : {&sums_, &xty_, &squares_}) add_up_folds(*sum);
}

}  // namespace lass0
