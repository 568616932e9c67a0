// The whole Gram matrix of few columns in one pass over X: some rows at a time with all their
// columns, by syrk, where X has quick access to rows.
#include <atomic>
#include <numeric>

#include "moments/gram_cache.hpp"
#include "util/blas.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr Index kRowBlocks = 8;  // without folds: as many are summed side by side
constexpr Index kRowsTogether = 512;
// With folds: of each so many on average at a time, so that a column's rows stay in the first cache
// while they are sorted by fold, and what comes of it in the second for syrk.
constexpr Index kRowsOfFold = 192;
constexpr Index kLotDoubles = Index{1} << 21;  // not more than so many, however many folds
constexpr Index kSortedSideBySide = 8;         // lots of rows, by several threads

void fill_upper(MutMat G) { G.triangularView<Eigen::StrictlyUpper>() = G.transpose(); }

// Rows of Z = sqrt(w) (X - centre) unit, where X was.
void standardise_rows(const Vector& centre, const Vector& unit, const Vector& root, bool weighted,
                      MutMat Z) {
  for (Index j = 0; j < centre.size(); ++j) {
    auto z = Z.col(j).array();
    if (weighted) {
      z = (root.array() > 0).select(root.array() * (z - centre[j]) * unit[j], 0.0);
    } else {
      z = (z - centre[j]) * unit[j];
    }
  }
}

// Some rows of X that follow each other, sorted by fold.
struct Lot {
  std::vector<Index> rows;
  std::vector<Index> start;  // of each fold in rows, and the end
  Vector root;               // of their weights
  Matrix Z;

  void sort(Index first, Index count, const RowGroups& groups) {
    start.assign(static_cast<std::size_t>(groups.count) + 1, 0);
    const auto fold = [&](Index i) {
      return static_cast<std::size_t>(groups.of_row[static_cast<std::size_t>(i)]);
    };
    for (Index i = first; i < first + count; ++i) ++start[fold(i) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<Index> next = start;
    rows.resize(static_cast<std::size_t>(count));
    for (Index i = first; i < first + count; ++i)
      rows[static_cast<std::size_t>(next[fold(i)]++)] = i;
  }
};

}  // namespace

// False: X has no quick access to rows.
bool GramCache::compute_by_rows(const Budget& budget) {
  const Index p = cols(), n = problem_.design->rows();
  const Index size = (n + kRowBlocks - 1) / kRowBlocks, blocks = (n + size - 1) / size;
  if (blocks < 2) return false;
  const Vector unit = this->unit();
  const Vector root = w_.cwiseSqrt();
  std::vector<Matrix> sums(static_cast<std::size_t>(blocks), Matrix::Zero(p, p));
  std::atomic<bool> possible = true;
  const auto work = [&](Index rows) {  // half of the products, since they are symmetric
    return 0.5 * static_cast<double>(rows) * static_cast<double>(p) * static_cast<double>(p);
  };
  Pace pace(&budget, kGramMatrix, work(n));
  for_each_block(blocks, threads_, [&](Index b) {
    const Index end = std::min(n, (b + 1) * size);
    Matrix Z(std::min(kRowsTogether, size), p);
    std::vector<Index> rows;
    for (Index first = b * size; first < end && possible; first += kRowsTogether) {
      const Index count = std::min(kRowsTogether, end - first);
      rows.resize(static_cast<std::size_t>(count));
      std::iota(rows.begin(), rows.end(), first);
      if (!problem_.design->gather(rows, Z.topRows(count))) possible = false;
      standardise_rows(centre_, unit, root.segment(first, count), !problem_.weights.empty(),
                       Z.topRows(count));
      blas::add_lower_square(p, count, Z.data(), Z.rows(), sums[static_cast<std::size_t>(b)].data(),
                             p);
      pace.did(work(count));
    }
  });
  if (!possible) return false;
  for (std::size_t b = 1; b < sums.size(); ++b) sums[0] += sums[b];
  fill_upper(sums[0]);
  keep_in_full(std::move(sums[0]));
  return true;
}

// With y and 1 as two more columns, which gives the columns' own sums too. The rows of random folds
// are everywhere: a lot of rows is sorted by fold, so that X comes from memory once.
void GramCache::compute_by_folds(const Budget& budget) {
  const Index p = cols(), n = problem_.design->rows(), K = groups_.count;
  const Vector unit = this->unit();
  const Vector root = w_.cwiseSqrt();
  const Eigen::Map<const Vector> y(problem_.y.data(), n);
  Matrix G = allocate_matrix(slots() * slot_rows(), p + 2, "the Gram matrix");
  G.setZero();
  const auto slot = [&](Index s) { return MutMat(G.middleRows(s * slot_rows(), p + 2)); };
  const auto fill = [&](Lot& lot, Index first, Index count) {
    lot.sort(first, count, groups_);
    lot.root = root(lot.rows);
    lot.Z.resize(count, p + 2);
    problem_.design->gather(lot.rows, lot.Z.leftCols(p));
    standardise_rows(centre_, unit, lot.root, !problem_.weights.empty(), lot.Z.leftCols(p));
    const auto u = (y(lot.rows).array() - target_centre_) / target_scale_;
    lot.Z.col(p) = (lot.root.array() > 0).select(lot.root.array() * u, 0.0);
    lot.Z.col(p + 1) = lot.root;
  };
  const Index most = std::max(kRowsTogether, kLotDoubles / (p + 2));
  const Index size = std::min(K * kRowsOfFold, most), lots = (n + size - 1) / size;
  std::vector<Lot> some(static_cast<std::size_t>(
      thread_count(threads_) == 1 ? 1 : std::min(kSortedSideBySide, lots)));
  const double work = 0.5 * static_cast<double>(p + 2) * static_cast<double>(p + 2);
  Pace pace(&budget, kGramMatrix, work * static_cast<double>(n));
  for (Index done = 0; done < lots; done += std::ssize(some)) {
    const Index now = std::min(std::ssize(some), lots - done);
    for_each_block(now, threads_, [&](Index l) {
      const Index first = (done + l) * size;
      fill(some[static_cast<std::size_t>(l)], first, std::min(size, n - first));
    });
    for_each_block(K, threads_, [&](Index fold) {
      const auto f = static_cast<std::size_t>(fold);
      MutMat sum = slot(fold + 1);
      for (Index l = 0; l < now; ++l) {
        const Lot& lot = some[static_cast<std::size_t>(l)];
        const Index first = lot.start[f], count = lot.start[f + 1] - first;
        if (count == 0) continue;
        blas::add_lower_square(p + 2, count, lot.Z.data() + first, lot.Z.rows(), sum.data(),
                               sum.outerStride());
        pace.did(work * static_cast<double>(count));
      }
    });
  }
  for (Index s = 1; s <= K; ++s) {
    MutMat sum = slot(s);
    fill_upper(sum);
    slot(0) += sum;
    xty_.col(s) = sum.col(p).head(p);
    sums_.col(s) = sum.col(p + 1).head(p);
    squares_.col(s) = sum.diagonal().head(p);
  }
  for (Matrix* sum : {&sums_, &xty_, &squares_}) sum->col(0) = sum->rightCols(K).rowwise().sum();
  keep_in_full(std::move(G));
}

// The slots one below the other.
void GramCache::keep_in_full(Matrix slots) {
  std::vector<Index> all(static_cast<std::size_t>(cols()));
  std::iota(all.begin(), all.end(), Index{0});
  store_.keep_for_good(all, std::move(slots));
  count_pass();
}

}  // namespace lass0
