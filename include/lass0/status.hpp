// How a search ended. Every status comes with a usable result: the best support found so far.
#pragma once

#include <string>
#include <string_view>

namespace lass0 {

enum class Status {
  proven_optimal,  // no other support is better: proven by branch and bound
  gap,             // the time limit came before the proof: a lower bound says how much better one
                   // could be
  local_optimum,   // no add, remove or swap of any column lowers the objective: all were checked
  add_remove_optimum,    // no add or remove lowers it (where Algorithm 1 stops); a swap does, or
                         // swaps were not scored
  second_order_optimum,  // of other losses than squares: all adds, removes and swaps of any column
                         // were scored to second order, the best of them fitted, and none lowers it
  unchecked,             // the best of a quick search: not compared with all columns
  time_limit,            // the best found within the time limit
  interrupted,           // the best found before the caller stopped the run
};

// The time limit or the caller stopped the run.
inline bool stopped(Status status) {
  return status == Status::time_limit || status == Status::interrupted;
}

std::string_view to_string(Status status);    // "local_optimum", ...
std::string_view explanation(Status status);  // half a sentence for the user
// The same of a model whose size was asked for: an add or a remove would change it, so only swaps
// count. `loss` names what they might lower, such as RSS.
std::string explanation_at_a_size(Status status, std::string_view loss);

}  // namespace lass0
