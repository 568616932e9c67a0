// A logistic problem and its rows as Newton's method sees them, with all that they refer to.
#pragma once

#include <lass0/moments.hpp>

#include "glm/glm_rows.hpp"
#include "support/logistic.hpp"

namespace lass0::testing {

struct LogisticRows {
  explicit LogisticRows(LogisticData data)
      : logistic(std::move(data)),
        design(logistic.data.X),
        problem(problem_of(logistic, design)),
        squares(least_squares(problem)),
        base(squares),
        rows(problem, base) {}
  LogisticRows(const LogisticRows&) = delete;
  LogisticRows& operator=(const LogisticRows&) = delete;

  LogisticData logistic;
  DenseDesign design;
  Problem problem, squares;
  Moments base;
  GlmRows rows;

 private:
  static Problem least_squares(Problem problem) {
    problem.family = Family::gaussian;
    problem.offset = {};
    return problem;
  }
};

}  // namespace lass0::testing
