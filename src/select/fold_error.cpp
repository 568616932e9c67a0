#include "select/fold_error.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <lass0/model.hpp>

#include "model/included.hpp"
#include "problem/standardise.hpp"

namespace lass0 {
namespace {

// Sums are good enough where the error, or what the error on the training rows lets expect, is at
// least this of the terms it is the difference of ...
constexpr double kEnoughDigits = 1e-5;
// ... and no column's variance inflation is above this: coefficients then have ten digits.
constexpr double kIllConditioned = 1e5;

// By the definition: the refit on the training rows, and its residuals on the others.
double from_rows(const TrainingSet& training, Columns support) {
  const Problem& all = training.by_rows ? *training.by_rows : training.moments.problem();
  const Vector w = row_weights(all);
  Vector kept = w, left_out = w;
  for (Index i = 0; i < w.size(); ++i) {
    const bool out = training.labels[static_cast<std::size_t>(i)] == training.fold;
    (out ? kept : left_out)[i] = 0;
  }
  const auto with_weights = [&](const Vector& weights) {
    Problem problem = all;
    problem.ridge = training.moments.problem().ridge;
    problem.weights = {weights.data(), static_cast<std::size_t>(weights.size())};
    return problem;
  };
  const Iterate at = refit(with_weights(kept), with_included(training.moments, support));
  return residual_sum_of_squares(with_weights(left_out), at);
}

}  // namespace

double left_out_error(const TrainingSet& training, Columns support) {
  if (training.by_rows) return from_rows(training, support);
  const Moments& moments = training.moments;
  const Index k = std::ssize(support);
  Matrix G(k, k);
  Vector c(k), b;
  double loss = moments.yty();
  moments.gram_block(support, support, G);
  for (Index l = 0; l < k; ++l) c[l] = moments.xty()[support[static_cast<std::size_t>(l)]];
  if (k > 0) {
    const Eigen::LLT<Matrix> cholesky(G);
    if (cholesky.info() != Eigen::Success) return from_rows(training, support);
    const Matrix half = cholesky.matrixL().solve(Matrix::Identity(k, k));  // H = half' half
    for (Index l = 0; l < k; ++l) {
      const double square = moments.squares()[support[static_cast<std::size_t>(l)]];
      if (!(half.col(l).squaredNorm() * square < kIllConditioned))
        return from_rows(training, support);
    }
    b = cholesky.solve(c);
    loss -= c.dot(b);
  }
  const Moments::LeftOutError error = moments.left_out_error(support, b);
  const double expected = loss / moments.weight() * moments.left_out_weight();
  if (!(std::max(error.squares, expected) > kEnoughDigits * error.magnitude))
    return from_rows(training, support);
  return error.squares * moments.target_scale() * moments.target_scale();
}

}  // namespace lass0
