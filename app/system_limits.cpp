#include "system_limits.hpp"

#include <sys/resource.h>

#include <csignal>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lass0::app {

void adapt_to_system_limits() {
  std::signal(SIGXFSZ, SIG_IGN);
#ifdef __GLIBC__
  // Every thread would have 128 MiB of address space reserved for what it allocates, or, where
  // there is no room for that, ask for it in vain with every allocation.
  rlimit memory = {};
  if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY)
    mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace lass0::app
