// NumPy arrays stay in their file: the table sees the same numbers as a copy would hold, and a file
// that is cut short while it is in use is an error.
#include <cmath>
#include <lass0/fit.hpp>
#include <limits>

#include "io/binary_files.hpp"
#include "io/mapped_design.hpp"
#include "io/temporary_folder.hpp"
#include "support/random_problem.hpp"

namespace lass0::test {
namespace {

using testing::Rng;

bool stays_in_file(const Table& table) {
  return dynamic_cast<const io::MappedDesign*>(&table.design()) != nullptr;
}

struct Array {
  std::string type;
  bool fortran;
  std::string bytes;
};

template <typename T>
std::string packed(const Matrix& values, bool fortran) {
  std::string out;
  const auto add = [&](double value) {
    const T stored = static_cast<T>(value);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &stored, sizeof(T));
    out.append(bytes, sizeof(T));
  };
  if (fortran) {
    for (Index j = 0; j < values.cols(); ++j)
      for (Index i = 0; i < values.rows(); ++i) add(values(i, j));
  } else {
    for (Index i = 0; i < values.rows(); ++i)
      for (Index j = 0; j < values.cols(); ++j) add(values(i, j));
  }
  return out;
}

std::vector<Array> arrays(const Matrix& values) {
  std::vector<Array> all;
  for (const bool fortran : {false, true}) {
    all.push_back({"<f8", fortran, packed<double>(values, fortran)});
    all.push_back({"<f4", fortran, packed<float>(values, fortran)});
    all.push_back({"|i1", fortran, packed<std::int8_t>(values, fortran)});
    all.push_back({"|u1", fortran, packed<std::uint8_t>(values, fortran)});
    all.push_back({"<i2", fortran, packed<std::int16_t>(values, fortran)});
    all.push_back({"<u2", fortran, packed<std::uint16_t>(values, fortran)});
    all.push_back({"<i4", fortran, packed<std::int32_t>(values, fortran)});
    all.push_back({"<i8", fortran, packed<std::int64_t>(values, fortran)});
  }
  return all;
}

std::string shape_of(const Matrix& values) {
  return "(" + std::to_string(values.rows()) + ", " + std::to_string(values.cols()) + ")";
}

Matrix whole_numbers(std::uint64_t seed, Index n, Index p) {
  Rng rng(seed);
  Matrix values(n, p);
  for (double& value : values.reshaped()) value = static_cast<double>(rng.below(30));
  values.col(p / 2) = 2 * values.col(0) + values.col(p - 1) + values.col(1) / 2;
  return values.array().round();
}

class MappedNpy : public FileTest {};

TEST_F(MappedNpy, AnyTypeAndOrderIsReadWhereItIs) {
  const Matrix all = whole_numbers(1, 70, 23);
  for (const Array& array : arrays(all)) {
    SCOPED_TRACE(array.type + (array.fortran ? ", Fortran" : ", C"));
    for (const std::string target : {"1", "12", "23"}) {
      ReadOptions options = {.target = target, .exclude = {"x5", "x6"}};
      if (target == "12") options.weights = "x9";
      const Table table =
          read("a.npy", npy(array.type, array.fortran, shape_of(all), array.bytes), options);
      ASSERT_TRUE(stays_in_file(table));
      Index next = 0;
      for (Index j = 0; j < all.cols(); ++j) {
        const std::string name = "x" + std::to_string(j + 1);
        if (j + 1 == std::stoi(target)) {
          EXPECT_EQ(table.y(), all.col(j));
        } else if (name == options.weights) {
          EXPECT_EQ(table.weights(), all.col(j));
        } else if (name != "x5" && name != "x6") {
          EXPECT_EQ(table.names()[static_cast<std::size_t>(next)], name);
          EXPECT_EQ(values(table).col(next++), all.col(j));
        }
      }
      EXPECT_EQ(next, table.design().cols());
    }
  }
}

TEST_F(MappedNpy, FitsAreThoseOfACopy) {
  const Matrix all = whole_numbers(2, 90, 17);
  Matrix X(90, 16);
  X << all.leftCols(8), all.rightCols(8);
  Names names;
  for (Index j = 0; j < 17; ++j)
    if (j != 8) names.push_back("x" + std::to_string(j + 1));
  const Table copy = Table::dense(X, all.col(8), names);
  const Fit expected = fit(copy, {.goal = OfSize{3}});
  for (const Array& array : arrays(all)) {
    const Table table =
        read("a.npy", npy(array.type, array.fortran, shape_of(all), array.bytes), {.target = "x9"});
    const Fit found = fit(table, {.goal = OfSize{3}});
    EXPECT_EQ(found.model.names, expected.model.names);
    EXPECT_LE((found.model.predict(table) - expected.model.predict(copy)).norm(), 1e-9);
  }
}

TEST_F(MappedNpy, LabelsOfFoldsAndTwoClassesAreRead) {
  Matrix all = whole_numbers(3, 12, 4);
  for (Index i = 0; i < 12; ++i) all(i, 3) = static_cast<double>(i % 3);
  for (Index i = 0; i < 12; ++i) all(i, 0) = i % 2 == 0 ? 5 : 1;
  const Table table =
      read("a.npy", npy("|u1", false, shape_of(all), packed<std::uint8_t>(all, false)),
           {.target = "x1", .classes = true, .folds = "x4"});
  EXPECT_TRUE(stays_in_file(table));
  EXPECT_EQ(table.classes, (Names{"1", "5"}));
  EXPECT_EQ(table.y()[0], 1);
  EXPECT_EQ(table.folds, (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(table.names(), (Names{"x2", "x3"}));
}

TEST_F(MappedNpy, WhatCantStayIsCopied) {
  Matrix all = whole_numbers(4, 9, 4);
  const ReadOptions options = {.target = "x4", .missing = MissingValues::mean};
  std::string swapped;
  for (const double value : all.transpose().reshaped()) swapped += bytes_of<double>({value}, true);
  const Table big = read("a.npy", npy(">f8", false, shape_of(all), swapped), options);
  EXPECT_FALSE(stays_in_file(big));
  EXPECT_EQ(values(big), all.leftCols(3));
  // From standard input and gzip it is in memory already.
  const std::string plain = npy("<f8", false, shape_of(all), packed<double>(all, false));
  EXPECT_TRUE(stays_in_file(read_table(folder_.write_gzip("b.npy", plain), options)));

  for (const Index row : {0, 8}) {
    Matrix missing = all;
    missing(row, 1) = std::numeric_limits<double>::quiet_NaN();
    for (const bool fortran : {false, true}) {
      const std::string bytes =
          npy("<f8", fortran, shape_of(all), packed<double>(missing, fortran));
      const Table table = read("a.npy", bytes, options);
      EXPECT_FALSE(stays_in_file(table));
      EXPECT_EQ(table.imputed.count("x2"), 1U);
      EXPECT_NE(message("a.npy", bytes, {.target = "x4"}).find("1 missing value in 1 column: x2"),
                std::string::npos);
      // Where it isn't used, it may be anything.
      EXPECT_TRUE(stays_in_file(read("a.npy", bytes, {.target = "x4", .exclude = {"x2"}})));
    }
    missing(row, 1) = -std::numeric_limits<double>::infinity();
    EXPECT_NE(message("a.npy", npy("<f8", false, shape_of(all), packed<double>(missing, false)),
                      {.target = "x4"})
                  .find("'-inf' is not a finite number"),
              std::string::npos);
  }
  Matrix no_target = all;
  no_target(2, 3) = std::numeric_limits<double>::quiet_NaN();
  const Table dropped =
      read("a.npy", npy("<f8", true, shape_of(all), packed<double>(no_target, true)), options);
  EXPECT_EQ(dropped.rows_dropped, std::vector<Index>{3});
  EXPECT_EQ(dropped.design().rows(), 8);
}

TEST_F(MappedNpy, AFileThatIsCutWhileItIsInUseIsAnError) {
  const Matrix all = whole_numbers(5, 3000, 12);
  for (const Array& array : arrays(all)) {
    const std::string content = npy(array.type, array.fortran, shape_of(all), array.bytes);
    const std::string path = folder_.write("a.npy", content);
    const Table table = read_table(path, {.target = "x7"});
    for (const std::size_t left : {content.size() - 1, content.size() / 2, std::size_t{100}}) {
      std::filesystem::resize_file(path, left);
      EXPECT_EQ(message_of([&] { fit(table, {.goal = OfSize{2}}); }),
                "a.npy: the file became shorter while it was read; try again when no program "
                "changes it");
      std::vector<Index> rows = {2999, 0};
      Matrix some(2, table.design().cols());
      EXPECT_THROW(table.design().gather(rows, some), Error);
      Vector out = Vector::Zero(3000);
      EXPECT_THROW(table.design().add_column(3, 1.0, out), Error);
    }
  }
}

}  // namespace
}  // namespace lass0::test
