// A loop that may be stopped and whose steps are too short to look at the clock for each: the
// caller is asked, and told, about once in a few milliseconds of work. Work shorter than that is
// never stopped.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string_view>

#include "util/budget.hpp"

namespace lass0 {

class Pace {
 public:
  // No budget: nobody is asked or told. `what` must outlive this; empty: nobody is told. `total` is
  // all that will be done.
  Pace(const Budget* budget, std::string_view what, double total)
      : budget_(budget), what_(what), total_(total) {}

  // Any thread has just done this many multiplications of a matrix product, or work that takes as
  // long. Throws Stop.
  void did(double work) {
    if (!budget_) return;
    const double before = done_.fetch_add(work);
    const double pieces = std::floor((before + work) / kPiece);
    if (pieces == std::floor(before / kPiece)) return;
    budget_->check();
    if (!what_.empty()) budget_->progress(what_, std::min(1.0, (before + work) / total_));
  }

 private:
  static constexpr double kPiece = 2e7;

  const Budget* budget_;
  std::string_view what_;
  double total_;
  std::atomic<double> done_ = 0;
};

}  // namespace lass0
