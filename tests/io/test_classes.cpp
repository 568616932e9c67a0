// Targets of two classes: which of them is 1, in every format, and what can be wrong with them.
#include <lass0/model.hpp>

#include "io/binary_files.hpp"
#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class Classes : public FileTest {
 protected:
  static ReadOptions two(std::string target = "y", MissingValues missing = MissingValues::error) {
    return {.target = std::move(target), .classes = true, .missing = missing};
  }
  static ReadOptions prediction(Names classes) {
    Model model;
    model.names = {"a"};
    model.family = Family::binomial;
    model.classes = std::move(classes);
    ReadOptions options = for_prediction(model);
    options.target = "y";
    return options;
  }
};

TEST_F(Classes, OfTwoTextsTheSecondInTheAlphabetIsOne) {
  const Table table = read("a.csv", "a,y\n1,yes\n2,no\n3, yes \n", two());
  EXPECT_EQ(table.y(), vector({1, 0, 1}));
  EXPECT_EQ(table.classes, (Names{"no", "yes"}));
  EXPECT_EQ(table.names(), Names{"a"});
  EXPECT_EQ(table.target, "y");
  EXPECT_TRUE(table.one_hot.empty());
}

TEST_F(Classes, OfTwoNumbersTheLargerIsOneHoweverTheyAreWritten) {
  const Table table = read("a.csv", "y,a\n10,1\n9.0,2\n1e1,3\n9,4\n", two());
  EXPECT_EQ(table.y(), vector({1, 0, 1, 0}));
  EXPECT_EQ(table.classes, (Names{"9", "10"}));
  const Table zero = read("a.csv", "y,a\n0,1\n1,2\n-0,3\n+1.0,4\n", two());
  EXPECT_EQ(zero.y(), vector({0, 1, 0, 1}));
  EXPECT_EQ(zero.classes, (Names{"0", "1"}));
}

TEST_F(Classes, ANumberAndATextAreTexts) {
  EXPECT_EQ(read("a.csv", "y,a\nnone,1\n1,2\n", two()).classes, (Names{"1", "none"}));
}

TEST_F(Classes, EveryFormatHasThem) {
  const Table arff = read("a.arff",
                          "@relation r\n@attribute a real\n@attribute y {good,bad}\n@data\n"
                          "1,good\n2,bad\n3,good\n",
                          two());
  EXPECT_EQ(arff.classes, (Names{"bad", "good"}));
  EXPECT_EQ(arff.y(), vector({1, 0, 1}));
  const Table tsv = read("a.tsv", "a\ty\n1\tu\n2\tv\n", two("2"));
  EXPECT_EQ(tsv.y(), vector({0, 1}));
  const Table libsvm = read("a.svm", "+1 1:2\n-1 2:3\n+1 1:1 2:1\n", two(""));
  EXPECT_EQ(libsvm.classes, (Names{"-1", "1"}));
  EXPECT_EQ(libsvm.y(), vector({1, 0, 1}));
  const Table market =
      read("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 5\n2 2 4\n3 1 6\n",
           two("x2"));
  EXPECT_EQ(market.classes, (Names{"0", "4"}));
  EXPECT_EQ(market.y(), vector({0, 1, 0}));
  const Table npy_file =
      read("a.npy", npy("<f8", false, "(3, 2)", bytes_of<double>({1, 2, 2, 0.5, 3, 2})), two("x2"));
  EXPECT_EQ(npy_file.classes, (Names{"0.5", "2"}));
  EXPECT_EQ(npy_file.y(), vector({1, 0, 1}));
}

TEST_F(Classes, OneOrManyAreAnErrorThatSaysWhatToDo) {
  EXPECT_EQ(message("a.csv", "a,y\n1,c\n2,a\n3,b\n", two()),
            "a.csv: the target 'y' has 3 classes (a, b, c), but --family binomial needs two; make "
            "a column that is 1 for the class of interest and 0 for all others");
  EXPECT_EQ(message("a.csv", "a,y\n1,1.5\n2,10\n3,2\n", two()),
            "a.csv: the target 'y' has 3 different values (1.5, 2, 10), but --family binomial "
            "needs two; leave --family out for least squares, or make a column of 0 and 1");
  EXPECT_EQ(message("a.csv", "a,y\n1,yes\n2,yes\n", two()),
            "a.csv: the target 'y' is 'yes' in every row, but --family binomial needs two classes; "
            "choose another target, or read rows of both classes");
  EXPECT_EQ(message("a.svm", "1 1:2\n1 2:3\n", two("")),
            "a.svm: the target 'target' is '1' in every row, but --family binomial needs two "
            "classes; choose another target, or read rows of both classes");
  EXPECT_EQ(message("a.csv", "a,y\n1,1\n2,-inf\n", two()),
            "a.csv: row 2, column 'y': '-inf' is not a finite number");
}

TEST_F(Classes, RowsWithoutOneAreAnErrorOrDropped) {
  const std::string content = "a,y\n1,yes\n2,NA\n,no\n4,no\n";
  EXPECT_NE(message("a.csv", content, two()).find("y (1, first in row 2)"), std::string::npos);
  EXPECT_EQ(read("a.csv", content, two("y", MissingValues::drop)).y(), vector({1, 0}));
  EXPECT_EQ(read("a.csv", content, two("y", MissingValues::mean)).y(), vector({1, 0, 0}));
  // A class that is gone with its rows does not count.
  EXPECT_EQ(read("a.csv", "a,y\n,b\n1,c\n2,d\n", two("y", MissingValues::drop)).classes,
            (Names{"c", "d"}));
}

TEST_F(Classes, PredictionsHaveThoseOfTheFit) {
  const Table table = read("a.csv", "y,a\nb,1\nb,2\n", prediction({"a", "b"}));
  EXPECT_EQ(table.y(), vector({1, 1}));
  EXPECT_EQ(table.classes, (Names{"a", "b"}));
  EXPECT_EQ(read("a.csv", "y,a\n2.0,1\n1,2\n", prediction({"1", "2"})).y(), vector({1, 0}));
  EXPECT_EQ(read("a.csv", "y,a\n0,1\n1,2\n", prediction({})).y(), vector({0, 1}));
  EXPECT_EQ(message("a.csv", "y,a\nb,1\nc,2\n", prediction({"a", "b"})),
            "a.csv: row 2, column 'y': 'c' is neither of the classes of the fit: a, b");
  EXPECT_EQ(read("a.csv", "a\n1\n", prediction({"a", "b"})).y().size(), 0);
  EXPECT_EQ(read("a.csv", "y,a\nb,1\n,2\n", prediction({"a", "b"})).y().size(), 0);
  ReadOptions sparse = prediction({"-1", "1"});
  sparse.columns = {"x2"};
  sparse.target = "target";
  EXPECT_EQ(read("a.svm", "1 1:2\n1 2:3\n", sparse).y(), vector({1, 1}));
  EXPECT_EQ(message("a.svm", "1 1:2\n0 2:3\n", sparse),
            "a.svm: row 2, column 'target': '0' is neither of the classes of the fit: -1, 1");
}

TEST_F(Classes, PredictionsMayHaveTextColumnsBesides) {
  Model model;
  model.names = {"g=v"};
  model.one_hot["g"] = {"u", "v"};
  model.family = Family::binomial;
  model.classes = {"no", "yes"};
  ReadOptions options = for_prediction(model);
  options.target = "y";
  const Table table = read("a.csv", "y,g\nyes,u\nno,v\n", options);
  EXPECT_EQ(values(table), matrix({{0}, {1}}));
  EXPECT_EQ(table.y(), vector({1, 0}));
  EXPECT_EQ(table.one_hot.size(), 1u);
}

}  // namespace
}  // namespace lass0::test
