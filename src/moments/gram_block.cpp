#include "moments/gram_block.hpp"

#include <algorithm>

#include "util/blas.hpp"

namespace lass0 {
namespace {

constexpr Index kPanelDoubles = Index{1} << 22;
constexpr Index kFewestTogether = 8;

// Calls use(first, some columns) until all were used.
template <class Use>
void for_each_panel(Columns columns, Index width, const Use& use) {
  for (Index first = 0; first < std::ssize(columns); first += width) {
    const Index count = std::min(width, std::ssize(columns) - first);
    use(first, columns.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
  }
}

}  // namespace

bool GramBlock::has(Columns some) const {
  return !position_.empty() && std::all_of(some.begin(), some.end(), [&](Index j) {
    return position_[static_cast<std::size_t>(j)] >= 0;
  });
}

void GramBlock::copy(const Matrix& from, Columns rows, Columns cols, MutMat out) const {
  const auto place = [&](Index j) { return position_[static_cast<std::size_t>(j)]; };
  for (Index l = 0; l < std::ssize(cols); ++l) {
    const double* column = from.col(place(cols[static_cast<std::size_t>(l)])).data();
    for (Index i = 0; i < std::ssize(rows); ++i)
      out(i, l) = column[place(rows[static_cast<std::size_t>(i)])];
  }
}

Index columns_at_a_time(const GramCache& all) {
  return std::max(kFewestTogether, kPanelDoubles / std::max<Index>(1, all.row_weights().size()));
}

Matrix internal_columns(const GramCache& all, Columns columns, const Vector& weights) {
  Matrix Z = Matrix::Zero(weights.size(), std::ssize(columns));
  for (Index l = 0; l < Z.cols(); ++l)
    all.add_internal_column(columns[static_cast<std::size_t>(l)], weights, Z.col(l));
  return Z;
}

void GramBlock::extend(Columns columns, const GramCache& all, const std::vector<Index>& left_out) {
  position_.resize(static_cast<std::size_t>(all.cols()), -1);
  const Index before = std::ssize(columns_);
  for (const Index j : columns) {
    Index& position = position_[static_cast<std::size_t>(j)];
    if (position >= 0) continue;
    position = std::ssize(columns_);
    columns_.push_back(j);
  }
  const Index m = std::ssize(columns_);
  if (m == before) return;
  if (m > kept_.cols()) {
    const Index room = std::min(all.cols(), before == 0 ? m : m + m / 2);
    kept_.conservativeResize(room, room);
    if (!left_out.empty()) left_out_.conservativeResize(room, room);
  }
  const Vector root = all.row_weights().cwiseSqrt();
  const Index width = columns_at_a_time(all);
  const auto multiply = [](const Matrix& A, const Matrix& B, MutMat out) {
    blas::transposed_times(A.cols(), B.cols(), A.rows(), A.data(), A.rows(), B.data(), B.rows(),
                           out.data(), out.outerStride());
  };
  for_each_panel(
      Columns(columns_).subspan(static_cast<std::size_t>(before)), width,
      [&](Index from, Columns fresh) {
        Matrix Z = internal_columns(all, fresh, root);
        const Matrix Z_out = Z(left_out, Eigen::all);
        Z(left_out, Eigen::all).setZero();
        for_each_panel(columns_, width, [&](Index first, Columns others) {
          const Matrix Z_others = internal_columns(all, others, root);
          const auto here = [&](Matrix& G) {
            return MutMat(G.block(first, before + from, std::ssize(others), std::ssize(fresh)));
          };
          multiply(Z_others, Z, here(kept_));
          if (!left_out.empty()) multiply(Z_others(left_out, Eigen::all), Z_out, here(left_out_));
        });
      });
  for (Matrix* G : {&kept_, &left_out_}) {
    if (G->size() > 0)
      G->block(before, 0, m - before, before) = G->block(0, before, before, m - before).transpose();
  }
}

}  // namespace lass0
