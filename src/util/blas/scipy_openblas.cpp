// The OpenBLAS that the Python package brings along (cmake/FindScipyOpenBLAS.cmake) has locks
// around its work buffers, which it maps when they are first needed. It also has threads of its
// own: they are told once to stay out of it. The copy is the package's alone, so nobody else
// notices.
#include <mutex>

#include "util/blas/buffer_room.hpp"
#include "util/blas_buffers.hpp"

extern "C" void scipy_openblas_set_num_threads(int threads);

namespace lass0 {

void reserve_blas_buffers(int) {
  static std::once_flag ready;  // not set by a call that throws
  std::call_once(ready, [] {
    if (!blas::room_for_buffers(1)) blas::throw_no_room_for_a_buffer();
    scipy_openblas_set_num_threads(1);
  });
}

}  // namespace lass0
