// The paper's Algorithm 1: from a start support, the best of all adds and removes as long as the
// objective strictly falls. Gains are exact without refitting any candidate (docs/algorithm.md), so
// this is the paper's answer at one p-th of its cost.
#pragma once

#include <lass0/moments.hpp>
#include <lass0/status.hpp>
#include <optional>

namespace lass0 {

struct Move {
  enum class Kind { add, remove };
  Kind kind = Kind::add;
  Index column = 0;
  double gain = 0;       // by how much F fell
  double objective = 0;  // F after the move
};

struct Swap {
  Index remove = 0;
  Index add = 0;
  double gain = 0;
};

// A column that could stand in for a member of the support, the others staying.
struct Alternative {
  Index member = 0;
  Index stand_in = 0;
  double loss_increase = 0;  // of the loss, refitted; below 0 where a swap would improve
};

// A member left out with nothing in its place.
struct Removal {
  Index member = 0;
  double loss_increase = 0;  // of the loss, refitted
};

// What could take the place of each member of a support.
struct StandIns {
  std::vector<Alternative> alternatives;  // by member and then by cost, ties by column
  std::vector<Removal> without;  // one per member, ascending; empty where columns are dependent
};

// By how much the log-likelihood falls, for normal noise of one unknown variance, when the loss of
// a model of the same size is larger by `increase`: n/2 log(1 + increase / loss), n the sum of the
// weights. Infinite where the loss is 0 and the increase is not.
double log_likelihood_drop(double loss, double increase, double n);

// The data hardly tell the two models apart: the log-likelihood falls by at most this. A ratio of
// likelihoods of e^3 = 20 is where Kass and Raftery (1995) begin to call evidence strong.
inline constexpr double kNearTie = 3;
bool near_tie(double loss, double increase, double n);

struct SearchResult {
  std::vector<Index> support;  // the columns chosen, ascending; included ones are not among them
  double objective = 0;
  Status status = Status::add_remove_optimum;
  std::vector<Move> moves;
  std::vector<Index> start;    // the start support less its aliased, constant and included members,
                               // and under signs less those that these make 0
  std::vector<Index> dropped;  // those members
  std::vector<Index> aliased;  // columns outside that the support and the included ones explain
  std::optional<Swap> improving_swap;  // the best one, where a swap would still lower F (not made:
                                       // Algorithm 1 has none)
  // The nearest of each member: the same scores. Empty where swaps were not scored, or by signs.
  std::optional<StandIns> stand_ins;
};

// The columns outside an independent support that it, with the included ones, explains entirely.
// None where the run is stopped before they are known.
std::vector<Index> aliased_columns(const Moments& moments, Columns support,
                                   const Control& control = {});

// `stand_ins`: how many are listed for each member.
SearchResult search(const Moments& moments, Columns start, const Penalty& penalty,
                    const Control& control = {}, Index stand_ins = 1);

}  // namespace lass0
