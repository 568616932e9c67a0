// lass0 predict, as a process: fit, save, load and predict equals the arithmetic done by hand.
#include <algorithm>
#include <cmath>

#include "app/process.hpp"

namespace lass0 {
namespace {

using PredictProgram = ProgramTest;

using NumberTable = std::vector<std::vector<double>>;

NumberTable parse_csv(const std::string& text, std::vector<std::string>& names) {
  std::istringstream lines(text);
  NumberTable rows;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) {
      if (rows.empty() && !cell.empty() && (std::isalpha(cell[0]) != 0))
        names.push_back(cell);
      else
        row.push_back(std::stod(cell));
    }
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

TEST_F(PredictProgram, EqualsTheArithmeticDoneByHand) {
  output({"simulate", "--n", "120", "--p", "20", "--k", "5", "--seed", "9", "--output", "d.csv"});
  output({"fit", "d.csv", "--target", "y", "--lambda", "1", "--model", "m.json"});
  const Outcome outcome = run({"predict", "m.json", "d.csv"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;

  std::vector<std::string> names, header;
  const NumberTable data = parse_csv(read("d.csv"), names);
  const NumberTable predictions = parse_csv(outcome.out, header);
  const Json model = Json::parse(read("m.json"));
  EXPECT_EQ(header, std::vector<std::string>{"prediction"});
  ASSERT_EQ(predictions.size(), 120u);
  double rss = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    double expected = model["intercept"];
    for (std::size_t j = 0; j + 1 < names.size(); ++j) {
      if (model["coefficients"].contains(names[j]))
        expected += data[i][j] * model["coefficients"][names[j]].get<double>();
    }
    EXPECT_NEAR(predictions[i][0], expected, 1e-12);
    rss += std::pow(data[i].back() - expected, 2);
  }
  EXPECT_NEAR(model["rss"].get<double>(), rss, 1e-9 * rss);
}

TEST_F(PredictProgram, ColumnsAreFoundByNameAndOthersIgnored) {
  write("m.json", R"({"intercept": 0.5, "coefficients": {"b": 2, "a": -1}, "target": "y"})");
  write("d.csv", "text,a,b\nhello,1,10\nworld,2,0.25\n");
  EXPECT_EQ(output({"predict", "m.json", "d.csv"}), "prediction\n19.5\n-1\n");
  EXPECT_EQ(Json::parse(output({"predict", "m.json", "d.csv", "--format", "json"})),
            Json::parse(R"({"predictions": [19.5, -1.0]})"));
}

TEST_F(PredictProgram, PredictionsHaveAllTheirDigits) {
  write("m.json", R"({"intercept": 0, "coefficients": {"a": 0.1}})");
  write("d.csv", "a,b\n3,0\n1e-300,0\n1e300,0\n");
  EXPECT_EQ(output({"predict", "m.json", "d.csv"}),
            "prediction\n0.30000000000000004\n1e-301\n1e+299\n");
}

TEST_F(PredictProgram, ModelOrDataMayComeFromStandardInput) {
  write("m.json", R"({"intercept": 1, "coefficients": {"a": 1}})");
  write("d.csv", "a,b\n1,2\n3,4\n");
  EXPECT_EQ(run({"predict", "-", "d.csv"}, "m.json").out, "prediction\n2\n4\n");
  EXPECT_EQ(run({"predict", "m.json", "-"}, "d.csv").out, "prediction\n2\n4\n");
}

TEST_F(PredictProgram, TheOutputFileIsWrittenWholeOrNotAtAll) {
  write("m.json", R"({"intercept": 1, "coefficients": {"a": 1}})");
  write("d.csv", "a,b\n1,2\n3,4\n");
  EXPECT_EQ(output({"predict", "m.json", "d.csv", "--output", "p.csv"}), "");
  EXPECT_EQ(read("p.csv"), "prediction\n2\n4\n");
  write("bad.csv", "a,b\n1,2\nx,4\n");
  expect_failure(1, {"predict", "m.json", "bad.csv", "--output", "p.csv"}, {"bad.csv"});
  EXPECT_EQ(read("p.csv"), "prediction\n2\n4\n");
  EXPECT_EQ(files(), (std::vector<std::string>{"bad.csv", "d.csv", "m.json", "p.csv"}));
}

TEST_F(PredictProgram, TheTargetIsNotNeededButIsComparedWhereItIs) {
  write("m.json", R"({"intercept": 1, "coefficients": {"a": 1}, "target": "y"})");
  write("d.csv", "a,y\n1,2\n3,5\n");
  const Outcome outcome = run({"predict", "m.json", "d.csv"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "prediction\n2\n4\n");
  EXPECT_NE(outcome.err.find("RMSE 0.707107"), std::string::npos) << outcome.err;
}

TEST_F(PredictProgram, TheRowsOfTheFitAreCalledSo) {
  output({"simulate", "--n", "60", "--p", "5", "--k", "2", "--seed", "3", "--output", "d.csv"});
  output({"simulate", "--n", "60", "--p", "5", "--k", "2", "--seed", "4", "--output", "e.csv"});
  output({"fit", "d.csv", "--target", "y", "--k", "2", "--model", "m.json"});
  const auto note = [&](const std::string& file) {
    return run({"predict", "m.json", file, "--output", "p.csv"}).err;
  };
  EXPECT_NE(note("d.csv").find(" on the 60 rows of the fit, not on new rows\n"), std::string::npos)
      << note("d.csv");
  EXPECT_NE(note("e.csv").find(" on these 60 rows\n"), std::string::npos) << note("e.csv");
  // A model without the checksum knows nothing of its rows.
  Json model = Json::parse(read("m.json"));
  model.erase("target_checksum");
  write("m.json", model.dump());
  EXPECT_NE(note("d.csv").find(" on these 60 rows\n"), std::string::npos) << note("d.csv");
  write("m.json", R"({"intercept": 1, "coefficients": {}, "target_checksum": "xyz"})");
  expect_failure(1, {"predict", "m.json", "d.csv"}, {"m.json", "xyz"});
}

TEST_F(PredictProgram, IdsAreCopiedToTheOutput) {
  write("m.json", R"({"intercept": 0, "coefficients": {"a": 2}})");
  write("d.csv", "a,who\n1,007\n2,\"Doe, \"\"J\"\"\"\n3,NA\n");
  EXPECT_EQ(output({"predict", "m.json", "d.csv", "--id", "who"}),
            "who,prediction\n007,2\n\"Doe, \"\"J\"\"\",4\nNA,6\n");
  EXPECT_EQ(output({"predict", "m.json", "d.csv", "--id", "1"}), "a,prediction\n1,2\n2,4\n3,6\n");
  EXPECT_EQ(json({"predict", "m.json", "d.csv", "--id", "who"}),
            Json::parse(R"({"ids": ["007", "Doe, \"J\"", "NA"], "predictions": [2.0, 4.0, 6.0]})"));
  expect_failure(1, {"predict", "m.json", "d.csv", "--id", "name"}, {"d.csv", "'name'", "ID"});
  write("latin.csv", "a,who\n1,J\xF6rg\n");
  EXPECT_EQ(output({"predict", "m.json", "latin.csv", "--id", "who"}),
            "who,prediction\nJ\xF6rg,2\n");
  expect_failure(1, {"predict", "m.json", "latin.csv", "--id", "who", "--format", "json"},
                 {"latin.csv", "row 1, column 'who'", "UTF-8"});
}

TEST_F(PredictProgram, AMissingValueWithoutAMeanSaysWhatToDo) {
  write("m.json", R"({"intercept": 0, "coefficients": {"a": 2}})");
  write("d.csv", "a,b\n1,2\n,3\n");
  expect_failure(1, {"predict", "m.json", "d.csv"},
                 {"d.csv: row 2, column 'a'", "fill it in or drop such rows", "--missing mean"});
}

TEST_F(PredictProgram, TextColumnsAndMissingValuesAreReadAsAtTheFit) {
  write("d.csv",
        "colour,a,y\nred,1,11\nblue,2,2.1\ngreen,3,23\nred,,12.5\nblue,5,5\ngreen,6,26.2\n");
  const Json fit = json({"fit", "d.csv", "--target", "y", "--one-hot", "colour", "--missing",
                         "mean", "--lambda", "0.01", "--model", "m.json"});
  EXPECT_EQ(fit["one_hot"]["colour"].size(), 3u);
  EXPECT_NEAR(fit["imputed"]["a"].get<double>(), 3.4, 1e-12);
  write("new.csv", "a,colour\n,green\n2,blue\n");
  const Json found = json({"predict", "m.json", "new.csv"})["predictions"];
  const Json& b = fit["coefficients"];
  const auto coefficient = [&](const std::string& name) {
    return b.contains(name) ? b[name].get<double>() : 0.0;
  };
  const double intercept = fit["intercept"];
  EXPECT_NEAR(found[0].get<double>(),
              intercept + 3.4 * coefficient("a") + coefficient("colour=green"), 1e-9);
  EXPECT_NEAR(found[1].get<double>(), intercept + 2 * coefficient("a") + coefficient("colour=blue"),
              1e-9);
}

TEST_F(PredictProgram, AnotherSizeOrLambdaOfASavedFile) {
  output({"simulate", "--n", "90", "--p", "8", "--k", "3", "--seed", "4", "--output", "d.csv"});
  output({"cv", "d.csv", "--target", "y", "--model", "cv.json"});
  write("path.json", output({"path", "d.csv", "--target", "y", "--format", "json"}));
  for (const std::string k : {"0", "2", "5"}) {
    output({"fit", "d.csv", "--target", "y", "--k", k, "--model", "fit.json"});
    const Json expected =
        Json::parse(run({"predict", "fit.json", "d.csv", "--format", "json"}).out);
    for (const std::string file : {"cv.json", "path.json"}) {
      const Json found =
          Json::parse(run({"predict", file, "d.csv", "--k", k, "--format", "json"}).out);
      for (std::size_t i = 0; i < 90; ++i)
        EXPECT_NEAR(found["predictions"][i].get<double>(), expected["predictions"][i].get<double>(),
                    1e-9);
    }
  }
  output({"fit", "d.csv", "--target", "y", "--lambda", "3", "--model", "fit.json"});
  EXPECT_EQ(run({"predict", "path.json", "d.csv", "--lambda", "1e9"}).out,
            run({"predict", "path.json", "d.csv", "--k", "0"}).out);
  expect_failure(1, {"predict", "fit.json", "d.csv", "--k", "2"}, {"fit.json", "one model only"});
  expect_failure(1, {"predict", "path.json", "d.csv"}, {"path.json", "--k"});
  expect_failure(1, {"predict", "path.json", "d.csv", "--k", "9"}, {"path.json", "0 to 8"});
  expect_failure(2, {"predict", "path.json", "d.csv", "--k", "2", "--lambda", "1"}, {"--lambda"});
  expect_failure(2, {"predict", "path.json", "d.csv", "--k", "-1"}, {"--k"});
}

// The definition on the numbers of the file: folds, residuals, quantiles.
TEST_F(PredictProgram, IntervalsAreThoseOfTheFoldModelsInTheFile) {
  output({"simulate", "--n", "50", "--p", "6", "--k", "2", "--seed", "5", "--output", "d.csv"});
  output({"cv", "d.csv", "--target", "y", "--folds", "5", "--model", "m.json"});
  std::vector<std::string> names, header;
  const NumberTable data = parse_csv(read("d.csv"), names);
  const NumberTable found =
      parse_csv(run({"predict", "m.json", "d.csv", "--intervals", "0.9"}).out, header);
  EXPECT_EQ(header, (std::vector<std::string>{"prediction", "lower", "upper"}));
  const Json model = Json::parse(read("m.json"));
  const auto predict = [&](const Json& at, std::size_t row) {
    double value = at["intercept"];
    for (std::size_t j = 0; j + 1 < names.size(); ++j) {
      if (at["coefficients"].contains(names[j]))
        value += data[row][j] * at["coefficients"][names[j]].get<double>();
    }
    return value;
  };
  for (std::size_t i = 0; i < 50; ++i) {
    std::vector<double> low, high;
    for (const Json& fold : model["intervals"]["folds"]) {
      for (const Json& residual : fold["residuals"]) {
        low.push_back(predict(fold, i) - residual.get<double>());
        high.push_back(predict(fold, i) + residual.get<double>());
      }
    }
    ASSERT_EQ(low.size(), 50U);
    std::sort(low.begin(), low.end());
    std::sort(high.begin(), high.end());
    EXPECT_NEAR(found[i][0], predict(model, i), 1e-12);
    EXPECT_NEAR(found[i][1], low[5 - 1], 1e-12);    // floor(0.1 * 51)
    EXPECT_NEAR(found[i][2], high[46 - 1], 1e-12);  // ceil(0.9 * 51)
  }
  const Json json = Json::parse(
      run({"predict", "m.json", "d.csv", "--intervals", "0.9", "--format", "json"}).out);
  EXPECT_EQ(json["lower"][7].get<double>(), found[7][1]);
  EXPECT_EQ(json["upper"].size(), 50U);
  expect_failure(1, {"predict", "m.json", "d.csv", "--intervals", "0.99"},
                 {"0.99", "at least 99 rows", "50"});
  expect_failure(2, {"predict", "m.json", "d.csv", "--intervals", "90"}, {"--intervals"});
  expect_failure(2, {"predict", "m.json", "d.csv", "--intervals", "0.9", "--k", "1"},
                 {"--intervals"});
  output({"fit", "d.csv", "--target", "y", "--k", "2", "--model", "fit.json"});
  expect_failure(1, {"predict", "fit.json", "d.csv", "--intervals", "0.9"},
                 {"fit.json", "lass0 cv --model"});
}

TEST_F(PredictProgram, BadModelsAndDataAreStatus1) {
  write("m.json", R"({"intercept": 1, "coefficients": {"a": 1, "zz": 2}})");
  write("d.csv", "a,b\n1,2\n3,4\n");
  expect_failure(1, {"predict", "m.json", "d.csv"}, {"lass0 predict: ", "zz"});
  expect_failure(1, {"predict", "none.json", "d.csv"}, {"none.json"});
  expect_failure(1, {"predict", "d.csv", "d.csv"}, {"d.csv", "not JSON"});
  write("other.json", "{\"name\": 3}");
  expect_failure(1, {"predict", "other.json", "d.csv"}, {"other.json", "coefficients"});
  write("cut.json", R"({"intercept": 1, "coeff)");
  expect_failure(1, {"predict", "cut.json", "d.csv"}, {"cut.json", "not JSON"});
  write("deep.json", std::string(100'000, '['));
  expect_failure(1, {"predict", "deep.json", "d.csv"}, {"deep.json", "nested"});
  write("deep.json", R"({"coefficients": {}, "intercept": )" + std::string(100'000, '[') +
                         std::string(100'000, ']') + "}");
  expect_failure(1, {"predict", "deep.json", "d.csv"}, {"deep.json", "nested"});
  write("twice.json", R"({"intercept": 1, "coefficients": {"a": 1, "b": 2, "a": 3}})");
  expect_failure(1, {"predict", "twice.json", "d.csv"}, {"twice.json", "'a'", "more than once"});
  expect_failure(1, {"predict", "/dev/zero", "d.csv"}, {"/dev/zero", "not JSON"});
  write("a.json", R"({"intercept": 1, "coefficients": {"a": 1}})");
  expect_failure(1, {"predict", "a.json", "none.csv"}, {"none.csv"});
  write("empty.csv", "");
  expect_failure(1, {"predict", "a.json", "empty.csv"}, {"empty.csv"});
}

}  // namespace
}  // namespace lass0
