// What a row of the support table costs when every Gram column is there already: adds, removes and
// all-swap scans, and the updates after each move. A scan of all k p swaps reads the k x p matrix B
// once, so the unit is one BLAS gemv over a matrix of the mean k x p.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <lass0/lass0.hpp>
#include <numeric>
#include <string>
#include <vector>

namespace {

using lass0::Index;
using Clock = std::chrono::steady_clock;

constexpr Index kRows = 500;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double gemv_seconds(Index k, Index p) {
  const lass0::Matrix B = lass0::Matrix::Random(p, k);
  const lass0::Vector v = lass0::Vector::Random(k);
  lass0::Vector out(p);
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    const auto start = Clock::now();
    cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(p), static_cast<int>(k), 1.0,
                B.data(), static_cast<int>(p), v.data(), 1, 0.0, out.data(), 1);
    times.push_back(seconds_since(start));
    benchmark::DoNotOptimize(out.data());
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  return times[7];
}

// The RSS of every row against a refit from the data.
std::string wrong_row(const lass0::Problem& problem, const lass0::SupportTable& table) {
  for (const lass0::TableRow& row : table.rows) {
    const double rss = lass0::residual_sum_of_squares(problem, lass0::refit(problem, row.support));
    if (std::abs(rss - row.loss) > 1e-8 * rss) return "wrong RSS in the table";
    if (!row.swap_optimal) return "a row that is not swap-optimal";
  }
  return {};
}

void best_supports_on_a_ready_gram(benchmark::State& state) {
  const Index p = state.range(0);
  const auto data = lass0::simulate(
      {.n = kRows, .p = p, .k = 20, .rho = 0.5, .snr = 5, .correlation = lass0::Correlation::ar1});
  const lass0::DenseDesign design(data.X);
  const lass0::Problem problem{.design = &design,
                               .y = {data.y.data(), static_cast<std::size_t>(kRows)}};
  const lass0::Moments moments(problem);
  std::vector<Index> all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), Index{0});
  moments.prefetch(all);
  const lass0::SupportTable table = lass0::best_supports(moments);
  if (const std::string wrong = wrong_row(problem, table); !wrong.empty()) {
    state.SkipWithError(wrong.c_str());
    return;
  }
  double total = 0;
  for (auto _ : state) {
    const auto start = Clock::now();
    benchmark::DoNotOptimize(lass0::best_supports(moments).rows.data());
    total += seconds_since(start);
  }
  const double row =
      total / static_cast<double>(state.iterations()) / static_cast<double>(table.max_k());
  const double gemv = gemv_seconds(table.max_k() / 2, p);
  state.counters["rows"] = static_cast<double>(table.max_k());
  state.counters["row_ms"] = 1e3 * row;
  state.counters["row/gemv"] = row / gemv;
  state.counters["gemv_GB/s"] = 8e-9 * static_cast<double>(table.max_k() / 2 * p) / gemv;
}

BENCHMARK(best_supports_on_a_ready_gram)
    ->ArgName("p")
    ->Arg(1000)
    ->Arg(5000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
