#include "moments/listed_columns.hpp"

#include <algorithm>
#include <cmath>

#include "moments/parts.hpp"
#include "util/blas.hpp"

namespace lass0 {
namespace {

constexpr double kMostDoubles = 32e6;   // of the copies and the products
constexpr double kShareOfMemory = 0.5;  // of what was asked for
constexpr Index kFirstRoom = 256;       // columns

double room_of(const AllRows& rows) {
  return std::min(kMostDoubles, kShareOfMemory * rows.room().asked_for() / sizeof(double));
}

double doubles_of(const AllRows& rows, Index columns) {
  return static_cast<double>(columns) * static_cast<double>(columns + rows.row_weights().size());
}

}  // namespace

bool ListedColumns::suit(const Moments& moments) {
  const auto& parts = MomentsMaker::parts(moments);
  const GramUse::Plan plan = parts.plan->kind();
  const bool by_passes = plan == GramUse::Plan::cached || plan == GramUse::Plan::recomputed;
  if (parts.subset || !by_passes || !parts.included.empty()) return false;
  const AllRows& rows = parts.rows();
  // More columns than rows, or than there are, are never in a solution.
  const Index most = std::min(rows.cols(), rows.row_weights().size());
  return rows.folds() == 1 && doubles_of(rows, most) <= room_of(rows);
}

ListedColumns::ListedColumns(const Moments& moments)
    : moments_(moments),
      rows_(MomentsMaker::parts(moments).rows()),
      listed_(static_cast<std::size_t>(moments.cols()), 0),
      root_(rows_.row_weights().cwiseSqrt()) {
  const Vector& w = rows_.row_weights();
  const Eigen::Map<const Vector> y(moments.problem().y.data(), w.size());
  const Vector u = (y.array() - rows_.target_centre()) / rows_.target_scale();
  target_ = (w.array() > 0).select(root_.cwiseProduct(u), 0.0);
}

ListedColumns::~ListedColumns() { rows_.room().give_back(bytes()); }

bool ListedColumns::has_room(Index more) const {
  return doubles_of(rows_, size() + more) <= room_of(rows_);
}

// Those with doubles_of(rows_, m) = m (m + n) in the room.
Index ListedColumns::most_columns() const {
  const auto n = static_cast<double>(root_.size());
  return static_cast<Index>((std::sqrt(n * n + 4 * room_of(rows_)) - n) / 2);
}

void ListedColumns::reserve(Index columns) {
  if (columns <= G_.cols()) return;
  const Index ample = std::min(std::max(kFirstRoom, size() + size() / 2), most_columns());
  const Index room = std::min(rows_.cols(), std::max(columns, ample));
  rows_.room().give_back(bytes());
  Z_.conservativeResize(root_.size(), room);
  G_.conservativeResize(room, room);
  rows_.room().take(bytes());
}

void ListedColumns::add(Columns columns) {
  const Index before = size(), fresh = std::ssize(columns);
  if (fresh == 0) return;
  reserve(before + fresh);
  Z_.middleCols(before, fresh) = rows_.internal_columns(columns, root_);
  const Index n = Z_.rows();
  const double* Z_fresh = &Z_(0, before);
  blas::transposed_times(before, fresh, n, Z_.data(), n, Z_fresh, n, &G_(0, before), G_.rows());
  auto among = G_.block(before, before, fresh, fresh);
  among.setZero();
  blas::add_lower_square(fresh, n, Z_fresh, n, among.data(), G_.rows());
  among.triangularView<Eigen::StrictlyUpper>() = among.transpose();
  for (Index l = 0; l < fresh; ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    if (moments_.ridge(j) > 0) G_(before + l, before + l) += moments_.ridge(j);
    columns_.push_back(j);
    listed_[static_cast<std::size_t>(j)] = 1;
  }
  G_.block(before, 0, fresh, before) = G_.block(0, before, before, fresh).transpose();
}

Matrix ListedColumns::residual_correlations(const Matrix& B, const Budget& budget) const {
  const Index n = Z_.rows(), m = B.cols();
  Matrix residuals = target_.replicate(1, m);
  if (size() > 0)
    blas::subtract_product(n, m, size(), Z_.data(), n, B.data(), B.rows(), residuals.data(), n);
  RowMatrix V = RowMatrix::Zero(target_.size(), kGramBatch);
  for (Index l = 0; l < m; ++l) {
    V.col(l) = root_.cwiseProduct(residuals.col(l));
    if (!moments_.problem().intercept) continue;
    const double mean = V.col(l).sum() / MomentsMaker::parts(moments_).view->weight;
    V.col(l) -= mean * rows_.row_weights();
  }
  Matrix r = rows_.times(V, &budget);
  r.conservativeResize(Eigen::NoChange, m);
  for (Index i = 0; i < size(); ++i) {
    const Index j = columns_[static_cast<std::size_t>(i)];
    if (moments_.ridge(j) > 0) r.row(j) -= moments_.ridge(j) * B.row(i);
  }
  for (Index j = 0; j < r.rows(); ++j)
    if (!moments_.eligible(j)) r.row(j).setZero();
  return r;
}

}  // namespace lass0
