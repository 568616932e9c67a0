// Every BLAS call gives what its definition says, whichever provider is compiled in: for matrices
// that are parts of larger ones, for any shape, and for empty ones.
#include <gtest/gtest.h>

#include <functional>

#include "support/random_problem.hpp"
#include "util/blas.hpp"

namespace lass0::testing {
namespace {

// A matrix with rows around it that no call may touch.
struct Part {
  Matrix all;
  Index rows;

  Part(Rng& rng, Index wanted_rows, Index cols) : all(wanted_rows + 3, cols), rows(wanted_rows) {
    for (double& x : all.reshaped()) x = rng.normal();
  }
  double* data() { return all.data() + 1; }
  const double* data() const { return all.data() + 1; }
  Index stride() const { return all.rows(); }
  Matrix matrix() const { return all.middleRows(1, rows); }
  void expect(const Matrix& expected, const Matrix& before) const {
    EXPECT_LE((matrix() - expected).cwiseAbs().sum(), 1e-12 * (1 + expected.cwiseAbs().sum()));
    EXPECT_EQ(all.row(0), before.row(0));
    EXPECT_EQ(all.bottomRows(2), before.bottomRows(2));
  }
};

// By definition, one term after the other.
Matrix times(const Matrix& A, const Matrix& B) {
  Matrix C = Matrix::Zero(A.rows(), B.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.cols(); ++j)
      for (Index l = 0; l < A.cols(); ++l) C(i, j) += A(i, l) * B(l, j);
  return C;
}

Matrix vector(Rng& rng, Index n) {
  Matrix x(n, 1);
  for (double& value : x.reshaped()) value = rng.normal();
  return x;
}

struct Shape {
  Index rows, cols, depth;
};

class Blas : public ::testing::TestWithParam<Shape> {
 protected:
  Rng rng{7};
  Index rows = GetParam().rows, cols = GetParam().cols, depth = GetParam().depth;
};

TEST_P(Blas, Products) {
  const Part A(rng, rows, depth), At(rng, depth, rows), B(rng, depth, cols), Bt(rng, cols, depth);
  const auto check = [&](const std::function<Matrix(const Matrix&)>& expected, const auto& call) {
    Part C(rng, rows, cols);
    const Part before = C;
    call(C);
    C.expect(expected(before.matrix()), before.all);
  };
  check([&](const Matrix&) { return times(A.matrix(), B.matrix()); },
        [&](Part& C) {
          blas::product(rows, cols, depth, A.data(), A.stride(), B.data(), B.stride(), C.data(),
                        C.stride());
        });
  check([&](const Matrix& C) { return Matrix(C - times(A.matrix(), B.matrix())); },
        [&](Part& C) {
          blas::subtract_product(rows, cols, depth, A.data(), A.stride(), B.data(), B.stride(),
                                 C.data(), C.stride());
        });
  check([&](const Matrix&) { return times(At.matrix().transpose(), B.matrix()); },
        [&](Part& C) {
          blas::transposed_times(rows, cols, depth, At.data(), At.stride(), B.data(), B.stride(),
                                 C.data(), C.stride());
        });
  check(
      [&](const Matrix& C) {
        return Matrix(C + times(At.matrix().transpose(), Bt.matrix().transpose()));
      },
      [&](Part& C) {
        blas::add_transposed_product(rows, cols, depth, At.data(), At.stride(), Bt.data(),
                                     Bt.stride(), C.data(), C.stride());
      });
  check(
      [&](const Matrix& C) { return Matrix(C - 0.5 * times(A.matrix(), Bt.matrix().transpose())); },
      [&](Part& C) {
        blas::add_product_transposed(rows, cols, depth, -0.5, A.data(), A.stride(), Bt.data(),
                                     Bt.stride(), C.data(), C.stride());
      });
}

TEST_P(Blas, AProductThatReplacesDoesNotReadWhatWasThere) {
  const Part A(rng, rows, depth), B(rng, depth, cols);
  Part C(rng, rows, cols);
  C.all.setConstant(std::numeric_limits<double>::quiet_NaN());
  blas::product(rows, cols, depth, A.data(), A.stride(), B.data(), B.stride(), C.data(),
                C.stride());
  EXPECT_TRUE(C.matrix().allFinite());
}

TEST_P(Blas, SquaresTouchTheLowerTriangleOnly) {
  const Part A(rng, rows, depth), At(rng, depth, rows);
  const auto check = [&](const Matrix& square, const auto& call) {
    Part C(rng, rows, rows);
    const Part before = C;
    call(C);
    Matrix expected = before.matrix();
    expected.triangularView<Eigen::Lower>() += square;
    C.expect(expected, before.all);
  };
  check(times(At.matrix().transpose(), At.matrix()), [&](Part& C) {
    blas::add_lower_square(rows, depth, At.data(), At.stride(), C.data(), C.stride());
  });
  check(-2 * times(A.matrix(), A.matrix().transpose()), [&](Part& C) {
    blas::add_lower_square_of_rows(rows, depth, -2, A.data(), A.stride(), C.data(), C.stride());
  });
}

TEST_P(Blas, VectorsAndOuterProducts) {
  Part A(rng, rows, cols);
  const Part before = A;
  const Matrix x = vector(rng, rows), v = vector(rng, cols);
  Part y(rng, rows, 1);
  const Part y_before = y;
  blas::add_times(rows, cols, 1.5, A.data(), A.stride(), v.data(), y.data());
  y.expect(y_before.matrix() + 1.5 * times(A.matrix(), v), y_before.all);

  blas::add_outer(rows, cols, -0.25, x.data(), v.data(), A.data(), A.stride());
  A.expect(before.matrix() - 0.25 * times(x, v.transpose()), before.all);

  Part z = y_before;
  blas::add(rows, 3, x.data(), z.data());
  z.expect(y_before.matrix() + 3 * x, y_before.all);

  Part p(rng, rows, 1), q(rng, rows, 1);
  const Part p_before = p, q_before = q;
  blas::rotate(rows, p.data(), q.data(), 0.6, 0.8);
  p.expect(0.6 * p_before.matrix() + 0.8 * q_before.matrix(), p_before.all);
  q.expect(0.6 * q_before.matrix() - 0.8 * p_before.matrix(), q_before.all);
}

TEST_P(Blas, TriangularSystems) {
  Part L(rng, cols, cols);
  for (Index j = 0; j < cols; ++j) {
    L.all.col(j) *= 0.1;
    L.data()[j * L.stride() + j] = 2;
  }
  const Matrix lower = L.matrix().triangularView<Eigen::Lower>();
  const auto check = [&](const Matrix& back, const Part& solved, const Part& before) {
    EXPECT_LE((back - before.matrix()).cwiseAbs().sum(), 1e-11 * (1 + rows * cols));
    EXPECT_EQ(solved.all.row(0), before.all.row(0));
    EXPECT_EQ(solved.all.bottomRows(2), before.all.bottomRows(2));
  };
  Part x(rng, cols, 1);
  const Part x_before = x;
  blas::lower_solve(cols, L.data(), L.stride(), x.data());
  check(times(lower, x.matrix()), x, x_before);
  x = x_before;
  blas::lower_transposed_solve(cols, L.data(), L.stride(), x.data());
  check(times(lower.transpose(), x.matrix()), x, x_before);

  Part A(rng, rows, cols);
  const Part before = A;
  blas::solve_lower_transposed_right(rows, cols, L.data(), L.stride(), A.data(), A.stride());
  check(times(A.matrix(), lower.transpose()), A, before);
  A = before;
  blas::solve_lower_right(rows, cols, L.data(), L.stride(), A.data(), A.stride());
  check(times(A.matrix(), lower), A, before);
}

// Empty matrices have no stride either, and libraries complain about that in the user's terminal.
TEST(EmptyBlas, SaysNothing) {
  double none = 0;
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  for (const Index cols : {0, 3}) {
    blas::product(0, cols, 0, &none, 0, &none, 0, &none, 0);
    blas::transposed_times(0, cols, 0, &none, 0, &none, 0, &none, 0);
    blas::add_times(0, cols, 1, &none, 0, &none, &none);
    blas::add_outer(0, cols, 1, &none, &none, &none, 0);
    blas::solve_lower_right(cols, 0, &none, 0, &none, cols);
  }
  blas::add_lower_square(0, 5, &none, 5, &none, 0);
  blas::add_lower_square_of_rows(0, 0, 1, &none, 0, &none, 0);
  blas::lower_solve(0, &none, 0, &none);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(none, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Blas,
                         ::testing::Values(Shape{1, 1, 1}, Shape{3, 2, 5}, Shape{8, 8, 8},
                                           Shape{17, 33, 9}, Shape{70, 5, 300}, Shape{2, 90, 41},
                                           Shape{130, 64, 2}, Shape{5, 4, 0}, Shape{0, 3, 4},
                                           Shape{4, 0, 3}, Shape{70, 60, 0}, Shape{0, 60, 70},
                                           Shape{60, 0, 70}));

// Matrices without columns have no stride either, which BLAS would print a line about.
TEST(Blas, EmptySquaresPrintNothing) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const double depth_only[3] = {1, 2, 3};
  blas::add_lower_square(0, 3, depth_only, 3, nullptr, 0);
  blas::add_lower_square_of_rows(0, 3, 1.0, nullptr, 0, nullptr, 0);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace lass0::testing
