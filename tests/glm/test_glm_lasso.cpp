// The Lasso of logistic regression against its conditions of optimality, and against glmnet.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <lass0/error.hpp>

#include "glm/glm_lasso.hpp"
#include "support/logistic.hpp"

namespace lass0::testing {
namespace {

// Rows of a logistic problem with all that they view.
class OwnedRows {
 public:
  explicit OwnedRows(LogisticData logistic, Storage storage = Storage::dense)
      : logistic_(std::move(logistic)),
        dense_(logistic_.data.X),
        design_(logistic_.data.X, storage),
        problem_(problem_of(logistic_, dense_)),
        base_(with_design()),
        rows_(problem_, base_) {}
  const GlmRows& operator*() const { return rows_; }
  const LogisticData& logistic() const { return logistic_; }
  const Problem& problem() const { return problem_; }

 private:
  const Problem& with_design() {
    problem_.design = design_.get();
    squares_ = problem_;
    squares_.family = Family::gaussian;
    squares_.offset = {};
    return squares_;
  }

  LogisticData logistic_;
  DenseDesign dense_;
  OwnedDesign design_;
  Problem problem_, squares_;
  Moments base_;
  GlmRows rows_;
};

void expect_error(const std::function<void()>& run, const std::string& words) {
  try {
    run();
    ADD_FAILURE() << "no error: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

// s_j of the penalty.
double unit(const Data& data, Index j) {
  if (!data.standardize) return 1;
  double weight = 0, mean = 0, square = 0;
  for (Index i = 0; i < data.n(); ++i) weight += data.weight(i);
  for (Index i = 0; i < data.n(); ++i) mean += data.weight(i) * data.X(i, j) / weight;
  if (!data.intercept) mean = 0;
  for (Index i = 0; i < data.n(); ++i)
    square += data.weight(i) * std::pow(data.X(i, j) - mean, 2) / weight;
  return std::sqrt(square);
}

// The objective and the conditions of optimality, from the data.
void expect_optimal(const LassoPoint& point, const LogisticData& logistic, double accuracy) {
  const Data& data = logistic.data;
  Vector beta = Vector::Zero(data.p());
  for (std::size_t l = 0; l < point.at.support.size(); ++l)
    beta[point.at.support[l]] = point.at.coefficients[static_cast<Index>(l)];
  Vector eta = (data.X * beta).array() + point.at.intercept;
  if (logistic.offset.size() > 0) eta += logistic.offset;
  Vector u(data.n());
  double objective = 0;
  for (Index i = 0; i < data.n(); ++i) {
    u[i] = data.weight(i) * (data.y[i] - 1 / (1 + std::exp(-eta[i])));
    objective += data.weight(i) * (std::log(1 + std::exp(eta[i])) - data.y[i] * eta[i]);
  }
  const double small = accuracy * point.lambda;
  if (data.intercept) {
    EXPECT_NEAR(u.sum(), 0, small);
  }
  for (Index j = 0; j < data.p(); ++j) {
    const double s = unit(data, j), b = s * beta[j];
    if (!(s > 0)) continue;
    objective += 0.5 * data.ridge * b * b;
    const double g = data.X.col(j).dot(u) / s - data.ridge * b;
    if (std::count(data.include.begin(), data.include.end(), j) > 0) {
      EXPECT_NEAR(g, 0, small) << j;
      continue;
    }
    objective += point.lambda * std::abs(b);
    if (b != 0) {
      EXPECT_NEAR(g, b > 0 ? point.lambda : -point.lambda, small) << j;
    } else {
      EXPECT_LE(std::abs(g), point.lambda + small) << j;
    }
  }
  EXPECT_NEAR(point.objective, objective, 1e-10 * objective);
}

LogisticData random_kind(int kind, Rng& rng) {
  LogisticSpec spec;
  spec.n = rng.between(30, 120);
  spec.p = rng.between(3, 60);
  spec.k = std::min<Index>(spec.p, 4);
  spec.rho = rng.uniform(0, 0.95);
  spec.weights = kind % 2 == 1;
  spec.offset = kind % 3 == 1;
  spec.intercept = kind % 5 != 4;
  spec.standardize = kind % 7 < 5;
  if (kind % 4 == 2) spec.ridge = std::pow(10, rng.uniform(-3, 1));
  LogisticData logistic = random_logistic(spec, rng);
  Data& data = logistic.data;
  for (Index j = 0; j < data.p(); ++j) {
    data.X.col(j) *= std::pow(10, rng.uniform(-1, 1));
    data.X.col(j).array() += rng.uniform(-1, 1);
  }
  if (kind % 3 == 0) data.include = rng.subset(data.p(), 2);
  if (kind % 6 == 5) {  // mostly zeros
    for (double& x : data.X.reshaped()) x = rng.chance(0.3) ? x : 0;
  }
  return logistic;
}

TEST(GlmLasso, SatisfiesTheConditionsOfOptimality) {
  Rng rng(3);
  for (int kind = 0; kind < 84; ++kind) {
    SCOPED_TRACE(kind);
    const OwnedRows rows(random_kind(kind, rng), kind % 6 == 5 ? Storage::sparse : Storage::dense);
    const LassoPath path =
        glm_lasso_path(*rows, {.tolerance = 1e-9, .count = 8, .ratio = rng.uniform(0.01, 0.3)});
    ASSERT_EQ(path.points.size(), 8u);
    EXPECT_TRUE(path.complete);
    const Index included = std::ssize((*rows).included());
    EXPECT_EQ(std::ssize(path.points[0].at.support), included);
    for (const LassoPoint& point : path.points) {
      EXPECT_TRUE(point.converged) << point.relative_gap;
      expect_optimal(point, rows.logistic(), 1e-5);
    }
  }
}

TEST(GlmLasso, TheGapBoundsWhatIsLeft) {
  Rng rng(4);
  for (int kind = 0; kind < 24; ++kind) {
    SCOPED_TRACE(kind);
    const OwnedRows rows(random_kind(kind, rng));
    const double lambda = glm_lasso_lambda_max(*rows) * rng.uniform(0.03, 0.5);
    const double lowest = glm_lasso(*rows, lambda, {.tolerance = 1e-12}).objective;
    const double null = glm_lasso(*rows, 2 * glm_lasso_lambda_max(*rows)).objective;
    for (const double tolerance : {1e-1, 1e-2, 1e-4, 1e-7}) {
      const LassoPoint point = glm_lasso(*rows, lambda, {.tolerance = tolerance});
      EXPECT_TRUE(point.converged);
      EXPECT_LE(point.objective - lowest, point.relative_gap * null + 1e-11 * null);
      EXPECT_GE(point.objective, lowest - 1e-11 * null);
    }
  }
}

TEST(GlmLasso, AtOneLambdaIsThePointOfThePath) {
  Rng rng(5);
  for (int kind = 0; kind < 12; ++kind) {
    const OwnedRows rows(random_kind(kind, rng));
    const LassoPath path = glm_lasso_path(*rows, {.tolerance = 1e-11, .count = 6, .ratio = 0.05});
    EXPECT_EQ(path.lambda_max, glm_lasso_lambda_max(*rows));
    const LassoPoint& last = path.points.back();
    const LassoPoint alone = glm_lasso(*rows, last.lambda, {.tolerance = 1e-11});
    ASSERT_EQ(alone.at.support, last.at.support);
    EXPECT_LT((alone.at.coefficients - last.at.coefficients).norm(),
              1e-6 * (1 + last.at.coefficients.norm()));
  }
}

TEST(GlmLasso, AWeightIsTheRowThatManyTimes) {
  Rng rng(6);
  LogisticSpec spec;
  spec.weights = spec.offset = true;
  const LogisticData logistic = random_logistic(spec, rng);
  std::vector<Index> copies;
  for (Index i = 0; i < logistic.data.n(); ++i) {
    for (int copy = 0; copy < logistic.data.weight(i); ++copy) copies.push_back(i);
  }
  LogisticData repeated;
  repeated.data = logistic.data.rows(copies);
  repeated.data.w = Vector();
  repeated.offset = logistic.offset(copies);
  const LassoOptions options{.tolerance = 1e-12, .count = 5, .ratio = 0.02};
  const LassoPath one = glm_lasso_path(*OwnedRows(logistic), options);
  const LassoPath other = glm_lasso_path(*OwnedRows(repeated), options);
  for (std::size_t l = 0; l < one.points.size(); ++l) {
    EXPECT_NEAR(one.points[l].lambda, other.points[l].lambda, 1e-9);
    ASSERT_EQ(one.points[l].at.support, other.points[l].at.support);
    EXPECT_LT((one.points[l].at.coefficients - other.points[l].at.coefficients).norm(), 1e-7);
    EXPECT_NEAR(one.points[l].objective, other.points[l].objective, 1e-8);
  }
}

// The data of the numbers below, in R:
//
//   library(glmnet)  # 4.1-6
//   n <- 60; p <- 8
//   i <- matrix(1:n, n, p); j <- matrix(1:p, n, p, byrow = TRUE)
//   x <- (sin(0.7 * i * j + j^2) + 0.5 * cos(i * (j + 1)) + 0.4 * sin(3 * i)) * j
//   k <- 1:n
//   y <- as.numeric(x[, 1] - x[, 2] + 0.3 * x[, 5] + 1.5 * sin(13 * k^2) > 0)
//   w <- 1 + k %% 3; s <- sum(w); o <- 0.5 * cos(k)
//   go <- function(...) coef(glmnet(x, y, family = "binomial", thresh = 1e-14, maxit = 1e7, ...))
LogisticData data_of_glmnet(bool weights, bool offset) {
  const Index n = 60, p = 8;
  LogisticData logistic;
  Data& data = logistic.data;
  data.X.resize(n, p);
  data.y.resize(n);
  if (weights) data.w.resize(n);
  if (offset) logistic.offset.resize(n);
  for (Index row = 0; row < n; ++row) {
    const double i = static_cast<double>(row + 1);
    for (Index column = 0; column < p; ++column) {
      const double j = static_cast<double>(column + 1);
      data.X(row, column) =
          (std::sin(0.7 * i * j + j * j) + 0.5 * std::cos(i * (j + 1)) + 0.4 * std::sin(3 * i)) * j;
    }
    const auto x = data.X.row(row);
    data.y[row] = x[0] - x[1] + 0.3 * x[4] + 1.5 * std::sin(13 * i * i) > 0 ? 1 : 0;
    if (weights) data.w[row] = static_cast<double>(1 + (row + 1) % 3);
    if (offset) logistic.offset[row] = 0.5 * std::cos(i);
  }
  return logistic;
}

void expect_coefficients(const LogisticData& logistic, double lambda,
                         const std::vector<double>& expected) {
  const LassoPoint point = glm_lasso(*OwnedRows(logistic), lambda, {.tolerance = 1e-12});
  std::vector<double> found(9, 0.0);
  found[0] = point.at.intercept;
  for (std::size_t l = 0; l < point.at.support.size(); ++l)
    found[static_cast<std::size_t>(point.at.support[l]) + 1] =
        point.at.coefficients[static_cast<Index>(l)];
  for (std::size_t j = 0; j < 9; ++j) EXPECT_NEAR(found[j], expected[j], 1e-6) << j;
}

TEST(GlmLasso, HasTheCoefficientsOfGlmnet) {
  // go(lambda = c(6, 2, 0.5) / n)
  const LogisticData plain = data_of_glmnet(false, false);
  ASSERT_EQ(plain.data.y.sum(), 31);
  expect_coefficients(plain, 6, {0.064663790, 0, -0.457332370, 0, 0, 0.128077345, 0, 0, 0});
  expect_coefficients(
      plain, 2,
      {0.084603670, 0.521532997, -0.892320314, -0.090037860, 0, 0.273514615, -0.039576293, 0, 0});
  expect_coefficients(plain, 0.5,
                      {0.144930423, 1.360793404, -1.366818080, -0.130931589, -0.048139313,
                       0.411654008, -0.100693872, 0.010173380, -0.049861360});
  // go(weights = w, offset = o, lambda = 4 / s)
  LogisticData logistic = data_of_glmnet(true, true);
  expect_coefficients(logistic, 4,
                      {0.129431598, 0.726163384, -0.750343041, -0.101405976, 0, 0.267412500,
                       -0.073429580, 0, -0.024869784});
  // glmnet scales penalty factors to a sum of p:
  // go(weights = w, offset = o, lambda = 3 / s * (p - 1) / p, penalty.factor = c(1, 0, rep(1, 6)))
  logistic.data.include = {1};
  expect_coefficients(logistic, 3,
                      {0.134081602, 1.093715206, -1.063394208, -0.105200732, 0, 0.337585229,
                       -0.089687880, 0, -0.045542045});
  // go(weights = w, offset = o, alpha = 3 / 5, lambda = 5 / s)
  logistic.data.include = {};
  logistic.data.ridge = 2;
  expect_coefficients(logistic, 3,
                      {0.135194413, 0.737678735, -0.661269129, -0.109790358, 0, 0.238309042,
                       -0.074168086, 0, -0.033351120});
  // go(weights = w, intercept = FALSE, standardize = FALSE, lambda = 4 / s)
  logistic = data_of_glmnet(true, false);
  logistic.data.intercept = logistic.data.standardize = false;
  expect_coefficients(logistic, 4,
                      {0, 0.910606373, -0.895019047, -0.132006452, -0.034307584, 0.361020952,
                       -0.073742981, 0.000549182, -0.060746664});
}

// More columns than rows: every target can be predicted without a doubt.
TEST(GlmLasso, StaysFiniteWhereTheClassesAreSeparated) {
  Rng rng(7);
  LogisticSpec spec;
  spec.n = 40;
  spec.p = 120;
  const OwnedRows rows(random_logistic(spec, rng));
  const LassoPath path = glm_lasso_path(*rows, {.count = 30, .ratio = 1e-4});
  ASSERT_EQ(path.points.size(), 30u);
  for (const LassoPoint& point : path.points) {
    EXPECT_TRUE(point.converged) << point.lambda;
    EXPECT_TRUE(point.at.coefficients.allFinite());
    EXPECT_LE(std::ssize(point.at.support), 40);
  }
  EXPECT_LT(path.points.back().objective, 0.05 * path.points.front().objective);
  expect_error([&] { (void)glm_lasso(*rows, 0); }, "no finite solution at lambda 0");
}

TEST(GlmLasso, AtLambdaZeroIsTheFitOfAllColumns) {
  Rng rng(8);
  LogisticSpec spec;
  spec.p = 6;
  LogisticData logistic = random_logistic(spec, rng);
  logistic.data.append(scaled_copy(logistic.data, 2, -3));
  const OwnedRows rows(logistic);
  const LassoPoint point = glm_lasso(*rows, 0);
  const auto expected = logistic_by_definition(logistic, {0, 1, 2, 3, 4, 5});
  ASSERT_TRUE(expected);
  EXPECT_TRUE(point.converged);
  EXPECT_EQ(point.at.support, expected->at.support);
  EXPECT_NEAR(2 * point.objective, expected->loss, 1e-9 * expected->loss);
}

TEST(GlmLasso, NamesIncludedColumnsThatSeparateTheClasses) {
  Rng rng(9);
  LogisticData logistic = random_logistic({}, rng);
  for (Index i = 0; i < logistic.data.n(); ++i)
    logistic.data.X(i, 3) = logistic.data.y[i] * (1 + rng.uniform());
  logistic.data.include = {3};
  const OwnedRows rows(logistic);
  expect_error([&] { (void)glm_lasso_path(*rows); }, "column x4 separates the two classes");
  logistic.data.ridge = 1;
  EXPECT_TRUE(glm_lasso_path(*OwnedRows(logistic), {.count = 3}).points.back().converged);
}

TEST(GlmLasso, StopsWhereItIsTold) {
  Rng rng(10);
  const OwnedRows rows(random_logistic({}, rng));
  int calls = 0;
  LassoOptions options;
  options.control.keep_going = [&] { return ++calls < 40; };
  const LassoPath path = glm_lasso_path(*rows, options);
  EXPECT_FALSE(path.complete);
  EXPECT_GT(path.points.size(), 0u);
  EXPECT_LT(path.points.size(), 100u);
  calls = 1000;
  const LassoPoint none = glm_lasso(*rows, 1, options);
  EXPECT_FALSE(none.converged);
  EXPECT_TRUE(none.at.support.empty());
  EXPECT_EQ(none.relative_gap, 1);
  const LassoPath few = glm_lasso_path(*rows, {.max_support = 3});
  EXPECT_GT(std::ssize(few.points.back().at.support), 3);
  EXPECT_LE(std::ssize(few.points[few.points.size() - 2].at.support), 3);
  EXPECT_TRUE(few.complete);
}

}  // namespace
}  // namespace lass0::testing
