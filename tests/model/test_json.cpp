// Models and fits as JSON: what is written is read back to the last bit, and what is not a model
// says why.
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <lass0/error.hpp>
#include <lass0/fit.hpp>
#include <limits>
#include <nlohmann/json.hpp>

namespace lass0 {
namespace {

using Json = nlohmann::ordered_json;
constexpr double kInf = std::numeric_limits<double>::infinity();

const std::vector<std::string> kNames = {"z", "a b", "größe", "m", "constant"};

Fit example_fit() {
  Fit fit;
  fit.model.at.support = {0, 1, 2};
  fit.model.at.coefficients.resize(3);
  fit.model.at.coefficients << 0.1, -1.0 / 3, 5e-324;
  fit.model.at.intercept = 1e308 / 3;
  fit.model.names = {"z", "a b", "größe"};
  fit.model.target = "y";
  fit.goal = AtLambda{2.5};
  fit.objective = 10;
  fit.rss = 5;
  fit.problem.tss = 20;
  fit.problem.n = 7;
  fit.problem.weight = 7;
  fit.problem.p = 5;
  fit.trace.start = Start::Method::paper;
  fit.trace.start_support = {1, 3};
  fit.trace.lasso =
      LassoPoint{.lambda = 2.5, .at = {}, .objective = 3, .relative_gap = 1e-9, .converged = true};
  fit.trace.moves = {{Move::Kind::add, 0, 2.0, 12.0}, {Move::Kind::remove, 3, 2.0, 10.0}};
  fit.problem.constant = {4};
  fit.effects = {1, 2, 3};
  return fit;
}

std::string why(const std::string& text) {
  try {
    model_from_json(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path(std::filesystem::temp_directory_path() /
             ("lass0_json_" + std::to_string(getpid()) + name)) {}
  ~TemporaryFile() { std::filesystem::remove(path); }
  const std::filesystem::path path;
};

TEST(Json, AModelRoundTripsToTheLastBit) {
  Fit fit = example_fit();
  fit.model.one_hot["colour"] = {"blue", "red, dark", ""};
  fit.model.imputed["z"] = 1.0 / 7;
  const Model model = model_from_json(to_json(fit, kNames));
  EXPECT_EQ(model.names, fit.model.names);
  EXPECT_EQ(model.target, "y");
  EXPECT_EQ(model.at.intercept, fit.model.at.intercept);
  EXPECT_EQ(model.at.support, (std::vector<Index>{0, 1, 2}));
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(model.at.coefficients[i], fit.model.at.coefficients[i]);
  EXPECT_EQ(model.one_hot, fit.model.one_hot);
  EXPECT_EQ(model.imputed, fit.model.imputed);
}

TEST(Json, AnyDoubleRoundTrips) {
  std::uint64_t state = 12345;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double value;
    std::memcpy(&value, &state, sizeof value);
    if (!std::isfinite(value)) continue;
    Fit fit = example_fit();
    fit.model.at.coefficients[1] = value;
    ASSERT_EQ(model_from_json(to_json(fit, kNames)).at.coefficients[1], value);
  }
}

TEST(Json, HasTheFieldsThatScriptsRelyOn) {
  const Json json = Json::parse(to_json(example_fit(), kNames));
  EXPECT_EQ(json["lambda"], 2.5);
  EXPECT_EQ(json["k"], 3);
  EXPECT_EQ(json["objective"], 10);
  EXPECT_EQ(json["rss"], 5);
  EXPECT_EQ(json["r_squared"], 0.75);
  EXPECT_EQ(json["n"], 7);
  EXPECT_EQ(json["p"], 5);
  EXPECT_EQ(json["support"], (Json{"z", "a b", "größe"}));
  EXPECT_EQ(json["coefficients"].begin().key(),
            "z");  // the order of the columns, not of the alphabet
  EXPECT_EQ(json["status"], "add_remove_optimum");
  EXPECT_EQ(json["start"]["method"], "paper");
  EXPECT_EQ(json["start"]["lambda1"], 2.5);
  EXPECT_EQ(json["start"]["support"], (Json{"a b", "m"}));
  EXPECT_EQ(json["lasso"]["converged"], true);
  EXPECT_EQ(json["moves"], 2);
  EXPECT_EQ(json["trace"][1]["column"], "m");
  EXPECT_EQ(json["trace"][1]["move"], "remove");
  EXPECT_EQ(json["trace"][1]["objective"], 10);
  EXPECT_TRUE(json["improving_swap"].is_null());
  EXPECT_EQ(json["aliased"], Json::array());
  EXPECT_EQ(json["constant"], Json{"constant"});
  EXPECT_FALSE(json.contains("power"));
  EXPECT_FALSE(json.contains("one_hot"));
  EXPECT_FALSE(json.contains("imputed"));
}

TEST(Json, OptionalFieldsAppearWhereTheyMeanSomething) {
  Fit fit = example_fit();
  fit.goal = AtLambda{.penalty = {2.5, 0.5}};
  fit.trace.start = Start::Method::empty;
  fit.trace.start_support.clear();
  fit.trace.lasso.reset();
  fit.improving_swap = Swap{0, 3, 0.25};
  const Json json = Json::parse(to_json(fit));
  EXPECT_EQ(json["power"], 0.5);
  EXPECT_EQ(json["start"]["method"], "empty");
  EXPECT_TRUE(json["start"]["lambda1"].is_null());
  EXPECT_FALSE(json.contains("lasso"));
  EXPECT_EQ(json["improving_swap"], (Json{{"remove", "x1"}, {"add", "x4"}, {"gain", 0.25}}));
  EXPECT_EQ(json["support"], (Json{"x1", "x2", "x3"}));
}

TEST(Json, AlternativesHaveTheirCost) {
  Fit fit = example_fit();
  EXPECT_TRUE(Json::parse(to_json(fit, kNames))["alternatives"].is_null()) << "not looked for";
  fit.alternatives = {{0, 3, 0.0}, {0, 4, 1.0}, {2, 3, -0.5}};
  Json json = Json::parse(to_json(fit, kNames))["alternatives"];
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[1], (Json{{"column", "z"},
                           {"stand_in", "constant"},
                           {"rss", 6.0},
                           {"increase", 0.2},
                           {"near_tie", true}}));
  EXPECT_EQ(json[2]["increase"], -0.1);
  fit.problem.ridge = 2;
  fit.ridge_penalty = 5;
  json = Json::parse(to_json(fit, kNames))["alternatives"];
  EXPECT_EQ(json[1], (Json{{"column", "z"},
                           {"stand_in", "constant"},
                           {"loss", 11.0},
                           {"increase", 0.1},
                           {"near_tie", true}}));
  fit.problem.weight = 1000;  // 500 log(1.1) = 48
  json = Json::parse(to_json(fit, kNames))["alternatives"];
  EXPECT_EQ(json[0]["near_tie"], true);
  EXPECT_EQ(json[1]["near_tie"], false);
  fit.rss = fit.ridge_penalty = 0;  // a perfect fit
  json = Json::parse(to_json(fit, kNames))["alternatives"];
  EXPECT_EQ(json[0]["increase"], 0.0);
  EXPECT_TRUE(json[1]["increase"].is_null());
}

TEST(Json, LeavingOutEachColumnHasItsCost) {
  Fit fit = example_fit();
  EXPECT_TRUE(Json::parse(to_json(fit, kNames))["without"].is_null()) << "not looked for";
  fit.alternatives.emplace();
  fit.without = {{0, 10.0}, {1, 0.0}, {2, 0.5}};
  EXPECT_EQ(Json::parse(to_json(fit, kNames))["without"],
            (Json{{"z", 2.0}, {"a b", 0.0}, {"größe", 0.1}}));
}

TEST(Json, IncludedColumnsAreNotCounted) {
  Fit fit = example_fit();
  EXPECT_FALSE(Json::parse(to_json(fit, kNames)).contains("include"));
  EXPECT_FALSE(Json::parse(to_json(fit, kNames)).contains("ridge"));
  fit.problem.include = {1, 4};
  fit.problem.ridge = 2.5;
  const Json json = Json::parse(to_json(fit, kNames));
  EXPECT_EQ(json["k"], 2);
  EXPECT_EQ(json["support"].size(), 3u);
  EXPECT_EQ(json["include"], (Json{"a b", "constant"}));
  EXPECT_EQ(json["ridge"], 2.5);
}

TEST(Json, ValuesThatAreNotFiniteAreAnErrorNeverNull) {
  for (const double bad : {kInf, -kInf, std::nan("")}) {
    Fit fit = example_fit();
    fit.rss = bad;
    EXPECT_THROW(to_json(fit, kNames), Error);
    fit = example_fit();
    fit.model.at.coefficients[2] = bad;
    EXPECT_THROW(to_json(fit, kNames), Error);
  }
}

TEST(Json, NamesThatAreNotUtf8AreAnError) {
  std::vector<std::string> names = kNames;
  names[0] =
      "gr\xf6\xdf"
      "e";
  EXPECT_THROW(to_json(example_fit(), names), Error);
}

TEST(Json, WhatIsNotAModelSaysWhy) {
  EXPECT_NE(why("x1,x2\n1,2\n").find("not JSON"), std::string::npos);
  EXPECT_NE(why("").find("not JSON"), std::string::npos);
  EXPECT_NE(why("[1, 2]").find("not an object"), std::string::npos);
  EXPECT_NE(why("{\"a\": 1}").find("'coefficients' is missing"), std::string::npos);
  EXPECT_NE(why(R"({"coefficients": {}})").find("'intercept' is missing"), std::string::npos);
  EXPECT_NE(why(R"({"coefficients": [1], "intercept": 0})").find("coefficients"),
            std::string::npos);
  EXPECT_NE(why(R"({"coefficients": {"a": "1"}, "intercept": 0})").find("the coefficient of 'a'"),
            std::string::npos);
  EXPECT_NE(why(R"({"coefficients": {"a": null}, "intercept": 0})").find("not a number"),
            std::string::npos);
  EXPECT_NE(why(R"({"coefficients": {"a": 1e999}, "intercept": 0})").find("not JSON"),
            std::string::npos);
  EXPECT_NE(why(R"({"coefficients": {}, "intercept": 0, "target": 3})").find("target"),
            std::string::npos);
  EXPECT_NE(why(R"({"coefficients": {}, "intercept": 0, "imputed": 3})").find("imputed"),
            std::string::npos);
  EXPECT_NE(why(R"({"coefficients": {}, "intercept": 0, "one_hot": {"c": 3}})").find("level"),
            std::string::npos);
  EXPECT_EQ(why(R"({"coefficients": {}, "intercept": 0})"), "");
}

TEST(Json, DeepNestingIsAnErrorWhereverItStands) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string objects = [] {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += R"({"a":)";
    return text + "1" + std::string(100'000, '}');
  }();
  for (const std::string& value : {deep, objects, deep.substr(0, 100'000)}) {
    for (const std::string& text :
         {value, R"({"coefficients": {}, "intercept": )" + value + "}",
          R"({"coefficients": {"a": )" + value + R"(}, "intercept": 0})",
          R"({"coefficients": {}, "intercept": 0, "target": )" + value + "}"})
      EXPECT_NE(why(text).find("nested"), std::string::npos);
  }
}

TEST(Json, AKeyThatOccursTwiceIsAnErrorThatNamesIt) {
  EXPECT_NE(why(R"({"coefficients": {"a": 1, "b": 2, "a": 3}, "intercept": 0})").find("'a'"),
            std::string::npos);
  EXPECT_NE(why(R"({"intercept": 1, "coefficients": {}, "intercept": 0})").find("'intercept'"),
            std::string::npos);
  EXPECT_EQ(why(R"({"coefficients": {"a": 1}, "intercept": 0, "imputed": {"a": 1, "b": 2}})"), "");
}

TEST(Json, EveryTruncationOfAModelIsAnError) {
  std::string text = to_json(example_fit(), kNames);
  while (text.back() != '}') text.pop_back();
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(why(text.substr(0, length)), "") << length;
}

TEST(Json, LoadModelReadsPlainAndCompressedFilesAndNamesTheFileInErrors) {
  const std::string text = to_json(example_fit(), kNames);
  const TemporaryFile plain("plain.json"), compressed("model.json.gz"), bad("bad.json");
  std::ofstream(plain.path) << text;
  const gzFile gz = gzopen(compressed.path.c_str(), "wb");
  gzwrite(gz, text.data(), static_cast<unsigned>(text.size()));
  gzclose(gz);
  std::ofstream(bad.path) << "{";

  EXPECT_EQ(load_model(plain.path).names, example_fit().model.names);
  EXPECT_EQ(load_model(compressed.path).names, example_fit().model.names);
  for (const std::string& path :
       {bad.path.string(), std::string("/no/such/model.json"), std::string("/")}) {
    try {
      load_model(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind(path + ": ", 0), 0u) << error.what();
    }
  }

  std::filesystem::resize_file(compressed.path, std::filesystem::file_size(compressed.path) / 2);
  EXPECT_THROW(load_model(compressed.path), Error);
}

}  // namespace
}  // namespace lass0
