// Reading for predictions: the columns of a model, in its order, whatever else the file holds.
#include <lass0/model.hpp>

#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class Prediction : public FileTest {
 protected:
  static Model model(Names names) {
    Model out;
    out.names = std::move(names);
    return out;
  }
};

TEST_F(Prediction, OnlyTheColumnsOfTheModelAreReadInItsOrder) {
  const Table table =
      read("a.csv", "a,junk,b,c\n1,text,2,3\n4,,5,inf\n", for_prediction(model({"b", "a"})));
  EXPECT_EQ(table.names(), (Names{"b", "a"}));
  EXPECT_EQ(values(table), matrix({{2, 1}, {5, 4}}));
  EXPECT_EQ(table.y().size(), 0);
}

TEST_F(Prediction, RepeatedNamesMatterOnlyWhereTheyAreUsed) {
  EXPECT_EQ(values(read("a.csv", "a,z,z\n1,2,3\n", for_prediction(model({"a"})))), matrix({{1}}));
  EXPECT_EQ(message("a.csv", "a,z,z\n1,2,3\n", for_prediction(model({"z"}))),
            "a.csv: the column name 'z' appears more than once; give the column's number instead");
}

TEST_F(Prediction, ALonelyInterceptNeedsTheRowsOnly) {
  const Table table = read("a.csv", "a,b\n1,x\n4,\n7,8\n", for_prediction(model({})));
  EXPECT_EQ(table.design().rows(), 3);
  EXPECT_EQ(table.design().cols(), 0);
}

TEST_F(Prediction, TheTargetIsReadWhenItIsThereAndComplete) {
  ReadOptions options = for_prediction(model({"a"}));
  options.target = "y";
  EXPECT_EQ(read("a.csv", "a,y\n1,2\n", options).y(), vector({2}));
  EXPECT_EQ(read("a.csv", "a,y\n1,2\n", options).target, "y");
  EXPECT_EQ(read("a.csv", "a,z\n1,2\n", options).y().size(), 0);
  EXPECT_EQ(read("a.csv", "a,y\n1,2\n2,\n", options).y().size(), 0);
  EXPECT_EQ(values(read("a.csv", "y,a\nno,2\nyes,3\n", options)), matrix({{2}, {3}}));
}

TEST_F(Prediction, AllMissingColumnsAreListed) {
  EXPECT_EQ(message("a.csv", "a,b\n1,2\n", for_prediction(model({"c", "a", "d"}))),
            "a.csv: 2 columns of the model are missing: c, d; the file has a, b");
  EXPECT_EQ(message("a.csv", "a,b\n1,2\n", for_prediction(model({"c"}))),
            "a.csv: a column of the model is missing: c; the file has a, b");
}

TEST_F(Prediction, LevelsAreThoseOfTheFit) {
  Model fitted = model({"city=Rome", "a", "city=Paris"});
  fitted.one_hot["city"] = {"Oslo", "Paris", "Rome"};
  const Table table = read("a.csv", "city,a\nRome,1\nOslo,2\nParis,3\n", for_prediction(fitted));
  EXPECT_EQ(table.names(), fitted.names);
  EXPECT_EQ(values(table), matrix({{1, 1, 0}, {0, 2, 0}, {0, 3, 1}}));
  // Coded by hand already
  EXPECT_EQ(values(read("a.csv", "city=Paris,city=Rome,a\n0,1,1\n", for_prediction(fitted))),
            matrix({{1, 1, 0}}));
  EXPECT_EQ(message("a.csv", "city,a\nRome,1\nBern,2\n", for_prediction(fitted)),
            "a.csv: row 2, column 'city': 'Bern' is not among the levels of the fit: "
            "Oslo, Paris, Rome");
  EXPECT_EQ(message("a.csv", "town,a\nRome,1\n", for_prediction(fitted)),
            "a.csv: a column of the model is missing: city; the file has town, a");
}

TEST_F(Prediction, MissingValuesGetTheMeansOfTheFit) {
  Model fitted = model({"a", "g=b"});
  fitted.one_hot["g"] = {"a", "b"};
  fitted.imputed = {{"a", 7.5}, {"g=b", 0.25}};
  EXPECT_EQ(values(read("a.csv", "a,g\n1,b\n,a\nNA,\n", for_prediction(fitted))),
            matrix({{1, 1}, {7.5, 0}, {7.5, 0.25}}));
  fitted.imputed.erase("a");
  EXPECT_EQ(
      message("a.csv", "a,g\n1,b\n,a\nNA,\n", for_prediction(fitted)),
      "a.csv: row 2, column 'a' is missing (2 rows in all), and the model has no mean for it; "
      "fill it in or drop such rows (a fit with --missing mean keeps the means of columns "
      "that have missing values)");
}

TEST_F(Prediction, IdsAreKeptAsTheyStandInTheFile) {
  const auto ids = [&](const std::string& name, const std::string& content, const std::string& id,
                       Names columns) {
    ReadOptions options = for_prediction(model(std::move(columns)));
    options.id = id;
    const Table table = read(name, content, options);
    EXPECT_EQ(std::ssize(table.ids), table.design().rows());
    return table.ids;
  };
  const std::string csv = "who,a,b\n007,1.50,2\n\"Doe, J.\",2,3\nNA,3,4\n,1e1,5\n007,2,6\n";
  EXPECT_EQ(ids("a.csv", csv, "who", {"a"}), (Names{"007", "Doe, J.", "NA", "", "007"}));
  EXPECT_EQ(ids("a.csv", csv, "2", {"a", "b"}), (Names{"1.50", "2", "3", "1e1", "2"}));
  EXPECT_EQ(ids("a.csv", csv, "1", {"a"}).size(), 5u);
  EXPECT_EQ(
      ids("a.arff", "@relation r\n@attribute i string\n@attribute a real\n@data\nu,1\n'v w',2\n",
          "i", {"a"}),
      (Names{"u", "v w"}));
  EXPECT_EQ(
      ids("a.mtx", "%%MatrixMarket matrix array real general\n2 2\n1.5\n2\n3\n4\n", "x1", {"x2"}),
      (Names{"1.5", "2"}));
  EXPECT_EQ(ids("a.svm", "1 1:5 3:7\n2 2:6\n", "x3", {"x9", "x2"}), (Names{"7", "0"}));
  EXPECT_EQ(message_of([&] { ids("a.csv", csv, "nobody", {"a"}); }),
            "a.csv: there is no column 'nobody' for the ID; the columns are who, a, b");
}

TEST_F(Prediction, TextWhereANumberIsNeededIsNamed) {
  EXPECT_EQ(message("a.csv", "a\nx\ny\n", for_prediction(model({"a"}))),
            "a.csv: row 1 (line 2), column 'a': 'x' is not a number");
}

TEST_F(Prediction, FilesWithoutNamesHaveTheirColumnsByPosition) {
  EXPECT_EQ(values(read("a.csv", "1,2,3\n4,5,6\n", for_prediction(model({"x3", "x1"})))),
            matrix({{3, 1}, {6, 4}}));
  EXPECT_EQ(
      values(read("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 5\n2 3 6\n",
                  for_prediction(model({"x3", "x1"})))),
      matrix({{0, 5}, {6, 0}}));
}

TEST_F(Prediction, ALibsvmFileMayEndBeforeTheModelsLastColumn) {
  const Table table = read("a.svm", "1 1:5\n2 2:6\n", for_prediction(model({"x9", "x2"})));
  EXPECT_EQ(values(table), matrix({{0, 0}, {0, 6}}));
  EXPECT_EQ(table.y().size(), 0);
}

TEST_F(Prediction, WhatAFitRecordsIsWhatAPredictionNeeds) {
  const std::string content = "g,a,y\nu,1,1\nv,,2\n,3,3\nw,8,4\n";
  const Table fitted =
      read("a.csv", content, {.target = "y", .one_hot = {"g"}, .missing = MissingValues::mean});
  Model saved = model(fitted.names());
  saved.one_hot = fitted.one_hot;
  saved.imputed = fitted.imputed;
  EXPECT_EQ(values(read("a.csv", content, for_prediction(saved))), values(fitted));
}

}  // namespace
}  // namespace lass0::test
