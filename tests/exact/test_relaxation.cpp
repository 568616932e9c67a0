// The perspective relaxation: its bound is below the loss of every support, whatever it was given.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <lass0/moments.hpp>
#include <numeric>

#include "exact/relaxation.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

FullGram gram_of(const Data& data) {
  const OwnedProblem problem(data);
  const Moments moments(problem);
  FullGram gram;
  gram.columns.resize(static_cast<std::size_t>(data.p()));
  std::iota(gram.columns.begin(), gram.columns.end(), 0);
  gram.G.resize(data.p(), data.p());
  moments.gram_columns(gram.columns, gram.G);
  gram.c = moments.xty();
  gram.square = moments.squares();
  gram.total = moments.yty();
  return gram;
}

TEST(Relaxation, IsBelowTheLossOfEverySupport) {
  const Budget budget{Control{}};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Index p = 10 + rng.below(20);
    const FullGram gram = gram_of(random_data(
        seed,
        ProblemSpec{
            .n = 3 * p, .p = p, .k = 5, .rho = 0.95 * rng.uniform(), .snr = rng.uniform(0.1, 5)}));
    Subproblem sub;
    for (Index j = 0; j < p; ++j) (rng.chance(0.2) ? sub.in : sub.free).push_back(j);
    const Reduced reduced = reduce(gram, sub);
    ASSERT_TRUE(reduced.regular);
    RelaxationGoal goal;
    if (rng.chance(0.5)) goal.price = 0.1 * rng.uniform() * rng.uniform();
    goal.keep = rng.below(std::ssize(sub.free));
    goal.thresholds.assign(sub.free.size() + 1, 1e9);
    const Relaxation relaxation = relax(reduced, goal, static_cast<int>(1 + rng.below(80)), budget);
    const Matrix Q = reduced.G - Matrix(relaxation.delta.asDiagonal());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(Q).eigenvalues().minCoeff(), 0);
    const auto lower = relaxation.lower();
    for (int draw = 0; draw < 200; ++draw) {
      std::vector<Index> support = sub.in;
      const Index kept = rng.below(std::ssize(sub.free) + 1);
      for (const Index i : rng.subset(std::ssize(sub.free), kept))
        support.push_back(sub.free[static_cast<std::size_t>(i)]);
      EXPECT_GE(exact_loss(gram, support), lower[static_cast<std::size_t>(kept)] - 1e-12);
    }
  }
}

// Orthogonal columns: nothing is relaxed.
TEST(Relaxation, IsExactForOrthogonalColumns) {
  const Index p = 12;
  FullGram gram;
  gram.G = Matrix::Identity(p, p);
  gram.c = Vector::LinSpaced(p, 0.01, 0.28);
  gram.square = Vector::Ones(p);
  gram.total = 1;
  Subproblem sub;
  for (Index j = 0; j < p; ++j) sub.free.push_back(j);
  const Reduced reduced = reduce(gram, sub);
  RelaxationGoal goal;
  goal.price = 0.01;
  goal.thresholds.assign(static_cast<std::size_t>(p) + 1, 1e9);
  const Budget budget{Control{}};
  const Relaxation relaxation = relax(reduced, goal, 200, budget);
  double best = 0.5;
  for (Index j = 0; j < p; ++j) best -= std::max(0.0, 0.5 * gram.c[j] * gram.c[j] - *goal.price);
  double bound = relaxation.base;
  for (Index j = 0; j < p; ++j) bound -= std::max(0.0, relaxation.value[j] - *goal.price);
  EXPECT_NEAR(bound, best, 1e-4);
}

}  // namespace
}  // namespace lass0::testing
