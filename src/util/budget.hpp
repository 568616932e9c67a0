// Watches a Control while work goes on: the clock and the caller's keep_going. Its threads may
// share it, and each may have a Budget of its own of what remaining() gave: the caller's functions
// are called by one of them at a time.
#pragma once

#include <chrono>
#include <lass0/control.hpp>
#include <lass0/status.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace lass0 {

// Thrown by Budget::check deep inside a computation, caught where the best so far is known. Never
// leaves the library.
struct Stop {
  Status status;
};

// A function of the caller's behind a lock. Copies share the lock.
template <class Function>
struct OneAtATime {
  Function function;
  std::shared_ptr<std::mutex> mutex;

  template <class... Arguments>
  auto operator()(Arguments... arguments) const {
    const std::lock_guard lock(*mutex);
    return function(arguments...);
  }
};

// "interrupted before ..." or "the time limit was reached before ...": why there is no result.
inline std::string stopped_before(Status status, std::string_view what) {
  return std::string(status == Status::interrupted ? "interrupted" : "the time limit was reached") +
         " before " + std::string(what);
}

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Budget(const Control& control) : control_(control), start_(Clock::now()) {
    const auto mutex = std::make_shared<std::mutex>();
    lock(control_.keep_going, mutex);
    lock(control_.progress, mutex);
  }

  void check() const {
    if (control_.keep_going && !control_.keep_going()) throw Stop{Status::interrupted};
    if (seconds() > control_.time_limit) throw Stop{Status::time_limit};
  }

  void progress(std::string_view what, double fraction) const {
    if (control_.progress) control_.progress(what, fraction);
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  int threads() const { return control_.threads; }
  double memory() const { return control_.memory; }

  // What a part of the work may still use, as a Control of its own.
  Control remaining() const {
    Control rest = control_;
    rest.time_limit = control_.time_limit - seconds();
    return rest;
  }

 private:
  // Unless it is locked already, as a Control that remaining() gave is: then that lock is the one
  // which its other users wait for.
  template <class Function>
  static void lock(Function& function, const std::shared_ptr<std::mutex>& mutex) {
    if (function && !function.template target<OneAtATime<Function>>())
      function = OneAtATime<Function>{std::exchange(function, {}), mutex};
  }

  Control control_;
  Clock::time_point start_;
};

}  // namespace lass0
