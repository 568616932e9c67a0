#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>

#include "moments/gram_cache.hpp"
#include "util/blas.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

// A training set's sum of squares comes from a subtraction; below this of what was subtracted from,
// it is rounding.
constexpr double kRoundingOfSquares = 1e-13;
constexpr Index kTimesBlock = 2048;
constexpr Index kWorthThreads = Index{1} << 21;

}  // namespace

Moments::Moments(const Problem& problem, const MomentsOptions& options)
    : problem_(problem), control_(options.control) {
  RowGroups groups = RowGroups::single();
  if (!options.folds.empty()) {
    if (!problem.design || std::ssize(options.folds) != problem.design->rows()) {
      throw Error("folds: " + std::to_string(options.folds.size()) +
                  " labels were given, one per row is needed");
    }
    groups = RowGroups::from_labels(options.folds);
  }
  cache_ = std::make_shared<GramCache>(problem, std::move(groups), control_);
  scale_ = cache_->scale();
  target_scale_ = cache_->target_scale();
  centre_sums();
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

Index Moments::folds() const { return cache_->folds(); }

// From sums about the means over all rows to sums about these rows' own means.
void Moments::centre_sums() {
  const auto without = [&](const auto& slots) {
    using Sum = typename std::decay_t<decltype(slots)>::PlainObject;
    Sum sum = slots.col(0);
    if (left_out_ >= 0) sum -= slots.col(left_out_ + 1);
    return sum;
  };
  weight_ = without(cache_->weight().transpose())[0];
  target_sum_ = without(cache_->target_sum().transpose())[0];
  yty_ = without(cache_->target_square().transpose())[0];
  sums_ = without(cache_->sums()).col(0);
  xty_ = without(cache_->xty()).col(0);
  diagonal_ = without(cache_->squares()).col(0);
  if (!(weight_ > 0)) throw Error("a training set has no rows of positive weight");
  if (problem_.intercept) {
    yty_ -= target_sum_ * target_sum_ / weight_;
    xty_ -= sums_ * (target_sum_ / weight_);
    diagonal_ -= sums_.cwiseAbs2() / weight_;
  }
  if (left_out_ >= 0) {
    yty_ = yty_ > kRoundingOfSquares * cache_->target_square()[0] ? yty_ : 0.0;
    for (Index j = 0; j < cols(); ++j) {
      if (diagonal_[j] <= kRoundingOfSquares * cache_->squares()(j, 0)) diagonal_[j] = xty_[j] = 0;
    }
  }
  l1_weights_.resize(cols());
  for (Index j = 0; j < cols(); ++j) {
    l1_weights_[j] = problem_.standardize ? std::sqrt(diagonal_[j] / weight_) : 1 / (*scale_)[j];
  }
}

void Moments::prefetch(Columns columns) const { cache_->fetch(columns); }

Index Moments::cached_columns() const { return cache_->cached(); }

bool Moments::cached(Index j) const { return cache_->has(j); }

void Moments::gram_columns(Columns columns, MutMat out) const {
  cache_->fetch(columns);
  for (Index l = 0; l < std::ssize(columns); ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    auto column = out.col(l);
    column = Eigen::Map<const Vector>(cache_->column(j, 0), cols());
    if (left_out_ >= 0)
      column -= Eigen::Map<const Vector>(cache_->column(j, left_out_ + 1), cols());
    if (problem_.intercept) column -= sums_ * (sums_[j] / weight_);
  }
}

void Moments::gram_block(Columns rows, Columns columns, MutMat out) const {
  cache_->fetch(columns);
  for (Index l = 0; l < std::ssize(columns); ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    const double* total = cache_->column(j, 0);
    const double* left_out = left_out_ >= 0 ? cache_->column(j, left_out_ + 1) : nullptr;
    const double mean = problem_.intercept ? sums_[j] / weight_ : 0.0;
    for (Index r = 0; r < std::ssize(rows); ++r) {
      const Index i = rows[static_cast<std::size_t>(r)];
      out(r, l) = total[i] - (left_out ? left_out[i] : 0.0) - sums_[i] * mean;
    }
  }
}

void Moments::gram_times(Columns columns, const ConstVec& v, MutVec out) const {
  cache_->fetch(columns);
  double shift = 0;
  std::vector<const double*> totals, left_out;
  for (Index l = 0; l < std::ssize(columns); ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    totals.push_back(cache_->column(j, 0));
    if (left_out_ >= 0) left_out.push_back(cache_->column(j, left_out_ + 1));
    shift += v[l] * sums_[j];
  }
  // By blocks of rows, so that `out` stays in the cache while the columns stream past.
  const Index blocks = (cols() + kTimesBlock - 1) / kTimesBlock;
  const bool large = cols() * std::ssize(columns) > kWorthThreads;
  for_each_block(blocks, large ? control_.threads : 1, [&](Index block) {
    const Index first = block * kTimesBlock, count = std::min(kTimesBlock, cols() - first);
    double* segment = out.data() + first;
    std::fill(segment, segment + count, 0.0);
    for (Index l = 0; l < v.size(); ++l) {
      const auto at = static_cast<std::size_t>(l);
      blas::add(count, v[l], totals[at] + first, segment);
      if (left_out_ >= 0) blas::add(count, -v[l], left_out[at] + first, segment);
    }
  });
  if (problem_.intercept && shift != 0) out -= sums_ * (shift / weight_);
}

double Moments::intercept(Columns support, const ConstVec& b) const {
  if (!problem_.intercept) return 0;
  double intercept = cache_->target_centre() + target_scale_ * target_sum_ / weight_;
  for (Index l = 0; l < std::ssize(support); ++l) {
    const Index j = support[static_cast<std::size_t>(l)];
    intercept -=
        b[l] * coefficient_unit(j) * (cache_->centre()[j] + (*scale_)[j] * sums_[j] / weight_);
  }
  return intercept;
}

}  // namespace lass0
