// Room for OpenBLAS's work buffers: 128 MiB of address space each.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <lass0/error.hpp>

#include "util/memory.hpp"

namespace lass0::blas {

inline constexpr std::size_t kBufferBytes = (std::size_t{128} << 20) + 4096;

inline bool room_for_buffers(int count) {
  const std::size_t bytes = static_cast<std::size_t>(count) * kBufferBytes;
  void* trial = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (trial == MAP_FAILED) return false;
  munmap(trial, bytes);
  return true;
}

[[noreturn]] inline void throw_no_room_for_a_buffer() {
  throw Error("not enough memory: " + format_bytes(static_cast<double>(kBufferBytes)) +
              " of address space are needed for a work buffer: raise the limit (ulimit -v)");
}

}  // namespace lass0::blas
