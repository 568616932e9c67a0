// Files of every format that can't be read: each message names the file and can be printed as it
// is, whatever bytes the file holds.
#include <algorithm>

#include "io/binary_files.hpp"
#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

using namespace std::string_literals;

class BadFiles : public FileTest {};

struct Bad {
  std::string name, content;
  std::string part = {};  // of the message
  ReadOptions options = {.target = "y"};
};

std::vector<Bad> bad_text_files() {
  const std::string arff = "@relation r\n@attribute a real\n@attribute y real\n@data\n";
  const std::string coordinates = "%%MatrixMarket matrix coordinate real general\n";
  const std::string array = "%%MatrixMarket matrix array real general\n";
  const ReadOptions second = {.target = "2"};
  return {
      {"empty.csv", ""},
      {"blank.csv", "\n\n"},
      {"header.csv", "a,y\n"},
      {"ragged.csv", "a,y\n1,2\n3\n", "row 2 (line 3)"},
      {"quote.csv", "a,y\n1,\"2\n", "line 2"},
      {"behind.csv", "a,y\n1,\"2\"x\n", "line 2"},
      {"zero.csv", "a,y\n1,2\n2\0x,3\n3,4\n"s, R"(row 2 (line 3), column 'a': '2\x00x')"},
      {"text.csv", "a,y\nr\0d,2\ngr\x1b[31m,3\n"s, R"(a ('r\x00d' in row 1))"},
      {"name.csv", "a\0b,z\n1,2\n"s, R"(the columns are a\x00b, z)"},
      {"lines.csv", "\"a\nb\",z\n1,2\n", R"(the columns are a\nb, z)"},
      {"twice.csv", "a\0,a\0,y\n1,2,3\n"s, R"(more than once: a\x00)"},
      {"missing.csv", "a\0,y\n,2\n3,4\n"s, R"(a\x00 (1, first in row 1))"},
      {"infinite.csv", "a\r,y\n1,2\n1e999,4\n", "row 2 (line 3)"},
      {"comma.csv", "a;y\n1,5;2\n", "column looks like"},
      {"doubt.csv", "a;y\n1.234;2\n", "column 'a'", {.target = "y", .decimal = ','}},
      {"weights.csv", "a,w,y\n1,-1,2\n", "row 1, column 'w'", {.target = "y", .weights = "w"}},
      {"nothing.csv", "a,w,y\n1,0,2\n", "column 'w'", {.target = "y", .weights = "w"}},
      {"star.csv", "a,y\n1,2\n", "'*'", {.target = "y", .positive = {"*"}, .negative = {"*"}}},
      {"level.csv",
       "g,y\nu\0,1\n,2\n"s,
       "g (1, first in row 2)",
       {.target = "y", .one_hot = {"g"}}},
      {"none.tsv", "a\ty\n\t1\n", "row 1"},
      {"keyword.arff", "@relation r\n@att\0ribute a real\n"s, R"('@att\x00ribute')"},
      {"type.arff", "@relation r\n@attribute a r\0al\n"s, R"('r\x00al')"},
      {"nodata.arff", "@relation r\n@attribute a real\n"},
      {"cell.arff", arff + "1,2\nx\0,3\n2,2\n"s, "row 2 (line 6), column 'a'"},
      {"fields.arff", arff + "1,2\n3\n", "row 2 (line 6)"},
      {"index.arff", arff + "{7 1}\n", "line 5"},
      {"quote.arff", arff + "'1,2\n", "line 5"},
      {"target.libsvm", "1 1:2\n\0 1:3\n"s, R"(row 2 (line 2): '\x00')", {}},
      {"value.libsvm", "1 1:2\n2 1:\0003\n"s, R"(row 2 (line 2): '\x003')", {}},
      {"form.libsvm", "1 a\x07:2\n", R"(row 1 (line 1): 'a\x07:2')", {}},
      {"far.libsvm", "1 2000000000:2\n", "line 1", {}},
      {"twice.libsvm", "1 3:2 3:1\n", "row 1", {}},
      {"none.libsvm", "# nothing\n", "", {}},
      {"banner.mtx", "%%MatrixMarket matrix\n", "line 1", second},
      {"sizes.mtx", coordinates + "2 \0012 1\n"s, R"('\x012')", second},
      {"value.mtx", coordinates + "2 2 1\n1 2 \0\n"s, R"(line 3: row 1, column 2: '\x00')", second},
      {"number.mtx", array + "1 2\n1\nnan\n", "line 4: row 1, column 2: 'nan'", second},
      {"range.mtx", coordinates + "2 2 1\n3 1 1\n", "line 3", second},
      {"short.mtx", coordinates + "2 2 2\n1 1 1\n", "entry 2 of 2", second},
      {"twice.mtx", coordinates + "2 2 2\n1 1 1\n1 1 2\n", "row 1, column 1", second},
      {"nowhere.mtx", array + "2 1000000\n1\n", "line 2", second},
  };
}

std::vector<Bad> bad_binary_files() {
  const std::string data = bytes_of<double>({1, 2, 3, 4});
  const std::string good = npy("<f8", false, "(2, 2)", data);
  const ReadOptions second = {.target = "2"};
  std::vector<Bad> list = {
      {"magic.npy", "NUMPY", "", second},
      {"cut.npy", good.substr(0, 8), "", second},
      {"header.npy", good.substr(0, 60), "", second},
      {"data.npy", good.substr(0, good.size() - 1), "", second},
      {"version.npy", "\x93NUMPY\x09" + good.substr(7), "version 9", second},
      {"type.npy", npy("<\0f8"s, false, "(2, 2)", data), R"('<\x00f8')", second},
      {"text.npy", npy("<U8", false, "(2, 2)", data), "'<U8'", second},
      {"dimensions.npy", npy("<f8", false, "(2, 2, 1)", data), "3 dimensions", second},
      {"scalar.npy", npy("<f8", false, "()", data), "0 dimensions", second},
      {"empty.npy", npy("<f8", false, "(0, 2)", data), "empty", second},
      {"target.npy", good, "target", {}},
      {"nan.npy", npy("<f8", false, "(1, 2)", bytes_of<double>({0.0 / 0.0, 2})), "row 1", second},
      {"end.npz", zip({{"X.npy", good}}, false).substr(0, 100), "", second},
      {"none.npz", zip({{"notes.txt", "hello"}}, false), "'X'", second},
      {"member.npz", zip({{"a\x01.npy", good.substr(0, 60)}}, true), R"('a\x01')", second},
      {"several.npz", zip({{"a.npy", good}, {"b.npy", good}}, true), "'X'", second},
      {"y.npz", zip({{"X.npy", good}, {"y.npy", good}}, true), "'y'", {}},
  };
  const std::string start = "{'descr': '<f8', 'fortran_order': False, 'shape': ";
  // A header is one dictionary with three known keys, and a shape is a tuple of sizes.
  for (const std::string shape :
       {"(5.5, 4)", "(2, 2.0)", "(2x, 2)",  "(0x2, 2)", "(-2, -2)", "(+2, 2)",
        "(2 2)",    "(,)",      "(2,, 2)",  "(2, 2",    "2, 2",     "(4)",
        "[2, 2]",   "(2, 2))",  "(2, two)", "('2', 2)", "(2; 2)",   "(99999999999999999999, 1)",
        "(1e0, 4)", "(2, 2L2)", "None",     ""}) {
    list.push_back({"shape.npy", npy_with_header(start + shape + ", }", data), "header", second});
    list.push_back({"shape.npz", zip({{"X.npy", npy_with_header(start + shape + "}", data)}}, true),
                    "header", second});
  }
  for (const std::string& header :
       {start + "(2, 2)", start + "(2, 2)} x", start + "(2, 2), 'shape': (2, 2)}",
        start + "(2, 2), 'more': 1}", start + "(2, 2)}\0"s, start.substr(1) + "(2, 2)}",
        "{'descr': '<f8', 'shape': (2, 2)}"s, "{'fortran_order': False, 'shape': (2, 2)}"s,
        "{'descr': '<f8', 'fortran_order': False}"s, "{'descr: '<f8'}"s,
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 2)}"s,
        "{'descr': <f8, 'fortran_order': False, 'shape': (2, 2)}"s, ""s, "\x1b[31m"s})
    list.push_back({"header.npy", npy_with_header(header, data), "header", second});
  return list;
}

TEST_F(BadFiles, EveryMessageNamesTheFileAndHasNoControlCharacters) {
  std::vector<Bad> all = bad_text_files();
  const std::vector<Bad> binary = bad_binary_files();
  all.insert(all.end(), binary.begin(), binary.end());
  for (const Bad& bad : all) {
    const std::string found = message(bad.name, bad.content, bad.options);
    SCOPED_TRACE(bad.name + ": " + testing::PrintToString(bad.content));
    EXPECT_EQ(found.rfind(bad.name + ": ", 0), 0U) << found;
    EXPECT_NE(found.find(bad.part), std::string::npos) << found;
    EXPECT_TRUE(std::none_of(found.begin(), found.end(), [](unsigned char c) {
      return c < 0x20 || c == 0x7F;
    })) << testing::PrintToString(found);
  }
}

TEST_F(BadFiles, HeadersThatNumpyWritesAreRead) {
  const std::string data = bytes_of<double>({1, 2, 3, 4});
  for (const std::string header :
       {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,2)}",
        "{'shape': (2L, 2L), 'fortran_order': False, 'descr': '<f8'}",
        "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": ( 2 , 2 , ) }  "}) {
    EXPECT_EQ(read("a.npy", npy_with_header(header, data), {.target = "2"}).y(), vector({2, 4}))
        << header;
  }
}

TEST_F(BadFiles, WorkbooksAreNamedByContentAndByName) {
  const std::string book =
      zip({{"[Content_Types].xml", "<Types/>"}, {"xl/workbook.xml", "<w/>"}}, true);
  const std::string old = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + std::string(512, '\0');
  const std::string sentence =
      ": this is an Excel workbook, which can't be read; save the sheet as CSV and use that";
  for (const std::string name : {"a.xlsx", "a.XLSX", "a.csv", "a.npz", "a"}) {
    EXPECT_EQ(message(name, book, {.target = "y"}), name + sentence);
    EXPECT_EQ(message(name, old, {.target = "y"}), name + sentence);
  }
  EXPECT_EQ(message("a.xls", "a,y\n1,2\n3,4\n", {.target = "y"}),
            "a.xls: the name is that of an Excel workbook, but the content is not; if it is text, "
            "say which format, for instance --input-format csv");
  EXPECT_EQ(read("a.xls", "a,y\n1,2\n3,4\n", {.target = "y", .format = FileFormat::csv}).y(),
            vector({2, 4}));
}

}  // namespace
}  // namespace lass0::test
