// What a long computation is doing, on one line of standard error that is erased at the end. Only
// where a person looks at it (a terminal), and only when it takes longer than a second.
#pragma once

#include <chrono>
#include <mutex>
#include <string_view>

namespace lass0::app {

class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::string_view what, double fraction);  // from any thread
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  const bool terminal_;
  std::mutex mutex_;
  Clock::time_point next_;
  bool shown_ = false;
};

}  // namespace lass0::app
