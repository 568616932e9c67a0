#include "interrupt.hpp"

#include <lass0/io.hpp>

namespace lass0::app {
namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t computing = 0;  // an Interrupt lives

void set_handler(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

void end_without_files(int signal) {
  if (signal == SIGINT && computing && !interrupted) {
    interrupted = 1;
    return;
  }
  remove_unfinished_files();
  set_handler(signal, SIG_DFL, 0);
  raise(signal);  // arrives when this handler returns: the exit status is that of the signal
}

}  // namespace

// SA_RESETHAND: the second signal meets the default action.
Interrupt::Interrupt() {
  interrupted = 0;
  computing = 1;
  sigaction(SIGINT, nullptr, &before_);
  // In the background of a script, a signal that is ignored stays ignored.
  if (before_.sa_handler == SIG_IGN) return;
  set_handler(
      SIGINT, [](int) { interrupted = 1; }, SA_RESETHAND | SA_RESTART);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &before_, nullptr);
  computing = 0;
}

bool Interrupt::requested() { return interrupted != 0; }

RemoveUnfinishedFiles::RemoveUnfinishedFiles() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    // Under nohup, and in the background of a script, a signal that is ignored stays ignored.
    if (before_[i].sa_handler != SIG_IGN) set_handler(kSignals[i], end_without_files, SA_RESTART);
  }
}

RemoveUnfinishedFiles::~RemoveUnfinishedFiles() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

}  // namespace lass0::app
