// Every format: the same data give the same table, and what is wrong with a file is named.
#include "io/binary_files.hpp"
#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class Formats : public FileTest {};

struct Sample {
  std::string name, content, target;
};

// X = [1.5 0 -2; 0 3 0.25; 7 0 0], y = (1, 2, 3)
std::vector<Sample> samples() {
  const std::string rows = bytes_of<double>({1.5, 0, -2, 1, 0, 3, 0.25, 2, 7, 0, 0, 3});
  const std::string columns = bytes_of<double>({1.5, 0, 7, 0, 3, 0, -2, 0.25, 0, 1, 2, 3});
  const std::string X =
      npy("<f8", false, "(3, 3)", bytes_of<double>({1.5, 0, -2, 0, 3, 0.25, 7, 0, 0}));
  const std::string y = npy("<i8", false, "(3,)", bytes_of<std::int64_t>({1, 2, 3}));
  return {
      {"a.csv", "1.5,0,-2,1\n0,3,0.25,2\n7,0,0,3\n", "x4"},
      {"a.tsv", "x1\tx2\tx3\tx4\n1.5\t0\t-2\t1\n0\t3\t.25\t2\n7\t0\t0\t3\n", "4"},
      {"a.arff",
       "% comment\n@RELATION r\n\n@attribute x1 numeric\n@Attribute 'x2' REAL\n@attribute \"x3\" "
       "integer\n"
       "@attribute x4 {1,2,3}\n@DATA\n% comment\n1.5, 0,-2,1\n0,3,0.25,2\n7,0,0,3\n",
       "x4"},
      {"sparse.arff",
       "@relation r\n@attribute x1 numeric\n@attribute x2 numeric\n@attribute x3 "
       "numeric\n@attribute x4 {1,2,3}\n@data\n"
       "{0 1.5, 2 -2}\n{1 3,2 .25 , 3 2}\n{3 3, 0 7}\n",
       "x4"},
      {"a.libsvm", "1 1:1.5 3:-2 # first\n2 qid:3 3:.25 2:3\r\n\n# comment\n+3 1:7 3:0\n", ""},
      {"zero.svm", "1 0:1.5 2:-2\n2 1:3 2:.25\n3 0:7\n", "target"},
      {"a.npy", npy("<f8", false, "(3, 4)", rows), "x4"},
      {"fortran.npy", npy("<f8", true, "(3, 4)", columns), "4"},
      {"v2.npy", npy("<f8", false, "(3, 4)", rows, 2), "4"},
      {"v3.npy", npy("<f8", false, "(3, 4)", rows, 3), "4"},
      {"big.npy",
       npy(">f8", false, "(3, 4)",
           bytes_of<double>({1.5, 0, -2, 1, 0, 3, 0.25, 2, 7, 0, 0, 3}, true)),
       "4"},
      {"single.npy",
       npy("<f4", false, "(3, 4)", bytes_of<float>({1.5, 0, -2, 1, 0, 3, 0.25, 2, 7, 0, 0, 3})),
       "4"},
      {"half.npy",
       npy("<f2", false, "(3, 4)",
           bytes_of<std::uint16_t>(
               {0x3E00, 0, 0xC000, 0x3C00, 0, 0x4200, 0x3400, 0x4000, 0x4700, 0, 0, 0x4200})),
       "4"},
      {"a.npz", zip({{"X.npy", X}, {"y.npy", y}}, false), ""},
      {"deflated.npz", zip({{"data.npy", X}, {"y.npy", y}}, true), "y"},
      {"a.mtx",
       "%%MatrixMarket matrix coordinate real general\n% comment\n3 4 8\n1 1 1.5\n3 1 7\n1 3 -2\n2 "
       "3 .25\n2 2 3\n1 4 1\n"
       "2 4 2\n3 4 3\n",
       "4"},
      {"array.mtx",
       "%%MatrixMarket matrix array real general\n3 4\n1.5\n0\n7\n0\n3\n0\n-2\n.25\n0\n1\n2\n3\n",
       "x4"},
  };
}

TEST_F(Formats, TheSameDataGiveTheSameTablePlainAndPackedByNameAndByContent) {
  const Matrix X = matrix({{1.5, 0, -2}, {0, 3, 0.25}, {7, 0, 0}});
  const auto check = [&](const std::string& path, const ReadOptions& options) {
    const Table table = read_table(path, options);
    EXPECT_EQ(values(table), X) << path;
    EXPECT_EQ(table.y(), vector({1, 2, 3})) << path;
    EXPECT_EQ(table.names(), (Names{"x1", "x2", "x3"})) << path;
  };
  for (const Sample& sample : samples()) {
    check(folder_.write(sample.name, sample.content), {.target = sample.target});
    check(folder_.write_gzip(sample.name + ".gz", sample.content), {.target = sample.target});
    check(folder_.write_gzip(sample.name, sample.content),
          {.target = sample.target});  // packed, but not called so
    check(folder_.write("unnamed", sample.content), {.target = sample.target});
  }
}

TEST_F(Formats, ATruncatedGzipSaysSo) {
  const std::string path = folder_.write_gzip("a.csv.gz", std::string(5000, '1') + ",2\n3,4\n");
  const std::string packed = folder_.content("a.csv.gz");
  for (const std::size_t size :
       {packed.size() - 1, packed.size() - 9, packed.size() / 2, std::size_t{5}}) {
    const std::string text = message("a.csv.gz", packed.substr(0, size), {.target = "1"});
    EXPECT_NE(text.find("a.csv.gz: the gzip file is truncated"), std::string::npos) << text;
  }
  std::string damaged = packed;
  damaged[packed.size() - 5] = static_cast<char>(damaged[packed.size() - 5] + 1);
  EXPECT_NE(message("a.csv.gz", damaged, {.target = "1"}).find("is damaged"), std::string::npos);
}

TEST_F(Formats, GzipMembersFollowEachOther) {
  folder_.write_gzip("1", "a,y\n1,2\n");
  folder_.write_gzip("2", "3,4\n");
  EXPECT_EQ(read("a.csv.gz", folder_.content("1") + folder_.content("2"), {.target = "y"}).y(),
            vector({2, 4}));
}

TEST_F(Formats, NpyIntegersAndBooleans) {
  const auto first = [&](const std::string& type, std::string_view data) {
    return values(read("a.npy", npy(type, false, "(1, 2)", data), {.target = "2"}))(0, 0);
  };
  EXPECT_EQ(first("|i1", bytes_of<std::int8_t>({-5, 1})), -5);
  EXPECT_EQ(first("|u1", bytes_of<std::uint8_t>({250, 1})), 250);
  EXPECT_EQ(first("|b1", bytes_of<std::uint8_t>({1, 0})), 1);
  EXPECT_EQ(first("<i2", bytes_of<std::int16_t>({-300, 1})), -300);
  EXPECT_EQ(first(">i2", bytes_of<std::int16_t>({-300, 1}, true)), -300);
  EXPECT_EQ(first("<u2", bytes_of<std::uint16_t>({65000, 1})), 65000);
  EXPECT_EQ(first("<i4", bytes_of<std::int32_t>({-70000, 1})), -70000);
  EXPECT_EQ(first(">u4", bytes_of<std::uint32_t>({4e9, 1}, true)), 4e9);
  EXPECT_EQ(first("<i8", bytes_of<std::int64_t>({-1e15, 1})), -1e15);
  EXPECT_EQ(first("<u8", bytes_of<std::uint64_t>({1e19, 1})), 1e19);
}

TEST_F(Formats, NpyNaNIsMissingAndInfinityAnError) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const std::string content = npy("<f8", false, "(2, 2)", bytes_of<double>({nan, 1, 2, 3}));
  EXPECT_EQ(message("a.npy", content, {.target = "2"}),
            "a.npy: 1 missing value in 1 column: x1 (1, first in row 1); use --missing drop or "
            "--missing mean");
  EXPECT_EQ(read("a.npy", content, {.target = "2", .missing = MissingValues::drop}).y(),
            vector({3}));
  EXPECT_EQ(message("a.npy", npy("<f8", false, "(2, 2)", bytes_of<double>({1, 1, -infinity, 3})),
                    {.target = "2"}),
            "a.npy: row 2, column 'x1': '-inf' is not a finite number");
}

TEST_F(Formats, NpyThatCantBeReadIsNamed) {
  const std::string good = npy("<f8", false, "(2, 2)", bytes_of<double>({1, 2, 3, 4}));
  EXPECT_EQ(message("a.npy", good.substr(0, good.size() - 3), {.target = "2"}),
            "a.npy: the file is truncated: 32 bytes of data are expected, 29 are there");
  EXPECT_EQ(message("a.npy", good.substr(0, 20), {.target = "2"}),
            "a.npy: the file is truncated: its header is cut short");
  EXPECT_EQ(message("a.npy", good.substr(0, 7), {.target = "2"}),
            "a.npy: the file is truncated: its header is cut short");
  EXPECT_EQ(message("a.npy", "a,b\n1,2\n", {.target = "2"}),
            "a.npy: this is not a NumPy .npy file");
  EXPECT_EQ(message("a.npy", npy("|O", false, "(2, 2)", "12345678"), {.target = "2"}),
            "a.npy: an array of Python objects can't be read; save it as float64");
  EXPECT_EQ(message("a.npy", npy("<c16", false, "(2, 2)", "12345678"), {.target = "2"}),
            "a.npy: an array of type '<c16' can't be read; save it as float64");
  EXPECT_EQ(
      message("a.npy", npy("<f8", false, "(2, 2, 2)", std::string(64, '\0')), {.target = "2"}),
      "a.npy: the array has 3 dimensions; a table has two");
  EXPECT_EQ(message("a.npy", npy("<f8", false, "(0, 5)", ""), {.target = "2"}),
            "a.npy: the array is empty");
  EXPECT_EQ(message("a.npy", npy("<f8", false, "(1048576, 1048576)", ""), {.target = "2"}),
            "a.npy: the file is truncated: 8796093022208 bytes of data are expected, 0 are "
            "there");
  EXPECT_EQ(message("a.npy", npy("<f8", false, "(2,)", bytes_of<double>({1, 2})), {.target = "1"}),
            "a.npy: there are no columns left for X besides the target");
}

TEST_F(Formats, NpzThatCantBeReadIsNamed) {
  const std::string X = npy("<f8", false, "(1, 2)", bytes_of<double>({1, 2}));
  const std::string good = zip({{"X.npy", X}}, true);
  EXPECT_EQ(read("a.npz", good, {.target = "x2"}).y(), vector({2}));
  EXPECT_EQ(message("a.npz", good, {}),
            "a.npz: which column is the target? Give --target; the columns are x1, x2");
  EXPECT_EQ(message("a.npz", good.substr(0, good.size() - 30), {.target = "2"}),
            "a.npz: the archive is truncated: its directory is missing");
  EXPECT_EQ(message("a.npz", zip({{"a.npy", X}, {"b.npy", X}}, false), {.target = "2"}),
            "a.npz: several arrays have two dimensions; name the one to use 'X'");
  EXPECT_EQ(
      message("a.npz",
              zip({{"X.npy", X}, {"y.npy", npy("<f8", false, "(2,)", bytes_of<double>({1, 2}))}},
                  false),
              {}),
      "a.npz: the array 'y' must have one value for each of the 1 rows of X");
  std::string damaged = zip({{"X.npy", X}}, false);
  damaged[damaged.find("NUMPY") + 125] ^= 1;
  EXPECT_EQ(message("a.npz", damaged, {.target = "2"}),
            "a.npz: 'X.npy' is damaged: its checksum is wrong");
}

TEST_F(Formats, CutAndChangedBinaryFilesGiveATableOrAnError) {
  for (const Sample& sample : samples()) {
    for (std::size_t at = 0; at < sample.content.size(); at += 1 + sample.content.size() / 60) {
      std::string changed = sample.content;
      changed[at] = static_cast<char>(changed[at] + 13);
      for (const std::string& content : {sample.content.substr(0, at), changed}) {
        try {
          read(sample.name, content, {.target = sample.target, .missing = MissingValues::mean});
        } catch (const Error&) {
        }
      }
    }
  }
}

TEST_F(Formats, LibsvmThatCantBeReadIsNamed) {
  EXPECT_EQ(message("a.svm", "1 1:2\n2 3:4 3:5\n", {}),
            "a.svm: row 2 (line 2): the index 3 is given twice");
  EXPECT_EQ(message("a.svm", "1 1:2\n\n2 3:x\n", {}),
            "a.svm: row 2 (line 3): 'x' is not a number, as the value must be");
  EXPECT_EQ(message("a.svm", "1 1:2\nyes 3:1\n", {}),
            "a.svm: row 2 (line 2): 'yes' is not a number, as the target must be");
  EXPECT_EQ(message("a.svm", "1 1:2\n2 3:inf\n", {}),
            "a.svm: row 2 (line 2): 'inf' is not a finite number, as the value must be");
  EXPECT_EQ(message("a.svm", "1 a:2\n", {}),
            "a.svm: row 1 (line 1): 'a:2' is not of the form index:value");
  EXPECT_EQ(message("a.svm", "1 -1:2\n", {}),
            "a.svm: row 1 (line 1): '-1:2' is not of the form index:value");
  EXPECT_EQ(message("a.svm", "1 99999999999:2\n", {}),
            "a.svm: row 1 (line 1): the index 99999999999 is larger than 2147483646");
  EXPECT_EQ(message("a.svm", "1 1:2\n", {.target = "x1"}),
            "a.svm: a LIBSVM file has its own target, the first number of each row; remove "
            "--target x1");
  EXPECT_EQ(message("a.svm", "# nothing\n", {}),
            "a.svm: there are no columns left for X besides the target");
}

TEST_F(Formats, MatrixMarketSymmetriesAndPatterns) {
  const std::string start = "%%MatrixMarket matrix ";
  EXPECT_EQ(values(read("a.mtx", start + "coordinate real symmetric\n2 2 3\n1 1 5\n2 1 6\n2 2 7\n",
                        {.target = "2"})),
            matrix({{5}, {6}}));
  EXPECT_EQ(read("a.mtx", start + "coordinate real symmetric\n2 2 3\n1 1 5\n2 1 6\n2 2 7\n",
                 {.target = "2"})
                .y(),
            vector({6, 7}));
  EXPECT_EQ(
      read("a.mtx", start + "coordinate integer skew-symmetric\n2 2 1\n2 1 6\n", {.target = "2"})
          .y(),
      vector({-6, 0}));
  EXPECT_EQ(
      read("a.mtx", start + "coordinate pattern general\n2 2 2\n1 1\n2 2\n", {.target = "2"}).y(),
      vector({0, 1}));
  EXPECT_EQ(read("a.mtx", start + "array real symmetric\n2 2\n1\n2\n3\n", {.target = "2"}).y(),
            vector({2, 3}));
  EXPECT_EQ(read("a.mtx", start + "array real skew-symmetric\n2 2\n2\n", {.target = "2"}).y(),
            vector({-2, 0}));
}

TEST_F(Formats, MatrixMarketThatCantBeReadIsNamed) {
  const std::string start = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(message("a.mtx", start + "2 2 2\n1 1 1\n3 1 1\n", {.target = "2"}),
            "a.mtx: line 4: the row 3 is out of range: there are 2");
  EXPECT_EQ(message("a.mtx", start + "2 2 1\n1 0 1\n", {.target = "2"}),
            "a.mtx: line 3: the column 0 is out of range: there are 2");
  EXPECT_EQ(message("a.mtx", start + "2 2 2\n1 1 1\n", {.target = "2"}),
            "a.mtx: the file is truncated: it ends where entry 2 of 2 should be");
  EXPECT_EQ(message("a.mtx", start + "2 2 1\n1 1 1\n1 2 1\n", {.target = "2"}),
            "a.mtx: line 4: there are more entries than the sizes allow");
  EXPECT_EQ(message("a.mtx", start + "2 2 2\n1 1 1\n1 1 1\n", {.target = "2"}),
            "a.mtx: row 1, column 1 is given twice");
  EXPECT_EQ(message("a.mtx", start + "2 2 1\n1 1 nan\n", {.target = "2"}),
            "a.mtx: line 3: row 1, column 1: 'nan' is not a finite number");
  EXPECT_EQ(message("a.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 0\n",
                    {.target = "2"}),
            "a.mtx: line 1: entries of type 'complex' can't be used; they must be real, integer or "
            "pattern");
  EXPECT_EQ(message("a.mtx", start + "2 2 1\n1 1 1\n", {.target = "7"}),
            "a.mtx: there is no column 7 for the target: the file has 2 columns");
  EXPECT_EQ(
      message("a.mtx", start + "2 2 1\n1 1 1\n", {.target = "2", .one_hot = {"1"}}),
      "a.mtx: column 'x1' can't be one-hot coded: the file is sparse, its columns are numbers");
}

TEST_F(Formats, SparseTablesHaveExclusionsAndWeights) {
  const std::string content =
      "%%MatrixMarket matrix coordinate real general\n2 4 6\n1 1 1\n2 1 2\n1 2 3\n2 3 4\n1 4 5\n2 "
      "4 6\n";
  const Table table = read("a.mtx", content, {.target = "1", .weights = "x4", .exclude = {"2"}});
  EXPECT_EQ(table.names(), (Names{"x3"}));
  EXPECT_EQ(values(table), matrix({{0}, {4}}));
  EXPECT_EQ(table.y(), vector({1, 2}));
  EXPECT_EQ(table.weights(), vector({5, 6}));
  EXPECT_NE(dynamic_cast<const SparseDesign*>(&table.design()), nullptr);
}

TEST_F(Formats, ArffTextsQuotesAndMissingValues) {
  const std::string content =
      "@relation 'a b'\n@attribute 'the colour' {red, 'dark blue', \"it\\'s\"}\n@attribute name "
      "string\n"
      "@attribute x numeric\n@attribute d date \"yyyy\"\n@attribute y real\n@data\n'dark "
      "blue','a,b',1,2001,10\n"
      "red,b,2,2002,20\n\"it's\",c,?,2003,30\n";
  EXPECT_EQ(message("a.arff", content, {.target = "y"}),
            "a.arff: 3 text columns: the colour ('dark blue' in row 1), name ('a,b' in row 1), d "
            "('2001' in row 1); "
            "use --one-hot the colour,name,d or --exclude the colour,name,d");
  const Table table = read("a.arff", content,
                           {.target = "y",
                            .exclude = {"name", "d"},
                            .one_hot = {"the colour"},
                            .missing = MissingValues::mean});
  EXPECT_EQ(table.names(), (Names{"the colour=it's", "the colour=red", "x"}));
  EXPECT_EQ(values(table), matrix({{0, 0, 1}, {0, 1, 2}, {1, 0, 1.5}}));
}

TEST_F(Formats, SparseArffRowsMeanTheFirstLevelByNothing) {
  const Table table = read(
      "a.arff",
      "@relation r\n@attribute c {low,high}\n@attribute y numeric\n@attribute x numeric\n@data\n"
      "{1 5}\n{0 high, 2 3}\n{}\n",
      {.target = "y", .one_hot = {"c"}});
  EXPECT_EQ(table.names(), (Names{"c=low", "x"}));
  EXPECT_EQ(values(table), matrix({{1, 0}, {0, 3}, {1, 0}}));
  EXPECT_EQ(table.y(), vector({5, 0, 0}));
}

TEST_F(Formats, ArffThatCantBeReadIsNamed) {
  const std::string start = "@relation r\n@attribute a numeric\n@attribute y numeric\n";
  EXPECT_EQ(message("a.arff", start + "@data\n1,2\n1\n", {.target = "y"}),
            "a.arff: row 2 (line 6) has 1 fields where 2 are expected");
  EXPECT_EQ(message("a.arff", start + "@data\n1,2\nx,2\n3,2\n", {.target = "y"}),
            "a.arff: row 2 (line 6), column 'a': 'x' is not a number");
  EXPECT_EQ(message("a.arff", start, {.target = "y"}), "a.arff: there is no @data section");
  EXPECT_EQ(message("a.arff", start + "@data\n", {.target = "y"}),
            "a.arff: there are no data rows");
  EXPECT_EQ(message("a.arff", start + "@data\n{2 1}\n", {.target = "y"}),
            "a.arff: line 5: the index 2 is out of range: there are 2 attributes, from 0");
  EXPECT_EQ(message("a.arff", start + "@data\n{1 1\n", {.target = "y"}),
            "a.arff: line 5: a sparse row is not closed by a brace");
  EXPECT_EQ(message("a.arff", start + "@attribute z relational\n@data\n", {.target = "y"}),
            "a.arff: line 4: attribute 'z' is of type 'relational', which can't be used");
  EXPECT_EQ(message("a.arff", start + "@data\n'1,2\n", {.target = "y"}),
            "a.arff: line 5: a quote is opened but never closed");
}

}  // namespace
}  // namespace lass0::test
