// Data that can't be used: exit status 1 and one line that names the file, and the row and column
// where there is one.
#include <zlib.h>

#include "app/process.hpp"

namespace lass0 {
namespace {

class BadInput : public ProgramTest {
 protected:
  void expect_bad(const std::string& file, const std::vector<std::string>& parts,
                  const Arguments& more = {}) const {
    Arguments arguments = {"fit", file, "--target", "y", "--lambda", "1", "--model", "model.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::string> all = {"lass0 fit: ", file};
    all.insert(all.end(), parts.begin(), parts.end());
    expect_failure(1, arguments, all);
    EXPECT_FALSE(exists("model.json"));
  }
};

TEST_F(BadInput, MissingFile) { expect_bad("none.csv", {"no such file"}); }

TEST_F(BadInput, AFolder) {
  std::filesystem::create_directory(path("folder.csv"));
  expect_bad("folder.csv", {});
}

TEST_F(BadInput, ADeviceThatDoesNotEnd) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "this system has no /dev/zero";
  expect_bad("/dev/zero", {"does not end"});
  write("d.csv", "a,y\n1,2\n2,3\n4,4\n");
  expect_failure(1, {"fit", "d.csv", "--target", "y", "--lambda", "1", "--start", "/dev/zero"},
                 {"/dev/zero", "does not end"});
}

TEST_F(BadInput, EmptyFileAndHeaderOnly) {
  write("empty.csv", "");
  expect_bad("empty.csv", {"empty"});
  write("header.csv", "a,y\n");
  expect_bad("header.csv", {"row"});
}

TEST_F(BadInput, RaggedRow) {
  write("d.csv", "a,b,y\n1,2,3\n4,5\n6,7,8\n");
  expect_bad("d.csv", {"row 2"});
  write("e.csv", "a,b,y\n1,2,3\n4,5,6,7\n");
  expect_bad("e.csv", {"row 2"});
}

TEST_F(BadInput, NonNumberInANumberColumn) {
  write("d.csv", "a,b,y\n1,2,3\n4,5,6\n7,8x,9\n");
  expect_bad("d.csv", {"b"});
}

TEST_F(BadInput, InfinityAndNan) {
  write("inf.csv", "a,b,y\n1,2,3\n4,inf,6\n7,8,9\n");
  expect_bad("inf.csv", {"row 2", "b"});
  write("target.csv", "a,b,y\n1,2,3\n4,5,inf\n7,8,9\n");
  expect_bad("target.csv", {"row 2", "y"});
}

TEST_F(BadInput, UnknownTargetWeightsOrExcludedColumn) {
  write("d.csv", "a,b,z\n1,2,3\n4,5,6\n");
  expect_bad("d.csv", {"'y'"});
  write("e.csv", "a,b,y\n1,2,3\n4,5,6\n");
  expect_bad("e.csv", {"'w'"}, {"--weights", "w"});
  expect_bad("e.csv", {"'q'"}, {"--exclude", "q"});
  expect_bad("e.csv", {"'q'"}, {"--one-hot", "q"});
  expect_bad("e.csv", {"'q'"}, {"--include", "a,q"});
  expect_bad("e.csv", {"column 4", "inclusion"}, {"--include", "4"});
  expect_bad("e.csv", {"'b'", "excluded and included"}, {"--include", "a,b", "--exclude", "b"});
  expect_bad("e.csv", {"'y'", "the target and included"}, {"--include", "y"});
}

TEST_F(BadInput, DuplicateColumnNames) {
  write("d.csv", "a,b,a,y\n1,2,3,4\n4,5,6,7\n");
  expect_bad("d.csv", {"more than once: a"});
}

TEST_F(BadInput, NegativeWeights) {
  write("d.csv", "a,w,y\n1,1,3\n4,-2,6\n5,1,7\n");
  expect_bad("d.csv", {"weight"}, {"--weights", "w"});
  write("zero.csv", "a,w,y\n1,0,3\n4,0,6\n");
  expect_bad("zero.csv", {"weight"}, {"--weights", "w"});
}

TEST_F(BadInput, TextColumnsAreAllListed) {
  write("d.csv", "colour,a,shape,y\nred,1,round,3\nblue,4,flat,6\n");
  expect_bad("d.csv", {"colour", "shape", "--one-hot"});
}

TEST_F(BadInput, NoColumnLeft) {
  write("d.csv", "y\n1\n2\n");
  expect_bad("d.csv", {"column"});
}

TEST_F(BadInput, TruncatedGzip) {
  output({"simulate", "--n", "50", "--p", "5", "--k", "2", "--output", "d.csv.gz"});
  std::filesystem::resize_file(path("d.csv.gz"), std::filesystem::file_size(path("d.csv.gz")) / 2);
  expect_bad("d.csv.gz", {});
}

TEST_F(BadInput, TruncatedNpy) {
  output({"simulate", "--n", "50", "--p", "5", "--k", "2", "--output", "d.npy"});
  std::filesystem::resize_file(path("d.npy"), std::filesystem::file_size(path("d.npy")) - 100);
  expect_failure(1, {"fit", "d.npy", "--target", "6", "--lambda", "1"}, {"lass0 fit: ", "d.npy"});
}

TEST_F(BadInput, SparseIndexOutOfRange) {
  write("d.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 1.5\n4 1 2\n");
  expect_failure(1, {"fit", "d.mtx", "--target", "2", "--lambda", "1"},
                 {"lass0 fit: ", "d.mtx", "4"});
  write("d.svm", "1 1:2 2:3\n2 -1:1\n");
  expect_failure(1, {"fit", "d.svm", "--input-format", "libsvm", "--lambda", "1"},
                 {"lass0 fit: ", "d.svm", "row 2", "-1"});
}

TEST_F(BadInput, NumbersTooLargeToSquare) {
  write("d.csv", "a,y\n1,1e200\n2,-1e200\n3,1e200\n5,3e200\n");
  expect_bad("d.csv", {}, {"--format", "json"});
}

TEST_F(BadInput, ARowThatOutweighsAllOthersIsNamed) {
  std::string rows = "a,b,y,w\n";
  for (int i = 0; i < 20; ++i)
    rows += std::to_string(i) + "," + std::to_string(i * i % 7) + "," + std::to_string(i % 5) +
            (i == 4 ? ",1e28\n" : ",1\n");
  write("d.csv", rows);
  expect_bad("d.csv", {"row 5", "weight", "1e+28", "all other rows", "19", "weight 0"},
             {"--weights", "w"});
}

TEST_F(BadInput, NotEnoughMemorySaysHowMuchIsNeeded) {
  expect_failure(1, {"simulate", "--n", "10000000", "--p", "1000000", "--k", "3"},
                 {"lass0 simulate: ", "memory", "TiB"});
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(BadInput, ALimitOfTheSystemIsNotEnoughMemoryToo) {
  output({"simulate", "--n", "20000", "--p", "1000", "--k", "3", "--output", "large.npy"});
  output({"simulate", "--n", "20", "--p", "3", "--k", "1", "--output", "small.npy"});
  // The large table does not fit; with the small one it is the work space of OpenBLAS that does
  // not.
  std::vector<std::string> tables = {"large.npy --target 1001"};
  if (std::string(LASS0_BLAS) == "openblas") tables.push_back("small.npy --target 4");
  for (const std::string& data : tables) {
    SCOPED_TRACE(data);
    const std::string command = "cd " + path("").string() + " && ulimit -v 150000 && timeout 60 " +
                                LASS0_PROGRAM + " fit " + data + " --lambda 1 --threads 1 2> err";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
    const std::string err = read("err");
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    EXPECT_NE(err.find("MiB"), std::string::npos) << err;
  }
}
#endif

}  // namespace
}  // namespace lass0
