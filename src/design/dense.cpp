#include <algorithm>
#include <lass0/design.hpp>
#include <lass0/error.hpp>

#include "design/panels.hpp"
#include "util/eight.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

constexpr Index kChunkRows = 1024;

// Four columns at once, so that v is read once for four: out[c] = sum_i (x_c[i] - centre[c]) *
// v[i].
LASS0_TARGET_CLONES
void shifted_dots_4(const double* x, Index stride, const double* centre, const double* v, Index n,
                    double* out) {
  const double *x0 = x, *x1 = x + stride, *x2 = x + 2 * stride, *x3 = x + 3 * stride;
  const double c0 = centre[0], c1 = centre[1], c2 = centre[2], c3 = centre[3];
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (Index i = 0; i < n; ++i) {
    s0 += (x0[i] - c0) * v[i];
    s1 += (x1[i] - c1) * v[i];
    s2 += (x2[i] - c2) * v[i];
    s3 += (x3[i] - c3) * v[i];
  }
  out[0] = s0;
  out[1] = s1;
  out[2] = s2;
  out[3] = s3;
}

LASS0_TARGET_CLONES
double shifted_dot(const double* x, double centre, const double* v, Index n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += (x[i] - centre) * v[i];
  return sum;
}

LASS0_TARGET_CLONES
double shifted_square(const double* x, double centre, const double* weights, Index n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += weights[i] * (x[i] - centre) * (x[i] - centre);
  return sum;
}

// One V column, all rows: memory bound, so straight from X.
void products_of_one(const double* x, Index stride, Index n, const ConstVec& centre,
                     const double* v, double* out) {
  const Index count = centre.size();
  Index j = 0;
  for (; j + 4 <= count; j += 4)
    shifted_dots_4(x + j * stride, stride, centre.data() + j, v, n, out + j);
  for (; j < count; ++j) out[j] = shifted_dot(x + j * stride, centre[j], v, n);
}

// A cache line of each of the next four columns: they come from memory.
inline void prefetch_4(const double* x, Index stride) {
  __builtin_prefetch(x);
  __builtin_prefetch(x + stride);
  __builtin_prefetch(x + 2 * stride);
  __builtin_prefetch(x + 3 * stride);
}

// Eight V columns, as the Gram matrix is computed when columns are many: X is read once, where it
// is, and a row of V stays in a register. sums[c][l] += sum_i (x_c[i] - centre[c]) * V[i][l] for
// four columns.
LASS0_TARGET_CLONES
void wide_dots_4(const double* x, Index stride, const double* centre, const double* V, Index n,
                 double* sums) {
  const double *x0 = x, *x1 = x + stride, *x2 = x + 2 * stride, *x3 = x + 3 * stride;
  const double c0 = centre[0], c1 = centre[1], c2 = centre[2], c3 = centre[3];
  Eight s0{}, s1{}, s2{}, s3{};
  for (Index i = 0; i < n; ++i) {
    if (i % kEight == 0) prefetch_4(x0 + 4 * stride + i, stride);
    const Eight v = load(V + i * kEight);
    s0 += v * (x0[i] - c0);
    s1 += v * (x1[i] - c1);
    s2 += v * (x2[i] - c2);
    s3 += v * (x3[i] - c3);
  }
  Eight* out = reinterpret_cast<Eight*>(sums);
  out[0] += s0;
  out[1] += s1;
  out[2] += s2;
  out[3] += s3;
}

// The same with centres of 0: a value of X then goes straight from memory into the multiplication.
LASS0_TARGET_CLONES
void plain_wide_dots_4(const double* x, Index stride, const double* V, Index n, double* sums) {
  const double *x0 = x, *x1 = x + stride, *x2 = x + 2 * stride, *x3 = x + 3 * stride;
  Eight s0{}, s1{}, s2{}, s3{};
  for (Index i = 0; i < n; ++i) {
    if (i % kEight == 0) prefetch_4(x0 + 4 * stride + i, stride);
    const Eight v = load(V + i * kEight);
    s0 += v * x0[i];
    s1 += v * x1[i];
    s2 += v * x2[i];
    s3 += v * x3[i];
  }
  Eight* out = reinterpret_cast<Eight*>(sums);
  out[0] += s0;
  out[1] += s1;
  out[2] += s2;
  out[3] += s3;
}

// And for eight columns: where an Eight is one register there is room for as many sums, and the
// additions of only four would wait for each other. The sums are the same to the last bit. (As an
// array, GCC 12 keeps them in memory.)
LASS0_TARGET_CLONES
void plain_wide_dots_8(const double* x, Index stride, const double* V, Index n, double* sums) {
  const double *x0 = x, *x1 = x + stride, *x2 = x + 2 * stride, *x3 = x + 3 * stride;
  const double *x4 = x0 + 4 * stride, *x5 = x1 + 4 * stride, *x6 = x2 + 4 * stride,
               *x7 = x3 + 4 * stride;
  Eight s0{}, s1{}, s2{}, s3{}, s4{}, s5{}, s6{}, s7{};
  for (Index i = 0; i < n; ++i) {
    if (i % kEight == 0) {
      prefetch_4(x0 + 8 * stride + i, stride);
      prefetch_4(x0 + 12 * stride + i, stride);
    }
    const Eight v = load(V + i * kEight);
    s0 += v * x0[i];
    s1 += v * x1[i];
    s2 += v * x2[i];
    s3 += v * x3[i];
    s4 += v * x4[i];
    s5 += v * x5[i];
    s6 += v * x6[i];
    s7 += v * x7[i];
  }
  Eight* out = reinterpret_cast<Eight*>(sums);
  out[0] += s0;
  out[1] += s1;
  out[2] += s2;
  out[3] += s3;
  out[4] += s4;
  out[5] += s5;
  out[6] += s6;
  out[7] += s7;
}

// On the CPU that this runs on, where functions are compiled for several.
bool eight_is_one_register() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

// As many of the first columns as come in eights; returns how many.
Index plain_products_of_eights(const double* x, Index stride, Index n, Index count, const double* V,
                               MutMat out) {
  const Index whole = count / kEight * kEight;
  for (Index j = 0; j < whole; j += kEight) {
    double sums[kEight * kEight] = {};
    for (Index chunk = 0; chunk < n; chunk += kChunkRows) {
      plain_wide_dots_8(x + j * stride + chunk, stride, V + chunk * kEight,
                        std::min(kChunkRows, n - chunk), sums);
    }
    for (Index c = 0; c < kEight; ++c) {
      for (Index l = 0; l < kEight; ++l) out(j + c, l) = sums[c * kEight + l];
    }
  }
  return whole;
}

void products_of_wide(const double* x, Index stride, Index n, const ConstVec& centre,
                      const double* V, MutMat out) {
  const Index count = centre.size();
  const bool plain = (centre.array() == 0).all();
  const Index done =
      plain && eight_is_one_register() ? plain_products_of_eights(x, stride, n, count, V, out) : 0;
  for (Index j = done; j < count; j += 4) {
    const Index width = std::min<Index>(4, count - j);
    // The last few columns are computed as four, some of them twice.
    const Index from = std::max<Index>(0, std::min(j, count - 4));
    double sums[4 * kEight] = {};
    double shift[4] = {};
    if (count >= 4) {
      std::copy_n(centre.data() + from, 4, shift);
      for (Index chunk = 0; chunk < n; chunk += kChunkRows) {
        const double* x_chunk = x + from * stride + chunk;
        const Index depth = std::min(kChunkRows, n - chunk);
        if (plain) {
          plain_wide_dots_4(x_chunk, stride, V + chunk * kEight, depth, sums);
        } else {
          wide_dots_4(x_chunk, stride, shift, V + chunk * kEight, depth, sums);
        }
      }
    } else {  // the same column four times
      for (Index c = 0; c < width; ++c) {
        double one[4 * kEight] = {};
        std::fill_n(shift, 4, centre[c]);
        for (Index chunk = 0; chunk < n; chunk += kChunkRows) {
          wide_dots_4(x + c * stride + chunk, 0, shift, V + chunk * kEight,
                      std::min(kChunkRows, n - chunk), one);
        }
        std::copy_n(one, kEight, sums + c * kEight);
      }
    }
    for (Index c = 0; c < 4 && from + c < count; ++c) {
      for (Index l = 0; l < kEight; ++l) out(from + c, l) = sums[c * kEight + l];
    }
  }
}

// Values in any order. Gather instructions find more of them at a time than loads one by one do.
LASS0_TARGET_CLONES
void gather_values(const double* x, const Index* rows, Index count, double* out) {
#pragma omp simd
  for (Index i = 0; i < count; ++i) out[i] = x[rows[i]];
}

// out = x - centre. While one column is copied, the next one is fetched from memory: the processor
// does not do that by itself across the few pages that a column has.
LASS0_TARGET_CLONES
void copy_centred(const double* x, const double* next, double centre, Index n, double* out) {
  for (Index i = 0; i < n; i += kEight) {
    __builtin_prefetch(next + i);
    const Index end = std::min(n, i + kEight);
    for (Index r = i; r < end; ++r) out[r] = x[r] - centre;
  }
}

}  // namespace

DenseDesign::DenseDesign(const double* data, Index rows, Index cols, Index stride)
    : data_(data), rows_(rows), cols_(cols), stride_(stride) {
  if (rows < 0 || cols < 0 || stride < rows)
    throw Error("a dense design needs rows, cols >= 0 and stride >= rows");
}

void DenseDesign::products(Index first, Index count, const ConstVec& centre,
                           const RowGroups& groups, const ConstRowMat& V, MutMat out) const {
  const Index m = V.cols();
  if (groups.count == 1 && m == 1 && V.outerStride() == 1) {
    products_of_one(column(first), stride_, rows_, centre, V.data(), out.data());
    return;
  }
  if (groups.count == 1 && m == kEight && V.outerStride() == kEight) {
    products_of_wide(column(first), stride_, rows_, centre, V.data(), out);
    return;
  }
  // Several V columns or groups.
  panel_products(rows_, count, groups, V, out, PanelOrder::columns,
                 [&](Index from, Index row, const Index* order, const Panel& panel) {
                   for (Index j = 0; j < panel.width; ++j) {
                     double* packed = panel.data + j * panel.column_step;
                     const double* x = column(first + from + j);
                     const double shift = centre[from + j];
                     if (order) {
                       for (Index r = 0; r < panel.depth; ++r) packed[r] = x[order[r]] - shift;
                     } else {
                       const double* next = j + 1 < panel.width ? x + stride_ : x;
                       copy_centred(x + row, next + row, shift, panel.depth, packed);
                     }
                   }
                 });
}

void DenseDesign::squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                          const ConstVec& weights, MutMat out) const {
  if (groups.count == 1) {
    for (Index j = 0; j < count; ++j) {
      out(j, 0) = shifted_square(column(first + j), centre[j], weights.data(), rows_);
    }
    return;
  }
  out.setZero();
  for (Index j = 0; j < count; ++j) {
    const double* x = column(first + j);
    for (Index i = 0; i < rows_; ++i) {
      const double deviation = x[i] - centre[j];
      out(j, groups.of_row[static_cast<std::size_t>(i)]) += weights[i] * deviation * deviation;
    }
  }
}

bool DenseDesign::gather(std::span<const Index> rows, MutMat out) const {
  const Index count = std::ssize(rows);
  const auto gap = [](Index a, Index b) { return b != a + 1; };
  if (count > 0 && std::adjacent_find(rows.begin(), rows.end(), gap) == rows.end()) {
    // A few kilobytes of each column: too few for a processor to see the next ones coming.
    for (Index j = 0; j < cols_; ++j) {
      const double* next = column(std::min(j + 2, cols_ - 1)) + rows.front();
      for (Index r = 0; r < count; r += kEight) __builtin_prefetch(next + r);
      out.col(j).head(count) = Eigen::Map<const Vector>(column(j) + rows.front(), count);
    }
    return true;
  }
  // Rows near each other in another order, of many columns: each column's come from memory, and no
  // processor sees them coming.
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
  const bool near = count > 0 && *most - *least < 2 * count;
  for (Index j = 0; j < cols_; ++j) {
    const double* x = column(j);
    const double* next = near && j + 1 < cols_ ? column(j + 1) + *least : x;
    for (Index r = 0; near && j + 1 < cols_ && r < count; r += kEight) __builtin_prefetch(next + r);
    gather_values(x, rows.data(), count, out.col(j).data());
  }
  return true;
}

void DenseDesign::add_column(Index j, double a, MutVec out) const {
  blas::add(rows_, a, column(j), out.data());
}

}  // namespace lass0
