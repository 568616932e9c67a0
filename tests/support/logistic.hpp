// Logistic regression by definition, and random problems for it: the slow version of src/glm.
#pragma once

#include <optional>
#include <vector>

#include "support/random_problem.hpp"

namespace lass0::testing {

// A problem with a target of 0 and 1.
struct LogisticData {
  Data data;  // data.y: 0 or 1
  Vector offset = {};
};

struct LogisticSpec {
  Index n = 120, p = 11, k = 4;
  double rho = 0.5;     // equicorrelation
  double signal = 1.5;  // standard deviation of the linear predictor
  bool weights = false, offset = false, intercept = true, standardize = true;
  double ridge = 0;
};
LogisticData random_logistic(const LogisticSpec& spec, Rng& rng);

// A view of it, with family binomial.
Problem problem_of(const LogisticData& logistic, const DenseDesign& design);

// Minimises the negative log-likelihood plus half the ridge term on columns of X in the user's
// units, by Newton steps with Householder QR from 0. Empty: no finite fit was found.
struct LogisticFit {
  Iterate at;
  double loss = 0;  // twice what was minimised
};
std::optional<LogisticFit> logistic_by_definition(const LogisticData& logistic,
                                                  std::vector<Index> columns);

// The best support of each size 0 .. p by trying all of them; sizes whose best support has no
// finite fit, and all after, are missing.
std::vector<LogisticFit> best_by_brute_force(const LogisticData& logistic);

}  // namespace lass0::testing
