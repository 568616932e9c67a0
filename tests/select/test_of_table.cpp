// Results of a table keep how it was read: a later table gets the same columns.
#include <gtest/gtest.h>

#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/io.hpp>
#include <lass0/path.hpp>
#include <nlohmann/json.hpp>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// Two numbers, and a text column of two levels of which the second has a column.
Table small_table() {
  Rng rng(7);
  Matrix X(30, 3);
  Vector y(30);
  for (Index i = 0; i < X.rows(); ++i) {
    X(i, 0) = rng.normal();
    X(i, 1) = rng.normal();
    X(i, 2) = static_cast<double>(i % 2);
    y[i] = 2 * X(i, 0) - X(i, 2) + 0.1 * rng.normal();
  }
  Table table = Table::dense(X, y, {"a", "b", "colour=red"});
  table.target = "price";
  table.one_hot["colour"] = {"blue", "red"};
  table.imputed["a"] = 0.25;
  return table;
}

void expect_kept(const Table& table, const Fit& fit) {
  EXPECT_EQ(fit.model.target, "price");
  EXPECT_EQ(fit.model.one_hot, table.one_hot);
  EXPECT_EQ(fit.model.imputed, table.imputed);
  EXPECT_EQ(fit.model.names, (std::vector<std::string>{"a", "colour=red"}));
  const Model saved = model_from_json(to_json(fit));
  EXPECT_EQ(saved.one_hot, table.one_hot);
  EXPECT_EQ(saved.imputed, table.imputed);
  EXPECT_EQ(saved.names, fit.model.names);
  EXPECT_EQ(for_prediction(saved).known_levels, table.one_hot);
  EXPECT_LT((saved.predict(table) - fit.model.predict(table.design())).norm(), 1e-12);
}

TEST(OfTable, EveryResultKeepsLevelsMeansAndNames) {
  const Table table = small_table();
  expect_kept(table, fit(table, {.goal = OfSize{2}}));
  expect_kept(table, fit(table, {.goal = AtLambda{1}}));
  expect_kept(
      table,
      cross_validate(table, {.folds = 5, .tune = Tune::k, .rule = Rule::min, .tune_ridge = false})
          .fit);
  expect_kept(table, select_by_criterion(table).fit);
  const auto json = nlohmann::json::parse(to_json(path(table, {.max_k = 1})));
  EXPECT_EQ(json["steps"][1]["support"][0], "a");
}

TEST(OfTable, ChoicesAreThoseOfTheProblem) {
  const Table table = small_table();
  Problem problem = table.problem(false, false);
  problem.ridge = 3;
  const Fit found =
      fit(table, {.goal = OfSize{2}}, {.intercept = false, .standardize = false, .ridge = 3});
  const Fit expected = fit(problem, {.goal = OfSize{2}});
  EXPECT_EQ(found.model.at.coefficients, expected.model.at.coefficients);
  EXPECT_EQ(found.model.at.intercept, 0);
  EXPECT_EQ(found.problem.ridge, 3);
}

TEST(OfTable, FoldsOfTheTableCountWhereTheOptionsHaveNone) {
  Table table = small_table();
  for (Index i = 0; i < 30; ++i) table.folds.push_back(static_cast<int>(i / 10));
  EXPECT_EQ(cross_validate(table, {.rule = Rule::min, .tune_ridge = false}).folds, 3);
  std::vector<int> halves(30, 0);
  std::fill(halves.begin() + 15, halves.end(), 1);
  EXPECT_EQ(
      cross_validate(table, {.fold_labels = halves, .rule = Rule::min, .tune_ridge = false}).folds,
      2);
}

}  // namespace
}  // namespace lass0::testing
