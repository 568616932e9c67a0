// Offset columns: known parts of the linear predictor, which are no columns of X.
#include <lass0/model.hpp>

#include "io/binary_files.hpp"
#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class Offset : public FileTest {
 protected:
  static ReadOptions prediction(Names columns, std::string offset) {
    Model model;
    model.names = std::move(columns);
    model.offset = std::move(offset);
    return for_prediction(model);
  }
};

TEST_F(Offset, EveryFormatHasOneByNameOrByNumber) {
  const Table csv = read("a.csv", "a,o,y\n1,0.5,1\n2,-0.5,2\n", {.target = "y", .offset = "o"});
  EXPECT_EQ(csv.offset(), vector({0.5, -0.5}));
  EXPECT_EQ(csv.offset_name, "o");
  EXPECT_EQ(csv.names(), Names{"a"});
  const Problem problem = csv.problem();
  EXPECT_EQ(problem.offset.data(), csv.offset().data());
  EXPECT_EQ(problem.offset.size(), 2u);

  const Table tsv = read("a.tsv", "a\to\ty\n1\t3\t1\n2\t4\t2\n", {.target = "y", .offset = "2"});
  EXPECT_EQ(tsv.offset(), vector({3, 4}));
  EXPECT_EQ(tsv.offset_name, "o");
  const Table libsvm = read("a.svm", "1 1:2 2:1\n2 2:4\n3 1:2 3:4\n", {.offset = "x2"});
  EXPECT_EQ(libsvm.offset(), vector({1, 4, 0}));
  EXPECT_EQ(libsvm.names(), (Names{"x1", "x3"}));
  const Table array =
      read("a.npy", npy("<f8", false, "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, 6})),
           {.target = "x1", .offset = "x3"});
  EXPECT_EQ(array.offset(), vector({3, 6}));
  const Table arff = read("a.arff",
                          "@relation r\n@attribute a real\n@attribute o real\n@attribute y real\n"
                          "@data\n1,7,1\n2,8,0\n",
                          {.target = "y", .offset = "o"});
  EXPECT_EQ(arff.offset(), vector({7, 8}));
  EXPECT_EQ(read("a.csv", "a,o,y\n1,2,3\n4,5,6\n", {.target = "y"}).offset().size(), 0);
}

TEST_F(Offset, MissingOnesDropTheRowOrAreErrors) {
  const std::string content = "a,o,y\n1,1,1\n2,,2\n,3,3\n4,4,4\n";
  EXPECT_NE(message("a.csv", content, {.target = "y", .offset = "o"}).find("o (1, first in row 2)"),
            std::string::npos);
  EXPECT_EQ(read("a.csv", content, {.target = "y", .offset = "o", .missing = MissingValues::mean})
                .offset(),
            vector({1, 3, 4}));
  EXPECT_EQ(read("a.csv", content, {.target = "y", .offset = "o", .missing = MissingValues::drop})
                .offset(),
            vector({1, 4}));
}

TEST_F(Offset, WhatIsWrongIsNamed) {
  const std::string content = "a,o,y\n1,1,1\n2,inf,2\n";
  EXPECT_EQ(message("a.csv", content, {.target = "y", .offset = "o"}),
            "a.csv: row 2 (line 3), column 'o': 'inf' is not a finite number");
  EXPECT_EQ(message("a.csv", content, {.target = "y", .offset = "y"}),
            "a.csv: column 'y' can't be both the target and the offset");
  EXPECT_EQ(message("a.csv", content, {.target = "y", .weights = "o", .offset = "o"}),
            "a.csv: column 'o' can't be both the weights and the offset");
  EXPECT_EQ(message("a.csv", content, {.target = "y", .offset = "off"}),
            "a.csv: there is no column 'off' for the offset; the columns are a, o, y");
  EXPECT_EQ(message("a.csv", "a,o,y\n1,u,1\n2,v,2\n", {.target = "y", .offset = "o"}),
            "a.csv: the offset column 'o' is text, not numbers ('u' in row 1 (line 2))");
}

TEST_F(Offset, PredictionsNeedThatOfTheFit) {
  const Table table = read("a.csv", "o,b,a\n1,9,2\n3,9,4\n", prediction({"a"}, "o"));
  EXPECT_EQ(table.offset(), vector({1, 3}));
  EXPECT_EQ(table.names(), Names{"a"});
  EXPECT_NE(message("a.csv", "a\n1\n", prediction({"a"}, "o")).find("for the offset"),
            std::string::npos);
  EXPECT_EQ(message("a.csv", "a,o\n1,2\n2,\n3,\n", prediction({"a"}, "o")),
            "a.csv: row 2 (line 3), column 'o': the offset is missing (2 rows in all); fill it in "
            "or drop such rows");
  const Table sparse =
      read("a.svm", "1 1:5 2:1\n2 2:6\n", prediction({"x1"}, "x3"));  // zero in every row
  EXPECT_EQ(sparse.offset(), vector({0, 0}));
  EXPECT_EQ(values(sparse), matrix({{5}, {0}}));
}

TEST_F(Offset, PredictionsAddItAndFailWithoutIt) {
  Model model;
  model.at = {.support = {0}, .coefficients = vector({2}), .intercept = 1};
  model.names = {"a"};
  model.offset = "o";
  const Table table = read("a.csv", "o,a\n0.5,2\n-1,0\n", for_prediction(model));
  EXPECT_EQ(model.predict(table), vector({5.5, 0}));
  EXPECT_EQ(message_of([&] { model.predict(Table::dense(matrix({{1}}), {}, {"a"})); }),
            "the table has no offset, but the model has one ('o')");
}

}  // namespace
}  // namespace lass0::test
