// Some rows at a time with all their columns, by syrk.
#include <atomic>
#include <numeric>

#include "moments/full_gram.hpp"
#include "util/blas.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr Index kRowBlocks = 8;  // without folds: as many are summed side by side
constexpr Index kRowsTogether = 512;
// With folds: this many of each on average at a time, so that a column's rows stay in the first
// cache while they are sorted by fold, and what comes of it in the second for syrk.
constexpr Index kRowsOfFold = 192;
constexpr Index kLotDoubles = Index{1} << 21;  // at most this many, however many folds
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

Matrix gram_by_rows(const AllRows& all, const Budget& budget) {
  const Problem& problem = all.problem();
  const Index p = all.cols(), n = problem.design->rows();
  const Index size = (n + kRowBlocks - 1) / kRowBlocks, blocks = (n + size - 1) / size;
  if (blocks < 2) return {};
  const Vector unit = all.unit();
  const Vector root = all.row_weights().cwiseSqrt();
  std::vector<Matrix> sums(static_cast<std::size_t>(blocks), Matrix::Zero(p, p));
  std::atomic<bool> possible = true;
  const auto work = [&](Index rows) {  // half of the products, since they are symmetric
    return 0.5 * static_cast<double>(rows) * static_cast<double>(p) * static_cast<double>(p);
  };
  Pace pace(&budget, kGramMatrix, work(n));
  for_each_block(blocks, all.threads(), [&](Index b) {
    const Index end = std::min(n, (b + 1) * size);
    Matrix Z(std::min(kRowsTogether, size), p);
    std::vector<Index> rows;
    for (Index first = b * size; first < end && possible; first += kRowsTogether) {
      const Index count = std::min(kRowsTogether, end - first);
      rows.resize(static_cast<std::size_t>(count));
      std::iota(rows.begin(), rows.end(), first);
      if (!problem.design->gather(rows, Z.topRows(count))) possible = false;
      standardise_rows(all.centre(), unit, root.segment(first, count), !problem.weights.empty(),
                       Z.topRows(count));
      blas::add_lower_square(p, count, Z.data(), Z.rows(), sums[static_cast<std::size_t>(b)].data(),
                             p);
      pace.did(work(count));
    }
  });
  if (!possible) return {};
  for (std::size_t b = 1; b < sums.size(); ++b) sums[0] += sums[b];
  fill_upper(sums[0]);
  all.count_pass();
  return std::move(sums[0]);
}

// With y and 1 as two more columns, which gives the columns' own sums too. The rows of random folds
// are everywhere: a lot of rows is sorted by fold, so that X comes from memory once.
Matrix gram_by_folds(AllRows& all, const Budget& budget) {
  const Problem& problem = all.problem();
  const Index p = all.cols(), n = problem.design->rows(), K = all.folds();
  const Vector unit = all.unit();
  const Vector root = all.row_weights().cwiseSqrt();
  const Eigen::Map<const Vector> y(problem.y.data(), n);
  Matrix G = allocate_matrix(all.slots() * (p + 2), p + 2, "the Gram matrix");
  G.setZero();
  const auto slot = [&](Index s) { return MutMat(G.middleRows(s * (p + 2), p + 2)); };
  const auto fill = [&](Lot& lot, Index first, Index count) {
    lot.sort(first, count, all.groups());
    lot.root = root(lot.rows);
    lot.Z.resize(count, p + 2);
    problem.design->gather(lot.rows, lot.Z.leftCols(p));
    standardise_rows(all.centre(), unit, lot.root, !problem.weights.empty(), lot.Z.leftCols(p));
    const auto u = (y(lot.rows).array() - all.target_centre()) / all.target_scale();
    lot.Z.col(p) = (lot.root.array() > 0).select(lot.root.array() * u, 0.0);
    lot.Z.col(p + 1) = lot.root;
  };
  const Index most = std::max(kRowsTogether, kLotDoubles / (p + 2));
  const Index size = std::min(K * kRowsOfFold, most), lots = (n + size - 1) / size;
  std::vector<Lot> some(static_cast<std::size_t>(
      thread_count(all.threads()) == 1 ? 1 : std::min(kSortedSideBySide, lots)));
  const double work = 0.5 * static_cast<double>(p + 2) * static_cast<double>(p + 2);
  Pace pace(&budget, kGramMatrix, work * static_cast<double>(n));
  for (Index done = 0; done < lots; done += std::ssize(some)) {
    const Index now = std::min(std::ssize(some), lots - done);
    for_each_block(now, all.threads(), [&](Index l) {
      const Index first = (done + l) * size;
      fill(some[static_cast<std::size_t>(l)], first, std::min(size, n - first));
    });
    for_each_block(K, all.threads(), [&](Index fold) {
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
  Matrix sums(p, K), xty(p, K), squares(p, K);
  for (Index s = 1; s <= K; ++s) {
    MutMat sum = slot(s);
    fill_upper(sum);
    slot(0) += sum;
    xty.col(s - 1) = sum.col(p).head(p);
    sums.col(s - 1) = sum.col(p + 1).head(p);
    squares.col(s - 1) = sum.diagonal().head(p);
  }
  all.set_fold_sums(std::move(sums), std::move(xty), std::move(squares));
  all.count_pass();
  return G;
}

}  // namespace lass0
