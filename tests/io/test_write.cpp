#include <cmath>
#include <cstring>
#include <random>

#include "io/temporary_folder.hpp"
#include "util/memory.hpp"

namespace lass0::test {
namespace {

class Write : public FileTest {};

// Any finite double, extreme ones included.
double any_double(std::mt19937_64& random) {
  while (true) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    if (std::isfinite(value)) return value;
  }
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

TEST_F(Write, TablesRoundTripToTheLastBit) {
  std::mt19937_64 random(3);
  const Matrix X = Matrix::NullaryExpr(300, 5, [&](Index, Index) { return any_double(random); });
  const Vector y = Vector::NullaryExpr(300, [&](Index) { return any_double(random); });
  const Names names = {"plain", "with, comma", "with \"quotes\"", "two\nlines", " blank\t"};
  for (const std::string name : {"a.csv", "a.tsv", "a.csv.gz", "a.npy", "a.npy.gz", "a"}) {
    const std::string path = folder_.path(name);
    write_table(path, X, y, names, "the target");
    const bool named = std::string(name).find("npy") == std::string::npos;
    const Table table = read_table(path, {.target = named ? "the target" : "6"});
    EXPECT_TRUE(same_bits(values(table), X)) << name;
    EXPECT_TRUE(same_bits(table.y(), y)) << name;
    EXPECT_EQ(table.names(), named ? names : (Names{"x1", "x2", "x3", "x4", "x5"})) << name;
  }
}

TEST_F(Write, NamesEndingInGzArePacked) {
  write_table(folder_.path("a.csv.gz"), Matrix::Zero(2, 1), Vector::Zero(2), Names{"a"}, "y");
  EXPECT_EQ(folder_.content("a.csv.gz").substr(0, 2), "\x1f\x8b");
}

TEST_F(Write, ShortestNumbersAndATargetLast) {
  write_table(folder_.path("a.csv"), matrix({{0.1, 1}, {-2.5, 1e300}}), vector({3, 4}),
              Names{"a", "b"}, "y");
  EXPECT_EQ(folder_.content("a.csv"), "a,b,y\n0.1,1,3\n-2.5,1e+300,4\n");
  write_table(folder_.path("a.csv"), matrix({{0.1, 1}}), Vector(), Names{"a", "b"}, "");
  EXPECT_EQ(folder_.content("a.csv"), "a,b\n0.1,1\n");
}

TEST_F(Write, AFailureLeavesNothingBehindAndTheOldFileAsItWas) {
  const auto fail = [](const Sink& sink) {
    sink("half");
    throw Error("stop");
  };
  for (const std::string name : {"a.json", "a.json.gz"}) {
    EXPECT_EQ(message_of([&] { write_file(folder_.path(name), fail); }), "stop");
    EXPECT_EQ(folder_.count(), 0);
  }
  folder_.write("a.json", "old");
  EXPECT_EQ(message_of([&] { write_file(folder_.path("a.json"), fail); }), "stop");
  EXPECT_EQ(folder_.count(), 1);
  EXPECT_EQ(folder_.content("a.json"), "old");
  write_file(folder_.path("a.json"), [](const Sink& sink) {
    sink("new ");
    sink("content");
  });
  EXPECT_EQ(folder_.count(), 1);
  EXPECT_EQ(folder_.content("a.json"), "new content");
}

TEST_F(Write, PlacesThatCantBeWrittenAreNamed) {
  const auto nothing = [](const Sink&) {};
  EXPECT_EQ(message_of([&] { write_file(folder_.path("no/such/a.json"), nothing); }),
            "no/such/a.json: can't be written: there is no such folder");
  std::filesystem::create_directory(folder_.path("folder"));
  EXPECT_EQ(message_of([&] { write_file(folder_.path("folder"), nothing); }),
            "folder: can't be written: Is a directory");
  EXPECT_NO_THROW(write_file("/dev/null", [](const Sink& sink) { sink("gone"); }));
  EXPECT_THROW(
      write_table(folder_.path("a.csv"), Matrix::Zero(2, 1), Vector::Zero(3), Names{"a"}, "y"),
      Error);
  EXPECT_THROW(
      write_table(folder_.path("a.csv"), Matrix::Zero(2, 1), Vector::Zero(2), Names{"a", "b"}, "y"),
      Error);
}

TEST_F(Write, MoreMemoryThanThereIsIsAnErrorThatSaysHowMuch) {
  const std::string text =
      message_of([] { allocate_matrix(Index{1} << 30, Index{1} << 20, "the table (big)"); });
  EXPECT_EQ(text.find("not enough memory: 8.0 PiB are needed for the table (big)"), 0U) << text;
  EXPECT_NE(message_of([] {
              allocate_matrix(Index{1} << 40, Index{1} << 40, "it");
            }).find("not enough memory"),
            std::string::npos);
  EXPECT_NE(message_of([] { allocate_vector(Index{1} << 50, "it"); }).find("not enough memory"),
            std::string::npos);
  EXPECT_EQ(allocate_matrix(3, 2, "it").size(), 6);
  EXPECT_EQ(format_bytes(4.5 * 1024 * 1024 * 1024), "4.5 GiB");
}

}  // namespace
}  // namespace lass0::test
