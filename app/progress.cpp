#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "streams.hpp"
#include "text.hpp"

namespace lass0::app {
namespace {

constexpr auto kDelay = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO)), next_(Clock::now() + kDelay) {}

Progress::~Progress() { erase(); }

void Progress::erase() {
  const std::lock_guard lock(mutex_);
  if (shown_) tell(kEraseLine);
  shown_ = false;
}

void Progress::show(std::string_view what, double fraction) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  if (Clock::now() < next_) return;
  next_ = Clock::now() + kInterval;
  shown_ = true;
  const std::string done =
      fraction < 0 ? "" : fmt::format(" {:.0f} %", 100 * std::min(fraction, 1.0));
  tell(fmt::format("{}{}{}", kEraseLine, shorten(what, terminal_width(STDERR_FILENO) - 8), done));
}

}  // namespace lass0::app
