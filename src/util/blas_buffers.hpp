// OpenBLAS's work buffers, 128 MiB of address space for every thread that calls it.
#pragma once

namespace lass0 {

// Has OpenBLAS map buffers for this many threads now, as far as there is room; threads without one
// take turns. Throws Error where there is no room for a single one: later, inside a BLAS call, it
// would be asked for again for ever. Cheap when they are there already.
void reserve_blas_buffers(int threads);

}  // namespace lass0
