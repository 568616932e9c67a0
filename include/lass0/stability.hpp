// How sure is the choice of columns? Stability selection by complementary pairs (Shah and Samworth,
// 2013): the columns are chosen again on many random halves of the rows, in pairs that have no row
// in common, and every column has the share of halves that chose it. docs/stability.md says what
// these frequencies mean and what they do not.
#pragma once

#include <cstdint>
#include <lass0/cross_validate.hpp>

namespace lass0 {

inline constexpr Index kMostPairs = 1000;

struct StabilityOptions {
  // How many columns a half chooses: exactly k, or those of the objective at lambda. Not both.
  // Neither: k is chosen once, by cross-validation on all rows.
  std::optional<Index> k = {};
  // In the units of the objective over all rows. On a half it is multiplied by the half's share of
  // the weights, and so is the ridge: a column then pays for itself by the same improvement per
  // row.
  std::optional<double> lambda = {};
  Index pairs = 50;        // 1 to kMostPairs
  double threshold = 0.9;  // above 1/2, at most 1
  std::uint64_t seed = 1;
  Effort effort = Effort::quick;  // of the search in every half
  Control control = {};
};

struct ColumnFrequency {
  Index column = 0;
  Index halves = 0;      // that chose it
  double frequency = 0;  // halves / (2 pairs_done)
};

struct Stability {
  // All columns but the included ones: the most frequent first, of equal ones the first column.
  std::vector<ColumnFrequency> columns;
  double threshold = 0.9;
  Index stable = 0;  // how many of them have a frequency of at least the threshold

  // What every half was asked for; the other is empty.
  std::optional<Index> k = {};
  std::optional<double> lambda = {};
  // k and the ridge were chosen by cross-validation on all rows.
  bool by_cross_validation = false;
  double ridge = 0;  // over all rows

  Index pairs = 0;       // asked for
  Index pairs_done = 0;  // both halves of which were searched
  double mean_size = 0;  // q: the mean number of columns that a half chose
  Index candidates = 0;  // p: columns that can be chosen: neither included nor constant
  // Columns whose selection probability is at most low_probability = q / p: the expected number of
  // them among the stable columns is at most this. It is not a bound on the number of columns
  // without an effect.
  double low_probability = 0;
  double expected_low_probability = 0;  // without assumptions: q^2 / p / (2 threshold - 1)
  double expected_low_probability_r_concave = 0;  // a tighter bound under an assumption

  std::uint64_t seed = 1;
  Effort effort = Effort::quick;
  bool short_lists = false;  // the searches used short lists of columns
  // local_optimum; time_limit or interrupted: the frequencies are those of the finished pairs.
  Status status = Status::local_optimum;
  ProblemInfo problem;
  GramUse gram_use;
  double seconds = 0;
};

// Throws Error if the rows are too few, or if the run is stopped before one pair is finished.
Stability stability(const Problem& problem, const StabilityOptions& options = {});

// As fit(table, ...).
Stability stability(const Table& table, const StabilityOptions& options = {},
                    const ProblemChoices& choices = {});

// The JSON of `lass0 stability`.
std::string to_json(const Stability& stability, std::span<const std::string> names = {});

}  // namespace lass0
