// A serial OpenBLAS hands out its work buffers without a lock (it expects one thread in the whole
// program), so two of our threads could be given the same one and compute nonsense. The linker
// sends its two buffer calls through here (cmake/BlasProvider.cmake, --wrap): the lock that
// OpenBLAS's own build option USE_LOCKING would add.
//
// Where the system has no room for another buffer (ulimit -v), OpenBLAS would ask for it for ever.
// So the calls are counted here: a thread that would need one more waits for another thread's.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "util/blas/buffer_room.hpp"
#include "util/blas_buffers.hpp"

namespace {

std::mutex buffers;
std::condition_variable one_is_free;
int mapped = 0;  // buffers that OpenBLAS has; guarded by the mutex
int in_use = 0;  // of them; likewise

// The first is a must. Others may not take the last memory from what they are for.
bool room_for_another() { return lass0::blas::room_for_buffers(mapped == 0 ? 1 : 2); }

}  // namespace

// The names are the linker's and OpenBLAS's, not ours.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

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

}  // extern "C"

namespace lass0 {

void reserve_blas_buffers(int threads) {
  const std::lock_guard lock(buffers);
  if (threads <= mapped) return;
  if (mapped == 0 && !room_for_another()) blas::throw_no_room_for_a_buffer();
  // As many as there is room for are held at the same time, so that each is another one.
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

}  // namespace lass0
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
