// What a result tells of the problem that it answers: the same for a fit, a path, a
// cross-validation and a criterion.
#pragma once

#include <lass0/family.hpp>
#include <lass0/types.hpp>
#include <string>
#include <vector>

namespace lass0 {

class Moments;

struct ProblemInfo {
  Index n = 0;        // rows with a positive weight
  double weight = 0;  // the sum of their weights
  Index p = 0;        // columns
  double ridge = 0;
  Family family = Family::gaussian;
  double tss = 0;              // the rss of the model with no column at all; R^2 = 1 - rss / tss
  std::vector<Index> include;  // ascending
  std::vector<Index> positive, negative;  // whose coefficients were held to a sign, ascending
  std::vector<Index> constant;            // columns without variation, ascending
  std::vector<std::string> names;         // of all columns, where they came from a Table
};

ProblemInfo problem_info(const Moments& moments);

}  // namespace lass0
