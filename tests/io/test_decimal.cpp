// Decimal commas and thousands separators: read where the options say so, named where they don't.
#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class Decimal : public FileTest {
 protected:
  static ReadOptions comma() { return {.target = "y", .decimal = ','}; }
};

TEST_F(Decimal, CommasAreReadInSemicolonTabAndQuotedFiles) {
  const Matrix X = matrix({{3.14, -0.5}, {2, 1234.5}, {-1e3, 1e-2}});
  const Vector y = vector({1, 2.5, 12345678.9});
  const std::string rows = "3,14;-,5;1\n2;1.234,5;2,5\r\n -1e3 ;1e-2;12.345.678,9\n";
  const auto with = [&](char delimiter) {
    std::string text = "a;b;y\n" + rows;
    std::replace(text.begin(), text.end(), ';', delimiter);
    return text;
  };
  const std::string quoted =
      "a,b,y\n\"3,14\",\"-,5\",1\n2,\"1.234,5\",\"2,5\"\n-1e3,1e-2,\"12.345.678,9\"\n";
  for (const auto& [name, content] : {std::pair{"a.csv", with(';')},
                                      {"a.csv", with('\t')},
                                      {"a.tsv", with('\t')},
                                      {"a.csv", quoted}}) {
    const Table table = read(name, content, comma());
    EXPECT_EQ(values(table), X) << content;
    EXPECT_EQ(table.y(), y) << content;
  }
}

TEST_F(Decimal, ARowOfCommaNumbersIsNoRowOfNames) {
  const std::string content = "3,14;2,5\n1,5;2,75\n";
  EXPECT_EQ(values(read("a.csv", content, {.target = "2", .decimal = ','})),
            matrix({{3.14}, {1.5}}));
  EXPECT_EQ(message("a.csv", content, {.target = "2"}),
            "a.csv: 2 columns look like numbers with decimal commas: x1 ('3,14' in row 1 (line 1)),"
            " x2 ('2,5' in row 1 (line 1)); use --decimal , if the whole file has them, else "
            "correct these");
}

TEST_F(Decimal, CommasAreNamedAndTheOptionOffered) {
  EXPECT_EQ(message("a.csv", "a;b;y\n3,14;1;2\n1;2;3\n", {.target = "y"}),
            "a.csv: a column looks like numbers with decimal commas: a ('3,14' in row 1 (line 2)); "
            "use --decimal , if the whole file has them, else correct these");
  EXPECT_EQ(message("a.csv", "a,y\n1,\"3,14\"\n2,\"1,234\"\n", {.target = "y"}),
            "a.csv: a column looks like numbers with decimal commas: y ('3,14' in row 1 (line 2)); "
            "use --decimal , if the whole file has them, else correct these");
  EXPECT_EQ(message("a.tsv", "a\tb\ty\n3,14\t1,234\t2\n1\t2\t3\n", {.target = "y"}),
            "a.tsv: 2 columns look like numbers with decimal commas: a ('3,14' in row 1 (line 2)), "
            "b ('1,234' in row 1 (line 2)); use --decimal , if the whole file has them, else "
            "correct these");
}

TEST_F(Decimal, ThousandsSeparatorsAreNamed) {
  EXPECT_EQ(message("a.csv", "a,y\n\"1,234.5\",2\n\"1,234\",3\n7,4\n", {.target = "y"}),
            "a.csv: a column looks like numbers with thousands separators: a ('1,234.5' in row 1 "
            "(line 2)); write the numbers without separators");
  EXPECT_EQ(message("a.csv", "a,y\n\"1,234\",2\n7,4\n", {.target = "y"}),
            "a.csv: a column looks like numbers with decimal commas or thousands separators: a "
            "('1,234' in row 1 (line 2)); use --decimal , if the comma is the decimal sign, else "
            "write the numbers without it");
}

TEST_F(Decimal, OtherTextsAreTextAsBefore) {
  EXPECT_EQ(message("a.csv", "a;y\n3,14;2\nred;3\n", {.target = "y"}),
            "a.csv: 1 text column: a ('3,14' in row 1); use --one-hot a or --exclude a");
  EXPECT_EQ(message("a.csv", "a;y\n1,2,3;2\n1;3\n2;4\n", {.target = "y"}),
            "a.csv: row 1 (line 2), column 'a': '1,2,3' is not a number");
}

TEST_F(Decimal, APointIsAThousandsSeparatorOnlyWhereTheColumnShowsIt) {
  EXPECT_EQ(
      message("a.csv", "a;y\n1.234;2\n12;3\n", comma()),
      "a.csv: row 1 (line 2), column 'a': the point of '1.234' may separate thousands or be a "
      "decimal sign, and no other number of the column shows which; write it without the point, or "
      "with a comma");
  EXPECT_EQ(values(read("a.csv", "a;y\n1.234;2\n1.000,5;3\n", comma())),
            matrix({{1234}, {1000.5}}));
  EXPECT_EQ(values(read("a.csv", "a;y\n1.234;2\n-1.000.000;3\n", comma())),
            matrix({{1234}, {-1000000}}));
  EXPECT_EQ(message("a.csv", "a;y\n3.14;2\n12,5;3\n", comma()),
            "a.csv: a column looks like numbers with decimal points: a ('3.14' in row 1 (line 2)); "
            "remove --decimal , or write all numbers with commas");
  for (const std::string bad : {"1.23,4", "1.2345,6", "0.123,4", "1..234,5", "1.234.56,7", ".123,4",
                                "1,234.5", "1,2,3", "1.234,5.6"}) {
    EXPECT_NE(message("a.csv", "a;y\n1;2\n3;4\n" + bad + ";2\n", comma()).find("'" + bad + "'"),
              std::string::npos)
        << bad;
  }
}

TEST_F(Decimal, ACommaCantSeparateFieldsAndDecimalsWithoutQuotes) {
  EXPECT_EQ(
      message("a.csv", "a,y\n3,14\n2,5\n", comma()),
      "a.csv: the fields are separated by commas and none is quoted, so that a comma can't be "
      "the decimal sign as well; remove --decimal , or separate the fields by semicolons");
  EXPECT_EQ(message("a.csv", "a,y\n\"3,14\",1\n2,5,1\n", comma()),
            "a.csv: row 2 (line 3) has 3 fields where 2 are expected; the fields are separated by "
            "commas too: quote numbers with a decimal comma");
  EXPECT_EQ(message("a.csv", "a,y\n3,14,2,5\n", {.target = "y"}),
            "a.csv: row 1 (line 2) has 4 fields where 2 are expected; if commas are decimal signs, "
            "separate the fields by semicolons and use --decimal ,");
}

TEST_F(Decimal, OtherFormatsHaveTheirOwnDecimalSign) {
  EXPECT_EQ(message("a.svm", "1 1:2\n", {.decimal = ','}),
            "a.svm: --decimal is for CSV and TSV: numbers of the format libsvm have a point");
}

}  // namespace
}  // namespace lass0::test
