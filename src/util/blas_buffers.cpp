// A serial OpenBLAS hands out its work buffers without a lock (it expects one thread in the whole
// program), so two of our threads could be given the same one and compute nonsense. The linker
// sends its two buffer calls through here (src/CMakeLists.txt, --wrap): the lock that OpenBLAS's
// own build option USE_LOCKING would add.
#include <mutex>

namespace {

std::mutex buffers;

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
