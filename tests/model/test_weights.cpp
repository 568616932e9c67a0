// Weights of any size: the answer is the one of exact arithmetic, or an error that names the row.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <lass0/path.hpp>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

Data small_data(std::uint64_t seed, bool intercept = true) {
  Rng rng(seed);
  return random_data(seed, ProblemSpec{.n = rng.between(16, 40),
                                       .p = rng.between(2, 6),
                                       .k = 2,
                                       .snr = 8,
                                       .mean = rng.uniform(0, 2),
                                       .intercept = intercept});
}

// What the fit with a proof says is the exact optimum: true, and refused otherwise.
bool fits_or_names_a_row(const Data& data, double lambda) {
  const OwnedProblem problem(data);
  Fit result;
  try {
    result = fit(problem, {.goal = AtLambda{lambda}, .prove = true});
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind("row ", 0), 0u) << message;
    EXPECT_NE(message.find("weight"), std::string::npos) << message;
    return false;
  }
  const Centred centred(data);
  const Support support = result.model.at.support;
  const LeastSquares exact = least_squares(centred, support);
  // A sum over rows has 16 digits of the target's own sum of squares.
  const double rounding = 1e-13 * static_cast<double>(centred.y.squaredNorm());
  const double rss = static_cast<double>(exact.rss);
  EXPECT_NEAR(result.rss, static_cast<double>(rss_by_definition(data, result.model.at)),
              1e-9 * result.rss);
  EXPECT_NEAR(result.rss, rss, 1e-6 * rss + rounding);
  EXPECT_EQ(result.status, Status::proven_optimal);
  const double best = static_cast<double>(brute_force_objective(centred, {lambda}));
  EXPECT_NEAR(result.objective, best, 1e-6 * best + 100 * rounding);
  return true;
}

double lambda_of(Rng& rng, const Data& data) {
  return static_cast<double>(Centred(data).y.squaredNorm()) * std::pow(10, rng.uniform(-4, -1));
}

TEST(Weights, OneHeavyRowIsHeldOrNamed) {
  for (const bool intercept : {true, false}) {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      Rng rng(seed);
      Data data = small_data(seed, intercept);
      const double exponent = rng.uniform(0, seed % 3 == 0 ? 300 : 30);
      data.w = Vector::Ones(data.n());
      // Of the other rows, which is what is lost first.
      const double lambda = lambda_of(rng, data);
      data.w[rng.below(data.n())] = std::pow(10, exponent);
      SCOPED_TRACE(::testing::Message()
                   << describe(data) << ", seed " << seed << ", 10^" << exponent);
      const bool fitted = fits_or_names_a_row(data, lambda);
      EXPECT_EQ(fitted, exponent < (intercept ? 18 : 8) + std::log10(data.n() - 1.0));
    }
  }
}

TEST(Weights, SomeHeavyRowsThatAModelCanFitAreHeldOrNamed) {
  int fitted = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Rng rng(seed);
    Data data = small_data(seed, seed % 2 == 0);
    const double exponent = rng.uniform(0, 25);
    data.w = Vector::Ones(data.n());
    const double lambda = lambda_of(rng, data);
    for (const Index i : rng.subset(data.n(), rng.between(2, 4)))
      data.w[i] = std::pow(10, exponent + rng.uniform(0, 2));
    SCOPED_TRACE(::testing::Message()
                 << describe(data) << ", seed " << seed << ", 10^" << exponent);
    ++(fits_or_names_a_row(data, lambda) ? fitted : refused);
  }
  EXPECT_GT(fitted, 30);
  EXPECT_GT(refused, 30);
}

TEST(Weights, OverTheWholeRangeOfDoublesAreHeldOrNamed) {
  int fitted = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    Data data = small_data(seed, seed % 2 == 0);
    const double most = rng.uniform(1, 290);
    data.w.resize(data.n());
    for (double& w : data.w) w = std::pow(10, rng.uniform(-most, most));
    SCOPED_TRACE(::testing::Message() << describe(data) << ", seed " << seed << ", 10^" << most);
    fitted += fits_or_names_a_row(data, lambda_of(rng, data)) ? 1 : 0;
  }
  EXPECT_GT(fitted, 20);
}

// A row of nearly no weight is no news to the others.
TEST(Weights, TinyOnesAreAsGoodAsNone) {
  for (const double tiny : {1e-12, 1e-40, 1e-200, 1e-320}) {
    Data data = random_data(7, ProblemSpec{.n = 40, .p = 5, .k = 2});
    data.w = Vector::Ones(data.n());
    data.w[3] = data.w[20] = 0;
    const OwnedProblem without(data);
    data.w[3] = data.w[20] = tiny;
    const OwnedProblem with(data);
    const Fit expected = fit(without, {.goal = OfSize{2}}), found = fit(with, {.goal = OfSize{2}});
    EXPECT_EQ(expected.model.at.support, found.model.at.support);
    EXPECT_NEAR(expected.rss, found.rss, 1e-9 * expected.rss);
    EXPECT_EQ(found.problem.n, 40);
  }
}

struct Scaled {
  Data data;
  double factor;
};

std::vector<Scaled> scaled_weights_of(const Data& data) {
  std::vector<Scaled> all;
  for (const double factor : {1e-300, 1e-160, 1e-60, 1e60, 1e160, 1e300}) {
    all.push_back({data, factor});
    all.back().data.w = factor * (data.w.size() > 0 ? data.w : Vector::Ones(data.n()));
  }
  return all;
}

TEST(Weights, ThatAreAllHugeOrTinyGiveTheSameModel) {
  int problems = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Data data = random_general_data(seed, 8);
    if (data.w.size() == 0) data.w = Vector::Ones(data.n());
    // The largest size of a table is half the rows, or half the sum of their weights.
    if (2 * data.p() > (data.w.array() > 0).count()) continue;
    ++problems;
    Rng rng(seed);
    const double lambda = random_lambda(rng, data);
    const Fit plain = fit(OwnedProblem(data), {.goal = AtLambda{lambda}});
    const Path path_of_plain = path(OwnedProblem(data));
    for (auto& [scaled, factor] : scaled_weights_of(data)) {
      SCOPED_TRACE(::testing::Message() << describe(data) << ", seed " << seed << ", " << factor);
      scaled.ridge *= factor;
      const OwnedProblem problem(scaled);
      const Fit found = fit(problem, {.goal = AtLambda{lambda * factor}});
      ASSERT_EQ(found.model.at.support, plain.model.at.support);
      EXPECT_EQ(found.problem.constant, plain.problem.constant);
      EXPECT_NEAR(found.rss / factor, plain.rss, 1e-9 * plain.problem.tss);
      EXPECT_NEAR(found.objective / factor, plain.objective, 1e-9 * plain.objective);
      EXPECT_NEAR(found.ridge_penalty / factor, plain.ridge_penalty, 1e-9 * plain.objective);
      for (std::size_t l = 0; l < plain.effects.size(); ++l)
        EXPECT_NEAR(found.effects[l], plain.effects[l], 1e-6 * std::abs(plain.effects[l]));
      const Path steps = path(problem, {.max_k = path_of_plain.table.max_k()});
      ASSERT_EQ(steps.rss.size(), path_of_plain.rss.size());
      for (std::size_t k = 0; k < steps.rss.size(); ++k)
        EXPECT_NEAR(steps.rss[k] / factor, path_of_plain.rss[k], 1e-9 * plain.problem.tss);
    }
  }
  EXPECT_GT(problems, 10);
}

TEST(Weights, ThatAreAllHugeOrTinyGiveTheSameLasso) {
  const Data data = random_data(3, ProblemSpec{.n = 50, .p = 10, .k = 3});
  const OwnedProblem plain(data);
  const LassoPath expected = lasso_path(Moments(plain), {.count = 10});
  for (const auto& [scaled, factor] : scaled_weights_of(data)) {
    const OwnedProblem problem(scaled);
    const LassoPath found = lasso_path(Moments(problem), {.count = 10});
    EXPECT_NEAR(found.lambda_max / factor, expected.lambda_max, 1e-9 * expected.lambda_max);
    for (std::size_t i = 0; i < expected.points.size(); ++i)
      EXPECT_EQ(found.points[i].at.support, expected.points[i].at.support);
  }
}

TEST(Weights, ThatAreAllHugeOrTinyGiveTheSameCurve) {
  const Data data = random_data(4, ProblemSpec{.n = 60, .p = 8, .k = 3});
  CrossValidateOptions options;
  options.tune = Tune::k;
  options.max_k = 6;
  const CrossValidation expected = cross_validate(OwnedProblem(data), options);
  for (const auto& [scaled, factor] : scaled_weights_of(data)) {
    const CrossValidation found = cross_validate(OwnedProblem(scaled), options);
    ASSERT_EQ(found.curve.size(), expected.curve.size());
    for (std::size_t i = 0; i < expected.curve.size(); ++i)
      EXPECT_NEAR(found.curve[i].mean_error, expected.curve[i].mean_error,
                  1e-8 * expected.curve[i].mean_error);
    EXPECT_EQ(found.model().at.support, expected.model().at.support);
  }
}

// A target divided by their sum would be beyond all doubles.
TEST(Weights, ThatAreAllTinyGiveTheSameErrorOfNoColumn) {
  Data data = random_data(4, ProblemSpec{.n = 60, .p = 8, .k = 3});
  data.y *= 1e8;
  const CrossValidation expected = cross_validate(OwnedProblem(data), {.tune = Tune::k});
  ASSERT_GT(expected.null_model.mean_error, 0);
  data.w = Vector::Constant(data.n(), 1e-305);
  const CrossValidation found = cross_validate(OwnedProblem(data), {.tune = Tune::k});
  EXPECT_NEAR(found.null_model.mean_error / expected.null_model.mean_error, 1, 1e-9);
  EXPECT_NEAR(found.null_model.se / expected.null_model.se, 1, 1e-7);
  EXPECT_NEAR(found.held_out_r_squared(), expected.held_out_r_squared(), 1e-7);
}

// Larger ones count as more rows, whose noise is smaller: the grid goes further down.
TEST(Weights, ThatAreAllSmallGiveTheSameLambdas) {
  const Data data = random_data(4, ProblemSpec{.n = 60, .p = 8, .k = 3});
  const CrossValidation expected = cross_validate(OwnedProblem(data));
  for (auto& [scaled, factor] : scaled_weights_of(data)) {
    const CrossValidation found = cross_validate(OwnedProblem(scaled));
    EXPECT_EQ(found.model().at.support, expected.model().at.support);
    if (factor > 1) continue;
    ASSERT_EQ(found.curve.size(), expected.curve.size());
    for (std::size_t i = 0; i < expected.curve.size(); ++i)
      EXPECT_NEAR(found.curve[i].lambda / factor, expected.curve[i].lambda,
                  1e-8 * expected.curve[i].lambda);
  }
}

TEST(Weights, TinyOnesDoNotMakeATinyColumnConstant) {
  Data data = random_data(5, ProblemSpec{.n = 40, .p = 4, .k = 4, .snr = 50});
  data.X.col(1) *= 1e-200;
  data.w = Vector::Constant(data.n(), 1e-290);
  const Fit found = fit(OwnedProblem(data), {.goal = OfSize{4}});
  EXPECT_TRUE(found.problem.constant.empty());
  EXPECT_EQ(found.model.at.support, (Support{0, 1, 2, 3}));
  const LeastSquares exact = least_squares(Centred(data), {0, 1, 2, 3});
  EXPECT_NEAR(found.rss / static_cast<double>(exact.rss), 1, 1e-9);
}

TEST(Weights, ARowThatIsTooHeavyIsNamedByEveryCall) {
  Data data = random_data(6, ProblemSpec{.n = 30, .p = 4, .k = 2});
  data.w = Vector::Ones(data.n());
  data.w[7] = 1e28;
  const OwnedProblem problem(data);
  const auto message_of = [&](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const std::string& message :
       {message_of([&] { fit(problem, {.goal = AtLambda{1}}); }),
        message_of([&] { path(problem); }), message_of([&] { cross_validate(problem); }),
        message_of([&] { select_by_criterion(problem); })}) {
    EXPECT_EQ(message.rfind("row 8: the weight 1e+28 is too large", 0), 0u) << message;
    EXPECT_NE(message.find("29"), std::string::npos) << message;
    EXPECT_NE(message.find("weight 0"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace lass0::testing
