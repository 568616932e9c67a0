// LASS0_TARGET_CLONES before a function compiles it once for any x86-64 and once each for AVX2 and
// AVX-512; the loader picks by the CPU it runs on. Off where the compiler can't, and under
// sanitizers (they start after the loader's choice).
#pragma once

#if defined(__x86_64__) && __GNUC__ >= 12 && !defined(__clang__) && defined(__linux__) && \
    !defined(LASS0_NO_TARGET_CLONES)
#define LASS0_TARGET_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define LASS0_TARGET_CLONES
#endif
