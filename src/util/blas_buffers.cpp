// A serial OpenBLAS hands out its work buffers without a lock (it expects one thread in the whole
// program), so two of our threads could be given the same one and compute nonsense. The linker
// sends its two buffer calls through here (src/CMakeLists.txt, --wrap): the lock that OpenBLAS's
// own build option USE_LOCKING would add.
//
// Where the system has no room for another buffer (ulimit -v), OpenBLAS would ask for it for ever.
// So the calls are counted here: a thread that would need one more waits for another thread's.
//
// The OpenBLAS that the Python package brings along (cmake/FindScipyOpenBLAS.cmake) has its locks,
// and threads of its own, which are told once to stay out of it.
#include "util/blas_buffers.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <condition_variable>
#include <lass0/error.hpp>
#include <mutex>
#include <string>
#include <vector>

#include "util/memory.hpp"

namespace {

constexpr std::size_t kBufferBytes = (std::size_t{128} << 20) + 4096;

std::mutex buffers;
int mapped = 0;  // buffers that OpenBLAS has; guarded by the mutex
#ifndef LASS0_BUNDLED_BLAS
std::condition_variable one_is_free;
int in_use = 0;  // of them; likewise
#endif

bool room_for(std::size_t bytes) {
  void* trial = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (trial == MAP_FAILED) return false;
  munmap(trial, bytes);
  return true;
}

// The first is a must. Others may not take the last memory from what they are for.
bool room_for_another() { return room_for(mapped == 0 ? kBufferBytes : 2 * kBufferBytes); }

}  // namespace

// The names are the linker's and OpenBLAS's, not ours.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

#ifdef LASS0_BUNDLED_BLAS

void scipy_openblas_set_num_threads(int threads);

#else

void* __real_blas_memory_alloc(int position);
void __real_blas_memory_free(void* buffer);

void* __wrap_blas_memory_alloc(int position) {
  std::unique_lock lock(buffers);
  if (in_use == mapped && mapped > 0 && !room_for_another())
    one_is_free.wait(lock, [] { return in_use < mapped; });
  mapped = std::max(mapped, ++in_use);  // a free one is taken before another is mapped
  return __real_blas_memory_alloc(position);
}

void __wrap_blas_memory_free(void* buffer) {
  {
    const std::lock_guard lock(buffers);
    __real_blas_memory_free(buffer);
    --in_use;
  }
  one_is_free.notify_one();
}

#endif

}  // extern "C"

namespace {

// The lock is held. Takes as many as there is room for, so that each is another one.
#ifdef LASS0_BUNDLED_BLAS

// It maps its buffers when they are first needed.
void map_buffers(int threads) {
  scipy_openblas_set_num_threads(1);
  mapped = threads;
}

#else

void map_buffers(int threads) {
  std::vector<void*> taken;
  while (in_use < threads && (in_use < mapped || room_for_another())) {
    taken.push_back(__real_blas_memory_alloc(0));
    mapped = std::max(mapped, ++in_use);
  }
  for (void* buffer : taken) {
    __real_blas_memory_free(buffer);
    --in_use;
  }
}

#endif

}  // namespace
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace lass0 {

void reserve_blas_buffers(int threads) {
  const std::lock_guard lock(buffers);
  if (threads <= mapped) return;
  if (mapped == 0 && !room_for_another()) {
    throw Error("not enough memory: " + format_bytes(static_cast<double>(kBufferBytes)) +
                " of address space are needed for a work buffer: raise the limit (ulimit -v)");
  }
  map_buffers(threads);
}

}  // namespace lass0
