// Files that claim more rows or columns than their content can mean: refused before anything of
// that size is made; and large files that mean what they say, which are read.
#include <fmt/format.h>
#include <sys/resource.h>

#include <lass0/model.hpp>

#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class Claims : public FileTest {
 protected:
  static long peak_kib() {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  }
};

const std::string coordinates = "%%MatrixMarket matrix coordinate real general\n";

TEST_F(Claims, MoreColumnsThanTheValuesCanMeanAreRefusedBeforeTheyAreMade) {
  const long before = peak_kib();
  EXPECT_EQ(message("a.svm", "1 1:2 20000000:1\n2 2:1\n", {}),
            "a.svm: line 1: the largest index is 20000000, but the file has only 3 "
            "values; number the columns without large gaps");
  EXPECT_EQ(message("a.mtx", coordinates + "2 20000000 2\n1 1 1.5\n2 2 2\n", {.target = "1"}),
            "a.mtx: line 2: there are 20000000 columns but only 2 values; number them without "
            "large gaps");
  EXPECT_EQ(message("a.mtx", coordinates + "2000000000 2 2\n1 1 1.5\n2 2 2\n", {.target = "1"}),
            "a.mtx: line 2: there are 2000000000 rows but only 2 values; number them without "
            "large gaps");
  EXPECT_EQ(message("a.mtx", coordinates + "0 2000000000 0\n", {.target = "1"}),
            "a.mtx: there are no data rows");
  const std::string array = "%%MatrixMarket matrix array real general\n";
  EXPECT_EQ(message("a.mtx", array + "1 20000000\n1\n2\n", {.target = "1"}),
            "a.mtx: line 2: the file is truncated: it is too short for 1 x 20000000 numbers");
  EXPECT_EQ(message("a.mtx", array + "0 20000000\n", {.target = "1"}),
            "a.mtx: there are no data rows");
  EXPECT_LT(peak_kib() - before, 50'000);
}

TEST_F(Claims, PredictionsMayUseFarColumnsOfSmallFiles) {
  const long before = peak_kib();
  Model model;
  model.names = {"x20000000", "x3", "x2000000000"};
  const Table libsvm = read("a.svm", "1 1:2 20000000:1\n2 3:4\n", for_prediction(model));
  EXPECT_EQ(libsvm.names(), model.names);
  EXPECT_EQ(values(libsvm), matrix({{1, 0, 0}, {0, 4, 0}}));
  const Table market =
      read("a.mtx", coordinates + "2 2000000000 2\n1 20000000 5\n2 3 6\n", for_prediction(model));
  EXPECT_EQ(values(market), matrix({{5, 0, 0}, {0, 6, 0}}));
  EXPECT_LT(peak_kib() - before, 50'000);
}

TEST_F(Claims, AMillionColumnsAreReadWithTheirNames) {
  std::string content;
  for (int i = 0; i < 50; ++i) {
    content += fmt::format("{}", i);
    for (int j = 0; j < 400; ++j) content += fmt::format(" {}:{}", 50 * j + i + 980'001, j + 1);
    content += '\n';
  }
  const Table table = read("a.svm", content, {.exclude = {"x7"}});
  EXPECT_EQ(table.design().cols(), 999'999);
  EXPECT_EQ(table.names().front(), "x1");
  EXPECT_EQ(table.names()[6], "x8");
  EXPECT_EQ(table.names().back(), "x1000000");
  EXPECT_EQ(table.design().value(49, 999'998), 400);
}

TEST_F(Claims, AColumnThatIsTargetAndFeatureIsReadTwice) {
  Model model;
  model.names = {"x2"};
  ReadOptions options = for_prediction(model);
  options.target = "x2";
  const Table table = read("a.mtx", coordinates + "2 3 2\n1 2 5\n2 3 6\n", options);
  EXPECT_EQ(values(table), matrix({{5}, {0}}));
  EXPECT_EQ(table.y(), vector({5, 0}));
}

TEST_F(Claims, UnknownColumnsOfFilesWithoutNamesAreNamed) {
  for (const std::string name : {"x4", "x0", "x01", "x-1", "x", "x99999999999999999999"}) {
    EXPECT_EQ(
        message("a.mtx", coordinates + "2 3 2\n1 2 5\n2 3 6\n", {.target = name}),
        "a.mtx: there is no column '" + name + "' for the target; the columns are x1, x2, x3");
  }
}

}  // namespace
}  // namespace lass0::test
