#include "moments/fold_sums.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "util/blas.hpp"
#include "util/blas_buffers.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

constexpr Index kChunkDoubles = Index{1} << 18;  // 2 MiB: stays in the cache of a core
constexpr Index kFewestRows = 32, kMostRows = 256;
constexpr Index kTasks = 32;         // pieces of work, so that many cores have some
constexpr Index kNarrowest = 128;    // columns of a piece
constexpr Index kChunksAtOnce = 16;  // of all folds together, where folds are few
constexpr Index kRowsTogether = 8;   // copied: a cache line of a column
constexpr double kSmallestSquare = 1e-280;

LASS0_TARGET_CLONES
void subtract(Index count, const double* from, const double* centre, double* out) {
#pragma omp simd
  for (Index j = 0; j < count; ++j) out[j] = from[j] - centre[j];
}

LASS0_TARGET_CLONES
void add_row(Index count, double w, const double* z, double* sum, double* largest) {
#pragma omp simd
  for (Index j = 0; j < count; ++j) {
    sum[j] += w * z[j];
    largest[j] = std::max(largest[j], std::abs(z[j]));
  }
}

LASS0_TARGET_CLONES
void centre_row(Index count, double root, const double* mean, double* z) {
#pragma omp simd
  for (Index j = 0; j < count; ++j) z[j] = root * (z[j] - mean[j]);
}

// How many columns from `first` on stand side by side in every row.
Index side_by_side(const BlockColumns& values, Index first) {
  Index count = 1;
  const auto at = static_cast<std::size_t>(first);
  while (at + static_cast<std::size_t>(count) < values.base.size() &&
         values.base[at + static_cast<std::size_t>(count)] == values.base[at] + count &&
         values.step[at + static_cast<std::size_t>(count)] == values.step[at])
    ++count;
  return count;
}

}  // namespace

FoldSums::FoldSums(Index columns, Index folds)
    : columns_(columns),
      chunk_rows_(std::clamp(kChunkDoubles / columns, kFewestRows, kMostRows)),
      tile_(std::clamp((columns * folds + kTasks - 1) / kTasks, std::min(kNarrowest, columns),
                       columns)),
      largest_(Vector::Zero(columns)) {
  need_folds(folds);
}

Index FoldSums::rows() const {
  Index rows = 0;
  for (const FoldSum& sum : folds_) rows += sum.rows;
  for (const std::vector<Chunk>& chunks : waiting_)
    for (const Chunk& some : chunks) rows += some.rows;
  return rows;
}

void FoldSums::need_folds(Index count) {
  if (count <= folds()) return;
  const double q = static_cast<double>(columns_), more = static_cast<double>(count - folds());
  require_memory(sizeof(double) * more * q * (q + static_cast<double>(chunk_rows_)),
                 "the sums of every fold");
  std::vector<FoldSum> fresh;
  for (Index f = folds(); f < count; ++f)
    fresh.push_back({0, 0, Vector::Zero(columns_), Matrix::Zero(columns_, columns_)});
  waiting_.resize(static_cast<std::size_t>(count));
  folds_.reserve(static_cast<std::size_t>(count));
  std::move(fresh.begin(), fresh.end(), std::back_inserter(folds_));
}

void FoldSums::add(const BlockColumns& values, const std::vector<Index>& rows,
                   const double* weights, const std::vector<Index>& fold, int threads) {
  if (rows.empty()) return;
  if (centre_.size() == 0) {
    centre_.resize(columns_);
    for (std::size_t j = 0; j < values.base.size(); ++j)
      centre_[static_cast<Index>(j)] = values.base[j][rows.front() * values.step[j]];
  }
  std::vector<std::vector<Index>> of_fold(folds_.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    of_fold[static_cast<std::size_t>(fold[r])].push_back(rows[r]);
  std::vector<Index> next(folds_.size(), 0);
  const Index at_once = std::max<Index>(1, kChunksAtOnce / folds());
  for (bool more = true; more;) {
    more = false;
    std::vector<Task> tasks;
    std::vector<Index> full(folds_.size(), 0);
    for (Index f = 0; f < folds(); ++f) {
      const auto at = static_cast<std::size_t>(f);
      const Index count = std::ssize(of_fold[at]);
      for (Index c = 0; c < at_once && next[at] < count; ++c) {
        if (c == std::ssize(waiting_[at])) waiting_[at].emplace_back();
        const Index room = chunk_rows_ - chunk(f, c).rows;
        const Index last = std::min(count, next[at] + room);
        tasks.push_back({f, c, next[at], last});
        full[at] += last - next[at] == room ? 1 : 0;
        next[at] = last;
      }
      more = more || next[at] < count;
    }
    for_each_block(std::ssize(tasks), threads, [&](Index t) {
      const Task& task = tasks[static_cast<std::size_t>(t)];
      const std::vector<Index>& places = of_fold[static_cast<std::size_t>(task.fold)];
      Chunk& to = chunk(task.fold, task.chunk);
      copy(values, places.data() + task.first, task.last - task.first, weights, to);
      if (to.rows == chunk_rows_) centre_chunk(to);
    });
    take_in(full, threads);
  }
}

void FoldSums::copy(const BlockColumns& values, const Index* rows, Index count,
                    const double* weights, Chunk& to) const {
  if (to.values.empty()) {
    to.values.resize(static_cast<std::size_t>(columns_ * (chunk_rows_ + 1)));
    to.weights.resize(static_cast<std::size_t>(chunk_rows_));
  }
  double* out = to.values.data() + to.rows * columns_;
  for (Index j = 0, width = 0; j < columns_; j += width) {
    width = side_by_side(values, j);
    const double* base = values.base[static_cast<std::size_t>(j)];
    const Index step = values.step[static_cast<std::size_t>(j)];
    for (Index r = 0; r < count && width > 1; ++r)
      subtract(width, base + rows[r] * step, centre_.data() + j, out + r * columns_ + j);
  }
  for (Index first = 0; first < count; first += kRowsTogether) {
    const Index last = std::min(count, first + kRowsTogether);
    for (Index j = 0, width = 0; j < columns_; j += width) {
      width = side_by_side(values, j);
      if (width > 1) continue;
      const double* base = values.base[static_cast<std::size_t>(j)];
      const Index step = values.step[static_cast<std::size_t>(j)];
      const double centre = centre_[j];
      for (Index r = first; r < last; ++r) out[r * columns_ + j] = base[rows[r] * step] - centre;
    }
  }
  for (Index r = 0; r < count; ++r)
    to.weights[static_cast<std::size_t>(to.rows + r)] = weights ? weights[rows[r]] : 1.0;
  to.rows += count;
}

// From here on the rows are about their own mean, times the root of their weights.
void FoldSums::centre_chunk(Chunk& chunk) const {
  Eigen::Map<Matrix> Z(chunk.values.data(), columns_, chunk.rows);
  const Eigen::Map<const Vector> w(chunk.weights.data(), chunk.rows);
  chunk.weight = w.sum();
  chunk.depth = chunk.rows;
  chunk.largest = Vector::Zero(columns_);
  chunk.mean = Vector::Zero(columns_);
  for (Index i = 0; i < chunk.rows; ++i)
    add_row(columns_, w[i], Z.col(i).data(), chunk.mean.data(), chunk.largest.data());
  chunk.mean /= chunk.weight;
  for (Index i = 0; i < chunk.rows; ++i)
    centre_row(columns_, std::sqrt(w[i]), chunk.mean.data(), Z.col(i).data());
}

// What two means differ by counts as one more row.
void FoldSums::join_means(Chunk& chunk, FoldSum& sum) {
  const double weight = sum.weight + chunk.weight;
  if (sum.rows > 0) {
    Eigen::Map<Vector> step(chunk.values.data() + chunk.rows * columns_, columns_);
    step = chunk.mean - sum.mean;
    sum.mean += (chunk.weight / weight) * step;
    step *= std::sqrt(chunk.weight) * std::sqrt(sum.weight / weight);
    ++chunk.depth;
  } else {
    sum.mean = chunk.mean;
  }
  sum.weight = weight;
  sum.rows += chunk.rows;
  largest_ = largest_.cwiseMax(chunk.largest);
}

void FoldSums::take_in(const std::vector<Index>& count, int threads) {
  std::vector<Index> some;
  for (Index f = 0; f < folds(); ++f) {
    const auto at = static_cast<std::size_t>(f);
    if (count[at] == 0) continue;
    some.push_back(f);
    for (Index c = 0; c < count[at]; ++c) join_means(chunk(f, c), folds_[at]);
  }
  if (some.empty()) return;
  reserve_blas_buffers(thread_count(threads));
  const Index tiles = (columns_ + tile_ - 1) / tile_;
  for_each_block(std::ssize(some) * tiles, threads, [&](Index task) {
    const Index f = some[static_cast<std::size_t>(task / tiles)], q = columns_;
    const Index first = task % tiles * tile_, width = std::min(tile_, q - first);
    const Index below = q - first - width;
    double* corner = folds_[static_cast<std::size_t>(f)].squares.data() + first * q + first;
    for (Index c = 0; c < count[static_cast<std::size_t>(f)]; ++c) {
      const Chunk& from = chunk(f, c);
      const double* Z = from.values.data() + first;
      blas::add_lower_square_of_rows(width, from.depth, 1.0, Z, q, corner, q);
      if (below > 0)
        blas::add_product_transposed(below, width, from.depth, 1.0, Z + width, q, Z, q,
                                     corner + width, q);
    }
  });
  for (const Index f : some) {
    std::vector<Chunk>& chunks = waiting_[static_cast<std::size_t>(f)];
    const auto used = static_cast<std::size_t>(count[static_cast<std::size_t>(f)]);
    for (std::size_t c = 0; c < used; ++c) chunks[c].rows = 0;
    if (used < chunks.size()) std::swap(chunks.front(), chunks[used]);
  }
}

void FoldSums::flush(int threads) {
  std::vector<Index> count(folds_.size(), 0);
  for (Index f = 0; f < folds(); ++f) {
    if (waiting_[static_cast<std::size_t>(f)].empty() || chunk(f, 0).rows == 0) continue;
    centre_chunk(chunk(f, 0));
    count[static_cast<std::size_t>(f)] = 1;
  }
  take_in(count, threads);
}

void FoldSums::set_centre(Vector centre) { centre_ = std::move(centre); }

void FoldSums::merge(const FoldSums& other, const std::vector<Index>& fold_here, int threads) {
  if (other.centre_.size() == 0) return;
  if (centre_.size() == 0 || rows() == 0) centre_ = other.centre_;  // 0 in a file without rows
  const Vector shift = other.centre_ - centre_;
  largest_ = largest_.cwiseMax(other.largest_);
  for_each_block(other.folds(), threads, [&](Index f) {
    const FoldSum& from = other.fold(f);
    FoldSum& to = folds_[static_cast<std::size_t>(fold_here[static_cast<std::size_t>(f)])];
    if (from.rows == 0) return;
    to.squares.triangularView<Eigen::Lower>() += from.squares;
    const double weight = to.weight + from.weight;
    const Vector mean = from.mean + shift;
    if (to.rows > 0) {
      Vector step = mean - to.mean;
      to.mean += (from.weight / weight) * step;
      step *= std::sqrt(from.weight) * std::sqrt(to.weight / weight);
      blas::add_lower_square_of_rows(columns_, 1, 1.0, step.data(), columns_, to.squares.data(),
                                     columns_);
    } else {
      to.mean = mean;
    }
    to.weight = weight;
    to.rows += from.rows;
  });
}

Index FoldSums::extreme_column() const {
  for (Index j = 0; j < columns_; ++j) {
    double square = 0;
    bool finite = true;
    for (const FoldSum& sum : folds_) {
      square += sum.squares(j, j);
      finite = finite && std::isfinite(sum.squares(j, j)) && std::isfinite(sum.mean[j]);
    }
    if (!finite || (largest_[j] > 0 && largest_[j] * largest_[j] < kSmallestSquare)) return j;
  }
  return -1;
}

}  // namespace lass0
