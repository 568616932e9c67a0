#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "support/random_problem.hpp"
#include "util/cholesky.hpp"

namespace lass0::testing {
namespace {

Matrix random_square(std::uint64_t seed, Index n) {
  Rng rng(seed);
  Matrix A(n + 3, n);
  for (double& value : A.reshaped()) value = rng.normal();
  return A.transpose() * A;
}

// One panel, its border, and several.
constexpr Index kSizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 63, 64, 65, 100, 128, 129, 200};

TEST(Cholesky, FactorSolvesAndInverse) {
  for (const Index n : kSizes) {
    SCOPED_TRACE(n);
    const Matrix G = random_square(static_cast<std::uint64_t>(n), n);
    const Cholesky factor(G);
    ASSERT_TRUE(factor.positive_definite());
    const double size = G.norm();
    EXPECT_LE((factor.L() * factor.L().transpose() - G).norm(), 1e-13 * size);
    EXPECT_TRUE(factor.L().isLowerTriangular());
    EXPECT_LE((Matrix(factor.pivots().matrix().asDiagonal()) -
               Matrix(Eigen::LLT<Matrix>(G).matrixLLT().diagonal().cwiseAbs2().asDiagonal()))
                  .norm(),
              1e-12 * size);
    const Matrix identity = Matrix::Identity(n, n), inverse = factor.inverse();
    const double condition = size * inverse.norm();
    EXPECT_LE((factor.half().transpose() * factor.L() - identity).norm(), 1e-14 * condition);
    EXPECT_LE((inverse * G - identity).norm(), 1e-14 * condition * static_cast<double>(n));
    EXPECT_EQ(inverse, inverse.transpose());
    EXPECT_LE((factor.inverse_diagonal() - inverse.diagonal()).norm(), 1e-13 * inverse.norm());
    const Vector b = G.col(n / 2) + Vector::Ones(n);
    EXPECT_LE((G * factor.solve(b) - b).norm(), 1e-13 * condition * b.norm());
    Matrix several = random_square(7, n);
    const Matrix before = several;
    factor.solve_lower_in_place(several);
    EXPECT_LE((factor.L() * several - before).norm(), 1e-13 * condition * before.norm());
  }
}

TEST(Cholesky, OnlyTheLowerTriangleIsLookedAt) {
  Matrix G = random_square(3, 70);
  const Matrix L = Cholesky(G).L();
  G.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
  EXPECT_EQ(Cholesky(G).L(), L);
}

TEST(Cholesky, KnowsWhatIsNotPositiveDefinite) {
  for (const Index n : kSizes) {
    for (const Index at : {Index{0}, n / 2, n - 1}) {
      Matrix G = random_square(static_cast<std::uint64_t>(n), n);
      G(at, at) = -1;
      EXPECT_FALSE(Cholesky(G).positive_definite()) << n << ", " << at;
      G(at, at) = std::numeric_limits<double>::quiet_NaN();
      EXPECT_FALSE(Cholesky(G).positive_definite()) << n << ", " << at;
    }
  }
  EXPECT_TRUE(Cholesky(Matrix(0, 0)).positive_definite());
}

}  // namespace
}  // namespace lass0::testing
