// The experiments. Each writes one CSV file, whose rows are what run.py turns into pages and
// figures.
#pragma once

#include <atomic>
#include <lass0/types.hpp>
#include <string>
#include <thread>
#include <vector>

namespace lass0::experiments {

enum class Size { tiny, standard, full };  // tiny: seconds, for the tests

// Table 1 on the data sets of a folder.
void table1(const std::string& folder, const std::string& csv, Size size);
// Figure 1: the distance to the truth over levels of sparsity and correlations.
void figure1(const std::string& csv, Size size);
// The grid of Hastie, Tibshirani and Tibshirani (2020).
void htt(const std::string& csv, Size size);
// The same grid, tuned by cross-validation, by every rule.
void htt_cv(const std::string& csv, Size size);
// The rules of choice, with and without a ridge, on the data sets of a folder ...
void choice(const std::string& folder, const std::string& csv, Size size);
// ... and on their permuted targets, where every column is a false one.
void nothing(const std::string& folder, const std::string& csv, Size size);
// The objective that methods reach, beside the proven optimum.
void optimum(const std::string& folder, const std::string& csv, Size size);

// The names of the nine data sets of the paper that are in the folder, as file names.
std::vector<std::string> data_sets(const std::string& folder, Size size);

// The results of body(0) .. body(count - 1), in that order, by all cores.
template <class Body>
std::vector<std::string> in_parallel(Index count, const Body& body) {
  std::vector<std::string> results(static_cast<std::size_t>(count));
  std::atomic<Index> next{0};
  std::vector<std::jthread> pool;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
    pool.emplace_back([&] {
      for (Index i = next++; i < count; i = next++) results[static_cast<std::size_t>(i)] = body(i);
    });
  }
  pool.clear();
  return results;
}

void write_csv(const std::string& path, const std::string& header,
               const std::vector<std::string>& rows);

}  // namespace lass0::experiments
