// The error of a training set's model on the rows left out. About the means over all rows, which is
// how the cache keeps its sums, the model of z is a + z'b, so the error is a quadratic form in the
// fold's own sums.
#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>

#include "moments/view_columns.hpp"

namespace lass0 {

double Moments::left_out_weight() const {
  if (left_out_ < 0) throw Error("these moments leave no rows out");
  return cache_->weight()[left_out_ + 1] * root_ * root_;
}

Moments::LeftOutError Moments::left_out_error(Columns support, const ConstVec& b) const {
  if (left_out_ < 0) throw Error("these moments leave no rows out");
  const Index slot = left_out_ + 1;
  const double weight = cache_->weight()[slot];
  std::vector<Index> columns(support.begin(), support.end());
  columns.insert(columns.end(), included_.begin(), included_.end());
  Vector all(std::ssize(columns));
  all << b, included_coefficients(support, b);
  const ViewColumns::SumOfTerms square = columns_->left_out_square(columns, all);

  double a = problem_.intercept ? target_sum_ / weight_ : 0;
  if (problem_.intercept) {
    for (Index l = 0; l < all.size(); ++l)
      a -= all[l] * sums_[columns[static_cast<std::size_t>(l)]] / weight_;
  }
  LeftOutError error{square.sum, square.sizes};
  const auto add = [&](double term) {
    error.squares += term;
    error.magnitude += std::abs(term);
  };
  add(cache_->target_square()[slot]);
  add(-2 * a * cache_->target_sum()[slot]);
  add(a * a * weight);
  for (Index l = 0; l < all.size(); ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    add(2 * all[l] * (a * cache_->sums()(j, slot) - cache_->xty()(j, slot)));
  }
  error.squares = std::max(0.0, error.squares);
  return error;
}

}  // namespace lass0
