// Figure 1: Hamming distance between the support found and the true one, mean over the 10 outer
// folds, for several numbers of true columns, correlations and many seeds. The paper gives neither
// n, p nor the noise: here n = 150 and p = 30, with little noise and with more.
#include <fmt/format.h>

#include <lass0/compare.hpp>
#include <lass0/design.hpp>
#include <lass0/simulate.hpp>

#include "experiments.hpp"

namespace lass0::experiments {
namespace {

struct Cell {
  Index k;
  double rho, snr;
  std::uint64_t seed;
};

constexpr Index kRows = 150, kColumns = 30;

std::string run(const Cell& cell, Size size) {
  const Simulated data = simulate({.n = kRows,
                                   .p = kColumns,
                                   .k = cell.k,
                                   .rho = cell.rho,
                                   .snr = cell.snr,
                                   .seed = cell.seed});
  const DenseDesign design(data.X);
  const Problem problem{.design = &design,
                        .y = {data.y.data(), static_cast<std::size_t>(data.y.size())}};
  CompareOptions options{.seed = cell.seed, .methods = {"lasso", "lass0-paper", "lass0"}};
  options.truth = data.support;
  if (size == Size::tiny) options.outer = options.inner = 2;
  const Comparison result = compare(problem, options);
  std::string rows;
  for (const ComparedMethod& method : result.methods) {
    for (const Rule rule : {Rule::min, Rule::one_se}) {
      rows += fmt::format("{},{},{},{},{},{},{:.6g},{:.6g},{:.6g}\n", cell.k, cell.rho, cell.snr,
                          cell.seed, method.name, to_string(rule),
                          spread(method, rule, ComparedNumber::hamming).mean,
                          spread(method, rule, ComparedNumber::size).mean,
                          spread(method, rule, ComparedNumber::nrmse).mean);
    }
  }
  return rows;
}

}  // namespace

void figure1(const std::string& csv, Size size) {
  std::vector<Index> sizes = {2, 4, 8, 12, 15};
  std::vector<double> correlations = {0.5, 0.7, 0.9}, ratios = {100, 10};
  std::uint64_t seeds = size == Size::full ? 50 : 20;
  if (size == Size::tiny) {
    sizes = {2, 5};
    correlations = {0.5};
    ratios = {10};
    seeds = 2;
  }
  std::vector<Cell> cells;
  for (const double snr : ratios) {
    for (const double rho : correlations) {
      for (const Index k : sizes) {
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) cells.push_back({k, rho, snr, seed});
      }
    }
  }
  write_csv(csv, "k,rho,snr,seed,method,rule,hamming,size,nrmse",
            in_parallel(std::ssize(cells),
                        [&](Index i) { return run(cells[static_cast<std::size_t>(i)], size); }));
}

}  // namespace lass0::experiments
