// What a BLAS needs before threads call it. Each provider defines it (util/blas/provider.hpp).
#pragma once

namespace lass0 {

// Makes the BLAS ready for calls from this many threads. OpenBLAS maps its work buffers now, 128
// MiB of address space for each thread, as far as there is room; threads without one take turns.
// Throws Error where there is no room for a single one: later, inside a BLAS call, it would be
// asked for again for ever. A BLAS with threads of its own is told to use none. Cheap when all is
// done already.
void reserve_blas_buffers(int threads);

}  // namespace lass0
