// Watches a Control while work goes on: the clock and the caller's keep_going.
#pragma once

#include <chrono>
#include <lass0/control.hpp>
#include <lass0/status.hpp>

namespace lass0 {

// Thrown by Budget::check deep inside a computation, caught where the best so far is known. Never
// leaves the library.
struct Stop {
  Status status;
};

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Budget(const Control& control) : control_(control), start_(Clock::now()) {}

  void check() const {
    if (control_.keep_going && !control_.keep_going()) throw Stop{Status::interrupted};
    if (seconds() > control_.time_limit) throw Stop{Status::time_limit};
  }

  void report(std::string_view what, double fraction) const {
    if (control_.progress) control_.progress(what, fraction);
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // What a part of the work may still use, as a Control of its own.
  Control remaining() const {
    Control rest = control_;
    rest.time_limit = control_.time_limit - seconds();
    return rest;
  }

 private:
  Control control_;
  Clock::time_point start_;
};

}  // namespace lass0
