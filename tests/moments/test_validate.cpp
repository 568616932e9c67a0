// A problem that makes no sense is refused before any work.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>
#include <limits>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

TEST(Validate, WrongSizesAndWeightsAreRefused) {
  const Data good = random_data(5, ProblemSpec{.n = 10, .p = 3, .weights = WeightKind::reals});
  EXPECT_NO_THROW(validate(OwnedProblem(good)));
  Data data = good;
  data.y.conservativeResize(9);
  EXPECT_THROW(validate(OwnedProblem(data)), Error);
  data = good;
  data.w.conservativeResize(9);
  EXPECT_THROW(validate(OwnedProblem(data)), Error);
  data = good;
  data.w[2] = -1;
  EXPECT_THROW(validate(OwnedProblem(data)), Error);
  data.w[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(validate(OwnedProblem(data)), Error);
  data.w[2] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(validate(OwnedProblem(data)), Error);
  data.w.setZero();
  EXPECT_THROW(validate(OwnedProblem(data)), Error);
  EXPECT_THROW(validate(Problem{}), Error);
}

TEST(Validate, IncludedColumnsMustExistAndTheRidgeBeANumber) {
  Data data = random_data(5, ProblemSpec{.n = 10, .p = 3});
  data.include = {0, 2};
  data.ridge = 1.5;
  EXPECT_NO_THROW(validate(OwnedProblem(data)));
  for (const Index j : {-1, 3}) {
    data.include = {0, j};
    EXPECT_THROW(validate(OwnedProblem(data)), Error);
  }
  data.include.clear();
  for (const double ridge : {-1e-9, std::nan(""), std::numeric_limits<double>::infinity()}) {
    data.ridge = ridge;
    EXPECT_THROW(validate(OwnedProblem(data)), UsageError);
    EXPECT_THROW(Moments{OwnedProblem(data)}, UsageError);
  }
}

TEST(Validate, FoldsMustBeOnePerRowAndInRange) {
  const OwnedProblem problem(random_data(5, ProblemSpec{.n = 10, .p = 3}));
  EXPECT_THROW(Moments(problem, {.folds = std::vector<int>{0, 1, 0}}), Error);
  EXPECT_THROW(Moments(problem, {.folds = std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1, 0, -1}}), Error);
}

}  // namespace
}  // namespace lass0::testing
