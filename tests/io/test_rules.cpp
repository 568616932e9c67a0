// Targets, weights, missing values, texts: the rules that hold for every format, tried on CSV.
#include <cmath>

#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class Rules : public FileTest {};

TEST_F(Rules, ANameWinsOverAnIndex) {
  EXPECT_EQ(read("a.csv", "2,b\n1,5\n", {.target = "2", .header = Header::yes}).y(), vector({1}));
  EXPECT_EQ(read("a.csv", "a,b\n1,5\n", {.target = "2"}).y(), vector({5}));
}

TEST_F(Rules, UnknownColumnsAreNamedWithASuggestion) {
  const std::string content = "lcavol,lweight,age,lpsa\n1,2,3,4\n";
  EXPECT_EQ(message("a.csv", content, {.target = "lspa"}),
            "a.csv: there is no column 'lspa' for the target (did you mean 'lpsa'?); the columns "
            "are lcavol, "
            "lweight, age, lpsa");
  EXPECT_EQ(message("a.csv", content, {.target = "price"}),
            "a.csv: there is no column 'price' for the target; the columns are lcavol, lweight, "
            "age, lpsa");
  EXPECT_EQ(message("a.csv", content, {.target = "5"}),
            "a.csv: there is no column 5 for the target: the file has 4 columns");
  EXPECT_EQ(message("a.csv", content, {.target = "0"}),
            "a.csv: there is no column 0 for the target: the file has 4 columns");
  EXPECT_EQ(message("a.csv", content, {}),
            "a.csv: which column is the target? Give --target; the columns are lcavol, lweight, "
            "age, lpsa");
  EXPECT_NE(message("a.csv", content, {.target = "lpsa", .weights = "w"}).find("for the weights"),
            std::string::npos);
  EXPECT_NE(message("a.csv", content, {.target = "lpsa", .exclude = {"w"}}).find("no column 'w'"),
            std::string::npos);
  EXPECT_NE(message("a.csv", content, {.target = "lpsa", .one_hot = {"w"}}).find("no column 'w'"),
            std::string::npos);
}

TEST_F(Rules, OnlyTheFirstNamesOfManyAreListed) {
  EXPECT_EQ(message("a.csv", "a1,a2,a3,a4,a5,a6,a7,a8,a9,a10\n1,1,1,1,1,1,1,1,1,1\n", {}),
            "a.csv: which column is the target? Give --target; the columns are a1, a2, a3, a4, a5, "
            "a6, a7, a8, ... "
            "(10 in all)");
}

TEST_F(Rules, ARowOfNamesIsForTextTablesOnly) {
  for (const Header header : {Header::yes, Header::no}) {
    EXPECT_EQ(
        message("a.svm", "1 1:2 3:1\n2 2:1\n", {.header = header}),
        "a.svm: --header is for CSV and TSV: a file of the format libsvm has no row of names");
  }
}

TEST_F(Rules, ContradictingRolesAreErrors) {
  EXPECT_EQ(message("a.csv", "a,y\n1,2\n", {.target = "y", .weights = "y"}),
            "a.csv: column 'y' can't be both the target and the weights");
  EXPECT_EQ(message("a.csv", "a,y\n1,2\n", {.target = "y", .exclude = {"2"}}),
            "a.csv: column 'y' can't be both the target and excluded");
}

TEST_F(Rules, IncludedColumnsAreFoundAmongThoseOfX) {
  using Columns = std::vector<Index>;
  const std::string csv = "y,a,b,c\n1,2,3,4\n5,6,7,9\n";
  EXPECT_EQ(read("a.csv", csv, {.target = "y", .include = {"c", "2"}}).include, (Columns{0, 2}));
  EXPECT_EQ(read("a.csv", csv, {.target = "y", .exclude = {"a"}, .include = {"c"}}).include,
            Columns{1});
  EXPECT_EQ(read("a.svm", "1 1:2 3:1\n2 2:1\n", {.exclude = {"1"}, .include = {"x3"}}).include,
            Columns{1});
  const Table table = read("a.csv", "t,a,y\nu,1,2\nv,3,4\nw,5,7\n",
                           {.target = "y", .include = {"t"}, .one_hot = {"t"}});
  EXPECT_EQ(table.include, (Columns{0, 1}));
  EXPECT_EQ(std::ssize(table.problem().include), 2);
  EXPECT_EQ(message("a.csv", csv, {.target = "y", .exclude = {"b"}, .include = {"3"}}),
            "a.csv: column 'b' can't be both excluded and included");
  EXPECT_EQ(message("a.csv", csv, {.target = "y", .include = {"5"}}),
            "a.csv: there is no column 5 for the inclusion: the file has 4 columns");
}

TEST_F(Rules, DuplicateNamesAreErrorsUnlessExcludedByNumber) {
  const std::string content = "a,b,a,y\n1,2,3,4\n";
  EXPECT_EQ(
      message("a.csv", content, {.target = "y"}),
      "a.csv: a column name appears more than once: a; rename or exclude (by number) all but one");
  EXPECT_EQ(message("a.csv", content, {.target = "a"}),
            "a.csv: the column name 'a' appears more than once; give the column's number instead");
  EXPECT_EQ(values(read("a.csv", content, {.target = "y", .exclude = {"3"}})), matrix({{1, 2}}));
}

TEST_F(Rules, ExcludedColumnsMayHoldAnything) {
  const Table table =
      read("a.csv", "a,b,c,y\n1,text,,4\n2,inf,NA,5\n", {.target = "y", .exclude = {"b", "3"}});
  EXPECT_EQ(table.names(), (Names{"a"}));
  EXPECT_EQ(values(table), matrix({{1}, {2}}));
}

TEST_F(Rules, MissingValuesAreCountedPerColumn) {
  EXPECT_EQ(message("data.csv",
                    "age,income,z,y\n1,,1,1\n2,2,1,1\n3,3,1,1\n4,NA,1,1\n5,5,1,1\n6,6,1,1\n?,7,1,"
                    "1\nN/A,8,1,1\n.,9,1,1\n",
                    {.target = "y"}),
            "data.csv: 5 missing values in 2 columns: age (3, first in row 7), income (2, first in "
            "row 1); use "
            "--missing drop or --missing mean");
  EXPECT_EQ(message("a.csv", "a,y\n1,nan\n2,2\n", {.target = "y"}),
            "a.csv: 1 missing value in 1 column: y (1, first in row 1); use --missing drop or "
            "--missing mean");
  EXPECT_EQ(message("a.csv", "a,b,c,d,e,f,g,h,i,j,y\n,,,,,,,,,,1\n", {.target = "y"}),
            "a.csv: 10 missing values in 10 columns: a (1, first in row 1), b (1, first in row 1), "
            "c (1, first in "
            "row 1), d (1, first in row 1), e (1, first in row 1), f (1, first in row 1), g (1, "
            "first in row 1), h "
            "(1, first in row 1) and 2 more; use --missing drop or --missing mean");
}

TEST_F(Rules, EveryMissingWordIsMissing) {
  for (const std::string word : {"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?", ".",
                                 " NA ", "\"NA\"", "-nan"}) {
    const Table table = read("a.csv", "a,b,y\n1,2,3\n" + word + ",5,6\n",
                             {.target = "y", .missing = MissingValues::drop});
    EXPECT_EQ(table.rows_dropped, (std::vector<Index>{2})) << word;
  }
}

TEST_F(Rules, DropLeavesOutRowsWithAnyMissingValue) {
  const Table table = read("a.csv", "a,b,y,w\n1,2,3,1\n,5,6,1\n7,8,,1\n10,11,12,\n13,14,15,2\n",
                           {.target = "y", .weights = "w", .missing = MissingValues::drop});
  EXPECT_EQ(table.rows_dropped, (std::vector<Index>{2, 3, 4}));
  EXPECT_EQ(values(table), matrix({{1, 2}, {13, 14}}));
  EXPECT_EQ(table.y(), vector({3, 15}));
  EXPECT_EQ(table.weights(), vector({1, 2}));
  EXPECT_EQ(
      message("a.csv", "a,b,y\n1,,3\n,5,6\n", {.target = "y", .missing = MissingValues::drop}),
      "a.csv: every row has a missing value, most often in a, so no row is left: --exclude these "
      "columns, or use --missing mean");
}

TEST_F(Rules, ColumnsThatDropRowsAreCountedTheWorstFirst) {
  using Counts = std::vector<std::pair<std::string, Index>>;
  const std::string content = "a,g,b,y\n,u,,1\n2,,,2\n3,u,,3\n4,v,4,4\n";
  const Table table =
      read("a.csv", content, {.target = "y", .one_hot = {"g"}, .missing = MissingValues::drop});
  EXPECT_EQ(table.dropped_by, (Counts{{"b", 3}, {"a", 1}, {"g", 1}}));
}

TEST_F(Rules, MeanFillsColumnsButNeverTheTarget) {
  const Table table = read("a.csv", "a,b,y\n1,2,3\n,5,6\n100,8,NA\n3,11,12\n",
                           {.target = "y", .missing = MissingValues::mean});
  EXPECT_EQ(table.rows_dropped, (std::vector<Index>{3}));
  EXPECT_EQ(values(table), matrix({{1, 2}, {2, 5}, {3, 11}}));
  EXPECT_EQ(table.imputed, (std::map<std::string, double>{{"a", 2}}));
  EXPECT_EQ(
      message("a.csv", "a,b,y\n,2,3\nNA,5,6\n", {.target = "y", .missing = MissingValues::mean}),
      "a.csv: column 'a' is missing in every row, so it has no mean; exclude it");
}

TEST_F(Rules, TheMeanCountsARowOfWeightTwoTwice) {
  const ReadOptions options = {.target = "y", .weights = "w", .missing = MissingValues::mean};
  const Table weighted = read("a.csv", "a,b,y,w\n1,0,0,2\n4,0,0,1\n99,0,0,0\n,0,0,1\n", options);
  EXPECT_EQ(weighted.imputed.at("a"), 2);
}

TEST_F(Rules, TheMeanOfHugeValuesIsFinite) {
  const Table table = read("a.csv", "a,y\n1.7e308,1\n1.7e308,1\n,1\n",
                           {.target = "y", .missing = MissingValues::mean});
  EXPECT_EQ(table.imputed.at("a"), 1.7e308);
}

TEST_F(Rules, InfinitiesAreErrorsUnderEveryRule) {
  for (const MissingValues missing :
       {MissingValues::error, MissingValues::drop, MissingValues::mean}) {
    EXPECT_EQ(message("a.csv", "a,b,y\n1,2,3\n4,1e999,6\n", {.target = "y", .missing = missing}),
              "a.csv: row 2 (line 3), column 'b': '1e999' is not a finite number");
    EXPECT_EQ(message("a.csv", "a,y\n1,3\n4,-Inf\n", {.target = "y", .missing = missing}),
              "a.csv: row 2 (line 3), column 'y': '-Inf' is not a finite number");
  }
}

TEST_F(Rules, ASingleBadCellIsNamed) {
  EXPECT_EQ(message("data.csv", "x1,x3,y\n1,2,3\n1,3,3\n1,abc,3\n", {.target = "y"}),
            "data.csv: row 3 (line 4), column 'x3': 'abc' is not a number");
  EXPECT_EQ(message("data.csv", "x1,y\n1,2\n1,1.2.3\n1,3\n", {.target = "y"}),
            "data.csv: row 2 (line 3), column 'y': '1.2.3' is not a number");
  for (const std::string bad : {"1 2", "0x10", "1e", "--1", "+-1", "1,5,"}) {
    EXPECT_NE(
        message("a.csv", "a;y\n1;1\n" + bad + ";2\n", {.target = "y"}).find("is not a number"),
        std::string::npos)
        << bad;
  }
}

TEST_F(Rules, TextColumnsAreListedTogether) {
  EXPECT_EQ(message("data.csv", "city,n,grade,y\nOslo,1,B,2\nRome,NA,A,3\n", {.target = "y"}),
            "data.csv: 2 text columns: city ('Oslo' in row 1), grade ('B' in row 1); use --one-hot "
            "city,grade or "
            "--exclude city,grade");
  EXPECT_EQ(
      message("data.csv", "a,y\n1,yes\n2,no\n", {.target = "y"}),
      "data.csv: the target 'y' is text, not numbers ('yes' in row 1 (line 2)); if it has two "
      "classes, use --family binomial");
}

TEST_F(Rules, OneHotMakesAColumnPerLevelButTheFirst) {
  const Table table = read("a.csv", "a,city,b,y\n1,Rome,5,1\n2,Oslo,6,2\n3,Paris,7,3\n4,Oslo,8,4\n",
                           {.target = "y", .one_hot = {"city"}});
  EXPECT_EQ(table.names(), (Names{"a", "city=Paris", "city=Rome", "b"}));
  EXPECT_EQ(values(table), matrix({{1, 0, 1, 5}, {2, 0, 0, 6}, {3, 1, 0, 7}, {4, 0, 0, 8}}));
  EXPECT_EQ(table.one_hot.at("city"), (Names{"Oslo", "Paris", "Rome"}));
}

TEST_F(Rules, LevelsThatAreNumbersAreSortedAsNumbers) {
  const Table table = read("a.csv", "g,y\n10,1\n9,2\n-1,3\n", {.target = "y", .one_hot = {"g"}});
  EXPECT_EQ(table.one_hot.at("g"), (Names{"-1", "9", "10"}));
  EXPECT_EQ(table.names(), (Names{"g=9", "g=10"}));
}

TEST_F(Rules, AMissingLevelFollowsTheRuleForMissingValues) {
  const std::string content = "g,y\na,1\nb,2\n,3\nb,4\n";
  EXPECT_EQ(message("a.csv", content, {.target = "y", .one_hot = {"g"}}),
            "a.csv: 1 missing value in 1 column: g (1, first in row 3); use --missing drop or "
            "--missing mean");
  const Table dropped =
      read("a.csv", content, {.target = "y", .one_hot = {"g"}, .missing = MissingValues::drop});
  EXPECT_EQ(values(dropped), matrix({{0}, {1}, {1}}));
  const Table mean =
      read("a.csv", content, {.target = "y", .one_hot = {"g"}, .missing = MissingValues::mean});
  EXPECT_EQ(mean.imputed.at("g=b"), 2.0 / 3);
  EXPECT_EQ(values(mean), matrix({{0}, {1}, {2.0 / 3}, {1}}));
}

TEST_F(Rules, LevelsOfDroppedRowsDontCount) {
  const Table table = read("a.csv", "g,y\na,1\nb,2\nc,\n",
                           {.target = "y", .one_hot = {"g"}, .missing = MissingValues::drop});
  EXPECT_EQ(table.one_hot.at("g"), (Names{"a", "b"}));
}

TEST_F(Rules, OneHotNamesMustNotCollide) {
  EXPECT_EQ(message("a.csv", "g,g=b,y\na,1,1\nb,2,2\n", {.target = "y", .one_hot = {"g"}}),
            "a.csv: one-hot coding makes a second column 'g=b'; rename or exclude the first");
}

TEST_F(Rules, WeightsAreTakenOutAndChecked) {
  const Table table = read("a.csv", "w,a,y\n2,1,3\n0,4,6\n", {.target = "y", .weights = "w"});
  EXPECT_EQ(table.names(), (Names{"a"}));
  EXPECT_EQ(table.weights(), vector({2, 0}));
  EXPECT_EQ(table.problem().weights.size(), 2U);
  EXPECT_EQ(message("a.csv", "w,a,y\n2,1,3\n-1,4,6\n", {.target = "y", .weights = "w"}),
            "a.csv: row 2, column 'w': the weight -1 is negative");
  EXPECT_EQ(message("a.csv", "w,a,y\n0,1,3\n0,4,6\n", {.target = "y", .weights = "w"}),
            "a.csv: column 'w': all weights are zero");
  EXPECT_NE(message("a.csv", "w,a,y\n1,1,3\nnan,4,6\n", {.target = "y", .weights = "w"})
                .find("w (1, first in row 2)"),
            std::string::npos);
}

TEST_F(Rules, FilesThatCantBeReadAreNamed) {
  EXPECT_EQ(message_of([&] { read_table(folder_.path("nosuch.csv"), {.target = "y"}); }),
            "nosuch.csv: no such file");
  std::filesystem::create_directory(folder_.path("folder.csv"));
  EXPECT_EQ(message_of([&] { read_table(folder_.path("folder.csv"), {.target = "y"}); }),
            "folder.csv: is a directory, not a file");
}

TEST_F(Rules, FormatsHaveNames) {
  EXPECT_EQ(format_from_name("csv"), FileFormat::csv);
  EXPECT_EQ(format_from_name("mtx"), FileFormat::matrix_market);
  try {
    format_from_name("xls");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "unknown file format 'xls'; the formats are arff, bed, csv, libsvm, moments, mtx, "
                 "npy, npz, "
                 "tsv");
  }
}

TEST_F(Rules, ColumnListsSkipCommentsAndNameTheUnknown) {
  const Names names = {"alpha", "beta", "gamma delta"};
  EXPECT_EQ(read_column_list(folder_.write("list", "# chosen\ngamma delta\r\n\n  alpha \nalpha\n"),
                             names),
            (std::vector<Index>{2, 0}));
  EXPECT_EQ(message_of([&] { read_column_list(folder_.write("list", "alpa\nbeta\nzzz"), names); }),
            "list: no such columns: alpa, zzz (did you mean 'alpha'?); the columns are alpha, "
            "beta, gamma delta");
  EXPECT_TRUE(read_column_list(folder_.write("list", ""), names).empty());
}

TEST_F(Rules, ATableIsAViewThatSurvivesMoves) {
  Table first = read("a.csv", "a,y\n1,3\n4,6\n", {.target = "y"});
  const Table second = std::move(first);
  EXPECT_EQ(values(second), matrix({{1}, {4}}));
  const Problem problem = second.problem(false, true);
  EXPECT_EQ(problem.design, &second.design());
  EXPECT_EQ(problem.y[1], 6);
  EXPECT_EQ(problem.names[0], "a");
  EXPECT_FALSE(problem.intercept);
  EXPECT_EQ(second.column("a"), 0);
  EXPECT_EQ(second.column("b"), -1);
  EXPECT_THROW(Table::dense(Matrix::Zero(2, 1), Vector::Zero(3), {"a"}), Error);
  EXPECT_THROW(Table::dense(Matrix::Zero(2, 1), Vector::Zero(2), {"a", "b"}), Error);
}

}  // namespace
}  // namespace lass0::test
