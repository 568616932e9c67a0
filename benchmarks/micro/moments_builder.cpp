// What sums of blocks of rows cost beside one BLAS syrk of the same size, X'X. lass0 also reads the
// rows in their order, sorts them by fold and centres them, and keeps the digits of large means.
// Single thread.
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <time.h>

#include <cmath>
#include <lass0/lass0.hpp>

namespace {

using lass0::Index;
using lass0::Matrix;
using lass0::RowMatrix;
using lass0::Vector;

// Of this thread, so that what else the machine does counts little.
double cpu_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

lass0::MomentsBuilder summed(const RowMatrix& X, const Vector& y, Index folds) {
  lass0::MomentsSchema schema;
  schema.folds = folds;
  for (Index j = 0; j < X.cols(); ++j) schema.names.push_back("x" + std::to_string(j + 1));
  lass0::MomentsBuilder builder(std::move(schema));
  constexpr Index kBlock = 2048;
  for (Index first = 0; first < X.rows(); first += kBlock) {
    const Index count = std::min(kBlock, X.rows() - first);
    builder.add_rows(X.middleRows(first, count), y.segment(first, count));
  }
  return builder;
}

// The RSS of the model with no column, by the sums and by the definition.
double error_of(lass0::MomentsBuilder builder, const Vector& y) {
  const double tss = (y.array() - y.mean()).square().sum();
  return std::abs(lass0::path(builder.table(), {.max_k = 0}).rss.front() / tss - 1);
}

void sums_of_rows(benchmark::State& state) {
  const Index p = state.range(0), folds = state.range(1), n = 40'000'000 / p;
  const RowMatrix X = RowMatrix::Random(n, p).array() + 3;
  const Vector y = Vector::Random(n);
  if (error_of(summed(X, y, folds), y) > 1e-10) {
    state.SkipWithError("the sums are wrong");
    return;
  }
  double in_sums = 0, in_syrk = 0;
  Matrix out = Matrix::Zero(p, p);
  for (auto _ : state) {
    // One after the other, so that both have the same machine.
    double start = cpu_seconds();
    benchmark::DoNotOptimize(summed(X, y, folds));
    in_sums += cpu_seconds() - start;
    start = cpu_seconds();
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(p), static_cast<int>(n),
                1.0, X.data(), static_cast<int>(p), 0.0, out.data(), static_cast<int>(p));
    in_syrk += cpu_seconds() - start;
    benchmark::DoNotOptimize(out.data());
  }
  state.counters["of_syrk_rate"] = in_syrk / in_sums;
  state.counters["GB/s"] =
      8e-9 * static_cast<double>(n * p) * static_cast<double>(state.iterations()) / in_sums;
}

BENCHMARK(sums_of_rows)
    ->ArgNames({"p", "folds"})
    ->ArgsProduct({{100, 200, 1000}, {1, 10}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
