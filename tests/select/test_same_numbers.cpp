// The library, the program and the Python package give the same numbers:
// python/tests/same_numbers.py wrote the problems and their answers, and checks the other two.
#include <gtest/gtest.h>

#include <fstream>
#include <lass0/cross_validate.hpp>
#include <nlohmann/json.hpp>

namespace lass0 {
namespace {

using nlohmann::json;

template <class T>
std::vector<T> list(const json& values) {
  return values.get<std::vector<T>>();
}

struct Case {
  Matrix X;
  std::vector<double> y, weights;
  std::vector<Index> include;
  bool intercept, standardize, tune_ridge;
  double ridge;

  explicit Case(const json& from)
      : y(list<double>(from["y"])), weights(list<double>(from["weights"])) {
    const json& options = from["options"];
    X.resize(std::ssize(y), static_cast<Index>(from["X"][0].size()));
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index j = 0; j < X.cols(); ++j)
        X(i, j) = from["X"][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<double>();
    }
    include = list<Index>(options.value("include", json::array()));
    intercept = options.value("intercept", true);
    standardize = options.value("standardize", true);
    tune_ridge = options.contains("ridge") && options["ridge"].is_string();
    ridge = tune_ridge ? 0.0 : options.value("ridge", 0.0);
  }

  Problem problem(const Design& design) const {
    return {.design = &design,
            .y = y,
            .weights = weights,
            .intercept = intercept,
            .standardize = standardize,
            .include = include,
            .ridge = ridge};
  }
};

void expect_close(double got, const json& want, const char* what) {
  EXPECT_NEAR(got, want.get<double>(), 1e-10 * std::abs(want.get<double>())) << what;
}

void expect_fit(const Fit& fit, const json& expected) {
  ASSERT_EQ(fit.model.at.support, list<Index>(expected["support"]));
  for (std::size_t i = 0; i < fit.model.at.support.size(); ++i)
    expect_close(fit.model.at.coefficients[static_cast<Index>(i)], expected["coefficients"][i],
                 "coefficient");
  expect_close(fit.model.at.intercept, expected["intercept"], "intercept");
  expect_close(fit.objective, expected["objective"], "objective");
  expect_close(fit.rss, expected["rss"], "rss");
}

TEST(SameNumbers, AsTheProgramAndThePythonPackage) {
  std::ifstream file(LASS0_SOURCE_DIR "/tests/fixtures/same_numbers.json");
  const json cases = json::parse(file);
  ASSERT_GT(cases.size(), 10u);
  for (const json& one : cases) {
    const Case data(one);
    const json &options = one["options"], &expected = one["expected"];
    SCOPED_TRACE(options.dump());
    const DenseDesign design(data.X);
    const Problem problem = data.problem(design);
    if (!options.contains("cv")) {
      const bool paper = options.value("start", "table") == "paper";
      FitGoal goal = AtLambda{.penalty = {options.value("lambda", 0.0)},
                              .start = paper ? Start::paper() : Start::table()};
      if (options.contains("k")) goal = OfSize{options["k"].get<Index>()};
      expect_fit(fit(problem, {.goal = goal}), expected);
      continue;
    }
    const json& folds = options["cv"];
    const CrossValidation cv =
        cross_validate(problem, {.folds = folds["folds"].get<Index>(),
                                 .seed = folds["seed"].get<std::uint64_t>(),
                                 .tune = folds["tune"] == "k" ? Tune::k : Tune::lambda,
                                 .rule = folds["rule"] == "1se" ? Rule::one_se : Rule::min,
                                 .tune_ridge = data.tune_ridge});
    expect_fit(cv.fit, expected);
    expect_close(cv.best().mean_error, expected["mean_error"], "mean error");
    expect_close(cv.best().ridge, expected["ridge"], "ridge");
  }
}

}  // namespace
}  // namespace lass0
