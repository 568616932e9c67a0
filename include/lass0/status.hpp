// How a search ended. Every status comes with a usable result: the best support found so far.
#pragma once

#include <string_view>

namespace lass0 {

enum class Status {
  proven_optimal,  // no other support is better: shown by branch and bound
  gap,             // the time for that was up: a lower bound says how much better one could be
  local_optimum,   // no add, remove or swap lowers the objective: shown by a scan over all columns
  add_remove_optimum,  // no add or remove does (where Algorithm 1 stops), but a swap does or was
                       // not scored
  unchecked,           // the best of a quick search: not compared with all columns
  time_limit,          // the time was up; best so far
  interrupted,         // the caller asked to stop; best so far
};

// The run ended before its end: by the clock or by the caller.
inline bool stopped(Status status) {
  return status == Status::time_limit || status == Status::interrupted;
}

std::string_view to_string(Status status);    // "local_optimum", ...
std::string_view explanation(Status status);  // half a sentence for people

}  // namespace lass0
