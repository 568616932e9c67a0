// The JSON of targets that are not squares: what scripts rely on, and what a prediction reads back.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/error.hpp>
#include <lass0/fit.hpp>
#include <lass0/path.hpp>
#include <nlohmann/json.hpp>

namespace lass0 {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kNames = {"age", "debt", "rate"};

Fit example() {
  Fit fit;
  fit.model.at.support = {0, 2};
  fit.model.at.coefficients.resize(2);
  fit.model.at.coefficients << 1.0 / 3, -2;
  fit.model.at.intercept = -0.5;
  fit.model.names = {"age", "rate"};
  fit.model.target = "default";
  fit.model.family = fit.problem.family = Family::binomial;
  fit.model.classes = {"no", "yes"};
  fit.model.offset = "prior";
  fit.goal = AtLambda{2.5};
  fit.objective = 30;
  fit.rss = 50;
  fit.problem.tss = 80;
  fit.problem.n = 100;
  fit.problem.weight = 100;
  fit.problem.p = 3;
  fit.status = Status::second_order_optimum;
  fit.effects = {1, 2};
  fit.confusion = Confusion{60, 5, 10, 25};
  return fit;
}

TEST(FamilyJson, AFitHasTheLikelihoodWhereSquaresHaveTheRss) {
  Fit fit = example();
  fit.alternatives = {{0, 1, 10}};
  const Json json = Json::parse(to_json(fit, kNames));
  EXPECT_EQ(json["family"], "binomial");
  EXPECT_EQ(json["classes"], Json({"no", "yes"}));
  EXPECT_EQ(json["offset"], "prior");
  EXPECT_EQ(json["loss"], 25);
  EXPECT_EQ(json["deviance"], 50);
  EXPECT_EQ(json["null_deviance"], 80);
  EXPECT_EQ(json["deviance_explained"], 1 - 50.0 / 80);
  EXPECT_FALSE(json.contains("rss"));
  EXPECT_FALSE(json.contains("r_squared"));
  EXPECT_EQ(json["status"], "second_order_optimum");
  EXPECT_EQ(json["odds_ratios"], Json({{"age", std::exp(1.0 / 3)}, {"rate", std::exp(-2.0)}}));
  EXPECT_EQ(json["confusion"]["true_negative"], 60);
  EXPECT_EQ(json["confusion"]["false_positive"], 5);
  EXPECT_EQ(json["confusion"]["false_negative"], 10);
  EXPECT_EQ(json["confusion"]["true_positive"], 25);
  EXPECT_EQ(json["alternatives"][0]["loss"], 30);
  EXPECT_FALSE(json["alternatives"][0].contains("rss"));
}

TEST(FamilyJson, OddsBeyondADoubleAreNull) {
  Fit fit = example();
  fit.model.at.coefficients[1] = 1000;
  const Json json = Json::parse(to_json(fit, kNames));
  EXPECT_TRUE(json["odds_ratios"]["rate"].is_null());
  EXPECT_EQ(json["coefficients"]["rate"], 1000);
}

TEST(FamilyJson, SquaresAreWrittenAsBefore) {
  Fit fit = example();
  fit.model.family = fit.problem.family = Family::gaussian;
  fit.model.classes.clear();
  fit.model.offset.clear();
  fit.confusion.reset();
  const Json json = Json::parse(to_json(fit, kNames));
  EXPECT_EQ(json["family"], "gaussian");
  EXPECT_EQ(json["rss"], 50);
  for (const char* key : {"loss", "deviance", "null_deviance", "deviance_explained", "odds_ratios",
                          "confusion", "classes", "offset"})
    EXPECT_FALSE(json.contains(key)) << key;
}

TEST(FamilyJson, AModelIsReadBack) {
  const Model model = model_from_json(to_json(example(), kNames));
  EXPECT_EQ(model.family, Family::binomial);
  EXPECT_EQ(model.classes, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(model.offset, "prior");
  EXPECT_EQ(model.at.coefficients[0], 1.0 / 3);
}

TEST(FamilyJson, APathHasTheLossOfEveryStep) {
  Path path;
  path.problem.family = path.reading.family = Family::binomial;
  path.problem.tss = 80;
  path.reading.classes = {"0", "1"};
  path.reading.offset = "prior";
  path.table.rows = {{.support = {}, .loss = 80}, {.support = {1}, .loss = 60}};
  path.table.separated_by = {0, 2};
  path.models = {{}, {.support = {1}, .coefficients = Vector::Constant(1, 0.1), .intercept = 2}};
  path.rss = {80, 58};
  Json json = Json::parse(to_json(path, kNames));
  EXPECT_EQ(json["null_deviance"], 80);
  EXPECT_EQ(json["steps"][0]["loss"], 40);
  EXPECT_EQ(json["steps"][1]["loss"], 29);
  EXPECT_EQ(json["steps"][1]["deviance"], 58);
  EXPECT_FALSE(json["steps"][1].contains("rss"));
  EXPECT_FALSE(json["steps"][1].contains("penalized_loss"));
  EXPECT_EQ(json["separated_by"], Json({"age", "rate"}));
  const Model model = model_from_json(json.dump(), {.k = 1});
  EXPECT_EQ(model.family, Family::binomial);
  EXPECT_EQ(model.classes, path.reading.classes);
  EXPECT_EQ(model.offset, "prior");
  EXPECT_EQ(model.at.coefficients[0], 0.1);

  path.problem.ridge = 1;
  path.table.separated_by.clear();
  json = Json::parse(to_json(path, kNames));
  EXPECT_EQ(json["steps"][1]["penalized_loss"], 30);
  EXPECT_FALSE(json.contains("separated_by"));
}

TEST(FamilyJson, WhatIsNotKnownSaysSo) {
  const auto why = [](const char* key, const Json& value) -> std::string {
    Json json = Json::parse(to_json(example(), kNames));
    json[key] = value;
    try {
      model_from_json(json.dump());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why("family", "cauchy"), "the family 'cauchy' is not one that this version knows");
  EXPECT_EQ(why("family", 3), "the family is 3, not a text");
  EXPECT_EQ(why("classes", Json({"a", "b", "c"})), "'classes' does not have two classes");
  EXPECT_EQ(why("classes", "a"), "'classes' is not a list [...]");
  EXPECT_EQ(why("offset", 1), "the offset is 1, not a text");
}

}  // namespace
}  // namespace lass0
