#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>

#include "moments/parts.hpp"
#include "util/blas.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

[[noreturn]] void throw_no_fold(Index fold, Index folds) {
  throw Error("there is no fold " + std::to_string(fold) + " to hold out: the moments have " +
              std::to_string(folds) + (folds == 1 ? " fold" : " folds"));
}

}  // namespace

Moments::Moments(const Problem& problem, const MomentsOptions& options) try
    : Moments(moments_within(problem, options.folds, Budget(options.control))) {
} catch (const Stop& stop) {
  throw Error(stopped_before(stop.status, "the sums over the rows were finished") +
              ": allow more time");
}

Moments Moments::without_fold(Index fold) const {
  if (fold < 0 || fold >= folds() || folds() < 2) throw_no_fold(fold, folds());
  return MomentsMaker::view(problem_, control_, parts_->plan, {fold});
}

Moments Moments::without_folds(std::span<const Index> some) const {
  std::vector<Index> held_out(some.begin(), some.end());
  std::sort(held_out.begin(), held_out.end());
  for (const Index fold : held_out)
    if (fold < 0 || fold >= folds() || folds() < 2) throw_no_fold(fold, folds());
  if (std::adjacent_find(held_out.begin(), held_out.end()) != held_out.end())
    throw Error("a fold is named twice among those to hold out");
  return MomentsMaker::view(problem_, control_, parts_->plan, std::move(held_out));
}

Moments Moments::with_ridge(double ridge) const {
  if (parts_->subset) throw Error("the ridge of moments among some columns can't be changed");
  Problem problem = problem_;
  problem.ridge = ridge;
  validate(problem);
  return MomentsMaker::view(problem, control_, parts_->plan, parts_->view->held_out);
}

Index Moments::folds() const { return parts_->subset ? 1 : parts_->rows().folds(); }
bool Moments::lost_digits() const { return parts_->lost_digits; }
Index Moments::rows() const { return parts_->rows_used; }
const std::vector<Index>& Moments::included() const { return parts_->included; }

double Moments::weight() const {
  const double root = parts_->rows().weight_root();
  return parts_->view->weight * root * root;
}

void Moments::prefetch(Columns columns) const { parts_->gram->prefetch(columns, nullptr); }

void prefetch_within(const Moments& moments, Columns columns, const Budget& budget) {
  MomentsMaker::parts(moments).gram->prefetch(columns, &budget);
}

const SparseProducts* sparse_products(const Moments& moments) {
  return MomentsMaker::parts(moments).gram->sparse();
}

void Moments::prefetch_block(Columns columns) const { parts_->gram->prefetch_block(columns); }

void Moments::gram_columns(Columns columns, MutMat out) const {
  parts_->gram->columns(columns, out);
}

void Moments::gram_block(Columns rows, Columns columns, MutMat out) const {
  parts_->gram->block(rows, columns, out);
}

void Moments::gram_times(Columns columns, const ConstMat& V, MutMat out) const {
  parts_->gram->times(columns, V, out);
}

Index Moments::cached_columns() const { return parts_->plan->kept_columns(); }
bool Moments::cached(Index j) const { return parts_->gram->cached(j); }
bool Moments::cached_over_all_rows(Index j) const { return parts_->gram->cached_over_all_rows(j); }

GramUse Moments::gram_use() const {
  const AllRows& rows = parts_->rows();
  return {parts_->plan->kind(), cached_columns(), rows.room().most_used(), rows.passes()};
}

Vector Moments::Parts::included_coefficients(Columns support, const ConstVec& b) const {
  if (included.empty()) return Vector();
  Vector a = explained_target - view->explained_times(support, b);
  blas::lower_transposed_solve(a.size(), included_factor.data(), a.size(), a.data());
  return a;
}

Iterate Moments::model(Columns support, const ConstVec& b) const {
  Iterate at;
  const std::vector<Index>& included = parts_->included;
  const Vector a = parts_->included_coefficients(support, b);
  const Index k = std::ssize(support), m = a.size();
  at.coefficients.resize(k + m);
  for (Index l = 0, i = 0; l + i < k + m;) {  // both are ascending
    const bool chosen = i == m || (l < k && support[static_cast<std::size_t>(l)] <
                                                included[static_cast<std::size_t>(i)]);
    const Index j =
        chosen ? support[static_cast<std::size_t>(l)] : included[static_cast<std::size_t>(i)];
    at.coefficients[l + i] = (chosen ? b[l] : a[i]) * coefficient_unit(j);
    at.support.push_back(j);
    ++(chosen ? l : i);
  }
  at.intercept = intercept(support, b);
  return at;
}

double Moments::column_scale(Index j) const {
  return (*parts_->scale)[j] * parts_->rows().weight_root();
}

double Moments::target_scale() const {
  return parts_->rows().target_scale() * parts_->rows().weight_root();
}

double Moments::coefficient_unit(Index j) const {
  return parts_->rows().target_scale() / (*parts_->scale)[j];
}

double Moments::deviation(Index j) const {
  return (*parts_->scale)[j] / std::sqrt(parts_->view->weight);
}

double Moments::mean(Index j) const {
  const GramView& view = *parts_->view;
  return (*parts_->centre)[j] + (*parts_->scale)[j] * view.sums[j] / view.weight;
}

double Moments::intercept(Columns support, const ConstVec& b) const {
  if (!problem_.intercept) return 0;
  const AllRows& rows = parts_->rows();
  double intercept =
      rows.target_centre() + rows.target_scale() * parts_->view->target_sum / parts_->view->weight;
  const auto subtract = [&](Columns columns, const ConstVec& coefficients) {
    for (Index l = 0; l < coefficients.size(); ++l) {
      const Index j = columns[static_cast<std::size_t>(l)];
      intercept -= coefficients[l] * coefficient_unit(j) * mean(j);
    }
  };
  subtract(support, b);
  subtract(parts_->included, parts_->included_coefficients(support, b));
  return intercept;
}

}  // namespace lass0
