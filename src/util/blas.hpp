// The few BLAS calls that lass0 makes, under names that say what they do. Where the routines come
// from is the provider's business (util/blas/provider.hpp). None of them uses threads: parallel
// work is split into fixed blocks by util/parallel.hpp.
#pragma once

#include <lass0/types.hpp>

#include "util/blas/provider.hpp"

namespace lass0::blas {

// C (rows x cols, column-major) += A' B for A (depth x rows, column-major) and B (depth x cols,
// row-major).
inline void add_transposed_product(Index rows, Index cols, Index depth, const double* A, Index lda,
                                   const double* B, Index ldb, double* C, Index ldc) {
  gemm(Op::transpose, Op::transpose, rows, cols, depth, 1.0, A, lda, B, ldb, 1.0, C, ldc);
}

// C (rows x cols) = A B for A (rows x depth) and B (depth x cols), all column-major.
inline void product(Index rows, Index cols, Index depth, const double* A, Index lda,
                    const double* B, Index ldb, double* C, Index ldc) {
  gemm(Op::none, Op::none, rows, cols, depth, 1.0, A, lda, B, ldb, 0.0, C, ldc);
}

// C (rows x cols) += A B for A (rows x depth) and B (depth x cols), all column-major.
inline void add_product(Index rows, Index cols, Index depth, const double* A, Index lda,
                        const double* B, Index ldb, double* C, Index ldc) {
  gemm(Op::none, Op::none, rows, cols, depth, 1.0, A, lda, B, ldb, 1.0, C, ldc);
}

// C (rows x cols) -= A B for A (rows x depth) and B (depth x cols), all column-major.
inline void subtract_product(Index rows, Index cols, Index depth, const double* A, Index lda,
                             const double* B, Index ldb, double* C, Index ldc) {
  gemm(Op::none, Op::none, rows, cols, depth, -1.0, A, lda, B, ldb, 1.0, C, ldc);
}

// C (rows x cols) = A' B for A (depth x rows) and B (depth x cols), all column-major.
inline void transposed_times(Index rows, Index cols, Index depth, const double* A, Index lda,
                             const double* B, Index ldb, double* C, Index ldc) {
  gemm(Op::transpose, Op::none, rows, cols, depth, 1.0, A, lda, B, ldb, 0.0, C, ldc);
}

// C += A'B
inline void add_transposed_times(Index rows, Index cols, Index depth, const double* A, Index lda,
                                 const double* B, Index ldb, double* C, Index ldc) {
  gemm(Op::transpose, Op::none, rows, cols, depth, 1.0, A, lda, B, ldb, 1.0, C, ldc);
}

// The lower triangle of C (n x n) += A' A for A (depth x n), both column-major.
inline void add_lower_square(Index n, Index depth, const double* A, Index lda, double* C,
                             Index ldc) {
  syrk(Op::transpose, n, depth, 1.0, A, lda, C, ldc);
}

// The lower triangle of C (n x n) += a * A A' for A (n x depth), both column-major.
inline void add_lower_square_of_rows(Index n, Index depth, double a, const double* A, Index lda,
                                     double* C, Index ldc) {
  syrk(Op::none, n, depth, a, A, lda, C, ldc);
}

// C (rows x cols) += a * A B' for A (rows x depth) and B (cols x depth), all column-major.
inline void add_product_transposed(Index rows, Index cols, Index depth, double a, const double* A,
                                   Index lda, const double* B, Index ldb, double* C, Index ldc) {
  gemm(Op::none, Op::transpose, rows, cols, depth, a, A, lda, B, ldb, 1.0, C, ldc);
}

// y += a * A x for A rows x cols, column-major.
inline void add_times(Index rows, Index cols, double a, const double* A, Index lda, const double* x,
                      double* y) {
  gemv(rows, cols, a, A, lda, x, y);
}

// A += a * x y' for A rows x cols, column-major.
inline void add_outer(Index rows, Index cols, double a, const double* x, const double* y, double* A,
                      Index lda) {
  ger(rows, cols, a, x, y, A, lda);
}

// y += a * x
inline void add(Index n, double a, const double* x, double* y) { axpy(n, a, x, y); }

// (x, y) := (c x + s y, c y - s x)
inline void rotate(Index n, double* x, double* y, double c, double s) { rot(n, x, y, c, s); }

// x := inv(L) x and x := inv(L') x for a lower triangle L, n x n.
inline void lower_solve(Index n, const double* L, Index ldl, double* x) {
  if (n > 0) trsv(Op::none, n, L, ldl, x);
}
inline void lower_transposed_solve(Index n, const double* L, Index ldl, double* x) {
  if (n > 0) trsv(Op::transpose, n, L, ldl, x);
}

// A := A inv(L') and A := A inv(L) for A rows x n and a lower triangle L, n x n, all column-major.
inline void solve_lower_transposed_right(Index rows, Index n, const double* L, Index ldl, double* A,
                                         Index lda) {
  trsm(Op::transpose, rows, n, L, ldl, A, lda);
}
inline void solve_lower_right(Index rows, Index n, const double* L, Index ldl, double* A,
                              Index lda) {
  trsm(Op::none, rows, n, L, ldl, A, lda);
}

}  // namespace lass0::blas
