#include <algorithm>
#include <lass0/design.hpp>
#include <lass0/error.hpp>
#include <string>

#include "util/eight.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

Index group_size(const RowGroups& groups, Index g, Index rows) {
  if (groups.count == 1) return rows;
  return groups.start[static_cast<std::size_t>(g) + 1] - groups.start[static_cast<std::size_t>(g)];
}

Index group_of(const RowGroups& groups, Index row) {
  return groups.count == 1 ? 0 : groups.of_row[static_cast<std::size_t>(row)];
}

// One column of X with eight of V, row-major: see SparseDesign::products.
LASS0_TARGET_CLONES
void wide_products(RowNumbers rows, const double* values, double shift, bool full, const double* V,
                   const double* v_total, double* out) {
  Eight sum{}, seen{};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Eight v = load(V + rows[k] * kEight);
    sum += v * (values[k] - shift);
    seen += v;
  }
  *reinterpret_cast<Eight*>(out) = sum - (load(v_total) - seen) * (full ? 0.0 : shift);
}

LASS0_TARGET_CLONES
void sum_of_eights(const double* V, Index rows, double* out) {
  Eight sum{};
  for (Index i = 0; i < rows; ++i) sum += load(V + i * kEight);
  *reinterpret_cast<Eight*>(out) = sum;
}

}  // namespace

SparseDesign::SparseDesign(Index rows, Index cols, std::span<const std::int64_t> column_start,
                           RowNumbers row_index, std::span<const double> values)
    : rows_(rows),
      cols_(cols),
      column_start_(column_start),
      row_index_(row_index),
      values_(values) {
  const auto nonzeros = static_cast<std::int64_t>(values.size());
  if (rows < 0 || cols < 0 || std::ssize(column_start) != cols + 1 ||
      row_index.size() != values.size() || column_start.front() != 0 ||
      column_start.back() != nonzeros) {
    throw Error(
        "sparse columns: column_start must hold cols + 1 offsets, from 0 to the number of values");
  }
  for (Index j = 0; j < cols; ++j) {
    const auto begin = column_start[static_cast<std::size_t>(j)],
               end = column_start[static_cast<std::size_t>(j) + 1];
    if (begin > end || end > nonzeros) {
      throw Error("sparse columns: the offsets of column " + std::to_string(j + 1) +
                  " are out of order");
    }
    std::int64_t previous = -1;
    for (auto k = begin; k < end; ++k) {
      const std::int64_t i = row_index[static_cast<std::size_t>(k)];
      if (i <= previous || i >= rows) {
        throw Error("sparse columns: row index " + std::to_string(i + 1) + " in column " +
                    std::to_string(j + 1) +
                    (i >= rows || i < 0
                         ? " is out of range (there are " + std::to_string(rows) + " rows)"
                         : " is out of order or repeated"));
      }
      previous = i;
    }
  }
}

// Calls visit(row, group, value) for the non-zeros of a column and counts them by group.
template <class Visit>
void SparseDesign::for_each_nonzero(Index column, const RowGroups& groups,
                                    std::vector<Index>& rows_seen, const Visit& visit) const {
  std::fill(rows_seen.begin(), rows_seen.end(), 0);
  const auto [rows, values] = nonzeros(column);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Index group = group_of(groups, rows[k]);
    ++rows_seen[static_cast<std::size_t>(group)];
    visit(rows[k], group, values[k]);
  }
}

// Over the non-zeros only: with N the non-zero rows of a column and c its centre,
//   sum_i (x_i - c) v_i = sum_N (x_i - c) v_i - c * (sum_i v_i - sum_N v_i),
// which never subtracts large numbers that nearly cancel: when most rows are zero c is small, and
// when none is the second term is left out, not computed as a difference that rounding keeps from
// being 0.
void SparseDesign::products(Index first, Index count, const ConstVec& centre,
                            const RowGroups& groups, const ConstRowMat& V, MutMat out) const {
  const Index m = V.cols();
  if (groups.count == 1 && m == 1 && V.outerStride() == 1 && (centre.array() == 0).all()) {
    for (Index j = 0; j < count; ++j) {
      const auto [rows, values] = nonzeros(first + j);
      double sum = 0;
      for (std::size_t k = 0; k < rows.size(); ++k) sum += values[k] * V.data()[rows[k]];
      out(j, 0) = sum;
    }
    return;
  }
  if (groups.count == 1 && m == kEight && V.outerStride() == kEight) {
    double result[kEight], v_total[kEight];
    sum_of_eights(V.data(), rows_, v_total);
    for (Index j = 0; j < count; ++j) {
      const auto [rows, values] = nonzeros(first + j);
      wide_products(rows, values.data(), centre[j], static_cast<Index>(rows.size()) == rows_,
                    V.data(), v_total, result);
      for (Index l = 0; l < kEight; ++l) out(j, l) = result[l];
    }
    return;
  }
  RowMatrix v_total = RowMatrix::Zero(groups.count, m);
  for (Index i = 0; i < rows_; ++i) v_total.row(group_of(groups, i)) += V.row(i);
  RowMatrix sum(groups.count, m), v_seen(groups.count, m);
  std::vector<Index> rows_seen(static_cast<std::size_t>(groups.count));
  for (Index j = 0; j < count; ++j) {
    sum.setZero();
    v_seen.setZero();
    const double shift = centre[j];
    for_each_nonzero(first + j, groups, rows_seen, [&](Index i, Index g, double value) {
      const double* v = V.data() + i * V.outerStride();
      double* sum_g = sum.data() + g * m;
      double* seen_g = v_seen.data() + g * m;
      for (Index l = 0; l < m; ++l) {
        sum_g[l] += (value - shift) * v[l];
        seen_g[l] += v[l];
      }
    });
    for (Index g = 0; g < groups.count; ++g) {
      const bool full = rows_seen[static_cast<std::size_t>(g)] == group_size(groups, g, rows_);
      for (Index l = 0; l < m; ++l) {
        out(j, g * m + l) = sum(g, l) - (full ? 0.0 : shift * (v_total(g, l) - v_seen(g, l)));
      }
    }
  }
}

void SparseDesign::squares(Index first, Index count, const ConstVec& centre,
                           const RowGroups& groups, const ConstVec& weights, MutMat out) const {
  Vector w_total = Vector::Zero(groups.count);
  for (Index i = 0; i < rows_; ++i) w_total[group_of(groups, i)] += weights[i];
  Vector sum(groups.count), w_seen(groups.count);
  std::vector<Index> rows_seen(static_cast<std::size_t>(groups.count));
  for (Index j = 0; j < count; ++j) {
    sum.setZero();
    w_seen.setZero();
    const double shift = centre[j];
    for_each_nonzero(first + j, groups, rows_seen, [&](Index i, Index g, double value) {
      sum[g] += weights[i] * (value - shift) * (value - shift);
      w_seen[g] += weights[i];
    });
    for (Index g = 0; g < groups.count; ++g) {
      const bool full = rows_seen[static_cast<std::size_t>(g)] == group_size(groups, g, rows_);
      out(j, g) = sum[g] + (full ? 0.0 : shift * shift * std::max(0.0, w_total[g] - w_seen[g]));
    }
  }
}

void SparseDesign::add_column(Index j, double a, MutVec out) const {
  const auto [rows, values] = nonzeros(j);
  for (std::size_t k = 0; k < rows.size(); ++k) out[rows[k]] += a * values[k];
}

double SparseDesign::value(Index i, Index j) const {
  const auto [rows, values] = nonzeros(j);
  std::size_t first = 0, last = rows.size();
  while (first < last) {
    const std::size_t middle = (first + last) / 2;
    if (rows[middle] < i)
      first = middle + 1;
    else
      last = middle;
  }
  return first < rows.size() && rows[first] == i ? values[first] : 0.0;
}

}  // namespace lass0
