// Threads over fixed blocks of work. Which thread does a block never changes what is computed, so
// results have the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <lass0/types.hpp>
#include <mutex>
#include <thread>
#include <vector>

namespace lass0 {

// OpenBLAS has work buffers for so many, and complains in the user's terminal beyond.
inline constexpr int kMostThreads = 128;

// Control::threads as a number of threads: 0 means all cores.
inline int thread_count(int requested) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::min(requested > 0 ? requested : cores, kMostThreads);
}

// Calls body(block) for every block in [0, blocks). The first exception is rethrown here.
template <class Body>
void for_each_block(Index blocks, int threads, const Body& body) {
  const Index workers = std::min<Index>(thread_count(threads), blocks);
  if (workers <= 1) {
    for (Index block = 0; block < blocks; ++block) body(block);
    return;
  }
  std::atomic<Index> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    try {
      for (Index block = next++; block < blocks; block = next++) body(block);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = blocks;
    }
  };
  {
    std::vector<std::jthread> pool;
    pool.reserve(static_cast<std::size_t>(workers) - 1);
    for (Index i = 1; i < workers; ++i) pool.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lass0
