// Ctrl-C while a computation runs: the first one asks it to stop with the best result so far, the
// second ends the program.
#pragma once

namespace lass0::app {

class Interrupt {
 public:
  Interrupt();   // takes over SIGINT ...
  ~Interrupt();  // ... and gives it back
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();
};

}  // namespace lass0::app
