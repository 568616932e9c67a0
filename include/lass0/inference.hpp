// How sure is it that a column belongs to the model? Split-sample p-values: columns are chosen on
// one half of the rows and tested by least squares on the other half, for many random halves, and
// the p-values are combined (Meinshausen, Meier and Buehlmann 2009). docs/evidence.md says what
// they claim and what they assume.
#pragma once

#include <cstdint>
#include <lass0/control.hpp>
#include <lass0/problem.hpp>
#include <lass0/status.hpp>
#include <vector>

namespace lass0 {

inline constexpr Index kMostSplits = 10000;

struct SplitTestOptions {
  Index splits = 50;       // random halves
  std::uint64_t seed = 1;  // of the halves
  Control control = {};
};

struct SplitTests {
  Index asked = 0, splits = 0;  // splits asked for, and those that were finished
  Index size = 0;               // at most this many columns are chosen on each half
  // One per column of the problem.
  std::vector<double> p_values;  // 1 for included columns, which are in every fit and not tested
  std::vector<double> selected;  // the share of the halves that chose the column
  std::vector<Index> included;   // ascending
  // local_optimum; time_limit or interrupted: only some splits were finished.
  Status status = Status::local_optimum;

  // The tested columns of a support, and all others with a p-value below 1: by p-value, then by
  // share of halves, then in their order.
  std::vector<Index> listed(Columns support) const;
};

// Throws Error where a half has too few rows for a test.
SplitTests split_tests(const Problem& problem, const SplitTestOptions& options = {});

// The p-value of one column from those of its splits (each already multiplied by the number of
// columns tested with it): min(1, (1 - log g0) min over g >= g0 of quantile_g(p) / g), g0 = 0.05.
// Where each of them is valid, so is this one, however they depend on each other.
double combined_p_value(std::vector<double> p_values);

}  // namespace lass0
