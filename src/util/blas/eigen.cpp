// Eigen alone, for systems without a BLAS. Its kernels are those of the instructions that the
// compiler may assume, so it is slower than a BLAS that looks at the CPU. It has neither threads
// nor shared buffers here.
#include <Eigen/Core>

#include "util/blas/provider.hpp"
#include "util/blas_buffers.hpp"

namespace lass0 {

void reserve_blas_buffers(int) {}

namespace blas {
namespace {

using Stride = Eigen::OuterStride<>;
using InputMatrix = Eigen::Map<const Matrix, Eigen::Unaligned, Stride>;
using InOutMatrix = Eigen::Map<Matrix, Eigen::Unaligned, Stride>;
using InputVector = Eigen::Map<const Vector>;
using InOutVector = Eigen::Map<Vector>;

// Calls use(op(A)) for op(A) of this shape.
template <class Use>
void with_op(Op op, Index rows, Index cols, const double* A, Index lda, const Use& use) {
  if (op == Op::none) {
    use(InputMatrix(A, rows, cols, Stride(lda)));
  } else {
    use(InputMatrix(A, cols, rows, Stride(lda)).transpose());
  }
}

}  // namespace

void gemm(Op op_a, Op op_b, Index rows, Index cols, Index depth, double a, const double* A,
          Index lda, const double* B, Index ldb, double c, double* C, Index ldc) {
  InOutMatrix out(C, rows, cols, Stride(ldc));
  if (c == 0.0) {
    out.setZero();
  } else if (c != 1.0) {
    out *= c;
  }
  with_op(op_a, rows, depth, A, lda, [&](const auto& left) {
    with_op(op_b, depth, cols, B, ldb,
            [&](const auto& right) { out.noalias() += a * (left * right); });
  });
}

void syrk(Op op, Index n, Index depth, double a, const double* A, Index lda, double* C, Index ldc) {
  if (depth == 0) return;  // Eigen would divide by it
  InOutMatrix out(C, n, n, Stride(ldc));
  with_op(op, n, depth, A, lda,
          [&](const auto& left) { out.selfadjointView<Eigen::Lower>().rankUpdate(left, a); });
}

void gemv(Index rows, Index cols, double a, const double* A, Index lda, const double* x,
          double* y) {
  InOutVector(y, rows).noalias() +=
      a * (InputMatrix(A, rows, cols, Stride(lda)) * InputVector(x, cols));
}

void ger(Index rows, Index cols, double a, const double* x, const double* y, double* A, Index lda) {
  for (Index j = 0; j < cols; ++j) axpy(rows, a * y[j], x, A + j * lda);
}

void axpy(Index n, double a, const double* x, double* y) {
  InOutVector(y, n) += a * InputVector(x, n);
}

void rot(Index n, double* x, double* y, double c, double s) {
  for (Index i = 0; i < n; ++i) {
    const double rotated = c * x[i] + s * y[i];
    y[i] = c * y[i] - s * x[i];
    x[i] = rotated;
  }
}

void trsv(Op op, Index n, const double* L, Index ldl, double* x) {
  InOutVector solution(x, n);
  const InputMatrix lower(L, n, n, Stride(ldl));
  if (op == Op::none) {
    lower.triangularView<Eigen::Lower>().solveInPlace(solution);
  } else {
    lower.triangularView<Eigen::Lower>().transpose().solveInPlace(solution);
  }
}

void trsm(Op op, Index rows, Index n, const double* L, Index ldl, double* A, Index lda) {
  InOutMatrix solution(A, rows, n, Stride(lda));
  const InputMatrix lower(L, n, n, Stride(ldl));
  if (op == Op::none) {
    lower.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(solution);
  } else {
    lower.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(solution);
  }
}

}  // namespace blas
}  // namespace lass0
