// Runs the library beside the interpreter: the work is done on a thread of its own without the GIL,
// while the thread of the caller looks at signals (Ctrl-C) and draws the progress, twenty times a
// second.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <functional>
#include <lass0/control.hpp>
#include <optional>

namespace lass0::python {

struct RunOptions {
  int threads = 1;
  std::optional<double> time_limit;
  nanobind::object progress;        // None, or called with (what, fraction)
  bool return_interrupted = false;  // Ctrl-C gives the best so far instead of KeyboardInterrupt
};

RunOptions run_options(const nanobind::dict& options);

// Calls work(control) on another thread and waits. Throws what it throws, or what a signal handler
// or `progress` raised.
void run_beside(const RunOptions& options, const std::function<void(const Control&)>& work);

template <class Work>
auto run(const nanobind::dict& options, const Work& work) {
  std::optional<decltype(work(Control{}))> result;
  run_beside(run_options(options), [&](const Control& control) { result.emplace(work(control)); });
  return std::move(*result);
}

}  // namespace lass0::python
