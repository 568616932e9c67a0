#include "run.hpp"

#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace nb = nanobind;

namespace lass0::python {
namespace {

constexpr auto kLookInterval = std::chrono::milliseconds(50);

class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options) {}

  void operator()(const std::function<void(const Control&)>& work) {
    {
      const nb::gil_scoped_release no_gil;
      std::thread worker([&] {
        try {
          work(control());
        } catch (...) {
          failure_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_one();
      });
      while (!wait()) {
        const nb::gil_scoped_acquire gil;
        look();
      }
      worker.join();
    }
    // With nothing to return, Ctrl-C is what it always is.
    if (raised_ && !(swallow_ && !failure_)) std::rethrow_exception(raised_);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  Control control() {
    Control control;
    control.threads = options_.threads;
    if (options_.time_limit) control.time_limit = *options_.time_limit;
    control.keep_going = [this] { return !stop_.load(std::memory_order_relaxed); };
    if (!options_.progress.is_none()) {
      control.progress = [this](std::string_view what, double fraction) {
        const std::lock_guard lock(mutex_);
        what_ = what;
        fraction_ = fraction;
        news_ = true;
      };
    }
    return control;
  }

  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kLookInterval, [this] { return done_; });
  }

  void look() {
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!options_.progress.is_none()) draw();
    } catch (nb::python_error& error) {
      swallow_ = options_.return_interrupted && error.matches(PyExc_KeyboardInterrupt) && !raised_;
      raised_ = std::current_exception();
      stop_ = true;
    } catch (...) {  // the worker is waited for, whatever happens here
      swallow_ = false;
      raised_ = std::current_exception();
      stop_ = true;
    }
  }

  void draw() {
    std::unique_lock lock(mutex_);
    if (!news_) return;
    news_ = false;
    const std::string what = what_;
    const double fraction = fraction_;
    lock.unlock();
    options_.progress(what, fraction);
  }

  const RunOptions& options_;
  std::atomic<bool> stop_ = false;
  std::exception_ptr failure_;  // of the work
  std::exception_ptr raised_;   // by a signal handler or by the progress
  bool swallow_ = false;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool done_ = false, news_ = false;
  std::string what_;
  double fraction_ = 0;
};

}  // namespace

RunOptions run_options(const nb::dict& options) {
  RunOptions run;
  run.threads = nb::cast<int>(options["threads"]);
  if (!nb::object(options["time_limit"]).is_none())
    run.time_limit = nb::cast<double>(options["time_limit"]);
  run.progress = options["progress"];
  run.return_interrupted = nb::cast<bool>(options["return_interrupted"]);
  return run;
}

void run_beside(const RunOptions& options, const std::function<void(const Control&)>& work) {
  Run run(options);
  run(work);
}

}  // namespace lass0::python
