// Columns that say which rows belong together: folds and groups of cross-validation.
#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class Labels : public FileTest {};

TEST_F(Labels, TextsAndNumbersAreNumberedInTheirOrderAndAreNoFeatures) {
  const Table table = read("a.csv", "f,a,g,y\nv,1,10,1\nu,2,9,2\nv,3,-1,3\nw,4,9,4\n",
                           {.target = "y", .folds = "f", .groups = "3"});
  EXPECT_EQ(table.folds, (std::vector<int>{1, 0, 1, 2}));
  EXPECT_EQ(table.groups, (std::vector<int>{2, 1, 0, 1}));
  EXPECT_EQ(table.names(), std::vector<std::string>{"a"});
  const Table none = read("a.csv", "f,a,y\n1,1,1\n2,2,2\n", {.target = "y"});
  EXPECT_TRUE(none.folds.empty());
  EXPECT_TRUE(none.groups.empty());
  EXPECT_EQ(none.names().size(), 2u);
}

TEST_F(Labels, MissingOnesDropTheRowOrAreErrors) {
  const std::string content = "f,a,y\nv,1,1\n,2,2\nv,,3\nw,4,4\n";
  EXPECT_NE(message("a.csv", content, {.target = "y", .folds = "f"}).find("f (1, first in row 2)"),
            std::string::npos);
  EXPECT_EQ(
      read("a.csv", content, {.target = "y", .folds = "f", .missing = MissingValues::drop}).folds,
      (std::vector<int>{0, 1}));
  EXPECT_EQ(
      read("a.csv", content, {.target = "y", .folds = "f", .missing = MissingValues::mean}).folds,
      (std::vector<int>{0, 0, 1}));
}

TEST_F(Labels, SparseFilesHaveNumbersForLabels) {
  const Table table =
      read("a.libsvm", "1 1:2 2:1\n2 2:1\n3 1:2 3:4\n4 1:-1 2:5\n", {.folds = "x1"});
  EXPECT_EQ(table.folds, (std::vector<int>{2, 1, 2, 0}));
  EXPECT_EQ(table.names(), (std::vector<std::string>{"x2", "x3"}));
}

TEST_F(Labels, ContradictionsAndUnknownColumnsAreNamed) {
  const std::string content = "f,a,y\n1,1,1\n2,2,2\n";
  EXPECT_EQ(message("a.csv", content, {.target = "y", .folds = "f", .exclude = {"f"}}),
            "a.csv: column 'f' can't be both the folds and excluded");
  EXPECT_EQ(message("a.csv", content, {.target = "y", .groups = "y"}),
            "a.csv: column 'y' can't be both the target and the groups");
  EXPECT_NE(message("a.csv", content, {.target = "y", .groups = "h"}).find("for the groups"),
            std::string::npos);
}

}  // namespace
}  // namespace lass0::test
