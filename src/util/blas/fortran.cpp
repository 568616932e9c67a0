// Any BLAS through its Fortran interface, with 32-bit integers: the reference BLAS, R's, conda's,
// MKL, BLIS and so on.
//
// A BLAS may have threads of its own, and then its bits depend on how many it uses. The ones below
// can be told to use none; others have to be set up so, or their environment does it (for Apple's
// Accelerate VECLIB_MAXIMUM_THREADS=1). Which BLAS is there is known only when the program starts
// (on Debian, libblas.so.3 is whichever the administrator chose), so their functions are weak
// references. The setting is the whole process's: other users of the same library are held to one
// thread too, from the first run of lass0 on.
//
// A serial OpenBLAS shares its work buffers between threads without a lock. Where one is found, our
// threads take turns.
#include <algorithm>
#include <cstddef>
#include <mutex>

#include "util/blas/provider.hpp"
#include "util/blas_buffers.hpp"

// The names are those of the libraries, not ours.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

// Fortran compilers add the lengths of all texts at the end. A BLAS that was written in C does not
// look at them.
using TextLength = std::size_t;

void dgemm_(const char* op_a, const char* op_b, const int* rows, const int* cols, const int* depth,
            const double* a, const double* A, const int* lda, const double* B, const int* ldb,
            const double* c, double* C, const int* ldc, TextLength, TextLength);
void dsyrk_(const char* triangle, const char* op, const int* n, const int* depth, const double* a,
            const double* A, const int* lda, const double* c, double* C, const int* ldc, TextLength,
            TextLength);
void dgemv_(const char* op, const int* rows, const int* cols, const double* a, const double* A,
            const int* lda, const double* x, const int* x_step, const double* c, double* y,
            const int* y_step, TextLength);
void dger_(const int* rows, const int* cols, const double* a, const double* x, const int* x_step,
           const double* y, const int* y_step, double* A, const int* lda);
void daxpy_(const int* n, const double* a, const double* x, const int* x_step, double* y,
            const int* y_step);
void drot_(const int* n, double* x, const int* x_step, double* y, const int* y_step,
           const double* c, const double* s);
void dtrsv_(const char* triangle, const char* op, const char* unit, const int* n, const double* L,
            const int* ldl, double* x, const int* x_step, TextLength, TextLength, TextLength);
void dtrsm_(const char* side, const char* triangle, const char* op, const char* unit,
            const int* rows, const int* n, const double* a, const double* L, const int* ldl,
            double* A, const int* lda, TextLength, TextLength, TextLength, TextLength);

void openblas_set_num_threads(int threads) __attribute__((weak));
int openblas_get_parallel() __attribute__((weak));  // 0: a serial build
void MKL_Set_Num_Threads(int threads) __attribute__((weak));
void bli_thread_set_num_threads(long threads) __attribute__((weak));

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

namespace lass0 {
namespace {

// Whether calls have to take turns. The first call of all sets the BLAS up.
bool one_at_a_time() {
  static const bool serial = [] {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    if (MKL_Set_Num_Threads) MKL_Set_Num_Threads(1);
    if (bli_thread_set_num_threads) bli_thread_set_num_threads(1);
    return openblas_get_parallel && openblas_get_parallel() == 0;
  }();
  return serial;
}

}  // namespace

void reserve_blas_buffers(int) { one_at_a_time(); }

namespace blas {
namespace {

constexpr int kStep = 1;
constexpr double kOne = 1;

int as_int(Index n) { return static_cast<int>(n); }

// From one column to the next. BLAS refuses 0, which is what an empty matrix has.
int as_step(Index stride) { return std::max(1, as_int(stride)); }

const char* as_text(Op op) { return op == Op::none ? "N" : "T"; }

// Held during a call where the BLAS can't take several at a time.
class Turn {
 public:
  Turn() {
    if (one_at_a_time()) lock_ = std::unique_lock(mutex);
  }

 private:
  static inline std::mutex mutex;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace

void gemm(Op op_a, Op op_b, Index rows, Index cols, Index depth, double a, const double* A,
          Index lda, const double* B, Index ldb, double c, double* C, Index ldc) {
  const int m = as_int(rows), n = as_int(cols), k = as_int(depth);
  const int step_a = as_step(lda), step_b = as_step(ldb), step_c = as_step(ldc);
  const Turn turn;
  dgemm_(as_text(op_a), as_text(op_b), &m, &n, &k, &a, A, &step_a, B, &step_b, &c, C, &step_c, 1,
         1);
}

void syrk(Op op, Index n, Index depth, double a, const double* A, Index lda, double* C, Index ldc) {
  const int size = as_int(n), k = as_int(depth), step_a = as_step(lda), step_c = as_step(ldc);
  const Turn turn;
  dsyrk_("L", as_text(op), &size, &k, &a, A, &step_a, &kOne, C, &step_c, 1, 1);
}

void gemv(Index rows, Index cols, double a, const double* A, Index lda, const double* x,
          double* y) {
  const int m = as_int(rows), n = as_int(cols), step = as_step(lda);
  const Turn turn;
  dgemv_("N", &m, &n, &a, A, &step, x, &kStep, &kOne, y, &kStep, 1);
}

void ger(Index rows, Index cols, double a, const double* x, const double* y, double* A, Index lda) {
  const int m = as_int(rows), n = as_int(cols), step = as_step(lda);
  const Turn turn;
  dger_(&m, &n, &a, x, &kStep, y, &kStep, A, &step);
}

void axpy(Index n, double a, const double* x, double* y) {
  const int size = as_int(n);
  daxpy_(&size, &a, x, &kStep, y, &kStep);
}

void rot(Index n, double* x, double* y, double c, double s) {
  const int size = as_int(n);
  drot_(&size, x, &kStep, y, &kStep, &c, &s);
}

void trsv(Op op, Index n, const double* L, Index ldl, double* x) {
  const int size = as_int(n), step = as_step(ldl);
  const Turn turn;
  dtrsv_("L", as_text(op), "N", &size, L, &step, x, &kStep, 1, 1, 1);
}

void trsm(Op op, Index rows, Index n, const double* L, Index ldl, double* A, Index lda) {
  const int m = as_int(rows), size = as_int(n), step_l = as_step(ldl), step_a = as_step(lda);
  const Turn turn;
  dtrsm_("R", "L", as_text(op), "N", &m, &size, &kOne, L, &step_l, A, &step_a, 1, 1, 1, 1);
}

}  // namespace blas
}  // namespace lass0
