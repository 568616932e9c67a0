// Signals that end the program. Ctrl-C while a computation runs: the first one asks it to stop with
// the best result so far, the second ends the program. While a file is written none of them leaves
// a part of it behind.
#pragma once

#include <array>
#include <csignal>

namespace lass0::app {

class Interrupt {
 public:
  Interrupt();   // takes over SIGINT ...
  ~Interrupt();  // ... and gives it back
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();

 private:
  struct sigaction before_ = {};
};

// As long as it lives, SIGINT, SIGTERM and SIGHUP take the temporary files away before they end the
// program. A first Ctrl-C of a computation does not: its result is what is being written.
class RemoveUnfinishedFiles {
 public:
  RemoveUnfinishedFiles();
  ~RemoveUnfinishedFiles();
  RemoveUnfinishedFiles(const RemoveUnfinishedFiles&) = delete;
  RemoveUnfinishedFiles& operator=(const RemoveUnfinishedFiles&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_ = {};
};

}  // namespace lass0::app
