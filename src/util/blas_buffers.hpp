// OpenBLAS's work buffers, 128 MiB of address space for every thread that calls it.
#pragma once

namespace lass0 {

// Has OpenBLAS map buffers for so many threads now, or throws Error when there is no room for them:
// later, inside a BLAS call, it would try again for ever. Cheap when they are there already.
void reserve_blas_buffers(int threads);

}  // namespace lass0
