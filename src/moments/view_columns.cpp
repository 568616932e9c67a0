#include "moments/view_columns.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/moments.hpp>

#include "util/blas.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

constexpr Index kLargestBlock = 2048;  // columns; after more it begins anew
constexpr double kLargestCopy = 16e6;  // doubles, of the rows left out

double bytes_of(const Matrix& values) {
  return sizeof(double) * static_cast<double>(values.size());
}

LASS0_TARGET_CLONES
ViewColumns::SumOfTerms sum_of_terms(Index n, const double* x, const double* factors) {
  double sum = 0, sizes = 0;
#pragma omp simd reduction(+ : sum, sizes)
  for (Index i = 0; i < n; ++i) {
    const double term = factors[i] * x[i];
    sum += term;
    sizes += std::abs(term);
  }
  return {sum, sizes};
}

}  // namespace

ViewColumns::ViewColumns(std::shared_ptr<GramCache> all, Corrections corrections)
    : all_(std::move(all)),
      corrections_(std::move(corrections)),
      plain_(corrections_.left_out < 0 && corrections_.ridge.size() == 0 &&
             corrections_.explained.size() == 0),
      store_(plain_ ? 0 : all_->cols(), all_->room()) {
  if (corrections_.left_out < 0) return;
  const RowGroups& groups = all_->groups();
  const auto fold = static_cast<std::size_t>(corrections_.left_out);
  for (Index r = groups.start[fold]; r < groups.start[fold + 1]; ++r)
    rows_.push_back(groups.order[static_cast<std::size_t>(r)]);
}

ViewColumns::~ViewColumns() { all_->room().give_back(bytes_of(left_out_)); }

void ViewColumns::fetch(Columns columns, const Budget* budget) {
  if (plain_) return all_->fetch(columns, budget);
  const std::vector<Index> some = store_.want(columns);
  if (some.empty()) return;
  all_->fetch(some, budget);
  gather_left_out();
  const std::lock_guard lock(compute_mutex_);
  const std::vector<Index> missing = store_.want(columns);
  for (Index begin = 0; begin < std::ssize(missing); begin += kGramBatch) {
    const Index count = std::min(kGramBatch, std::ssize(missing) - begin);
    const Columns batch =
        Columns(missing).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    if (!store_.reserve(all_->cols(), count)) return;
    try {
      store_.keep(batch, corrected(batch));
    } catch (...) {
      store_.release(all_->cols(), count);
      throw;
    }
  }
}

Matrix ViewColumns::compute(Columns batch) {
  if (plain_) return all_->compute(batch);
  gather_left_out();
  return corrected(batch);
}

Matrix ViewColumns::corrected(Columns batch) const {
  const Index p = all_->cols(), m = std::ssize(batch);
  Matrix fresh = allocate_matrix(p, kGramBatch, "columns of a training set's Gram matrix");
  Matrix scratch;
  {
    const auto reading = all_->store().reading();
    const auto from = kept_or_computed(*all_, batch, scratch);
    for (Index l = 0; l < m; ++l)
      fresh.col(l) = Eigen::Map<const Vector>(from[static_cast<std::size_t>(l)], p);
  }
  if (corrections_.left_out >= 0) subtract_left_out(batch, fresh);
  for (Index l = 0; l < m; ++l) {
    const Index j = batch[static_cast<std::size_t>(l)];
    auto column = fresh.col(l);
    if (all_->problem().intercept && corrections_.left_out >= 0)
      column -= corrections_.sums * (corrections_.sums[j] / corrections_.weight);
    if (corrections_.ridge.size() > 0) column[j] += corrections_.ridge[j];
    if (corrections_.explained.size() > 0)
      column.noalias() -= corrections_.explained * corrections_.explained.row(j).transpose();
  }
  if (m < kGramBatch) fresh.conservativeResize(Eigen::NoChange, m);
  return fresh;
}

// The rows left out are few, and every column needs them: a copy of their own, one column of X
// after the other.
void ViewColumns::gather_left_out() {
  if (corrections_.left_out < 0 || all_->in_full()) return;
  const std::lock_guard lock(gather_mutex_);
  const Index p = all_->cols(), count = std::ssize(rows_), n = all_->row_weights().size();
  if (left_out_.size() > 0) return;
  const double columns = static_cast<double>(p);
  if (columns * static_cast<double>(count) > kLargestCopy) return;
  // All training sets together copy as many values as X has, if all are at work at the same time.
  if (2 * sizeof(double) * columns * static_cast<double>(n) > all_->room().asked_for()) return;
  left_out_.resize(count, p);
  all_->room().take(bytes_of(left_out_));
  all_->count_pass();
  const Vector root = all_->row_weights().cwiseSqrt();
  if (all_->problem().design->gather(rows_, left_out_)) {
    const Vector here = root(rows_);
    for (Index j = 0; j < p; ++j) {
      const double unit = all_->squares()(j, 0) > 0 ? 1 / (*all_->scale())[j] : 0.0;
      left_out_.col(j).array() =
          (left_out_.col(j).array() - all_->centre()[j]) * unit * here.array();
    }
    return;
  }
  Vector z(n);
  for (Index j = 0; j < p; ++j) {
    z.setZero();
    all_->add_internal_column(j, root, z);
    for (Index r = 0; r < count; ++r) left_out_(r, j) = z[rows_[static_cast<std::size_t>(r)]];
  }
}

void ViewColumns::subtract_left_out(Columns batch, Matrix& columns) const {
  const Index p = all_->cols(), m = std::ssize(batch);
  if (all_->in_full()) {
    for (Index l = 0; l < m; ++l) {
      const Index j = batch[static_cast<std::size_t>(l)];
      columns.col(l) -= Eigen::Map<const Vector>(all_->column(j, corrections_.left_out + 1), p);
    }
    return;
  }
  const auto at = [](Columns some) {
    return Eigen::Map<const Eigen::Matrix<Index, Eigen::Dynamic, 1>>(some.data(), std::ssize(some));
  };
  if (left_out_.size() > 0) {
    RowMatrix V = RowMatrix::Zero(left_out_.rows(), kGramBatch);
    V.leftCols(m) = left_out_(Eigen::all, at(batch));
    const DenseDesign rows(left_out_.data(), V.rows(), p, V.rows());
    Matrix out(p, kGramBatch);
    rows.products(0, p, Vector::Zero(p), RowGroups::single(), V, out);
    columns -= out;
    return;
  }
  // Too large for a copy: over all rows of X, the others with weight 0.
  all_->count_pass();
  const Vector& w = all_->row_weights();
  Vector masked = Vector::Zero(w.size());
  for (const Index r : rows_) masked[r] = w[r];
  RowMatrix V = RowMatrix::Zero(w.size(), kGramBatch);
  Vector z(w.size());
  for (Index l = 0; l < m; ++l) {
    z.setZero();
    all_->add_internal_column(batch[static_cast<std::size_t>(l)], masked, z);
    V.col(l) = z;
  }
  Matrix out(p, kGramBatch);
  all_->problem().design->products(0, p, all_->centre(), RowGroups::single(), V, out);
  for (Index j = 0; j < p; ++j) {
    const double scale = all_->squares()(j, 0) > 0 ? 1 / (*all_->scale())[j] : 0.0;
    columns.row(j) -= scale * out.row(j);
  }
}

void ViewColumns::fetch_block(Columns columns) {
  if (all_->in_full()) return;
  const std::unique_lock lock(block_mutex_);
  if (block_.has(columns)) return;
  if (block_.size() + std::ssize(columns) > kLargestBlock) block_ = {};
  block_.extend(columns, *all_, rows_);
}

bool ViewColumns::copy_block(Columns rows, Columns columns, MutMat out) const {
  const std::shared_lock lock(block_mutex_);
  if (!block_.has(rows) || !block_.has(columns)) return false;
  block_.copy(block_.kept(), rows, columns, out);
  const auto& [left_out, sums, weight, ridge, explained] = corrections_;
  const bool own_means = all_->problem().intercept && left_out >= 0;
  for (Index l = 0; l < std::ssize(columns); ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    for (Index r = 0; r < std::ssize(rows); ++r) {
      const Index i = rows[static_cast<std::size_t>(r)];
      if (own_means) out(r, l) -= sums[i] * (sums[j] / weight);
      if (i == j && ridge.size() > 0) out(r, l) += ridge[j];
      if (explained.size() > 0) out(r, l) -= explained.row(i).dot(explained.row(j));
    }
  }
  return true;
}

// Whole columns of the fold's Gram matrix, where it is there: many of their numbers are of no
// column of S, but to look for the others would take longer.
ViewColumns::SumOfTerms ViewColumns::left_out_square(Columns support, const ConstVec& b) {
  SumOfTerms square;
  const auto add = [&](Index l, const double* column, const auto& factors) {
    const SumOfTerms terms = sum_of_terms(factors.size(), column, factors.data());
    square.sum += b[l] * terms.sum;
    square.sizes += std::abs(b[l]) * terms.sizes;
  };
  const Index k = std::ssize(support);
  if (all_->in_full()) {
    all_->fetch(support);
    Vector factors = Vector::Zero(all_->cols());
    for (Index l = 0; l < k; ++l) factors[support[static_cast<std::size_t>(l)]] = b[l];
    for (Index l = 0; l < k; ++l) {
      const Index j = support[static_cast<std::size_t>(l)];
      add(l, all_->column(j, corrections_.left_out + 1), factors);
    }
    return square;
  }
  const Matrix G = left_out_block(support);
  for (Index l = 0; l < k; ++l) add(l, G.col(l).data(), b);
  return square;
}

// sum of w z_i z_j over the rows left out, for i and j of a support.
Matrix ViewColumns::left_out_block(Columns support) {
  const Index k = std::ssize(support);
  {
    const std::shared_lock lock(block_mutex_);
    if (block_.has(support)) {
      Matrix G(k, k);
      block_.copy(block_.left_out(), support, support, G);
      return G;
    }
  }
  if (!all_->sparse_rows()) gather_left_out();
  Matrix Z(std::ssize(rows_), k);
  if (left_out_.size() > 0) {
    for (Index l = 0; l < k; ++l) Z.col(l) = left_out_.col(support[static_cast<std::size_t>(l)]);
  } else {
    const Vector root = all_->row_weights().cwiseSqrt();
    Vector z(root.size());
    for (Index l = 0; l < k; ++l) {
      z.setZero();
      all_->add_internal_column(support[static_cast<std::size_t>(l)], root, z);
      Z.col(l) = z(rows_);
    }
  }
  return Z.transpose() * Z;
}

}  // namespace lass0
