// OpenBLAS through its C interface: the serial one that is linked into the library
// (cmake/FindSerialBLAS.cmake), or that of the Python package (cmake/FindScipyOpenBLAS.cmake).
#include <cblas.h>

#include <algorithm>

#include "util/blas/provider.hpp"

namespace lass0::blas {
namespace {

int as_int(Index n) { return static_cast<int>(n); }

// From one column to the next. BLAS refuses 0, which is what an empty matrix has.
int as_step(Index stride) { return std::max(1, as_int(stride)); }

CBLAS_TRANSPOSE as_cblas(Op op) { return op == Op::none ? CblasNoTrans : CblasTrans; }

}  // namespace

void gemm(Op op_a, Op op_b, Index rows, Index cols, Index depth, double a, const double* A,
          Index lda, const double* B, Index ldb, double c, double* C, Index ldc) {
  cblas_dgemm(CblasColMajor, as_cblas(op_a), as_cblas(op_b), as_int(rows), as_int(cols),
              as_int(depth), a, A, as_step(lda), B, as_step(ldb), c, C, as_step(ldc));
}

void syrk(Op op, Index n, Index depth, double a, const double* A, Index lda, double* C, Index ldc) {
  cblas_dsyrk(CblasColMajor, CblasLower, as_cblas(op), as_int(n), as_int(depth), a, A, as_step(lda),
              1.0, C, as_step(ldc));
}

void gemv(Index rows, Index cols, double a, const double* A, Index lda, const double* x,
          double* y) {
  cblas_dgemv(CblasColMajor, CblasNoTrans, as_int(rows), as_int(cols), a, A, as_step(lda), x, 1,
              1.0, y, 1);
}

void ger(Index rows, Index cols, double a, const double* x, const double* y, double* A, Index lda) {
  cblas_dger(CblasColMajor, as_int(rows), as_int(cols), a, x, 1, y, 1, A, as_step(lda));
}

void axpy(Index n, double a, const double* x, double* y) { cblas_daxpy(as_int(n), a, x, 1, y, 1); }

void rot(Index n, double* x, double* y, double c, double s) {
  cblas_drot(as_int(n), x, 1, y, 1, c, s);
}

void trsv(Op op, Index n, const double* L, Index ldl, double* x) {
  cblas_dtrsv(CblasColMajor, CblasLower, as_cblas(op), CblasNonUnit, as_int(n), L, as_step(ldl), x,
              1);
}

void trsm(Op op, Index rows, Index n, const double* L, Index ldl, double* A, Index lda) {
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, as_cblas(op), CblasNonUnit, as_int(rows),
              as_int(n), 1.0, L, as_step(ldl), A, as_step(lda));
}

}  // namespace lass0::blas
