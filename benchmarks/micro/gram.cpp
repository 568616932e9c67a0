// What fresh Gram columns cost, beside one BLAS gemm of the same size: X'X_J for all p columns and
// a block J of them. lass0 centres and scales on top of the product, and keeps the columns.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <lass0/lass0.hpp>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using lass0::Index;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Workload {
  Workload(Index n, Index p)
      : data(lass0::simulate({.n = n, .p = p, .k = 10, .rho = 0.5, .snr = 5})), design(data.X) {
    problem = {.design = &design, .y = {data.y.data(), static_cast<std::size_t>(n)}};
  }

  lass0::Simulated data;
  lass0::DenseDesign design;
  lass0::Problem problem;
};

const Workload& workload(Index n, Index p) {
  static std::map<std::pair<Index, Index>, Workload> known;
  return known.try_emplace({n, p}, n, p).first->second;
}

// Every k-th column: a search asks for columns from anywhere.
std::vector<Index> spread(Index p, Index count) {
  std::vector<Index> columns(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) columns[static_cast<std::size_t>(i)] = i * (p / count);
  return columns;
}

double gemm_seconds(const lass0::Matrix& X, Index count) {
  const lass0::Matrix block = X.leftCols(count);
  lass0::Matrix out(X.cols(), count);
  std::vector<double> times;
  for (int i = 0; i < 7; ++i) {
    const auto start = Clock::now();
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, static_cast<int>(X.cols()),
                static_cast<int>(count), static_cast<int>(X.rows()), 1.0, X.data(),
                static_cast<int>(X.rows()), block.data(), static_cast<int>(X.rows()), 0.0,
                out.data(), static_cast<int>(X.cols()));
    times.push_back(seconds_since(start));
    benchmark::DoNotOptimize(out.data());
  }
  std::nth_element(times.begin(), times.begin() + 3, times.end());
  return times[3];
}

// The largest difference to the definition: centred columns at unit norm.
double error_of(const lass0::Matrix& X, const std::vector<Index>& columns,
                const lass0::Matrix& gram) {
  double worst = 0;
  const auto unit = [&](Index j) -> lass0::Vector {
    const lass0::Vector centred = X.col(j).array() - X.col(j).mean();
    return centred / centred.norm();
  };
  for (std::size_t i = 0; i < columns.size(); i += 7) {
    const lass0::Vector z = unit(columns[i]);
    for (Index j = 0; j < X.cols(); j += 97)
      worst = std::max(worst, std::abs(unit(j).dot(z) - gram(j, static_cast<Index>(i))));
  }
  return worst;
}

void fresh_gram_columns(benchmark::State& state) {
  const Workload& work = workload(state.range(0), state.range(1));
  const Index p = state.range(1), count = state.range(2);
  const std::vector<Index> columns = spread(p, count);
  lass0::Matrix gram(p, count);
  lass0::Moments(work.problem).gram_columns(columns, gram);
  if (error_of(work.data.X, columns, gram) > 1e-12) {
    state.SkipWithError("the Gram columns are wrong");
    return;
  }
  std::vector<double> times;
  for (auto _ : state) {
    const lass0::Moments moments(work.problem);  // a cache without columns
    const auto start = Clock::now();
    moments.gram_columns(columns, gram);
    times.push_back(seconds_since(start));
    state.SetIterationTime(times.back());
    benchmark::DoNotOptimize(gram.data());
  }
  const double mean =
      std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  const double gemm = gemm_seconds(work.data.X, count);
  state.counters["time/gemm"] = mean / gemm;
  state.counters["gemm_GFLOP/s"] = 2e-9 * static_cast<double>(state.range(0) * p * count) / gemm;
}

BENCHMARK(fresh_gram_columns)
    ->ArgNames({"n", "p", "columns"})
    ->ArgsProduct({{1000}, {5000}, {1, 8, 64, 256}})
    ->Args({100000, 200, 200})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
