// OpenBLAS chooses its kernels by the model of the CPU, and takes those of a Pentium 4 for a model
// that is newer than its release, far below what the machine can do. Here it is told to take those
// for the instructions that the CPU has. The linker sends both calls through here
// (cmake/BlasProvider.cmake, --wrap), for x86-64 alone; the Python package brings an OpenBLAS that
// is recent enough.
#include <cstring>

// The names are the linker's and OpenBLAS's, not ours. Weak: a build for one CPU has no choice.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
namespace {
const char* kernels = nullptr;  // those to take, or null: as OpenBLAS thinks best
}

extern "C" {

extern void* gotoblas __attribute__((weak));  // the kernels chosen
char* gotoblas_corename() __attribute__((weak));
void __real_gotoblas_dynamic_init() __attribute__((weak));
char* __real_getenv(const char* name);

char* __wrap_getenv(const char* name) {
  if (kernels && std::strcmp(name, "OPENBLAS_CORETYPE") == 0) return const_cast<char*>(kernels);
  return __real_getenv(name);
}

void __wrap_gotoblas_dynamic_init() {
  __real_gotoblas_dynamic_init();
  if (std::strcmp(gotoblas_corename(), "Prescott") != 0) return;
  if (__real_getenv("OPENBLAS_CORETYPE")) return;  // the user's own wish
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    kernels = "SkylakeX";
  } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    kernels = "Haswell";
  } else {
    return;
  }
  gotoblas = nullptr;
  __real_gotoblas_dynamic_init();
  kernels = nullptr;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
