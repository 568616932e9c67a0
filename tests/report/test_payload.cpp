// The data of a report are those of the results, and stay few however large the problem is.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/fit.hpp>
#include <lass0/report.hpp>
#include <nlohmann/json.hpp>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

using Json = nlohmann::json;

// The columns of X that a list of the page's columns means.
std::vector<Index> columns(const Json& payload, const Json& ids) {
  std::vector<Index> list;
  for (const Json& id : ids)
    list.push_back(payload["columns"][id.get<std::size_t>()]["number"].get<Index>() - 1);
  return list;
}

double weighted_mean(const Data& data, const Vector& x) {
  double sum = 0, weight = 0;
  for (Index i = 0; i < x.size(); ++i) {
    sum += data.weight(i) * x[i];
    weight += data.weight(i);
  }
  return sum / weight;
}

double covariance(const Data& data, const Vector& a, const Vector& b) {
  return weighted_mean(
      data, ((a.array() - weighted_mean(data, a)) * (b.array() - weighted_mean(data, b))).matrix());
}

double correlation(const Data& data, const Vector& a, const Vector& b) {
  return covariance(data, a, b) / std::sqrt(covariance(data, a, a) * covariance(data, b, b));
}

double data_weight(const Data& data) {
  double weight = 0;
  for (Index i = 0; i < data.n(); ++i) weight += data.weight(i);
  return weight;
}

// As many random problems of all kinds.
constexpr std::uint64_t kProblems = 30;

TEST(Report, HasTheModelsOfThePath) {
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem problem(random_general_data(seed, 12));
    const Data& data = problem.data();
    const Path path = lass0::path(problem);
    const Json payload = Json::parse(report_json(problem, path));
    ASSERT_EQ(payload["models"].size(), path.table.rows.size());
    const Json& shown = payload["rows"];
    for (std::size_t k = 0; k < path.models.size(); ++k) {
      SCOPED_TRACE(k);
      const Json& model = payload["models"][k];
      EXPECT_EQ(model["k"], k);
      EXPECT_EQ(columns(payload, model["support"]), path.models[k].support);
      EXPECT_EQ(model["intercept"], path.models[k].intercept);
      EXPECT_NEAR(model["rss"], path.rss[k], 1e-9 * path.rss[0]);
      EXPECT_EQ(model["on_envelope"], path.table.rows[k].lambda_min.has_value());
      Vector rest = data.y.array() - path.models[k].intercept;
      for (Index l = 0; l < path.models[k].coefficients.size(); ++l) {
        EXPECT_EQ(model["coefficients"][static_cast<std::size_t>(l)],
                  path.models[k].coefficients[l]);
        rest -= path.models[k].coefficients[l] *
                data.X.col(path.models[k].support[static_cast<std::size_t>(l)]);
      }
      ASSERT_EQ(model["residuals"].size(), shown["number"].size());
      for (std::size_t r = 0; r < shown["number"].size(); ++r) {
        const Index i = shown["number"][r].get<Index>() - 1;
        EXPECT_GT(data.weight(i), 0);
        EXPECT_EQ(shown["observed"][r], data.y[i]);
        EXPECT_NEAR(model["residuals"][r], rest[i],
                    1e-5 * std::abs(rest[i]) + 1e-9 * data.y.norm());
      }
    }
  }
}

TEST(Report, DescribesColumnsAndTheirNeighboursByDefinition) {
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem problem(random_general_data(seed, 12));
    const Data& data = problem.data();
    const Json payload = Json::parse(report_json(problem, lass0::path(problem)));
    for (const Json& column : payload["columns"]) {
      const Vector x = data.X.col(column["number"].get<Index>() - 1);
      EXPECT_EQ(column["name"], "x" + std::to_string(column["number"].get<Index>()));
      EXPECT_NEAR(column["mean"], weighted_mean(data, x), 1e-9 * x.norm());
      EXPECT_NEAR(column["target_r"], correlation(data, x, data.y), 1e-5);
    }
    EXPECT_FALSE(payload["neighbours"].empty() && payload["models"].size() > 1);
    for (const Json& one : payload["neighbours"]) {
      const Index j = columns(payload, {one["column"]}).front();
      double last = 1;
      for (const Json& other : one["nearest"]) {
        const Index l = columns(payload, {other["column"]}).front();
        EXPECT_NE(j, l);
        EXPECT_NEAR(other["r"], correlation(data, data.X.col(j), data.X.col(l)), 1e-5);
        EXPECT_LE(std::abs(other["r"].get<double>()), last + 1e-5);
        last = std::abs(other["r"].get<double>());
      }
    }
  }
}

TEST(Report, StandInsCostWhatARefitSays) {
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem problem(random_data(seed, 10));
    const Path path = lass0::path(problem);
    const Json payload = Json::parse(report_json(problem, path));
    for (std::size_t k = 0; k < path.models.size(); ++k) {
      for (const Json& one : payload["models"][k]["stand_ins"]) {
        const Index member = columns(payload, {one[0]}).front();
        std::vector<Index> support = path.table.rows[k].support;
        std::replace(support.begin(), support.end(), member, columns(payload, {one[1]}).front());
        const double rss = residual_sum_of_squares(problem, refit(problem, support));
        EXPECT_NEAR(path.rss[k] * (1 + one[2].get<double>()), rss, 1e-5 * rss + 1e-9 * path.rss[0]);
        EXPECT_TRUE(near_tie(1, one[2].get<double>(), data_weight(problem.data())));
      }
      for (const Json& one : payload["models"][k]["without"]) {
        std::vector<Index> support = path.table.rows[k].support;
        std::erase(support, columns(payload, {one[0]}).front());
        const double rss = residual_sum_of_squares(problem, refit(problem, support));
        if (path.rss[k] > 1e-9 * path.rss[0]) {
          EXPECT_NEAR(path.rss[k] * (1 + one[1].get<double>()), rss,
                      1e-5 * rss + 1e-9 * path.rss[0]);
        }
      }
      if (!payload["models"][k]["stand_ins"].is_null()) {
        EXPECT_EQ(payload["models"][k]["without"].size(), k);
      }
    }
  }
}

TEST(Report, StandInsAreThoseOfTheRowsWhereAllWeightsAreSmall) {
  Data data = random_data(8, ProblemSpec{.n = 200, .p = 10, .k = 4, .rho = 0.9, .snr = 2});
  const auto stand_ins = [&] {
    const OwnedProblem problem(data);
    std::vector<std::pair<Index, Index>> pairs;
    const Json payload = Json::parse(report_json(problem, lass0::path(problem)));
    for (const Json& one : payload["models"][4]["stand_ins"])
      pairs.emplace_back(columns(payload, {one[0]}).front(), columns(payload, {one[1]}).front());
    return pairs;
  };
  const auto expected = stand_ins();
  EXPECT_GT(expected.size(), 0u);
  for (const double weight : {1.0 / 200, 1e-9}) {
    data.w = Vector::Constant(data.n(), weight);
    EXPECT_EQ(stand_ins(), expected) << weight;
  }
}

TEST(Report, OpensWithTheChosenModel) {
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem problem(random_data(seed, 10));
    for (const auto start : {Start::Method::table, Start::Method::paper}) {
      const CrossValidation cv = cross_validate(
          problem,
          {.folds = 3, .rule = Rule::min, .lambdas = 20, .start = start, .tune_ridge = false});
      const Json payload = Json::parse(report_json(problem, cv));
      const Json& shown = payload["models"][payload["shown"].get<std::size_t>()];
      EXPECT_EQ(columns(payload, shown["support"]), cv.fit.model.at.support);
      EXPECT_NEAR(shown["rss"], cv.fit.rss, 1e-9 * cv.fit.problem.tss);
      EXPECT_EQ(payload["curve"]["points"].size(), cv.curve.size());
      EXPECT_EQ(payload["curve"]["chosen"], cv.chosen);
      EXPECT_EQ(payload["fit"]["status"], std::string(to_string(cv.fit.status)));
    }
    const CriterionSelection bic = select_by_criterion(problem);
    const Json payload = Json::parse(report_json(problem, bic));
    const Json& shown = payload["models"][payload["shown"].get<std::size_t>()];
    EXPECT_EQ(columns(payload, shown["support"]), bic.fit.model.at.support);
    EXPECT_EQ(payload["criterion"]["points"].size(), bic.curve.size());
  }
}

TEST(Report, OfAFitHasItsModelAndItsNearOptimalModels) {
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem problem(random_general_data(seed, 9));
    FitOptions options{.goal = AtLambda{1.0}, .prove = true};
    options.near_optimal.emplace();
    const Fit fit = lass0::fit(problem, options);
    const Json payload = Json::parse(report_json(problem, fit));
    EXPECT_EQ(payload["kind"], "fit");
    const Json& shown = payload["models"][payload["shown"].get<std::size_t>()];
    EXPECT_EQ(columns(payload, shown["support"]), fit.model.at.support);
    const Json& near = payload["near_optimal"];
    EXPECT_EQ(near["count"], fit.near_optimal->count);
    ASSERT_EQ(near["models"].size(), std::min<std::size_t>(200, fit.near_optimal->models.size()));
    for (std::size_t i = 0; i < near["models"].size(); ++i) {
      EXPECT_EQ(columns(payload, near["models"][i]["support"]),
                fit.near_optimal->models[i].support);
    }
    std::size_t all = 0;
    for (const auto& [name, total] : near["classes"].items()) all += total.get<std::size_t>();
    EXPECT_EQ(all, fit.near_optimal->columns.size());
    for (const Json& one : near["columns"]) EXPECT_NE(one["class"], "never");
    options.near_optimal.reset();
    EXPECT_FALSE(
        Json::parse(report_json(problem, lass0::fit(problem, options))).contains("near_optimal"));
  }
}

TEST(Report, IsTheSameForAnyNumberOfThreads) {
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem problem(random_general_data(seed, 12));
    const Path path = lass0::path(problem);
    ReportContext one, two;
    one.control.threads = 1;
    two.control.threads = 2;
    EXPECT_EQ(report_json(problem, path, one), report_json(problem, path, two));
  }
}

TEST(ReportSize, DoesNotGrowWithTheData) {
  const OwnedProblem wide(random_data(1, ProblemSpec{.n = 40, .p = 3000}));
  const Json of_wide = Json::parse(report_json(wide, lass0::path(wide, {.max_k = 10})));
  EXPECT_LT(of_wide["columns"].size(), 400u);

  const OwnedProblem tall(random_data(2, ProblemSpec{.n = 5000, .p = 12}));
  const Path path = lass0::path(tall);
  const Json of_tall = Json::parse(report_json(tall, path));
  EXPECT_LE(of_tall["rows"]["number"].size(), 2000u);
  EXPECT_GT(of_tall["rows"]["number"].size(), 1900u);
  EXPECT_EQ(of_tall["rows"]["total"], 5000);

  const OwnedProblem deep(random_data(3, ProblemSpec{.n = 600, .p = 150}));
  const Json of_deep = Json::parse(report_json(deep, lass0::path(deep, {.max_k = 150})));
  EXPECT_EQ(of_deep["models"].size(), 101u);
  EXPECT_EQ(of_deep["largest_size"], 150);
}

TEST(ReportNotes, NameConstantAndAliasedColumns) {
  Data data = random_data(5, ProblemSpec{.n = 60, .p = 4, .k = 4, .snr = 50});
  data.append(scaled_copy(data, 0, 2));
  data.append(Vector::Constant(60, 3));
  const OwnedProblem problem(data);
  const CrossValidation cv =
      cross_validate(problem, {.folds = 4, .rule = Rule::min, .tune_ridge = false});
  const Json payload = Json::parse(report_json(problem, cv, {.rows_dropped = 7, .imputed = {"a"}}));
  const Json& notes = payload["notes"];
  EXPECT_EQ(notes["constant"]["names"], Json::array({"x6"}));
  EXPECT_EQ(notes["aliased"]["count"], cv.fit.aliased.size());
  EXPECT_EQ(notes["imputed"]["names"], Json::array({"a"}));
  EXPECT_EQ(notes["rows_dropped"], 7);
}

// Nothing varies, nothing is left over, nothing can be chosen: still a report.
TEST(ReportEdges, DegenerateProblemsHaveOne) {
  Matrix X(6, 2);
  X << 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1;
  for (const Vector& y :
       {Vector(Vector::Constant(6, 2)), Vector(2 * X.col(0)), Vector(Vector::Zero(6))}) {
    for (const bool intercept : {true, false}) {
      const DenseDesign design(X);
      Problem problem;
      problem.design = &design;
      problem.y = {y.data(), 6};
      problem.intercept = intercept;
      const Json payload = Json::parse(report_json(problem, lass0::path(problem)));
      EXPECT_FALSE(payload["models"].empty());
      EXPECT_LT(payload["shown"], payload["models"].size());
    }
  }
}

}  // namespace
}  // namespace lass0::testing
