// Threads over fixed blocks of work. Which thread does a block never changes what is computed, so
// results have the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <lass0/types.hpp>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lass0 {

// OpenBLAS has work buffers for this many threads, and complains in the user's terminal beyond.
inline constexpr int kMostThreads = 128;

// Control::threads as a number of threads: 0 means all cores.
inline int thread_count(int requested) {
  if (requested > 0) return std::min(requested, kMostThreads);
  // Asking the system takes longer than many a block.
  static const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(cores, 1, kMostThreads);
}

// This thread is one of several that work on blocks: what it does within one is not split again.
inline thread_local bool works_on_block = false;

// Calls body(block) for every block in [0, blocks). The first exception is rethrown here.
template <class Body>
void for_each_block(Index blocks, int threads, const Body& body) {
  const bool alone = works_on_block || blocks <= 1 || threads == 1;
  const Index workers = alone ? 1 : std::min<Index>(thread_count(threads), blocks);
  if (workers <= 1) {
    for (Index block = 0; block < blocks; ++block) body(block);
    return;
  }
  std::atomic<Index> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    works_on_block = true;
    try {
      for (Index block = next++; block < blocks; block = next++) body(block);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = blocks;
    }
    works_on_block = false;
  };
  {
    std::vector<std::jthread> pool;
    pool.reserve(static_cast<std::size_t>(workers) - 1);
    try {
      for (Index i = 1; i < workers; ++i) pool.emplace_back(work);
    } catch (const std::system_error&) {
      // The system has no more of them, or no memory for their stacks: those that there are do it.
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lass0
