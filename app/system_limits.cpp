#include "system_limits.hpp"

#include <sys/resource.h>

#include <csignal>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lass0::app {
namespace {

constexpr int kLargestKeptArray = 64 << 20;  // bytes
constexpr int kKeptWhenFree = 256 << 20;     // of them at the end of the heap

}  // namespace

void adapt_to_system_limits() {
  std::signal(SIGXFSZ, SIG_IGN);
#ifdef __GLIBC__
  // Every thread would have 128 MiB of address space reserved for what it allocates, or, where
  // there is no room for that, ask for it in vain with every allocation.
  rlimit memory = {};
  if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY) {
    mallopt(M_ARENA_MAX, 1);
    return;
  }
  // Arrays of some megabytes come and go, fold by fold: while they stay with the process, the
  // system need not hand out their pages, cleared, each time.
  mallopt(M_MMAP_THRESHOLD, kLargestKeptArray);
  mallopt(M_TRIM_THRESHOLD, kKeptWhenFree);
#endif
}

}  // namespace lass0::app
