#include "select/choose.hpp"

#include <algorithm>
#include <cmath>

namespace lass0 {
namespace {

// An error is smaller when it is so by more than this of itself, and by more than what rounding
// leaves of a perfect fit: this of the largest error.
constexpr double kSmaller = 1e-10, kRoundingOfPerfectFits = 1e-26;

}  // namespace

void summarise(const ConstVec& errors, std::span<const double> weights, CurvePoint& point) {
  double total = 0, sum = 0, squares = 0;
  for (Index f = 0; f < errors.size(); ++f) {
    total += weights[static_cast<std::size_t>(f)];
    sum += weights[static_cast<std::size_t>(f)] * errors[f];
  }
  point.mean_error = sum / total;
  for (Index f = 0; f < errors.size(); ++f) {
    const double deviation = errors[f] - point.mean_error;
    squares += weights[static_cast<std::size_t>(f)] * deviation * deviation;
  }
  point.se = std::sqrt(squares / total / static_cast<double>(errors.size() - 1));
}

void choose(CrossValidation& cv) {
  const auto point = [&](Index i) -> const CurvePoint& {
    return cv.curve[static_cast<std::size_t>(i)];
  };
  const Index count = std::ssize(cv.curve);
  double largest = 0;
  for (Index i = 0; i < count; ++i) largest = std::max(largest, point(i).mean_error);
  cv.minimum = 0;
  for (Index i = 1; i < count; ++i) {
    const double least = point(cv.minimum).mean_error;
    const double slack = std::max(kSmaller * least, kRoundingOfPerfectFits * largest);
    if (point(i).mean_error < least - slack) cv.minimum = i;
  }
  const CurvePoint& minimum = point(cv.minimum);
  cv.one_se = 0;
  while (cv.one_se < cv.minimum && (point(cv.one_se).ridge != minimum.ridge ||
                                    point(cv.one_se).mean_error > minimum.mean_error + minimum.se))
    ++cv.one_se;
  cv.chosen = cv.rule == Rule::min ? cv.minimum : cv.one_se;
}

}  // namespace lass0
