#include <fmt/format.h>

#include <cmath>
#include <random>
#include <utility>

#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class Csv : public FileTest {};

TEST_F(Csv, ReadsNumbersNamesAndTarget) {
  const Table table = read("a.csv", "a,y,b\n1,2,3\n4,5,6\n", {.target = "y"});
  EXPECT_EQ(table.names(), (Names{"a", "b"}));
  EXPECT_EQ(values(table), matrix({{1, 3}, {4, 6}}));
  EXPECT_EQ(table.y(), vector({2, 5}));
  EXPECT_EQ(table.target, "y");
  EXPECT_EQ(table.weights().size(), 0);
  EXPECT_TRUE(table.rows_dropped.empty());
}

TEST_F(Csv, EveryDialectGivesTheSameTable) {
  const Matrix expected = matrix({{1.5, -2e-3}, {4, 0.25}});
  const std::vector<std::string> contents = {
      "a,b,y\n1.5,-2e-3,1\n4,.25,2\n",
      "a,b,y\r\n1.5,-2e-3,1\r\n4,.25,2\r\n",
      "a,b,y\n1.5,-2e-3,1\n4,.25,2",
      "\xEF\xBB\xBF a,b,y\n1.5,-2e-3,1\n4,.25,2\n",
      "\xEF\xBB\xBF\"a\",b,y\n1.5,-2e-3,1\n4,.25,2\n\n\n",
      "a;b;y\n1.5;-2e-3;1\n4;.25;2\n",
      "a\tb\ty\n1.5\t-2e-3\t1\n4\t.25\t2\n",
      "a, b, y\n 1.5 , -2e-3,  1\n4 ,  .25 , 2  \r\n",
      "\"a\",\"b\",\"y\"\n\"1.5\",\"-2e-3\",1\n\" 4\",\".25\" ,\"2\"\n",
      "a,b,y\n+1.5,-2E-3,+1\n+4.,+.25,2e0\r\n\r\n",
      "a\t\"b\"\ty\r\n1.5\t -2e-3\t1\r\n4 \t.25\t2",
  };
  for (const std::string& content : contents) {
    const Table table = read("a.csv", content, {.target = "y"});
    EXPECT_EQ(table.names(), (Names{"a", "b"})) << content;
    EXPECT_EQ(values(table), expected) << content;
    EXPECT_EQ(table.y(), vector({1, 2})) << content;
  }
}

TEST_F(Csv, TabsDelimitATsvWhateverElseItHolds) {
  const Table table = read("a.tsv", "a,1\ty\n1\t2\n", {.target = "y"});
  EXPECT_EQ(table.names(), (Names{"a,1"}));
}

TEST_F(Csv, QuotedFieldsMayHoldDelimitersQuotesAndLines) {
  const Table table =
      read("a.csv", "\"a,1\",\"say \"\"b\"\"\",\"two\nlines\",y\n1,2,3,4\n", {.target = "y"});
  EXPECT_EQ(table.names(), (Names{"a,1", "say \"b\"", "two\nlines"}));
  EXPECT_EQ(values(table), matrix({{1, 2, 3}}));
}

TEST_F(Csv, AFirstRowOfNumbersIsData) {
  EXPECT_EQ(read("a.csv", "1,2\n3,4\n", {.target = "2"}).y(), vector({2, 4}));
  EXPECT_EQ(read("a.csv", "1,2\n3,4\n", {.target = "x2"}).names(), (Names{"x1"}));
  EXPECT_EQ(read("a.csv", "1,NA,3\n3,4,5\n", {.target = "x3", .missing = MissingValues::drop}).y(),
            vector({5}));
  EXPECT_EQ(read("a.csv", "1,2\n3,4\n", {.target = "2", .header = Header::yes}).y(), vector({4}));
  EXPECT_EQ(read("a.csv", "1,2\n3,4\n", {.target = "2", .header = Header::yes}).names(),
            (Names{"1"}));
  EXPECT_EQ(message("a.csv", "a,b\n3,4\n", {.target = "2", .header = Header::no}),
            "a.csv: row 1 (line 1), column 'x1': 'a' is not a number");
}

TEST_F(Csv, AnEmptyNameIsNumberedByPosition) {
  EXPECT_EQ(read("a.csv", ",a,,y\n1,2,3,4\n", {.target = "y"}).names(), (Names{"x1", "a", "x3"}));
}

TEST_F(Csv, RaggedRowsAreNamed) {
  EXPECT_EQ(message("a.csv", "a,b,y\n1,2,3\n1,2\n", {.target = "y"}),
            "a.csv: row 2 (line 3) has 2 fields where 3 are expected");
  EXPECT_EQ(message("a.csv", "a,b,y\n1,2,3,4,5\n", {.target = "y"}),
            "a.csv: row 1 (line 2) has 5 fields where 3 are expected");
  EXPECT_EQ(message("a.csv", "a,b,\"the\ny\"\n1,2,3\n\n1,2,3\n", {.target = "a"}),
            "a.csv: row 2 (line 4) has 1 field where 3 are expected");
}

TEST_F(Csv, BrokenQuotesAreNamed) {
  EXPECT_EQ(message("a.csv", "a,y\n1,2\n\"3,4\n", {.target = "y"}),
            "a.csv: line 3: a quote is opened but never closed");
  EXPECT_EQ(message("a.csv", "a,y\n\"1\"2,3\n", {.target = "y"}),
            "a.csv: line 2: text follows a closing quote; quotes inside a field are doubled");
}

TEST_F(Csv, EmptyAndHeaderOnlyFilesAreErrors) {
  EXPECT_EQ(message("a.csv", "", {.target = "y"}), "a.csv: the file is empty");
  EXPECT_EQ(message("a.csv", "\n\r\n \n", {.target = "y"}), "a.csv: the file is empty");
  EXPECT_EQ(message("a.csv", "\xEF\xBB\xBF", {.target = "y"}), "a.csv: the file is empty");
  EXPECT_EQ(message("a.csv", "a,y\n", {.target = "y"}), "a.csv: there are no data rows");
  EXPECT_EQ(message("a.csv", "y\n1\n", {.target = "y"}),
            "a.csv: there are no columns left for X besides the target");
}

TEST_F(Csv, ARowMayEndInAnEmptyField) {
  const Table table =
      read("a.csv", "a,y,b\n1,2,3\n4,5,", {.target = "y", .missing = MissingValues::drop});
  EXPECT_EQ(table.rows_dropped, (std::vector<Index>{2}));
}

TEST_F(Csv, ExtremeNumbersKeepTheirBits) {
  const Table table =
      read("a.csv",
           "a,y\n1.7976931348623157e308,0\n5e-324,0\n-0.0,0\n0.1,0\n9007199254740993,0\n"
           "123456789012345678901234567890e-30,0\n1e-999,0\n",
           {.target = "y"});
  EXPECT_EQ(values(table).col(0), vector({1.7976931348623157e308, 5e-324, -0.0, 0.1,
                                          9007199254740992.0, 0.12345678901234568, 0}));
  EXPECT_TRUE(std::signbit(values(table)(2, 0)));
}

TEST_F(Csv, MoreRowsThanABlockHolds) {
  std::string content = "a,b,y\n";
  constexpr Index rows = 30000;
  for (Index i = 0; i < rows; ++i) content += fmt::format("{},{},{}\n", i, -i, 2 * i);
  const Table table = read("a.csv", content, {.target = "y"});
  ASSERT_EQ(table.design().rows(), rows);
  for (Index i = 0; i < rows; ++i) {
    ASSERT_EQ(table.design().value(i, 0), i);
    ASSERT_EQ(table.design().value(i, 1), -i);
    ASSERT_EQ(table.y()(i), 2 * i);
  }
}

// A slow, obvious reading of RFC 4180: one character at a time.
std::vector<std::vector<std::string>> parse_slowly(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"')
        field += text[i++];
      else if (c == '"')
        quoted = false;
      else
        field += c;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      row.push_back(field);
      field.clear();
      if (c == '\n') rows.push_back(std::exchange(row, {}));
    } else if (c != '\r') {
      field += c;
    }
  }
  return rows;
}

// Numbers and, in the column t, texts of awkward characters, quoted at random: the codes tell which
// text was read.
TEST_F(Csv, RandomTablesAgreeWithASlowReader) {
  std::mt19937 random(7);
  const auto chance = [&](unsigned of) { return random() % of == 0; };
  const auto quote = [](const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
  };
  constexpr std::string_view characters = "ab,\"\n;\t 1.";
  for (int trial = 0; trial < 200; ++trial) {
    const std::string end = chance(2) ? "\r\n" : "\n";
    std::string content = "a,t,y" + end;
    const unsigned rows = 1 + random() % 20;
    for (unsigned i = 0; i < rows; ++i) {
      std::string text = "t";  // neither empty nor a number
      for (unsigned c = random() % 6; c > 0; --c) text += characters[random() % characters.size()];
      text += "t";
      const bool plain = text.find_first_of(",\"\n") == std::string::npos && chance(2);
      const std::string a =
          fmt::format("{}", std::ldexp(static_cast<double>(random()) - 2e9, random() % 90 - 60));
      content += (chance(4) ? quote(a) : a) + "," + (plain ? text : quote(text)) + "," +
                 fmt::format("{}", i) + end;
    }
    const Table table = read("a.csv", content, {.target = "y", .one_hot = {"t"}});
    const auto expected = parse_slowly(content);
    ASSERT_EQ(table.design().rows() + 1, std::ssize(expected)) << content;
    const std::vector<std::string>& levels = table.one_hot.at("t");
    for (Index i = 0; i < table.design().rows(); ++i) {
      const std::vector<std::string>& row = expected[static_cast<std::size_t>(i) + 1];
      EXPECT_EQ(table.design().value(i, 0), std::stod(row[0])) << content;
      EXPECT_EQ(table.y()(i), std::stod(row[2])) << content;
      ASSERT_NE(std::find(levels.begin(), levels.end(), row[1]), levels.end()) << content;
      for (std::size_t l = 1; l < levels.size(); ++l)
        EXPECT_EQ(table.design().value(i, static_cast<Index>(l)), row[1] == levels[l] ? 1 : 0)
            << content;
    }
  }
}

// No input may do more than throw an Error.
TEST_F(Csv, RandomBytesGiveATableOrAnError) {
  std::mt19937 random(11);
  constexpr std::string_view characters = "0123456789.,,,;\t\n\n\r\"\"+-eNAinf? xyz";
  for (int trial = 0; trial < 1000; ++trial) {
    std::string content;
    for (unsigned c = random() % 60; c > 0; --c)
      content += characters[random() % characters.size()];
    try {
      const Table table = read("a.csv", content, {.target = "1", .missing = MissingValues::mean});
      EXPECT_TRUE(values(table).allFinite() && table.y().allFinite()) << content;
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace lass0::test
