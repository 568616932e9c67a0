// The few BLAS calls that lass0 makes, under names that say what they do. The BLAS is
// single-threaded (cmake/FindSerialBLAS.cmake): parallel work is split into fixed blocks by
// util/parallel.hpp.
#pragma once

#include <cblas.h>

#include <lass0/types.hpp>

namespace lass0::blas {

inline int as_int(Index n) { return static_cast<int>(n); }

// C (rows x cols, column-major) += A' B for A (depth x rows, column-major) and B (depth x cols,
// row-major).
inline void add_transposed_product(Index rows, Index cols, Index depth, const double* A, Index lda,
                                   const double* B, Index ldb, double* C, Index ldc) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasTrans, as_int(rows), as_int(cols), as_int(depth), 1.0,
              A, as_int(lda), B, as_int(ldb), 1.0, C, as_int(ldc));
}

// C (rows x cols) = A B for A (rows x depth) and B (depth x cols), all column-major.
inline void product(Index rows, Index cols, Index depth, const double* A, Index lda,
                    const double* B, Index ldb, double* C, Index ldc) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, as_int(rows), as_int(cols), as_int(depth),
              1.0, A, as_int(lda), B, as_int(ldb), 0.0, C, as_int(ldc));
}

// C (rows x cols) -= A B for A (rows x depth) and B (depth x cols), all column-major.
inline void subtract_product(Index rows, Index cols, Index depth, const double* A, Index lda,
                             const double* B, Index ldb, double* C, Index ldc) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, as_int(rows), as_int(cols), as_int(depth),
              -1.0, A, as_int(lda), B, as_int(ldb), 1.0, C, as_int(ldc));
}

// C (rows x cols) = A' B for A (depth x rows) and B (depth x cols), all column-major.
inline void transposed_times(Index rows, Index cols, Index depth, const double* A, Index lda,
                             const double* B, Index ldb, double* C, Index ldc) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, as_int(rows), as_int(cols), as_int(depth),
              1.0, A, as_int(lda), B, as_int(ldb), 0.0, C, as_int(ldc));
}

// The lower triangle of C (n x n) += A' A for A (depth x n), both column-major.
inline void add_lower_square(Index n, Index depth, const double* A, Index lda, double* C,
                             Index ldc) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, as_int(n), as_int(depth), 1.0, A, as_int(lda),
              1.0, C, as_int(ldc));
}

// The lower triangle of C (n x n) += a * A A' for A (n x depth), both column-major.
inline void add_lower_square_of_rows(Index n, Index depth, double a, const double* A, Index lda,
                                     double* C, Index ldc) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, as_int(n), as_int(depth), a, A, as_int(lda),
              1.0, C, as_int(ldc));
}

// C (rows x cols) += a * A B' for A (rows x depth) and B (cols x depth), all column-major.
inline void add_product_transposed(Index rows, Index cols, Index depth, double a, const double* A,
                                   Index lda, const double* B, Index ldb, double* C, Index ldc) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, as_int(rows), as_int(cols), as_int(depth), a,
              A, as_int(lda), B, as_int(ldb), 1.0, C, as_int(ldc));
}

// y += a * A x for A rows x cols, column-major.
inline void add_times(Index rows, Index cols, double a, const double* A, Index lda, const double* x,
                      double* y) {
  cblas_dgemv(CblasColMajor, CblasNoTrans, as_int(rows), as_int(cols), a, A, as_int(lda), x, 1, 1.0,
              y, 1);
}

// A += a * x y' for A rows x cols, column-major.
inline void add_outer(Index rows, Index cols, double a, const double* x, const double* y, double* A,
                      Index lda) {
  cblas_dger(CblasColMajor, as_int(rows), as_int(cols), a, x, 1, y, 1, A, as_int(lda));
}

// y += a * x
inline void add(Index n, double a, const double* x, double* y) {
  cblas_daxpy(as_int(n), a, x, 1, y, 1);
}

// (x, y) := (c x + s y, c y - s x)
inline void rotate(Index n, double* x, double* y, double c, double s) {
  cblas_drot(as_int(n), x, 1, y, 1, c, s);
}

// x := inv(L) x and x := inv(L') x for a lower triangle L, n x n.
inline void lower_solve(Index n, const double* L, Index ldl, double* x) {
  if (n == 0) return;
  cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, as_int(n), L, as_int(ldl), x,
              1);
}
inline void lower_transposed_solve(Index n, const double* L, Index ldl, double* x) {
  if (n == 0) return;
  cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, as_int(n), L, as_int(ldl), x, 1);
}

// A := A inv(L') and A := A inv(L) for A rows x n and a lower triangle L, n x n, all column-major.
inline void solve_lower_transposed_right(Index rows, Index n, const double* L, Index ldl, double* A,
                                         Index lda) {
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, as_int(rows),
              as_int(n), 1.0, L, as_int(ldl), A, as_int(lda));
}
inline void solve_lower_right(Index rows, Index n, const double* L, Index ldl, double* A,
                              Index lda) {
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, as_int(rows),
              as_int(n), 1.0, L, as_int(ldl), A, as_int(lda));
}

}  // namespace lass0::blas
