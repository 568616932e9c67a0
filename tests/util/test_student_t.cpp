#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "util/student_t.hpp"

namespace lass0 {
namespace {

// From the incomplete beta function of mpmath with 40 digits.
TEST(StudentT, HasTheStoredPValues) {
  const struct {
    double t, freedom, p_value;
  } known[] = {{0.1, 1, 0.93654896513889286},      {1, 1, 0.5},
               {1e10, 1, 6.3661977236758134e-11},  {0.5, 2, 0.66666666666666667},
               {2, 3, 0.13932596855884318},        {1e-08, 5, 0.9999999924078662},
               {4.3, 7.5, 0.003038785120070451},   {2.2281388519649385, 10, 0.050000000001808669},
               {12, 30, 5.5801854151992561e-13},   {0.001, 100, 0.99920410776010341},
               {1.96, 1000, 0.050273184955748718}, {8, 1e6, 1.245506343320252e-15},
               {30, 1e6, 1.2020094233663438e-197}, {1.5, 1e9, 0.13361440285341527},
               {200, 50, 2.882250046557392e-74},   {1e5, 60, 2.2677354768709274e-248}};
  for (const auto& [t, freedom, p_value] : known) {
    const double relative = std::abs(two_sided_p_value(t, freedom) / p_value - 1);
    EXPECT_LT(relative, 1e-12 * std::max(1.0, -std::log10(p_value))) << t << " " << freedom;
    EXPECT_EQ(two_sided_p_value(-t, freedom), two_sided_p_value(t, freedom));
  }
}

// With 1 and 2 degrees of freedom there are closed forms.
TEST(StudentT, EqualsTheClosedFormsOfOneAndTwoDegrees) {
  for (double t = 1e-6; t < 1e6; t *= 1.37) {
    const double pi = std::acos(-1.0);
    EXPECT_NEAR(two_sided_p_value(t, 1) / (2 / pi * std::atan(1 / t)), 1, 1e-13) << t;
    const double root = std::sqrt(2 + t * t);
    EXPECT_NEAR(two_sided_p_value(t, 2) / (2 / (root * (root + t))), 1, 1e-13) << t;
  }
}

TEST(StudentT, FallsWithTAndStaysBetween0And1) {
  for (const double freedom : {1.0, 2.5, 30.0, 49.9, 50.1, 99.9, 100.1, 1e4}) {
    double before = 1;
    for (double t = 1e-3; t < 30; t *= 1.01) {
      const double now = two_sided_p_value(t, freedom);
      EXPECT_LT(now, before);
      EXPECT_GE(now, 0);
      before = now;
    }
  }
}

TEST(StudentT, TakesAnyT) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(two_sided_p_value(0, 7), 1);
  EXPECT_EQ(two_sided_p_value(infinity, 7), 0);
  EXPECT_EQ(two_sided_p_value(-infinity, 1), 0);
  EXPECT_EQ(two_sided_p_value(1e-300, 7), 1);
  EXPECT_NEAR(two_sided_p_value(1e300, 1) * 1e300, 2 / std::acos(-1.0), 1e-12);
}

}  // namespace
}  // namespace lass0
