// The few BLAS calls that lass0 makes, under names that say what they do. The BLAS is
// single-threaded (cmake/FindSerialBLAS.cmake): parallel work is split into fixed blocks by
// util/parallel.hpp.
#pragma once

#include <cblas.h>

#include <lass0/types.hpp>

extern "C" {  // LAPACK, inside OpenBLAS
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda,
             double* b, const int* ldb, int* info);
}

namespace lass0::blas {

inline int as_int(Index n) { return static_cast<int>(n); }

// C (rows x cols, column-major) += A' B for A (depth x rows, column-major) and B (depth x cols,
// row-major).
inline void add_transposed_product(Index rows, Index cols, Index depth, const double* A, Index lda,
                                   const double* B, Index ldb, double* C, Index ldc) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasTrans, as_int(rows), as_int(cols), as_int(depth), 1.0,
              A, as_int(lda), B, as_int(ldb), 1.0, C, as_int(ldc));
}

// C = A B, all column-major.
inline void product(Index rows, Index cols, Index depth, const double* A, Index lda,
                    const double* B, Index ldb, double* C, Index ldc) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, as_int(rows), as_int(cols), as_int(depth),
              1.0, A, as_int(lda), B, as_int(ldb), 0.0, C, as_int(ldc));
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

// The lower Cholesky factor of A (n x n, lower triangle used) in place; 0, or 1 + the first column
// whose pivot is not positive.
inline Index cholesky(Matrix& A) {
  const char lower = 'L';
  const int n = as_int(A.rows()), stride = as_int(A.outerStride());
  int info = 0;
  if (n > 0) dpotrf_(&lower, &n, A.data(), &stride, &info);
  return info;
}

// x := inv(A) x from A's factor.
inline void cholesky_solve(const Matrix& factor, Vector& x) {
  const char lower = 'L';
  const int n = as_int(factor.rows()), stride = as_int(factor.outerStride()), one = 1;
  int info = 0;
  if (n > 0) dpotrs_(&lower, &n, &one, factor.data(), &stride, x.data(), &n, &info);
}

}  // namespace lass0::blas
