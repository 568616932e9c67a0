// The error of a training set's model on the held-out rows. About the means over all rows, which is
// how AllRows keeps its sums, the model of z is a + z'b, so the error is a quadratic form in the
// fold's own sums.
#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>

#include "moments/parts.hpp"

namespace lass0 {

double Moments::held_out_weight() const {
  const std::vector<Index>& folds = parts_->view->held_out;
  if (folds.empty()) throw Error("these moments have no held-out rows");
  const AllRows& all = parts_->rows();
  double weight = 0;
  for (const Index fold : folds) weight += all.weight()[fold + 1];
  return weight * all.weight_root() * all.weight_root();
}

Moments::HeldOutError Moments::held_out_error(Columns support, const ConstVec& b) const {
  const GramView& view = *parts_->view;
  if (view.held_out.empty()) throw Error("these moments have no held-out rows");
  const AllRows& all = parts_->rows();
  std::vector<Index> columns(support.begin(), support.end());
  columns.insert(columns.end(), parts_->included.begin(), parts_->included.end());
  Vector coefficients(std::ssize(columns));
  coefficients << b, parts_->included_coefficients(support, b);
  const auto square = parts_->gram->held_out_square(columns, coefficients);

  double a = problem_.intercept ? view.target_sum / view.weight : 0;
  if (problem_.intercept) {
    for (Index l = 0; l < coefficients.size(); ++l)
      a -= coefficients[l] * view.sums[columns[static_cast<std::size_t>(l)]] / view.weight;
  }
  HeldOutError error{square.sum, square.sizes};
  const auto add = [&](double term) {
    error.squares += term;
    error.magnitude += std::abs(term);
  };
  for (const Index fold : view.held_out) {
    const Index slot = fold + 1;
    add(all.target_square()[slot]);
    add(-2 * a * all.target_sum()[slot]);
    add(a * a * all.weight()[slot]);
    for (Index l = 0; l < coefficients.size(); ++l) {
      const Index j = columns[static_cast<std::size_t>(l)];
      add(2 * coefficients[l] * (a * all.sums()(j, slot) - all.xty()(j, slot)));
    }
  }
  error.squares = std::max(0.0, error.squares);
  return error;
}

}  // namespace lass0
