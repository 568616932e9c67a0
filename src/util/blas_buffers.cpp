// A serial OpenBLAS hands out its work buffers without a lock (it expects one thread in the whole
// program), so two of our threads could be given the same one and compute nonsense. The linker
// sends its two buffer calls through here (src/CMakeLists.txt, --wrap): the lock that OpenBLAS's
// own build option USE_LOCKING would add.
//
// The OpenBLAS that the Python package brings along (cmake/FindScipyOpenBLAS.cmake) has its locks,
// and threads of its own, which are told once to stay out of it.
#include "util/blas_buffers.hpp"

#include <sys/mman.h>

#include <lass0/error.hpp>
#include <mutex>
#include <string>
#include <vector>

#include "util/memory.hpp"

namespace {

constexpr std::size_t kBufferBytes = (std::size_t{128} << 20) + 4096;

std::mutex buffers;
int reserved = 0;  // buffers known to be mapped; guarded by the mutex

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
  const std::lock_guard lock(buffers);
  return __real_blas_memory_alloc(position);
}

void __wrap_blas_memory_free(void* buffer) {
  const std::lock_guard lock(buffers);
  __real_blas_memory_free(buffer);
}

#endif

}  // extern "C"

namespace {

#ifdef LASS0_BUNDLED_BLAS

// It maps its buffers when they are first needed.
void map_buffers(int) { scipy_openblas_set_num_threads(1); }

#else

void map_buffers(int threads) {
  std::vector<void*> taken;
  for (int i = 0; i < threads; ++i) taken.push_back(__real_blas_memory_alloc(0));
  for (void* buffer : taken) __real_blas_memory_free(buffer);
}

#endif

}  // namespace
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace lass0 {

void reserve_blas_buffers(int threads) {
  const std::lock_guard lock(buffers);
  if (threads <= reserved) return;
  const std::size_t bytes = kBufferBytes * static_cast<std::size_t>(threads - reserved);
  void* trial = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (trial == MAP_FAILED) {
    throw Error("not enough memory: " + format_bytes(static_cast<double>(bytes)) +
                " of address space are needed for work buffers (fewer --threads need less)");
  }
  munmap(trial, bytes);
  map_buffers(threads);
  reserved = threads;
}

}  // namespace lass0
