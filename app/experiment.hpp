// The paper's synthetic experiment, small: data with a known sparse truth, the Lasso and Lass0
// along one grid of lambdas, and how near each comes to the truth.
#pragma once

#include <lass0/problem.hpp>
#include <lass0/simulate.hpp>
#include <vector>

namespace lass0::app {

struct ExperimentOptions {
  Index train = 100;  // rows to fit, to choose lambda, and to measure the error
  Index validation = 100;
  Index test = 1000;
  SimulateOptions data;  // its n is the sum of the three
  int lambdas = 80;
};

// The model of one method, at the lambda whose validation error is smallest.
struct Chosen {
  double lambda = 0;
  Iterate at;
  double test_rmse = 0;
  Index found = 0;  // true columns in the support
  Index wrong = 0;  // other columns in the support

  Index size() const { return found + wrong; }
};

struct Experiment {
  std::vector<Index> truth;  // the columns that matter
  Vector beta;
  double noise = 0;
  Chosen lasso, lass0;

  // In how many columns a support differs from the truth.
  Index hamming(const Chosen& chosen) const {
    return std::ssize(truth) - chosen.found + chosen.wrong;
  }
};

Experiment run_experiment(const ExperimentOptions& options);

}  // namespace lass0::app
