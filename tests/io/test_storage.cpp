// A table owns X in whatever storage it comes: fits, paths and predictions are those of the same
// numbers as doubles.
#include <gtest/gtest.h>

#include <lass0/error.hpp>
#include <lass0/fit.hpp>
#include <lass0/io.hpp>
#include <memory>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// Single precision, behind a design that the library has.
struct Singles {
  explicit Singles(const Matrix& X) : values(X.cast<float>()), design(X.rows(), views()) {}

  std::vector<ColumnView> views() const {
    std::vector<ColumnView> columns;
    for (Index j = 0; j < values.cols(); ++j)
      columns.push_back({values.col(j).data(), sizeof(float), NumberType::float32});
    return columns;
  }

  Eigen::MatrixXf values;
  ColumnsDesign design;
};

// Whole numbers from -128 to 127, one byte each: a storage that the library has never seen, with
// nothing but the definition of each operation.
class Bytes final : public Design {
 public:
  explicit Bytes(const Matrix& X) : values_(X.cast<std::int8_t>()) {}

  Index rows() const override { return values_.rows(); }
  Index cols() const override { return values_.cols(); }
  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override {
    out.setZero();
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < rows(); ++i)
        out.row(j).segment(group(groups, i) * V.cols(), V.cols()) +=
            (value(i, first + j) - centre[j]) * V.row(i);
  }
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override {
    out.setZero();
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < rows(); ++i) {
        const double x = value(i, first + j) - centre[j];
        out(j, group(groups, i)) += weights[i] * x * x;
      }
  }
  void add_column(Index j, double a, MutVec out) const override {
    out += a * values_.col(j).cast<double>();
  }
  double value(Index i, Index j) const override { return values_(i, j); }
  bool gather(std::span<const Index>, MutMat) const override { return false; }

 private:
  static Index group(const RowGroups& groups, Index i) {
    return groups.count == 1 ? 0 : groups.of_row[static_cast<std::size_t>(i)];
  }
  Eigen::Matrix<std::int8_t, Eigen::Dynamic, Eigen::Dynamic> values_;
};

std::vector<std::string> names_of(Index p) {
  std::vector<std::string> names;
  for (Index j = 0; j < p; ++j) names.push_back("c" + std::to_string(j));
  return names;
}

Data whole_numbers(std::uint64_t seed) {
  Data data = random_data(seed, {.n = 60, .p = 12, .k = 4});
  data.X = (10 * data.X).array().round().cwiseMin(127).cwiseMax(-128);
  data.y = data.X * Vector::LinSpaced(12, -1, 1).cwiseAbs2() + data.y;
  return data;
}

void expect_the_same(const Table& table, const Table& expected) {
  for (const Index k : {Index{2}, Index{5}}) {
    const Fit found = fit(table.problem(), {.goal = OfSize{k}});
    const Fit wanted = fit(expected.problem(), {.goal = OfSize{k}});
    EXPECT_EQ(found.model.at.support, wanted.model.at.support);
    EXPECT_EQ(found.model.names, wanted.model.names);
    const Vector predicted = found.model.predict(table.design());
    EXPECT_LE((predicted - wanted.model.predict(expected.design())).norm(),
              1e-9 * (1 + predicted.norm()));
    EXPECT_EQ(found.model.predict(table), predicted);
  }
}

TEST(TableStorage, SinglePrecision) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Data data = whole_numbers(seed);  // the same numbers in either precision
    const auto owner = std::make_shared<const Singles>(data.X);
    const Table table({owner, &owner->design}, data.y, names_of(data.p()));
    expect_the_same(table, Table::dense(data.X, data.y, names_of(data.p())));
  }
}

TEST(TableStorage, AStorageOfTheCallers) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Data data = whole_numbers(seed);
    const Table table(std::make_shared<Bytes>(data.X), data.y, names_of(data.p()));
    expect_the_same(table, Table::dense(data.X, data.y, names_of(data.p())));
  }
}

TEST(TableStorage, LivesAsLongAsTheTableAndItsCopies) {
  const Data data = whole_numbers(1);
  std::weak_ptr<const Singles> watched;
  std::optional<Table> copy;
  {
    const auto owner = std::make_shared<const Singles>(data.X);
    watched = owner;
    Table table({owner, &owner->design}, data.y, names_of(data.p()));
    copy = table;
  }
  ASSERT_FALSE(watched.expired());
  EXPECT_EQ(copy->problem().design->value(3, 2), data.X(3, 2));
  copy.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(TableStorage, SizesAreChecked) {
  const auto bytes = std::make_shared<Bytes>(Matrix::Zero(3, 2));
  EXPECT_THROW(Table(nullptr, Vector(), {}), Error);
  EXPECT_THROW(Table(bytes, Vector::Zero(2), {"a", "b"}), Error);
  EXPECT_THROW(Table(bytes, Vector::Zero(3), {"a"}), Error);
  EXPECT_EQ(Table(bytes, Vector(), {"a", "b"}).problem().y.size(), 0);  // for predictions
}

}  // namespace
}  // namespace lass0::testing
