// The paper's Algorithm 1: from a start support, make the best add or remove as long as the
// objective strictly falls. Gains are exact without refitting any candidate (docs/algorithm.md), so
// this gives the paper's answer at 1/p of its cost.
#pragma once

#include <lass0/moments.hpp>
#include <lass0/status.hpp>
#include <optional>

namespace lass0 {

// A move counts as an improvement if it lowers F by more than this times F ...
inline constexpr double kStrictImprovement = 1e-10;
// ... and by more than this times y'y (before included columns are projected out), about the
// resolution of sums in double precision.
inline constexpr double kRoundingOfSums = 1e-13;

struct Move {
  enum class Kind { add, remove };
  Kind kind = Kind::add;
  Index column = 0;
  double gain = 0;       // the decrease of F
  double objective = 0;  // F after the move
};

struct Swap {
  Index remove = 0;
  Index add = 0;
  double gain = 0;
};

// A column that could replace a member of the support while the others stay.
struct Alternative {
  Index member = 0;
  Index stand_in = 0;
  double loss_increase = 0;  // after a refit; below 0 if the swap would improve the model
};

// A member removed without replacement.
struct Removal {
  Index member = 0;
  double loss_increase = 0;  // after a refit
};

// The decrease of the log-likelihood, for normal noise of unknown variance, if the loss of a model
// of the same size is larger by `increase`: n/2 log(1 + increase / loss), n the sum of the weights.
// Infinite if the loss is 0 and the increase is not.
double log_likelihood_drop(double loss, double increase, double n);

// The data hardly distinguish two models if the log-likelihood falls by at most this. Kass and
// Raftery (1995) call evidence strong above a likelihood ratio of e^3 = 20.
inline constexpr double kNearTie = 3;
bool near_tie(double loss, double increase, double n);

struct SearchResult {
  std::vector<Index> support;  // the chosen columns, ascending, without included ones
  double objective = 0;
  Status status = Status::add_remove_optimum;
  std::vector<Move> moves;
  std::vector<Index> start;    // the start support without aliased, constant and included members,
                               // and without those that sign constraints make 0
  std::vector<Index> dropped;  // those members
  std::vector<Index> aliased;  // other columns that the support and the included columns explain
  std::optional<Swap> improving_swap;  // the best swap, if one would still lower F (Algorithm 1
                                       // makes no swaps)
};

// The columns that an independent support and the included columns explain entirely. None if the
// run is stopped before they are known.
std::vector<Index> aliased_columns(const Moments& moments, Columns support,
                                   const Control& control = {});

SearchResult search(const Moments& moments, Columns start, const Penalty& penalty,
                    const Control& control = {});

}  // namespace lass0
