#include "moments/gram_block.hpp"

#include <algorithm>
#include <cmath>

#include "util/blas.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

constexpr Index kLargestBlock = 2048;  // columns; after more it begins anew

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

void GramBlock::extend(Columns columns, const AllRows& all, const std::vector<Index>& held_out) {
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
    if (!held_out.empty()) held_out_.conservativeResize(room, room);
  }
  const Vector root = all.row_weights().cwiseSqrt();
  const Index width = all.columns_at_a_time();
  const auto multiply = [](const Matrix& A, const Matrix& B, MutMat out) {
    blas::transposed_times(A.cols(), B.cols(), A.rows(), A.data(), A.rows(), B.data(), B.rows(),
                           out.data(), out.outerStride());
  };
  for_each_panel(
      Columns(columns_).subspan(static_cast<std::size_t>(before)), width,
      [&](Index from, Columns fresh) {
        Matrix Z = all.internal_columns(fresh, root);
        const Matrix Z_out = Z(held_out, Eigen::all);
        Z(held_out, Eigen::all).setZero();
        for_each_panel(columns_, width, [&](Index first, Columns others) {
          const Matrix Z_others = all.internal_columns(others, root);
          const auto here = [&](Matrix& G) {
            return MutMat(G.block(first, before + from, std::ssize(others), std::ssize(fresh)));
          };
          multiply(Z_others, Z, here(kept_));
          if (!held_out.empty()) multiply(Z_others(held_out, Eigen::all), Z_out, here(held_out_));
        });
      });
  for (Matrix* G : {&kept_, &held_out_}) {
    if (G->size() > 0)
      G->block(before, 0, m - before, before) = G->block(0, before, before, m - before).transpose();
  }
}

ViewBlock::ViewBlock(const AllRows& all, const GramView& view)
    : all_(all), view_(view), held_out_rows_(all.rows_of_folds(view.held_out)) {}

void ViewBlock::fetch(Columns columns) {
  const std::unique_lock lock(mutex_);
  if (block_.has(columns)) return;
  if (block_.size() + std::ssize(columns) > kLargestBlock) block_ = {};
  block_.extend(columns, all_, held_out_rows_);
}

bool ViewBlock::copy(Columns rows, Columns columns, MutMat out) const {
  const std::shared_lock lock(mutex_);
  if (!block_.has(rows) || !block_.has(columns)) return false;
  block_.copy(block_.kept(), rows, columns, out);
  const bool own_means = all_.problem().intercept && !view_.held_out.empty();
  for (Index l = 0; l < std::ssize(columns); ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    for (Index r = 0; r < std::ssize(rows); ++r) {
      const Index i = rows[static_cast<std::size_t>(r)];
      if (own_means) out(r, l) -= view_.sums[i] * (view_.sums[j] / view_.weight);
      if (i == j && view_.ridge.size() > 0) out(r, l) += view_.ridge[j];
      if (view_.explained.size() > 0)
        out(r, l) -= view_.explained.row(i).dot(view_.explained.row(j));
    }
  }
  return true;
}

bool ViewBlock::copy_held_out(Columns support, Matrix& out) const {
  const std::shared_lock lock(mutex_);
  if (!block_.has(support)) return false;
  out.resize(std::ssize(support), std::ssize(support));
  block_.copy(block_.held_out(), support, support, out);
  return true;
}

Matrix products_over_rows(const AllRows& all, const std::vector<Index>& rows, Columns support) {
  const Vector root = all.row_weights().cwiseSqrt();
  Matrix Z(std::ssize(rows), std::ssize(support));
  Vector z(root.size());
  for (Index l = 0; l < Z.cols(); ++l) {
    z.setZero();
    all.add_internal_column(support[static_cast<std::size_t>(l)], root, z);
    Z.col(l) = z(rows);
  }
  return Z.transpose() * Z;
}

LASS0_TARGET_CLONES
GramSource::SumOfTerms sum_of_terms(Index n, const double* x, const double* factors) {
  double sum = 0, sizes = 0;
#pragma omp simd reduction(+ : sum, sizes)
  for (Index i = 0; i < n; ++i) {
    const double term = factors[i] * x[i];
    sum += term;
    sizes += std::abs(term);
  }
  return {sum, sizes};
}

GramSource::SumOfTerms square_of(const Matrix& G, const ConstVec& b) {
  GramSource::SumOfTerms square;
  for (Index l = 0; l < b.size(); ++l) {
    const GramSource::SumOfTerms terms = sum_of_terms(b.size(), G.col(l).data(), b.data());
    square.sum += b[l] * terms.sum;
    square.sizes += std::abs(b[l]) * terms.sizes;
  }
  return square;
}

}  // namespace lass0
