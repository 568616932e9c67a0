#include "util/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <new>

#include "lass0/error.hpp"

namespace lass0 {
namespace {

// Requests below this are not worth a look at /proc.
constexpr double small_request = 16.0 * 1024 * 1024;

// Each of these is -1 where the system does not say.
std::int64_t free_on_the_machine() {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  std::int64_t kibibytes = 0;
  while (info >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(info, unit);
  }
  return -1;
}

std::int64_t free_in_the_address_space() {  // ulimit -v
  rlimit limit{};
  std::int64_t pages = 0;
  std::ifstream size("/proc/self/statm");
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || !(size >> pages))
    return -1;
  return std::max<std::int64_t>(
      0, static_cast<std::int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

std::int64_t free_in_the_container() {  // cgroup v2; "max" does not parse: no limit
  std::int64_t most = 0, used = 0;
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> most)) return -1;
  if (!(std::ifstream("/sys/fs/cgroup/memory.current") >> used)) return -1;
  return std::max<std::int64_t>(0, most - used);
}

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
  std::int64_t least = -1;
  for (const std::int64_t bytes :
       {free_on_the_machine(), free_in_the_address_space(), free_in_the_container()}) {
    if (bytes >= 0 && (least < 0 || bytes < least)) least = bytes;
  }
  return least;
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

void use_large_pages([[maybe_unused]] Matrix& matrix) {
#ifdef MADV_HUGEPAGE
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(matrix.data());
  const auto end = begin + static_cast<std::uintptr_t>(matrix.size()) * sizeof(double);
  const std::uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
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
