#include "select/fold_error.hpp"

#include <algorithm>
#include <lass0/model.hpp>

#include "model/included.hpp"
#include "model/refit_moments.hpp"
#include "problem/weights.hpp"

namespace lass0 {
namespace {

// Sums are good enough where the error, or what the error on the training rows lets expect, is at
// least this of the terms it is the difference of ...
constexpr double kEnoughDigits = 1e-5;
// ... and no column's variance inflation is above this: coefficients then have ten digits.
constexpr double kIllConditioned = 1e5;

// The problem with the training rows or the rows left out alone, by their weights.
class Rows {
 public:
  explicit Rows(const TrainingSet& training)
      : all_(training.by_rows ? *training.by_rows : training.moments.problem()),
        kept_(row_weights(all_)),
        left_out_(kept_) {
    all_.ridge = training.moments.problem().ridge;
    for (Index i = 0; i < kept_.size(); ++i) {
      const bool out = training.labels[static_cast<std::size_t>(i)] == training.fold;
      (out ? kept_ : left_out_)[i] = 0;
    }
  }

  Problem kept() const { return with_weights(kept_); }
  Problem left_out() const { return with_weights(left_out_); }

 private:
  Problem with_weights(const Vector& weights) const {
    Problem problem = all_;
    problem.weights = {weights.data(), static_cast<std::size_t>(weights.size())};
    return problem;
  }

  Problem all_;
  Vector kept_, left_out_;
};

// By the definition: the refit on the training rows, and its residuals on the others.
double from_rows(const TrainingSet& training, Columns support) {
  const Rows rows(training);
  const Iterate at = training.by_rows ? refit(rows.kept(), with_included(training.moments, support))
                                      : refit(training.moments, rows.kept(), support).at;
  return residual_sum_of_squares(rows.left_out(), at);
}

}  // namespace

double LeftOutErrors::of(Columns support) {
  const Moments& moments = training_.moments;
  if (training_.by_rows || !fits_.fit(support) || !(fits_.inflation() < kIllConditioned))
    return from_rows(training_, support);
  const Moments::LeftOutError error = moments.left_out_error(fits_.columns(), fits_.b());
  const double expected = fits_.loss() / moments.weight() * moments.left_out_weight();
  if (!(std::max(error.squares, expected) > kEnoughDigits * error.magnitude))
    return from_rows(training_, support);
  return error.squares * moments.target_scale() * moments.target_scale();
}

double null_error(const Problem& problem, std::span<const int> labels, Index fold) {
  const auto sum = [&](bool left_out, const auto& value) {
    double total = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if ((labels[i] == fold) != left_out) continue;
      total += value(problem.weights.empty() ? 1 : problem.weights[i], problem.y[i]);
    }
    return total;
  };
  const double weight = sum(false, [](double w, double) { return w; });
  const double mean =
      problem.intercept ? sum(false, [&](double w, double y) { return w / weight * y; }) : 0;
  return sum(true, [&](double w, double y) { return w * (y - mean) * (y - mean); });
}

double left_out_error(const TrainingSet& training, Columns support, const Vector& b) {
  const Moments& moments = training.moments;
  if (!training.by_rows) {
    const Moments::LeftOutError error = moments.left_out_error(support, b);
    if (error.squares > kEnoughDigits * error.magnitude)
      return error.squares * moments.target_scale() * moments.target_scale();
  }
  return residual_sum_of_squares(Rows(training).left_out(), moments.model(support, b));
}

}  // namespace lass0
