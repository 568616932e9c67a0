#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>
#include <limits>

#include "moments/independent.hpp"
#include "moments/sparse_products.hpp"
#include "moments/view_columns.hpp"
#include "util/blas.hpp"
#include "util/budget.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

// A sum of squares that comes from a subtraction is rounding below this of what was subtracted
// from.
constexpr double kRoundingOfSquares = 1e-13;
constexpr double kDigitsLost = 1e-5;
constexpr Index kTimesBlock = 2048;
constexpr Index kWorthThreads = Index{1} << 21;

// out += v[0] a + v[1] b + v[2] c + v[3] d, reading and writing `out` once for the four.
LASS0_TARGET_CLONES
void add_four(Index n, const double* v, const double* a, const double* b, const double* c,
              const double* d, double* out) {
  const double v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
#pragma omp simd
  for (Index i = 0; i < n; ++i) out[i] += (v0 * a[i] + v1 * b[i]) + (v2 * c[i] + v3 * d[i]);
}

}  // namespace

Moments::Moments(const Problem& problem, const MomentsOptions& options) try
    : Moments(problem, options.folds, Budget(options.control)) {
} catch (const Stop& stop) {
  throw Error(stopped_before(stop.status, "the sums over the rows were finished") +
              ": nothing is known yet; allow more time");
}

Moments::Moments(const Problem& problem, std::span<const int> folds, const Budget& budget)
    : problem_(problem), control_(budget.remaining()) {
  RowGroups groups = RowGroups::single();
  if (!folds.empty()) {
    if (!problem.design || std::ssize(folds) != problem.design->rows()) {
      throw Error("folds: " + std::to_string(folds.size()) +
                  " labels were given, one per row is needed");
    }
    groups = RowGroups::from_labels(folds);
  }
  cache_ = std::make_shared<GramCache>(problem, std::move(groups), budget);
  scale_ = cache_->scale();
  centre_ = {cache_, &cache_->centre()};
  target_scale_ = cache_->target_scale();
  root_ = cache_->weight_root();
  centre_sums(&budget);
}

Moments::Moments(const Moments& all, Index left_out) : Moments(all) {
  left_out_ = left_out;
  centre_sums();
}

Moments Moments::without_fold(Index fold) const {
  if (fold < 0 || fold >= folds() || folds() < 2) {
    throw Error("there is no fold " + std::to_string(fold) + " to leave out: the moments have " +
                std::to_string(folds()) + (folds() == 1 ? " fold" : " folds"));
  }
  return Moments(*this, fold);
}

Moments Moments::with_ridge(double ridge) const {
  if (gram_) throw Error("moments among some columns keep their ridge");
  Moments other = *this;
  other.problem_.ridge = ridge;
  validate(other.problem_);
  other.centre_sums();
  return other;
}

Index Moments::folds() const { return gram_ ? 1 : cache_->folds(); }

// From sums about the means over all rows to sums about these rows' own means.
void Moments::centre_sums(const Budget* budget) {
  const auto without = [&](const auto& slots) {
    using Sum = typename std::decay_t<decltype(slots)>::PlainObject;
    Sum sum = slots.col(0);
    if (left_out_ >= 0) sum -= slots.col(left_out_ + 1);
    return sum;
  };
  rows_ = static_cast<Index>(without(cache_->rows_used().transpose())[0]);
  // Of one row that outweighs all others, a difference would leave nothing of them.
  weight_ = cache_->weight()[0];
  if (left_out_ >= 0)
    weight_ = cache_->weight().segment(1, left_out_).sum() +
              cache_->weight().tail(folds() - 1 - left_out_).sum();
  target_sum_ = without(cache_->target_sum().transpose())[0];
  yty_ = without(cache_->target_square().transpose())[0];
  sums_ = without(cache_->sums()).col(0);
  xty_ = without(cache_->xty()).col(0);
  diagonal_ = without(cache_->squares()).col(0);
  if (rows_ == 0 || !(weight_ > 0)) throw Error("a training set has no rows of positive weight");
  if (problem_.intercept) {
    yty_ -= target_sum_ * target_sum_ / weight_;
    xty_ -= sums_ * (target_sum_ / weight_);
    diagonal_ -= sums_.cwiseAbs2() / weight_;
  }
  if (left_out_ >= 0) {
    lost_digits_ = weight_ < kDigitsLost * cache_->weight()[0] ||
                   yty_ < kDigitsLost * cache_->target_square()[0];
    for (Index j = 0; j < cols() && !lost_digits_; ++j) {
      lost_digits_ = diagonal_[j] < kDigitsLost * cache_->squares()(j, 0) && varies(j);
    }
    yty_ = yty_ > kRoundingOfSquares * cache_->target_square()[0] ? yty_ : 0.0;
    for (Index j = 0; j < cols(); ++j) {
      if (diagonal_[j] <= kRoundingOfSquares * cache_->squares()(j, 0)) diagonal_[j] = xty_[j] = 0;
    }
  }
  l1_weights_.resize(cols());
  for (Index j = 0; j < cols(); ++j) {
    l1_weights_[j] =
        (problem_.standardize ? std::sqrt(diagonal_[j] / weight_) : 1 / (*scale_)[j]) / root_;
  }
  add_ridge();
  squares_ = diagonal_;
  target_square_ = yty_;
  explained_.resize(0, 0);
  view_columns();
  view_sparse();
  take_out_included(budget);
}

// By looking at the rows: a column that is constant on them, as rare indicators are, has nothing to
// lose.
bool Moments::varies(Index j) const {
  const auto& fold_of = cache_->groups().of_row;
  Vector kept = cache_->row_weights();
  for (Index i = 0; i < kept.size(); ++i) {
    const bool here = fold_of[static_cast<std::size_t>(i)] != left_out_ && kept[i] > 0;
    kept[i] = here ? 1 : 0;
  }
  Vector z = Vector::Zero(kept.size());
  cache_->add_internal_column(j, kept, z);
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (Index i = 0; i < kept.size(); ++i) {
    if (kept[i] == 0) continue;
    least = std::min(least, z[i]);
    most = std::max(most, z[i]);
  }
  const double size = std::max(std::abs(least), std::abs(most));
  return most - least > 4 * std::numeric_limits<double>::epsilon() * size;
}

void Moments::view_columns() {
  columns_ = std::make_shared<ViewColumns>(
      cache_, ViewColumns::Corrections{left_out_, sums_, weight_, ridge_, explained_});
}

void Moments::view_sparse() {
  if (!cache_->sparse_rows()) return;
  const Vector unit = cache_->unit();
  Vector mu, weights = cache_->row_weights();
  const auto& fold_of = cache_->groups().of_row;
  for (Index i = 0; i < weights.size() && left_out_ >= 0; ++i) {
    if (fold_of[static_cast<std::size_t>(i)] == left_out_) weights[i] = 0;
  }
  Vector target = Eigen::Map<const Vector>(problem_.y.data(), weights.size());
  target = (target.array() - cache_->target_centre()) / target_scale_;
  if (problem_.intercept) {
    target.array() -= target_sum_ / weight_;
    mu.resize(cols());
    for (Index j = 0; j < cols(); ++j) mu[j] = unit[j] * mean(j);
  }
  target = (weights.array() > 0).select(target, 0.0);
  sparse_ = std::make_shared<SparseProducts>(*problem_.design, cache_->sparse_rows(), unit,
                                             std::move(mu), std::move(weights), std::move(target));
}

// ridge * (s_j beta_j)^2 for a coefficient b_j of z_j is ridge * (l1_weight_j b_j)^2 e^2.
void Moments::add_ridge() {
  ridge_.resize(0);
  if (problem_.ridge == 0) return;
  ridge_ = (std::sqrt(problem_.ridge) * l1_weights_).cwiseAbs2();
  for (Index j = 0; j < cols(); ++j) {
    if (diagonal_[j] == 0) ridge_[j] = 0;
    if (!std::isfinite(ridge_[j])) {
      throw Error("column '" + column_name(problem_, j) +
                  "': the ridge is too large for its values: rescale it");
    }
  }
  diagonal_ += ridge_;
}

void Moments::take_out_included(const Budget* budget) {
  included_.clear();
  if (problem_.include.empty()) return;
  if (budget) prefetch(problem_.include, *budget);
  included_ = independent_columns(*this, problem_.include, kAliasTolerance).kept;
  const Index m = std::ssize(included_), p = cols();
  if (m == 0) return;
  Matrix G(m, m), U = allocate_matrix(p, m, "what the included columns explain");
  gram_block(included_, included_, G);
  gram_columns(included_, U);
  included_factor_ = Eigen::LLT<Matrix>(G).matrixL();
  blas::solve_lower_transposed_right(p, m, included_factor_.data(), m, U.data(), p);
  explained_target_.resize(m);
  for (Index l = 0; l < m; ++l) explained_target_[l] = xty_[included_[static_cast<std::size_t>(l)]];
  blas::lower_solve(m, included_factor_.data(), m, explained_target_.data());

  diagonal_ -= U.rowwise().squaredNorm();
  xty_ -= U * explained_target_;
  yty_ -= explained_target_.squaredNorm();
  if (yty_ <= kRoundingOfSquares * target_square_) {
    yty_ = 0;
    xty_.setZero();
  }
  for (Index j = 0; j < p; ++j) {
    if (diagonal_[j] <= kAliasTolerance * squares_[j]) diagonal_[j] = xty_[j] = 0;
  }
  for (const Index j : included_) diagonal_[j] = xty_[j] = 0;
  explained_ = std::move(U);
  view_columns();
}

void Moments::prefetch(Columns columns) const {
  if (!gram_ && !sparse_) columns_->fetch(columns);
}

void Moments::prefetch(Columns columns, const Budget& budget) const {
  if (!gram_ && !sparse_) columns_->fetch(columns, &budget);
}

Index Moments::cached_columns() const { return cache_->store().count(); }

GramUse Moments::gram_use() const { return cache_->use(); }

bool Moments::cached(Index j) const { return gram_ || sparse_ || columns_->has(j); }

bool Moments::cached_over_all_rows(Index j) const {
  return gram_ || sparse_ || cache_->store().has(j);
}

// Calls use(first, pointers) for columns first, first + 1, ... of the list: for all of them at once
// where all are kept, or else for a few at a time.
template <class Use>
void Moments::with_gram_columns(Columns columns, const Use& use) const {
  std::vector<const double*> pointers;
  pointers.reserve(columns.size());
  if (gram_) {
    for (const Index j : columns) pointers.push_back(gram_->col(j).data());
    return use(Index{0}, pointers);
  }
  columns_->fetch(columns);
  const auto reading = columns_->reading();
  for (const Index j : columns) pointers.push_back(columns_->column(j));
  if (std::find(pointers.begin(), pointers.end(), nullptr) == pointers.end())
    return use(Index{0}, pointers);
  for (std::size_t first = 0; first < columns.size(); first += kGramBatch) {
    const Columns some =
        columns.subspan(first, std::min<std::size_t>(kGramBatch, columns.size() - first));
    Matrix scratch;
    use(static_cast<Index>(first), kept_or_computed(*columns_, some, scratch));
  }
}

void Moments::gram_columns(Columns columns, MutMat out) const {
  if (sparse_) {
    for (Index l = 0; l < std::ssize(columns); ++l)
      gram_times(columns.subspan(static_cast<std::size_t>(l), 1), Matrix::Ones(1, 1), out.col(l));
    return;
  }
  with_gram_columns(columns, [&](Index first, const std::vector<const double*>& from) {
    for (Index l = 0; l < std::ssize(from); ++l) {
      out.col(first + l) = Eigen::Map<const Vector>(from[static_cast<std::size_t>(l)], cols());
    }
  });
}

void Moments::gram_block(Columns rows, Columns columns, MutMat out) const {
  if (!gram_ && columns_->copy_block(rows, columns, out)) return;
  if (sparse_) return sparse_block(rows, columns, out);
  with_gram_columns(columns, [&](Index first, const std::vector<const double*>& from) {
    for (Index l = 0; l < std::ssize(from); ++l) {
      const double* column = from[static_cast<std::size_t>(l)];
      for (Index r = 0; r < std::ssize(rows); ++r) {
        out(r, first + l) = column[rows[static_cast<std::size_t>(r)]];
      }
    }
  });
}

void Moments::gram_times(Columns columns, const ConstMat& V, MutMat out) const {
  if (sparse_) return sparse_times(columns, V, out);
  // By blocks of rows, so that `out` stays in the cache while the columns stream past.
  const Index blocks = (cols() + kTimesBlock - 1) / kTimesBlock;
  const bool large = cols() * std::ssize(columns) > kWorthThreads;
  static_assert(kGramBatch % 4 == 0, "sums are of the same four columns, kept or not");
  out.setZero();
  with_gram_columns(columns, [&](Index start, const std::vector<const double*>& from) {
    for_each_block(blocks, large ? control_.threads : 1, [&](Index block) {
      const Index first = block * kTimesBlock, count = std::min(kTimesBlock, cols() - first);
      const auto column = [&](Index l) { return from[static_cast<std::size_t>(l)] + first; };
      Index l = 0;
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

void Moments::sparse_block(Columns rows, Columns columns, MutMat out) const {
  sparse_->block(rows, columns, out);
  for (Index l = 0; l < std::ssize(columns); ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    for (Index r = 0; r < std::ssize(rows); ++r) {
      const Index i = rows[static_cast<std::size_t>(r)];
      if (i == j) out(r, l) += ridge(j);
      if (explained_.size() > 0) out(r, l) -= explained_.row(i).dot(explained_.row(j));
    }
  }
}

void Moments::sparse_times(Columns columns, const ConstMat& V, MutMat out) const {
  cache_->count_pass();
  sparse_->times(columns, V, control_.threads, out);
  for (Index m = 0; m < V.cols(); ++m) {
    for (Index l = 0; l < std::ssize(columns); ++l) {
      const Index j = columns[static_cast<std::size_t>(l)];
      out(j, m) += ridge(j) * V(l, m);
    }
    if (explained_.size() > 0) out.col(m) -= explained_ * explained_times(columns, V.col(m));
  }
}

// U_J' v: what the columns J with coefficients v have in common with the included ones.
Vector Moments::explained_times(Columns columns, const ConstVec& v) const {
  Vector sum = Vector::Zero(explained_.cols());
  for (Index l = 0; l < std::ssize(columns); ++l) {
    sum += v[l] * explained_.row(columns[static_cast<std::size_t>(l)]).transpose();
  }
  return sum;
}

Vector Moments::included_coefficients(Columns support, const ConstVec& b) const {
  if (included_.empty()) return Vector();
  Vector a = explained_target_ - explained_times(support, b);
  blas::lower_transposed_solve(a.size(), included_factor_.data(), a.size(), a.data());
  return a;
}

Iterate Moments::model(Columns support, const ConstVec& b) const {
  Iterate at;
  const Vector a = included_coefficients(support, b);
  const Index k = std::ssize(support), m = a.size();
  at.coefficients.resize(k + m);
  for (Index l = 0, i = 0; l + i < k + m;) {  // both are ascending
    const bool chosen = i == m || (l < k && support[static_cast<std::size_t>(l)] <
                                                included_[static_cast<std::size_t>(i)]);
    const Index j =
        chosen ? support[static_cast<std::size_t>(l)] : included_[static_cast<std::size_t>(i)];
    at.coefficients[l + i] = (chosen ? b[l] : a[i]) * coefficient_unit(j);
    at.support.push_back(j);
    ++(chosen ? l : i);
  }
  at.intercept = intercept(support, b);
  return at;
}

double Moments::deviation(Index j) const { return (*scale_)[j] / std::sqrt(weight_); }

double Moments::mean(Index j) const { return (*centre_)[j] + (*scale_)[j] * sums_[j] / weight_; }

double Moments::intercept(Columns support, const ConstVec& b) const {
  if (!problem_.intercept) return 0;
  double intercept = cache_->target_centre() + target_scale_ * target_sum_ / weight_;
  for (Index l = 0; l < std::ssize(support); ++l) {
    const Index j = support[static_cast<std::size_t>(l)];
    intercept -= b[l] * coefficient_unit(j) * mean(j);
  }
  const Vector a = included_coefficients(support, b);
  for (Index l = 0; l < a.size(); ++l) {
    const Index j = included_[static_cast<std::size_t>(l)];
    intercept -= a[l] * coefficient_unit(j) * mean(j);
  }
  return intercept;
}

}  // namespace lass0
