#include "interrupt.hpp"

#include <csignal>

namespace lass0::app {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void set_handler(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace

// SA_RESETHAND: the second signal meets the default action.
Interrupt::Interrupt() {
  interrupted = 0;
  set_handler([](int) { interrupted = 1; }, SA_RESETHAND | SA_RESTART);
}

Interrupt::~Interrupt() { set_handler(SIG_DFL, 0); }

bool Interrupt::requested() { return interrupted != 0; }

}  // namespace lass0::app
