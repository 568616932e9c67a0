// The BLAS routines behind util/blas.hpp. Each provider defines all of them in a file of its own,
// and CMake compiles one provider (LASS0_BLAS, cmake/BlasProvider.cmake). Call them through
// util/blas.hpp.
//
// All matrices are column-major, and vectors have no gaps. What a provider promises: calls from
// several threads at once are safe, and the same arguments give the same bits on any thread.
#pragma once

#include <lass0/types.hpp>

namespace lass0::blas {

enum class Op { none, transpose };  // op(A) is A or A'

// C = a op(A) op(B) + c C, C rows x cols, with `depth` terms in every sum. C is not read where c
// is 0.
void gemm(Op op_a, Op op_b, Index rows, Index cols, Index depth, double a, const double* A,
          Index lda, const double* B, Index ldb, double c, double* C, Index ldc);

// The lower triangle of C (n x n) += a op(A) op(A)'; op(A) is n x depth.
void syrk(Op op, Index n, Index depth, double a, const double* A, Index lda, double* C, Index ldc);

// y += a A x for A rows x cols.
void gemv(Index rows, Index cols, double a, const double* A, Index lda, const double* x, double* y);

// A += a x y' for A rows x cols.
void ger(Index rows, Index cols, double a, const double* x, const double* y, double* A, Index lda);

// y += a x
void axpy(Index n, double a, const double* x, double* y);

// (x, y) = (c x + s y, c y - s x)
void rot(Index n, double* x, double* y, double c, double s);

// x = inv(op(L)) x for a lower triangle L, n x n, n > 0.
void trsv(Op op, Index n, const double* L, Index ldl, double* x);

// A = A inv(op(L)) for A rows x n and a lower triangle L, n x n.
void trsm(Op op, Index rows, Index n, const double* L, Index ldl, double* A, Index lda);

}  // namespace lass0::blas
