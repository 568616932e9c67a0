#include "select/any_column.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "util/student_t.hpp"

namespace lass0 {

double any_column_p_value(const Solver& rows) {
  const Problem& problem = rows.problem();
  if (problem.family != Family::gaussian && !problem.offset.empty()) return 1;
  const Moments plain = rows.moments().with_ridge(0);
  const Index freedom =
      plain.rows() - std::ssize(plain.included()) - (problem.intercept ? 1 : 0) - 1;
  if (freedom < 1 || !(plain.yty() > 0)) return 1;
  double largest = 0;  // share of the target's squares that one column explains
  Index tests = 0;
  for (Index j = 0; j < plain.cols(); ++j) {
    if (!plain.eligible(j)) continue;
    ++tests;
    const double c = plain.xty()[j];
    if (problem.sign(j) * c < 0) continue;
    largest = std::max(largest, c * c / (plain.diagonal()[j] * plain.yty()));
  }
  if (tests == 0) return 1;
  const double t = largest < 1 ? std::sqrt(largest * static_cast<double>(freedom) / (1 - largest))
                               : std::numeric_limits<double>::infinity();
  return std::min(1.0,
                  static_cast<double>(tests) * two_sided_p_value(t, static_cast<double>(freedom)));
}

}  // namespace lass0
