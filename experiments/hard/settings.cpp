// The hard settings: the table up to the true size with its time, and the objective at four lambdas
// by either start.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <lass0/fit.hpp>

#include "experiments.hpp"

namespace lass0::experiments {
namespace {

constexpr std::array<double, 4> kFactors = {4, 2, 1, 0.5};

// Calls work(setting, seed, problem) for every data set.
template <typename Work>
void for_each_data_set(const Runs& runs, const Work& work) {
  for (const Setting& setting : runs.settings)
    for (std::uint64_t i = 0; i < runs.data_sets; ++i) {
      const std::uint64_t seed = kFirstSeed + i;
      work(setting, seed, HardProblem(setting, seed));
    }
}

std::string first_cells(const Setting& setting, std::uint64_t seed) {
  return fmt::format("{},{},{},{},{},{}", setting.n, setting.p, setting.k, setting.rho, setting.snr,
                     seed);
}

}  // namespace

void rows_of_settings(const std::string& output, const Scope& scope) {
  std::vector<std::string> lines;
  for_each_data_set(setting_runs(scope), [&](const Setting& setting, std::uint64_t seed,
                                             const HardProblem& hard) {
    const double truth = least_squares_rss(hard.data, hard.data.support);
    const auto start = std::chrono::steady_clock::now();
    const SupportTable table = best_supports(hard.problem());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    for (Index k = 1; k <= setting.k; ++k)
      lines.push_back(fmt::format("{},{},{:.12g},{:.12g},{:.3f}", first_cells(setting, seed), k,
                                  least_squares_rss(hard.data, table.at_k(k).support), truth,
                                  taken.count()));
  });
  write_csv(output, "n,p,k,rho,snr,seed,size,rss,true_rss,seconds", lines);
}

void lambdas_of_settings(const std::string& output, const Scope& scope) {
  std::vector<std::string> lines;
  for_each_data_set(setting_runs(scope), [&](const Setting& setting, std::uint64_t seed,
                                             const HardProblem& hard) {
    const Moments moments(hard.problem());
    const SupportTable table = best_supports(moments);
    const double unit =
        hard.data.noise * hard.data.noise * std::log(static_cast<double>(setting.p));
    for (const double factor : kFactors) {
      const double lambda = factor * unit;
      const Fit ours = fit(moments, {.goal = AtLambda{lambda}, .table = &table});
      const Fit paper =
          fit(moments, {.goal = AtLambda{.penalty = {lambda}, .start = Start::paper()}});
      lines.push_back(fmt::format("{},{},{:.12g},{:.12g},{:.12g},{},{}", first_cells(setting, seed),
                                  factor, lambda, ours.objective, paper.objective, ours.k(),
                                  paper.k()));
    }
  });
  write_csv(output, "n,p,k,rho,snr,seed,factor,lambda,table,paper,table_size,paper_size", lines);
}

}  // namespace lass0::experiments
