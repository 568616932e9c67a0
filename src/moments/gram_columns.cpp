#include "moments/gram_columns.hpp"

#include <algorithm>

#include "util/add_four.hpp"
#include "util/blas.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr Index kTimesBlock = 2048;
constexpr Index kWorthThreads = Index{1} << 21;
constexpr Index kManyVectors = 6;  // worth copying columns side by side for

// out = these entries of a column.
void copy_entries(const double* column, Columns rows, double* out) {
  for (std::size_t r = 0; r < rows.size(); ++r) out[r] = column[rows[r]];
}

}  // namespace

// Calls use(first, pointers) for columns first, first + 1, ... of the list: for all of them at once
// where all are kept, or else for a few at a time.
template <class Use>
void ColumnSource::with_columns(Columns columns, const Use& use) {
  const Kept kept = keep(columns);
  if (std::find(kept.columns.begin(), kept.columns.end(), nullptr) == kept.columns.end())
    return use(Index{0}, kept.columns);
  for (std::size_t first = 0; first < columns.size(); first += kGramBatch) {
    const std::size_t count = std::min<std::size_t>(kGramBatch, columns.size() - first);
    const auto from = kept.columns.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<const double*> pointers(from, from + static_cast<std::ptrdiff_t>(count));
    Matrix scratch;
    compute_missing(columns.subspan(first, count), pointers, scratch,
                    [&](Columns missing) { return compute(missing); });
    use(static_cast<Index>(first), pointers);
  }
}

void ColumnSource::columns(Columns columns, MutMat out) {
  with_columns(columns, [&](Index first, const std::vector<const double*>& from) {
    for (Index l = 0; l < std::ssize(from); ++l) {
      out.col(first + l) = Eigen::Map<const Vector>(from[static_cast<std::size_t>(l)], out.rows());
    }
  });
}

void ColumnSource::block(Columns rows, Columns columns, MutMat out) {
  with_columns(columns, [&](Index first, const std::vector<const double*>& from) {
    for (Index l = 0; l < std::ssize(from); ++l)
      copy_entries(from[static_cast<std::size_t>(l)], rows, out.col(first + l).data());
  });
}

void ColumnSource::times(Columns columns, const ConstMat& V, MutMat out) {
  // By blocks of rows, so that `out` stays in the cache while the columns stream past.
  const Index p = out.rows(), blocks = (p + kTimesBlock - 1) / kTimesBlock;
  const bool large = p * std::ssize(columns) > kWorthThreads;
  static_assert(kGramBatch % 4 == 0, "sums are of the same columns at a time, kept or not");
  out.setZero();
  with_columns(columns, [&](Index start, const std::vector<const double*>& from) {
    for_each_block(blocks, large ? threads_ : 1, [&](Index block) {
      const Index first = block * kTimesBlock, count = std::min(kTimesBlock, p - first);
      const auto column = [&](Index l) { return from[static_cast<std::size_t>(l)] + first; };
      Index l = 0;
      if (V.cols() >= kManyVectors) {
        Matrix side_by_side(count, kGramBatch);
        for (; l + kGramBatch <= std::ssize(from); l += kGramBatch) {
          for (Index i = 0; i < kGramBatch; ++i)
            side_by_side.col(i) = Eigen::Map<const Vector>(column(l + i), count);
          blas::add_product(count, V.cols(), kGramBatch, side_by_side.data(), count,
                            V.data() + start + l, V.outerStride(), &out(first, 0),
                            out.outerStride());
        }
      }
      for (; l + 4 <= std::ssize(from); l += 4) {
        for (Index m = 0; m < V.cols(); ++m) {
          add_four(count, V.col(m).data() + start + l, column(l), column(l + 1), column(l + 2),
                   column(l + 3), &out(first, m));
        }
      }
      for (; l < std::ssize(from); ++l) {
        for (Index m = 0; m < V.cols(); ++m)
          blas::add(count, V(start + l, m), column(l), &out(first, m));
      }
    });
  });
}

void MatrixSource::block(Columns rows, Columns columns, MutMat out) {
  for (Index l = 0; l < std::ssize(columns); ++l)
    copy_entries(G_->col(columns[static_cast<std::size_t>(l)]).data(), rows, out.col(l).data());
}

ColumnSource::Kept MatrixSource::keep(Columns columns) {
  Kept kept;
  kept.columns.reserve(columns.size());
  for (const Index j : columns) kept.columns.push_back(G_->col(j).data());
  return kept;
}

CorrectedColumns::CorrectedColumns(std::shared_ptr<const AllRows> rows,
                                   std::shared_ptr<const GramView> view)
    : ColumnSource(rows->threads()),
      rows_(std::move(rows)),
      view_(std::move(view)),
      store_(view_->changes_nothing() ? 0 : rows_->cols(), rows_->room()) {}

void CorrectedColumns::prefetch(Columns columns, const Budget* budget) {
  const std::vector<Index> some = store_.want(columns);
  if (some.empty()) return;
  prepare(some, budget);
  const std::lock_guard lock(compute_mutex_);
  const std::vector<Index> missing = store_.want(columns);
  for (Index begin = 0; begin < std::ssize(missing); begin += kGramBatch) {
    const Index count = std::min(kGramBatch, std::ssize(missing) - begin);
    const Columns batch =
        Columns(missing).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    if (!store_.reserve(rows_->cols(), count)) return;
    try {
      store_.keep(batch, corrected(batch));
    } catch (...) {
      store_.release(rows_->cols(), count);
      throw;
    }
  }
}

ColumnSource::Kept CorrectedColumns::keep(Columns columns) {
  prefetch(columns, nullptr);
  Kept kept{store_.reading(), {}};
  kept.columns.reserve(columns.size());
  for (const Index j : columns) kept.columns.push_back(store_.column(j));
  return kept;
}

Matrix CorrectedColumns::compute(Columns batch) {
  prepare({}, nullptr);
  return corrected(batch);
}

Matrix CorrectedColumns::corrected(Columns batch) {
  const Index m = std::ssize(batch);
  Matrix fresh =
      allocate_matrix(rows_->cols(), kGramBatch, "columns of a training set's Gram matrix");
  add_up(batch, fresh);
  for (Index l = 0; l < m; ++l) {
    const Index j = batch[static_cast<std::size_t>(l)];
    auto column = fresh.col(l);
    if (rows_->problem().intercept && !view_->held_out.empty())
      column -= view_->sums * (view_->sums[j] / view_->weight);
    if (view_->ridge.size() > 0) column[j] += view_->ridge[j];
    if (view_->explained.size() > 0)
      column.noalias() -= view_->explained * view_->explained.row(j).transpose();
  }
  if (m < kGramBatch) fresh.conservativeResize(Eigen::NoChange, m);
  return fresh;
}

}  // namespace lass0
