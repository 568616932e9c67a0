// How much a computation may use, and how the caller stops it.
#pragma once

#include <functional>
#include <limits>
#include <string_view>

namespace lass0 {

struct Control {
  int threads = 1;  // 0: all cores. The result is the same, bit for bit, for any number
  double time_limit = std::numeric_limits<double>::infinity();  // seconds
  // Bytes for cached Gram columns; 0: as many as a search can use, at most half of the free
  // memory. Evicted columns are recomputed when needed: less memory costs time, not accuracy. (The
  // Lasso of a sparse X with many columns may be a different solution within its duality gap.)
  double memory = 0;

  // The two functions may be called from any thread of the run, but never from two at once.
  //
  // Called often (at least every few milliseconds of work). If it returns false, the run stops and
  // returns the best result so far.
  std::function<bool()> keep_going = {};

  // Called now and then with the current step in a few words, and a fraction in [0, 1], or below 0
  // if none is known.
  std::function<void(std::string_view what, double fraction)> progress = {};
};

}  // namespace lass0
