#include "design/panels.hpp"

#include "util/target_clones.hpp"

namespace lass0 {
namespace {

// Of four columns: V is read once for all of them.
LASS0_TARGET_CLONES
void eight_dots_4(const double* x, Index row_step, Index column_step, const double* V, Index n,
                  double* sums) {
  const double *x0 = x, *x1 = x + column_step, *x2 = x + 2 * column_step, *x3 = x + 3 * column_step;
  Eight s0{}, s1{}, s2{}, s3{};
  for (Index r = 0; r < n; ++r) {
    const Eight v = load(V + r * kEight);
    s0 += v * x0[r * row_step];
    s1 += v * x1[r * row_step];
    s2 += v * x2[r * row_step];
    s3 += v * x3[r * row_step];
  }
  Eight* out = reinterpret_cast<Eight*>(sums);
  out[0] = s0;
  out[1] = s1;
  out[2] = s2;
  out[3] = s3;
}

LASS0_TARGET_CLONES
double dot(const double* x, const double* v, Index n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += x[i] * v[i];
  return sum;
}

LASS0_TARGET_CLONES
double weighted_square(const double* x, const double* weights, Index n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += weights[i] * x[i] * x[i];
  return sum;
}

// Row by row, all columns of a panel side by side.
LASS0_TARGET_CLONES
void add_rows(const double* panel, Index step, Index width, Index depth, const double* v,
              double* out) {
  for (Index r = 0; r < depth; ++r) {
    const double* row = panel + r * step;
    const double factor = v[r];
#pragma omp simd
    for (Index j = 0; j < width; ++j) out[j] += factor * row[j];
  }
}

LASS0_TARGET_CLONES
void add_squared_rows(const double* panel, Index step, Index width, Index depth,
                      const double* weights, double* out) {
  for (Index r = 0; r < depth; ++r) {
    const double* row = panel + r * step;
    const double weight = weights[r];
#pragma omp simd
    for (Index j = 0; j < width; ++j) out[j] += weight * row[j] * row[j];
  }
}

}  // namespace

void add_products_of_one(const Panel& panel, const double* v, double* out) {
  if (panel.order == PanelOrder::rows)
    return add_rows(panel.data, panel.row_step, panel.width, panel.depth, v, out);
  for (Index j = 0; j < panel.width; ++j)
    out[j] += dot(panel.data + j * panel.column_step, v, panel.depth);
}

void add_products_of_eight(const Panel& panel, const double* V, MutMat out) {
  double sums[4 * kEight];
  for (Index j = 0; j < panel.width; j += 4) {
    const Index width = std::min<Index>(4, panel.width - j);
    // Fewer than four are computed as one column four times.
    if (width == 4) {
      eight_dots_4(panel.data + j * panel.column_step, panel.row_step, panel.column_step, V,
                   panel.depth, sums);
    }
    for (Index c = 0; c < width; ++c) {
      if (width < 4)
        eight_dots_4(panel.data + (j + c) * panel.column_step, panel.row_step, 0, V, panel.depth,
                     sums);
      const double* sum = sums + (width < 4 ? 0 : c * kEight);
      for (Index l = 0; l < kEight; ++l) out(j + c, l) += sum[l];
    }
  }
}

void add_squares(const Panel& panel, const double* weights, double* out) {
  if (panel.order == PanelOrder::rows)
    return add_squared_rows(panel.data, panel.row_step, panel.width, panel.depth, weights, out);
  for (Index j = 0; j < panel.width; ++j)
    out[j] += weighted_square(panel.data + j * panel.column_step, weights, panel.depth);
}

}  // namespace lass0
