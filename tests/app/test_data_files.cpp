// How the program meets files: decimal commas, rows that are left out, workbooks.
#include "app/process.hpp"

namespace lass0 {
namespace {

using DataFiles = ProgramTest;

TEST_F(DataFiles, DecimalCommasAreReadByFitAndPredict) {
  write("d.csv", "a;b;y\n1,5;2;3,5\n2,5;1;4,5\n-1,25;7;1\n3;1.234,5;5\n");
  expect_failure(1, {"fit", "d.csv", "--target", "y", "--k", "1"},
                 {"d.csv", "decimal commas", "a ('1,5'", "--decimal ,"});
  const Json fit =
      json({"fit", "d.csv", "--target", "y", "--k", "1", "--decimal", ",", "--model", "m.json"});
  EXPECT_TRUE(fit["coefficients"].contains("a")) << fit;
  write("new.csv", "a;b\n2,5;0\n");
  expect_failure(1, {"predict", "m.json", "new.csv"}, {"new.csv", "--decimal ,"});
  const double expected =
      fit["intercept"].get<double>() + 2.5 * fit["coefficients"]["a"].get<double>();
  EXPECT_DOUBLE_EQ(json({"predict", "m.json", "new.csv", "--decimal", ","})["predictions"][0],
                   expected);
  expect_failure(2, {"fit", "d.csv", "--target", "y", "--k", "1", "--decimal", "x"}, {"--decimal"});
}

TEST_F(DataFiles, ManyRowsLeftOutAreWarnedOfWithTheirColumns) {
  std::string data = "a,b,c,d,e,y\n";
  for (int i = 0; i < 20; ++i) {
    data += (i < 1 ? "" : std::to_string(i)) + "," + (i < 5 ? "NA" : std::to_string(i % 3)) + "," +
            (i < 3 ? "" : std::to_string(i % 4)) + "," + (i < 2 ? "" : std::to_string(i % 5)) +
            ",1," + std::to_string(i * i) + "\n";
  }
  write("d.csv", data);
  const Arguments fit = {"fit", "d.csv", "--target", "y", "--k", "1", "--missing"};
  const auto with = [&](const Arguments& more) {
    Arguments all = fit;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const Outcome many = with({"drop"});
  EXPECT_EQ(many.status, 0);
  EXPECT_EQ(many.err,
            "warning: d.csv: 5 of 20 rows are dropped (25 %) for missing values in b (5 "
            "rows), c (3 rows), d (2 rows) and 1 other column; --exclude these columns, or use "
            "--missing mean\n");
  EXPECT_EQ(with({"drop", "--exclude", "b"}).err, "");
  EXPECT_EQ(with({"mean"}).err, "");
  write("d.csv", "a,y\n1,2\n2,\n3,5\n");
  EXPECT_EQ(with({"mean"}).err,
            "warning: d.csv: 1 of 3 rows are dropped (33 %) for missing values in y (1 row)\n");
}

TEST_F(DataFiles, AWorkbookIsNamed) {
  write("d.xls", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
  expect_failure(1, {"fit", "d.xls", "--target", "y", "--k", "1"},
                 {"d.xls", "Excel workbook", "CSV"});
}

TEST_F(DataFiles, AFileOfTwoLinesThatClaimsMillionsOfColumnsIsRefused) {
  write("d.svm", "1 1:2 20000000:1\n2 2:1\n");
  expect_failure(1, {"fit", "d.svm", "--k", "1"}, {"d.svm", "line 1", "20000000"});
}

// However many columns there are, the message ends with what to do about them.
TEST_F(DataFiles, ManyTextColumnsDoNotHideTheAdvice) {
  std::string names, values;
  for (int c = 0; c < 60; ++c) {
    names += "the answer to question " + std::to_string(c) + ",";
    values += "no,";
  }
  write("d.csv", names + "y\n" + values + "1\n" + values + "2\n");
  expect_failure(1, {"fit", "d.csv", "--target", "y", "--k", "1"},
                 {"d.csv", "60 text columns", "--one-hot", "--exclude"});
}

TEST_F(DataFiles, TheResultOfCrossValidationIsAModelToo) {
  write("d.csv", "a,b,y\n1,5,2\n2,3,4\n3,1,7\n4,2,8\n5,9,11\n6,0,12\n");
  const Arguments cv = {"cv", "d.csv", "--target", "y", "--folds", "3"};
  Arguments saved = cv, printed = cv;
  saved.insert(saved.end(), {"--model", "model.json"});
  printed.insert(printed.end(), {"--format", "json"});
  output(saved);
  write("cv.json", output(printed));
  EXPECT_EQ(run({"predict", "cv.json", "d.csv"}).out, run({"predict", "model.json", "d.csv"}).out);
}

TEST_F(DataFiles, OnlyOneInputComesFromStandardInput) {
  expect_failure(2, {"compare", "-", "--target", "y", "--truth", "-"},
                 {"DATA and --truth can't both come from standard input"});
  expect_failure(2, {"fit", "-", "--target", "y", "--lambda", "1", "--start", "-"},
                 {"DATA and --start can't both come from standard input"});
}

TEST_F(DataFiles, OfOneColumnNoStandInsAreSpokenOf) {
  write("d.csv", "a,y\n1,2\n2,4.1\n3,6\n4,8.2\n");
  const std::string text = output({"fit", "d.csv", "--target", "y", "--k", "1"});
  EXPECT_EQ(text.find("stand-ins"), std::string::npos) << text;
  EXPECT_NE(text.find("the best model found of this size"), std::string::npos) << text;
}

TEST_F(DataFiles, LongNamesThatBeginAlikeStayApartInText) {
  std::string names;
  for (const char* room : {"1", "2", "3"})
    names +=
        "the temperature as measured every morning in the room number " + std::string(room) + ",";
  write("d.csv", names + "y\n1,5,2,1\n2,3,4,3\n3,1,7,2\n4,2,8,5\n5,9,11,4\n6,0,12,9\n");
  for (const Arguments& command : {Arguments{"fit", "--k", "3"}, Arguments{"path"}}) {
    Arguments arguments = {command[0], "d.csv", "--target", "y"};
    arguments.insert(arguments.end(), command.begin() + 1, command.end());
    const std::string text = output(arguments);
    for (const char* room : {"number 1", "number 2", "number 3"})
      EXPECT_NE(text.find(room), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace lass0
