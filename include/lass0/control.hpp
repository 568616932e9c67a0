// How much a computation may use, and how the caller stops it.
#pragma once

#include <functional>
#include <limits>
#include <string_view>

namespace lass0 {

struct Control {
  int threads = 1;  // 0: all cores. The result is the same, bit for bit, for any number
  double time_limit = std::numeric_limits<double>::infinity();  // seconds
  // Bytes that products of columns (the Gram matrix) may take; 0: as much as a search has use for,
  // at most half of what is free. What makes way for others is computed again when it is needed:
  // slower, but the same. (Of a sparse X with many columns, a Lasso solved to a duality gap may be
  // another within that gap.)
  double memory = 0;

  // The two functions may be called from any thread of the run, but never from two at once.
  //
  // Asked often (at least every few milliseconds of work); false stops the run, which then returns
  // its best so far.
  std::function<bool()> keep_going = {};

  // Told now and then what is being done: a few words, and a fraction in [0, 1], or below 0 where
  // none is known.
  std::function<void(std::string_view what, double fraction)> progress = {};
};

}  // namespace lass0
