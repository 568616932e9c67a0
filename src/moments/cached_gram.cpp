// Many columns: a Gram column is computed when it is first asked for, a few at a time, and kept as
// far as there is room. Training sets have each column over all rows less the same over the rows
// that they leave out, which they copy where these are few.
#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <set>

#include "moments/gram_block.hpp"
#include "moments/gram_columns.hpp"

namespace lass0 {
namespace {

// Of the room, where there are training sets: their own columns are what the search looks at.
constexpr double kShareOfAllRows = 0.5;
constexpr double kLargestCopy = 16e6;  // doubles, of the held-out rows

double bytes_of(const Matrix& values) {
  return sizeof(double) * static_cast<double>(values.size());
}

// w z_j of a few columns over all rows, with columns of zeros up to kGramBatch: so that the
// arithmetic is the same whatever is asked for together.
RowMatrix padded_columns(const AllRows& rows, Columns batch, const Vector& weights) {
  RowMatrix V = RowMatrix::Zero(weights.size(), kGramBatch);
  V.leftCols(std::ssize(batch)) = rows.internal_columns(batch, weights);
  return V;
}

// The Gram columns over all rows, shared by all training sets.
class ColumnCache {
 public:
  explicit ColumnCache(std::shared_ptr<const AllRows> rows)
      : rows_(std::move(rows)),
        store_(rows_->cols(), rows_->room(), rows_->folds() > 1 ? kShareOfAllRows : 1) {}

  const std::shared_ptr<const AllRows>& rows() const { return rows_; }
  const GramStore& store() const { return store_; }

  // Keeps the columns, as far as there is room. Threads may ask in any order. With a budget, throws
  // Stop.
  void fetch(Columns columns, const Budget* budget);
  // The columns, at most kGramBatch of them, without keeping any.
  Matrix compute(Columns batch, const Budget* budget = nullptr) const {
    Matrix fresh = rows_->times(padded_columns(*rows_, batch, rows_->row_weights()), budget);
    if (std::ssize(batch) < kGramBatch)
      fresh.conservativeResize(Eigen::NoChange, std::ssize(batch));
    return fresh;
  }

 private:
  std::shared_ptr<const AllRows> rows_;
  std::mutex compute_mutex_;          // guards what follows
  std::set<Index> under_way_;         // columns that some thread is computing
  std::condition_variable one_done_;  // a batch of these
  GramStore store_;
};

void ColumnCache::fetch(Columns columns, const Budget* budget) {
  if (store_.want(columns).empty()) return;
  const Index p = rows_->cols();
  std::unique_lock lock(compute_mutex_);
  // Several threads compute at a time, never the same column. Where memory is short, a column
  // may be evicted before it is used: the number of tries is limited.
  for (Index tries = 2 + 2 * std::ssize(columns) / kGramBatch; tries > 0;) {
    std::vector<Index> batch = store_.want(columns);
    if (batch.empty()) return;
    std::erase_if(batch, [&](Index j) { return under_way_.count(j) > 0; });
    if (batch.empty()) {
      one_done_.wait(lock);
      continue;
    }
    batch.resize(std::min(batch.size(), static_cast<std::size_t>(kGramBatch)));
    if (!store_.reserve(p, std::ssize(batch))) return;
    --tries;
    under_way_.insert(batch.begin(), batch.end());
    const auto done = [&] {
      for (const Index j : batch) under_way_.erase(j);
      one_done_.notify_all();
    };
    lock.unlock();
    try {
      const Matrix values = compute(batch, budget);
      lock.lock();
      store_.keep(batch, values);
    } catch (...) {
      if (!lock) lock.lock();
      store_.release(p, std::ssize(batch));
      done();
      throw;
    }
    done();
  }
}

// The columns of the cache themselves where the view changes nothing, or else corrected ones.
class CachedSource final : public CorrectedColumns {
 public:
  CachedSource(std::shared_ptr<ColumnCache> cache, std::shared_ptr<const GramView> view)
      : CorrectedColumns(cache->rows(), std::move(view)),
        cache_(std::move(cache)),
        plain_(this->view().changes_nothing()),
        block_(rows(), this->view()) {}
  ~CachedSource() override { rows().room().give_back(bytes_of(held_out_)); }
  CachedSource(const CachedSource&) = delete;
  CachedSource& operator=(const CachedSource&) = delete;

  void prefetch(Columns columns, const Budget* budget) override {
    if (plain_) return cache_->fetch(columns, budget);
    CorrectedColumns::prefetch(columns, budget);
  }
  void prefetch_block(Columns columns) override { block_.fetch(columns); }
  bool cached(Index j) const override {
    return plain_ ? cached_over_all_rows(j) : CorrectedColumns::cached(j);
  }
  bool cached_over_all_rows(Index j) const override { return cache_->store().has(j); }
  void block(Columns rows, Columns columns, MutMat out) override {
    if (!block_.copy(rows, columns, out)) CorrectedColumns::block(rows, columns, out);
  }
  SumOfTerms held_out_square(Columns support, const ConstVec& b) override {
    return square_of(held_out_block(support), b);
  }

 protected:
  Kept keep(Columns columns) override {
    if (!plain_) return CorrectedColumns::keep(columns);
    cache_->fetch(columns, nullptr);
    return kept_over_all_rows(columns);
  }
  Matrix compute(Columns batch) override {
    return plain_ ? cache_->compute(batch) : CorrectedColumns::compute(batch);
  }
  void prepare(Columns columns, const Budget* budget) override {
    if (!columns.empty()) cache_->fetch(columns, budget);
    gather_held_out();
  }
  void add_up(Columns batch, Matrix& columns) override {
    copy_over_all_rows(batch, columns);
    if (!view().held_out.empty()) subtract_held_out(batch, columns);
  }

 private:
  void copy_over_all_rows(Columns batch, Matrix& columns);
  void subtract_held_out(Columns batch, Matrix& columns);
  Kept kept_over_all_rows(Columns columns) const;
  void gather_held_out();
  Matrix held_out_block(Columns support);

  std::shared_ptr<ColumnCache> cache_;
  const bool plain_;
  ViewBlock block_;
  Matrix held_out_;          // sqrt(w) z of the held-out rows; empty where that is too large
  std::mutex gather_mutex_;  // guards held_out_ while it is made
};

ColumnSource::Kept CachedSource::kept_over_all_rows(Columns columns) const {
  Kept kept{cache_->store().reading(), {}};
  kept.columns.reserve(columns.size());
  for (const Index j : columns) kept.columns.push_back(cache_->store().column(j));
  return kept;
}

void CachedSource::copy_over_all_rows(Columns batch, Matrix& columns) {
  Kept kept = kept_over_all_rows(batch);
  Matrix scratch;
  compute_missing(batch, kept.columns, scratch,
                  [&](Columns missing) { return cache_->compute(missing); });
  for (Index l = 0; l < std::ssize(batch); ++l) {
    columns.col(l) =
        Eigen::Map<const Vector>(kept.columns[static_cast<std::size_t>(l)], columns.rows());
  }
}

// The held-out rows are few, and every column needs them: a copy of their own, one column of X
// after the other.
void CachedSource::gather_held_out() {
  if (view().held_out.empty()) return;
  // Those of another memory stay there.
  if (rows().problem().design->columns_per_call() > 0) return;
  const std::lock_guard lock(gather_mutex_);
  const std::vector<Index>& here = block_.held_out_rows();
  const Index p = rows().cols(), count = std::ssize(here), n = rows().row_weights().size();
  if (held_out_.size() > 0) return;
  const double columns = static_cast<double>(p);
  if (columns * static_cast<double>(count) > kLargestCopy) return;
  // All training sets together copy as many values as X has, if all are at work at the same time.
  if (2 * sizeof(double) * columns * static_cast<double>(n) > rows().room().asked_for()) return;
  held_out_.resize(count, p);
  rows().room().take(bytes_of(held_out_));
  rows().count_pass();
  const Vector root = rows().row_weights().cwiseSqrt();
  if (rows().problem().design->gather(here, held_out_)) {
    const Vector root_here = root(here), unit = rows().unit();
    for (Index j = 0; j < p; ++j) {
      held_out_.col(j).array() =
          (held_out_.col(j).array() - rows().centre()[j]) * unit[j] * root_here.array();
    }
    return;
  }
  Vector z(n);
  for (Index j = 0; j < p; ++j) {
    z.setZero();
    rows().add_internal_column(j, root, z);
    held_out_.col(j) = z(here);
  }
}

void CachedSource::subtract_held_out(Columns batch, Matrix& columns) {
  const Index p = rows().cols();
  Matrix out(p, kGramBatch);
  if (held_out_.size() > 0) {
    RowMatrix V = RowMatrix::Zero(held_out_.rows(), kGramBatch);
    for (Index l = 0; l < std::ssize(batch); ++l)
      V.col(l) = held_out_.col(batch[static_cast<std::size_t>(l)]);
    const DenseDesign copy(held_out_.data(), V.rows(), p, V.rows());
    copy.products(0, p, Vector::Zero(p), RowGroups::single(), V, out);
    columns -= out;
    return;
  }
  // Too large for a copy: over all rows of X, the others with weight 0.
  rows().count_pass();
  Vector masked = Vector::Zero(rows().row_weights().size());
  for (const Index r : block_.held_out_rows()) masked[r] = rows().row_weights()[r];
  const RowMatrix V = padded_columns(rows(), batch, masked);
  rows().problem().design->products(0, p, rows().centre(), RowGroups::single(), V, out);
  columns -= rows().unit().asDiagonal() * out;
}

// sum of w z_i z_j over the held-out rows, for i and j of a support.
Matrix CachedSource::held_out_block(Columns support) {
  Matrix G;
  if (block_.copy_held_out(support, G)) return G;
  gather_held_out();
  if (held_out_.size() == 0) return products_over_rows(rows(), block_.held_out_rows(), support);
  Matrix Z(held_out_.rows(), std::ssize(support));
  for (Index l = 0; l < Z.cols(); ++l)
    Z.col(l) = held_out_.col(support[static_cast<std::size_t>(l)]);
  return Z.transpose() * Z;
}

class CachedPlan final : public GramPlan {
 public:
  explicit CachedPlan(std::shared_ptr<const AllRows> rows)
      : GramPlan(rows), cache_(std::make_shared<ColumnCache>(std::move(rows))) {}

  std::shared_ptr<GramSource> source(std::shared_ptr<const GramView> view) override {
    return std::make_shared<CachedSource>(cache_, std::move(view));
  }
  GramUse::Plan kind() const override {
    return rows().room().was_full() ? GramUse::Plan::recomputed : GramUse::Plan::cached;
  }
  Index kept_columns() const override { return cache_->store().count(); }

 private:
  std::shared_ptr<ColumnCache> cache_;
};

}  // namespace

std::shared_ptr<GramPlan> cached_gram(std::shared_ptr<const AllRows> rows) {
  return std::make_shared<CachedPlan>(std::move(rows));
}

}  // namespace lass0
