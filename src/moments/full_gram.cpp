// Few columns: the products of all of them are computed at once, over all rows and over each fold.
// Nothing depends on the number of rows after that.
#include "moments/full_gram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "moments/gram_block.hpp"
#include "moments/gram_columns.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

// V of one batch of Gram columns: at most this many doubles.
constexpr Index kBatchDoubles = Index{1} << 22;
constexpr Index kBatchColumns = 256;

// A few columns, all slots of each one below the other, where X has no quick access to rows.
void compute_columns(const AllRows& rows, Columns batch, Pace& pace, MutMat fresh) {
  const Index n = rows.problem().design->rows(), p = rows.cols(), m = std::ssize(batch);
  RowMatrix V = RowMatrix::Zero(n, m);
  Vector z(n);
  for (Index l = 0; l < m; ++l) {
    z.setZero();
    rows.add_internal_column(batch[static_cast<std::size_t>(l)], rows.row_weights(), z);
    V.col(l) = z;
  }
  rows.count_pass();
  const Index folds = rows.folds(), block = rows.block_size();
  for_each_block((p + block - 1) / block, rows.threads(), [&](Index b) {
    const Index first = b * block, count = std::min(block, p - first);
    Matrix out(count, m * folds);
    rows.problem().design->products(first, count, rows.centre().segment(first, count),
                                    rows.groups(), V, out);
    const Vector units = rows.unit(first, count);
    for (Index l = 0; l < m; ++l) {
      const auto slot = [&](Index s) { return fresh.col(l).segment(s * p + first, count); };
      slot(0) = out.col(l).cwiseProduct(units);
      if (folds == 1) continue;
      slot(1) = slot(0);
      for (Index g = 1; g < folds; ++g) {
        slot(g + 1) = out.col(g * m + l).cwiseProduct(units);
        slot(0) += slot(g + 1);
      }
    }
    pace.did(rows.multiplications(m) * static_cast<double>(count) / static_cast<double>(p));
  });
}

Matrix gram_by_columns(const AllRows& rows, const Budget& budget) {
  const Index n = rows.problem().design->rows(), p = rows.cols();
  const Index most = std::clamp<Index>(kBatchDoubles / std::max<Index>(1, n), 16, kBatchColumns);
  std::vector<Index> all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), 0);
  Matrix G = allocate_matrix(p * rows.slots(), p, "the Gram matrix");
  Pace pace(&budget, kGramMatrix, rows.multiplications(p));
  for (Index begin = 0; begin < p; begin += most) {
    const Index count = std::min(most, p - begin);
    const Columns batch =
        Columns(all).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    compute_columns(rows, batch, pace, G.middleCols(begin, count));
  }
  return G;
}

// The Gram matrices over all rows and over each fold, one below the other.
struct Slots {
  std::shared_ptr<const Matrix> G;
  Index rows_per_slot;

  const double* column(Index j, Index slot) const {
    return G->col(j).data() + slot * rows_per_slot;
  }
};

// A view of them that has own means, a ridge or included columns.
class FullSource final : public CorrectedColumns {
 public:
  FullSource(std::shared_ptr<const AllRows> rows, Slots slots, std::shared_ptr<const GramView> view)
      : CorrectedColumns(std::move(rows), std::move(view)),
        slots_(std::move(slots)),
        sum_(this->rows().slots_without(this->view().held_out)) {}

  void prefetch_block(Columns) override {}  // the whole matrix is there
  bool cached_over_all_rows(Index) const override { return true; }

  // Whole columns of a fold's Gram matrix: many of their numbers are of no column of S, but to
  // look for the others would take longer.
  SumOfTerms held_out_square(Columns support, const ConstVec& b) override {
    SumOfTerms square;
    const Index k = std::ssize(support);
    Vector factors = Vector::Zero(rows().cols());
    for (Index l = 0; l < k; ++l) factors[support[static_cast<std::size_t>(l)]] = b[l];
    for (const Index fold : view().held_out) {
      for (Index l = 0; l < k; ++l) {
        const double* column = slots_.column(support[static_cast<std::size_t>(l)], fold + 1);
        const SumOfTerms terms = sum_of_terms(factors.size(), column, factors.data());
        square.sum += b[l] * terms.sum;
        square.sizes += std::abs(b[l]) * terms.sizes;
      }
    }
    return square;
  }

 protected:
  void prepare(Columns, const Budget*) override {}
  void add_up(Columns batch, Matrix& columns) override {
    for (Index l = 0; l < std::ssize(batch); ++l)
      sum_.of(columns.col(l), [&](Index slot) { return column(batch, l, slot); });
  }

 private:
  Eigen::Map<const Vector> column(Columns batch, Index l, Index slot) const {
    return {slots_.column(batch[static_cast<std::size_t>(l)], slot), rows().cols()};
  }

  Slots slots_;
  const SlotSum sum_;
};

class FullPlan final : public GramPlan {
 public:
  FullPlan(std::shared_ptr<const AllRows> rows, Slots slots)
      : GramPlan(std::move(rows)), slots_(std::move(slots)) {
    this->rows().room().take(sizeof(double) * static_cast<double>(slots_.G->size()));
  }

  std::shared_ptr<GramSource> source(std::shared_ptr<const GramView> view) override {
    if (view->changes_nothing()) return std::make_shared<MatrixSource>(slots_.G, rows().threads());
    return std::make_shared<FullSource>(shared_rows(), slots_, std::move(view));
  }
  GramUse::Plan kind() const override { return GramUse::Plan::full; }
  Index kept_columns() const override { return rows().cols(); }

 private:
  Slots slots_;
};

Slots compute(AllRows& rows, const Budget& budget) {
  Matrix G;
  if (rows.sums_with_gram()) {
    G = gram_by_folds(rows, budget);
  } else if (rows.slots() == 1) {
    G = gram_by_rows(rows, budget);
  }
  if (G.size() == 0) G = gram_by_columns(rows, budget);
  const Index rows_per_slot = G.rows() / rows.slots();
  return {std::make_shared<const Matrix>(std::move(G)), rows_per_slot};
}

}  // namespace

std::shared_ptr<GramPlan> full_gram(std::shared_ptr<AllRows> rows, const Budget& budget) {
  Slots slots = compute(*rows, budget);
  return std::make_shared<FullPlan>(std::move(rows), std::move(slots));
}

}  // namespace lass0
