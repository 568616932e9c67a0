// The Lasso at several lambdas ahead, on a list of columns that grows along the path. One pass over
// X then says of all of these solutions at once whether they hold among all columns: where the list
// lacked nothing, eight lambdas cost one pass.
#pragma once

#include <span>
#include <vector>

#include "l1/quadratic.hpp"
#include "l1/restricted_lasso.hpp"
#include "moments/listed_columns.hpp"

namespace lass0 {

class LookAhead {
 public:
  explicit LookAhead(const Moments& moments, const Budget& budget)  // which suit ListedColumns
      : listed_(moments), quadratic_(moments, listed_), budget_(budget) {}

  const ListedColumns& listed() const { return listed_; }
  void add(Columns columns) { listed_.add(columns); }

  // Solutions on the list at these lambdas, largest first and no more than kGramBatch, to
  // `accuracy` as RestrictedLasso has it. From b and g = c - G b over all columns, where b is 0
  // outside the list. `thresholds`: of all columns at lambda 1. Throws Stop.
  void solve(std::span<const double> lambdas, const Vector& thresholds, const Vector& b,
             const Vector& g, double accuracy, ActiveCholesky& factor);

  // The solution at lambdas[i], and g there.
  Vector b(Index i, Index columns) const;
  auto g(Index i) const { return correlations_.col(i); }

 private:
  class QuadraticOfListed final : public QuadraticOfMoments {
   public:
    QuadraticOfListed(const Moments& moments, const ListedColumns& listed)
        : QuadraticOfMoments(moments), listed_(listed) {}
    const double* column(Columns, Index place, Vector&) const override {
      return listed_.products(place);
    }
    bool cached(Index) const override { return true; }

   private:
    const ListedColumns& listed_;
  };

  ListedColumns listed_;
  const QuadraticOfListed quadratic_;
  const Budget& budget_;
  Matrix solutions_, correlations_;  // a column for each lambda; of the list, of all columns
};

}  // namespace lass0
