// A serial OpenBLAS hands out its work buffers without a lock (it expects one thread in the whole
// program), so two of our threads could be given the same one and compute nonsense. The linker
// sends its two buffer calls through here (src/CMakeLists.txt, --wrap): the lock that OpenBLAS's
// own build option USE_LOCKING would add.
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

extern "C" {

// The names are the linker's, not ours.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
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
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // extern "C"

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
  std::vector<void*> taken;
  for (int i = 0; i < threads; ++i) taken.push_back(__real_blas_memory_alloc(0));
  for (void* buffer : taken) __real_blas_memory_free(buffer);
  reserved = threads;
}

}  // namespace lass0
