#include "moments/sparse_products.hpp"

#include <algorithm>
#include <numeric>

#include "util/eight.hpp"
#include "util/parallel.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

// Of a column on average: with more, products with a few hundred columns take longer than to look
// them up.
constexpr Index kMostNonzeros = 64;
// Of all rows: with values in more of them a vector meets nearly all non-zeros, which columns are
// quicker to read for.
constexpr double kManyRows = 0.5;

// One column with eight that are spread out over the rows.
LASS0_TARGET_CLONES
void products_of_eight(SparseColumn column, double unit, const double* V, double* out) {
  Eight sum{};
  for (std::size_t k = 0; k < column.rows.size(); ++k)
    sum += load(V + column.rows[k] * kEight) * column.values[k];
  *reinterpret_cast<Eight*>(out) = sum * unit;
}

double product_of_one(SparseColumn column, double unit, const double* v) {
  double sum = 0;
  for (std::size_t k = 0; k < column.rows.size(); ++k) sum += v[column.rows[k]] * column.values[k];
  return sum * unit;
}

}  // namespace

std::shared_ptr<const SparseRows> SparseRows::of(const Design& X, const Vector& unit, double most) {
  const Index n = X.rows(), p = X.cols();
  if (p == 0 || !X.sparse_column(0) || X.values_per_column() > kMostNonzeros) return nullptr;
  std::vector<std::int64_t> start(static_cast<std::size_t>(n) + 1, 0);
  for (Index j = 0; j < p; ++j) {
    const SparseColumn column = *X.sparse_column(j);
    for (std::size_t k = 0; k < column.rows.size(); ++k)
      ++start[static_cast<std::size_t>(column.rows[k]) + 1];
  }
  // A Gram column costs the rows of all its non-zeros: on average this much over p.
  double work = 0;
  for (const std::int64_t count : start)
    work += static_cast<double>(count) * static_cast<double>(count);
  std::partial_sum(start.begin(), start.end(), start.begin());
  const double bytes = static_cast<double>(start.back()) * (sizeof(double) + sizeof(std::int32_t));
  if (work > static_cast<double>(p) * static_cast<double>(p) || bytes > most) return nullptr;

  auto rows = std::make_shared<SparseRows>();
  rows->column.resize(static_cast<std::size_t>(start.back()));
  rows->value.resize(static_cast<std::size_t>(start.back()));
  std::vector<std::int64_t> next = start;
  for (Index j = 0; j < p; ++j) {
    const SparseColumn column = *X.sparse_column(j);
    for (std::size_t k = 0; k < column.rows.size(); ++k) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(column.rows[k])]++);
      rows->column[at] = static_cast<std::int32_t>(j);
      rows->value[at] = column.values[k] * unit[j];
    }
  }
  rows->start = std::move(start);
  return rows;
}

SparseProducts::SparseProducts(const Design& X, std::shared_ptr<const SparseRows> rows, Vector unit,
                               Vector mu, Vector weights, Vector target)
    : X_(X),
      rows_(std::move(rows)),
      unit_(std::move(unit)),
      mu_(std::move(mu)),
      weights_(std::move(weights)),
      target_(std::move(target)),
      weight_(weights_.sum()) {}

// The columns of the smaller set are spread out over the rows, eight at a time where they are as
// many, and those of the other look up theirs.
void SparseProducts::block(Columns I, Columns J, MutMat out) const {
  const bool turned = I.size() < J.size();
  const Columns spread = turned ? I : J, others = turned ? J : I;
  const Index width = spread.size() < kEight / 2 ? 1 : kEight;
  Vector V = Vector::Zero(X_.rows() * width);
  for (std::size_t first = 0; first < spread.size(); first += static_cast<std::size_t>(width)) {
    const Columns some =
        spread.subspan(first, std::min(static_cast<std::size_t>(width), spread.size() - first));
    const auto scatter = [&](bool clear) {
      for (Index l = 0; l < std::ssize(some); ++l) {
        const Index j = some[static_cast<std::size_t>(l)];
        const auto [rows, values] = column(j);
        for (std::size_t k = 0; k < rows.size(); ++k)
          V[rows[k] * width + l] = clear ? 0.0 : weights_[rows[k]] * values[k] * unit_[j];
      }
    };
    scatter(false);
    for (Index o = 0; o < std::ssize(others); ++o) {
      const Index i = others[static_cast<std::size_t>(o)];
      double products[kEight];
      if (width == 1) {
        products[0] = product_of_one(column(i), unit_[i], V.data());
      } else {
        products_of_eight(column(i), unit_[i], V.data(), products);
      }
      for (Index l = 0; l < std::ssize(some); ++l) {
        const double centring = mu(i) * mu(some[static_cast<std::size_t>(l)]) * weight_;
        const Index s = static_cast<Index>(first) + l;
        (turned ? out(s, o) : out(o, s)) = products[l] - centring;
      }
    }
    scatter(true);
  }
}

// Z_J v is q less a multiple of 1, which is orthogonal to all columns.
void SparseProducts::times(Columns J, const ConstMat& V, int threads, MutMat out) const {
  Vector q(X_.rows());
  for (Index m = 0; m < V.cols(); ++m) {
    q.setZero();
    double means = 0;
    for (Index l = 0; l < std::ssize(J); ++l) {
      const Index j = J[static_cast<std::size_t>(l)];
      const auto [rows, values] = column(j);
      const double a = V(l, m) * unit_[j];
      for (std::size_t k = 0; k < rows.size(); ++k)
        q[rows[k]] += weights_[rows[k]] * values[k] * a;  // in this order: 0 * huge * huge is 0
      means += V(l, m) * mu(j);
    }
    if ((q.array() != 0).count() > kManyRows * static_cast<double>(q.size())) {
      by_columns(q, threads, out.col(m));
    } else {
      by_rows(q, out.col(m));
    }
    if (mu_.size() > 0) out.col(m) -= (means * weight_) * mu_;
  }
}

void SparseProducts::by_rows(const Vector& v, MutVec out) const {
  out.setZero();
  double* sums = out.data();
  for (Index i = 0; i < v.size(); ++i) {
    if (v[i] == 0) continue;
    const auto end = static_cast<std::size_t>(rows_->start[static_cast<std::size_t>(i) + 1]);
    for (auto k = static_cast<std::size_t>(rows_->start[static_cast<std::size_t>(i)]); k < end; ++k)
      sums[rows_->column[k]] += v[i] * rows_->value[k];
  }
}

void SparseProducts::by_columns(const Vector& v, int threads, MutVec out) const {
  constexpr Index kBlock = 4096;
  const Index p = X_.cols();
  const RowMatrix one = v;
  const Vector no_centre = Vector::Zero(kBlock);
  for_each_block((p + kBlock - 1) / kBlock, threads, [&](Index b) {
    const Index first = b * kBlock, count = std::min(kBlock, p - first);
    X_.products(first, count, no_centre.head(count), RowGroups::single(), one,
                out.segment(first, count));
  });
  out.array() *= unit_.array();
}

}  // namespace lass0
