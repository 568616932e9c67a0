#include "util/memory.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <limits>
#include <new>

#include "lass0/error.hpp"

namespace lass0 {
namespace {

// Requests below this are not worth a look at /proc.
constexpr double small_request = 16.0 * 1024 * 1024;

[[noreturn]] void throw_not_enough(double bytes, std::string_view what) {
  const std::int64_t available = available_memory();
  const std::string have =
      available < 0 ? ""
                    : fmt::format(", {} are free", format_bytes(static_cast<double>(available)));
  throw Error(
      fmt::format("not enough memory: {} are needed for {}{}", format_bytes(bytes), what, have));
}

template <typename Allocate>
auto allocate(double doubles, std::string_view what, const Allocate& make) {
  const double bytes = doubles * sizeof(double);
  require_memory(bytes, what);
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw_not_enough(bytes, what);
  }
}

}  // namespace

std::int64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  std::int64_t kibibytes = 0;
  while (info >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(info, unit);
  }
  return -1;
}

void require_memory(double bytes, std::string_view what) {
  if (bytes < small_request) return;
  const std::int64_t available = available_memory();
  const double limit = available < 0 ? static_cast<double>(std::numeric_limits<std::int64_t>::max())
                                     : static_cast<double>(available);
  if (bytes > limit) throw_not_enough(bytes, what);
}

Matrix allocate_matrix(Index rows, Index cols, std::string_view what) {
  return allocate(static_cast<double>(rows) * static_cast<double>(cols), what,
                  [&] { return Matrix(rows, cols); });
}

Vector allocate_vector(Index size, std::string_view what) {
  return allocate(static_cast<double>(size), what, [&] { return Vector(size); });
}

std::string format_bytes(double bytes) {
  constexpr std::array<const char*, 5> units = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  double amount = bytes / 1024;
  while (amount >= 1024 && unit + 1 < units.size()) {
    amount /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", amount, units[unit]);
}

}  // namespace lass0
