// Columns of every number type, in any order in memory, are the numbers they hold.
#include <gtest/gtest.h>

#include <cstring>
#include <lass0/error.hpp>
#include <list>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// Memory in which row i of a column lies at offset + i * step, with junk between the values.
class Memory {
 public:
  template <class T>
  ColumnView add(NumberType type, const std::vector<T>& values, std::ptrdiff_t gap,
                 bool backwards) {
    const auto step = static_cast<std::ptrdiff_t>(sizeof(T)) + gap;
    const auto n = std::ssize(values);
    auto& bytes = pieces_.emplace_back(static_cast<std::size_t>(step * n + 1), '\xff');
    char* first = bytes.data() + 1 + (backwards ? (n - 1) * step : 0);  // not aligned
    const std::ptrdiff_t signed_step = backwards ? -step : step;
    for (std::ptrdiff_t i = 0; i < n; ++i)
      std::memcpy(first + i * signed_step, &values[static_cast<std::size_t>(i)], sizeof(T));
    return {first, signed_step, type};
  }

 private:
  std::list<std::vector<char>> pieces_;
};

template <class T>
void append(NumberType type, Index n, Rng& rng, Memory& memory, std::vector<ColumnView>& columns,
            std::vector<Vector>& expected) {
  for (const std::ptrdiff_t gap : {0, 3}) {
    for (const bool backwards : {false, true}) {
      std::vector<T> values(static_cast<std::size_t>(n));
      Vector doubles(n);
      for (Index i = 0; i < n; ++i) {
        auto& value = values[static_cast<std::size_t>(i)];
        if constexpr (std::is_floating_point_v<T>)
          value = static_cast<T>(rng.normal());
        else
          value = static_cast<T>(rng.bits() % 100) - (std::is_signed_v<T> ? T{50} : T{0});
        doubles[i] = static_cast<double>(value);
      }
      columns.push_back(memory.add(type, values, gap, backwards));
      expected.push_back(doubles);
    }
  }
}

TEST(Columns, OfEveryTypeAndStepEqualTheirNumbers) {
  for (const Index n : {1, 5, 33, 1500}) {
    Rng rng(static_cast<std::uint64_t>(n));
    Memory memory;
    std::vector<ColumnView> columns;
    std::vector<Vector> expected;
    append<double>(NumberType::float64, n, rng, memory, columns, expected);
    append<float>(NumberType::float32, n, rng, memory, columns, expected);
    append<std::int64_t>(NumberType::int64, n, rng, memory, columns, expected);
    append<std::int32_t>(NumberType::int32, n, rng, memory, columns, expected);
    append<std::int16_t>(NumberType::int16, n, rng, memory, columns, expected);
    append<std::int8_t>(NumberType::int8, n, rng, memory, columns, expected);
    append<std::uint64_t>(NumberType::uint64, n, rng, memory, columns, expected);
    append<std::uint32_t>(NumberType::uint32, n, rng, memory, columns, expected);
    append<std::uint16_t>(NumberType::uint16, n, rng, memory, columns, expected);
    append<std::uint8_t>(NumberType::uint8, n, rng, memory, columns, expected);
    const Index p = std::ssize(columns);
    Matrix X(n, p);
    for (Index j = 0; j < p; ++j) X.col(j) = expected[static_cast<std::size_t>(j)];
    const ColumnsDesign design(n, columns);
    const DenseDesign dense(X);
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i) ASSERT_EQ(design.value(i, j), X(i, j)) << "column " << j;
    }
    RowMatrix V(n, 3);
    for (Index i = 0; i < n; ++i) V.row(i) << rng.normal(), rng.normal(), 1;
    const Vector centre = X.colwise().mean(), weights = Vector::LinSpaced(n, 0.5, 2);
    Matrix got(p, 3), want(p, 3), squares(p, 1), want_squares(p, 1);
    design.products(0, p, centre, RowGroups::single(), V, got);
    dense.products(0, p, centre, RowGroups::single(), V, want);
    design.squares(0, p, centre, RowGroups::single(), weights, squares);
    dense.squares(0, p, centre, RowGroups::single(), weights, want_squares);
    const double scale = 1e-14 * (1 + X.cwiseAbs().maxCoeff()) * static_cast<double>(n);
    EXPECT_LT((got - want).cwiseAbs().maxCoeff(), 10 * scale);
    EXPECT_LT((squares - want_squares).cwiseAbs().maxCoeff(), 100 * scale);
    std::vector<Index> rows = {n - 1, 0};
    Matrix some(2, p), want_some(2, p);
    EXPECT_TRUE(design.gather(rows, some) && dense.gather(rows, want_some));
    EXPECT_EQ(some, want_some);
  }
}

TEST(Columns, NegativeRowsAreRefused) { EXPECT_THROW(ColumnsDesign(-1, {}), Error); }

}  // namespace
}  // namespace lass0::testing
