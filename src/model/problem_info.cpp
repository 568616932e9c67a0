#include <lass0/problem_info.hpp>

#include "model/included.hpp"

namespace lass0 {

ProblemInfo problem_info(const Moments& moments) {
  const Problem& problem = moments.problem();
  ProblemInfo info;
  info.n = rows_used(problem);
  info.weight = moments.weight();
  info.p = moments.cols();
  info.ridge = problem.ridge;
  info.family = problem.family;
  info.tss = moments.target_square() * moments.target_scale() * moments.target_scale();
  info.include = include_list(problem);
  if (has_signs(problem)) {
    info.positive = columns_of_sign(problem, 1);
    info.negative = columns_of_sign(problem, -1);
  }
  for (Index j = 0; j < info.p; ++j) {
    if (moments.constant(j)) info.constant.push_back(j);
  }
  return info;
}

}  // namespace lass0
