// What one step of Algorithm 1 costs, beside one BLAS gemv X'v over the same matrix: n = 1000, p =
// 20000. A step scores every add and remove exactly and makes the best one. Adds need one Gram
// column (one pass over X); removes read no data at all.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <lass0/lass0.hpp>
#include <vector>

namespace {

using lass0::Index;
using Clock = std::chrono::steady_clock;

constexpr Index kRows = 1000, kColumns = 20000, kTrue = 50;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Workload {
  lass0::Simulated data =
      lass0::simulate({.n = kRows, .p = kColumns, .k = kTrue, .rho = 0.5, .snr = 20});
  lass0::DenseDesign design{data.X};
  lass0::Problem problem{.design = &design, .y = {data.y.data(), static_cast<std::size_t>(kRows)}};

  double gemv_seconds() const {
    const lass0::Vector v = lass0::Vector::Random(kRows);
    lass0::Vector out(kColumns);
    std::vector<double> times;
    for (int i = 0; i < 15; ++i) {
      const auto start = Clock::now();
      cblas_dgemv(CblasColMajor, CblasTrans, kRows, kColumns, 1.0, data.X.data(), kRows, v.data(),
                  1, 0.0, out.data(), 1);
      times.push_back(seconds_since(start));
      benchmark::DoNotOptimize(out.data());
    }
    return median(times);
  }
};

const Workload& workload() {
  static const Workload instance;
  return instance;
}

// The times of the single steps of a search, from its own progress reports.
std::vector<double> step_seconds(const std::vector<Index>& start, benchmark::State& state) {
  const lass0::Moments moments(workload().problem);
  moments.prefetch(start);
  const lass0::Penalty penalty{.lambda = 2 * workload().data.noise * workload().data.noise *
                                         std::log(static_cast<double>(kColumns))};
  std::vector<double> times;
  auto last = Clock::now();
  lass0::Control control;
  control.progress = [&](std::string_view, double) {
    times.push_back(seconds_since(last));
    last = Clock::now();
  };
  const auto result = lass0::search(moments, start, penalty, control);
  const double check = lass0::objective(workload().problem, penalty,
                                        lass0::refit(workload().problem, result.support));
  if (std::abs(check - result.objective) > 1e-8 * check) state.SkipWithError("wrong objective");
  if (times.size() > 1) times.erase(times.begin());  // the first one holds the start's set-up
  return times;
}

void report(benchmark::State& state, const std::vector<Index>& start) {
  const double gemv = workload().gemv_seconds();
  for (auto _ : state) {
    const auto times = step_seconds(start, state);
    state.SetIterationTime(median(times));
    state.counters["steps"] = static_cast<double>(times.size());
    state.counters["median_step/gemv"] = median(times) / gemv;
    state.counters["worst_step/gemv"] = *std::max_element(times.begin(), times.end()) / gemv;
  }
  state.counters["gemv_ms"] = 1e3 * gemv;
  state.counters["gemv_GB/s"] = 8e-9 * kRows * kColumns / gemv;
}

void adds_from_the_empty_support(benchmark::State& state) { report(state, {}); }

void removes_from_200_columns(benchmark::State& state) {
  std::vector<Index> start = workload().data.support;
  for (Index j = 0; std::ssize(start) < 200; j += 97) start.push_back(j);
  report(state, start);
}

BENCHMARK(adds_from_the_empty_support)
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(removes_from_200_columns)->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);

}  // namespace
