// How far prediction intervals and p-values keep what they promise. Each experiment writes one CSV
// file; run.py makes the page.
#pragma once

#include <cstdint>
#include <lass0/design.hpp>
#include <lass0/problem.hpp>
#include <lass0/simulate.hpp>
#include <string>
#include <vector>

namespace lass0::experiments {

struct Setting {
  Index n, p, k;
  double rho, snr;
};

// All settings with their number of data sets; seeds are 101, 102, ...
struct Runs {
  std::vector<Setting> settings;
  std::uint64_t data_sets;
};
Runs runs(bool tiny);
inline constexpr std::uint64_t kFirstSeed = 101;

// Rows to fit, and further rows of the same source to look at afterwards.
class Sample {
 public:
  Sample(const Setting& setting, std::uint64_t seed, Index further_rows);
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  Problem problem() const {
    return {.design = &design_, .y = {data_.y.data(), static_cast<std::size_t>(rows_)}};
  }
  const Design& further() const { return further_; }
  double further_y(Index i) const { return data_.y[rows_ + i]; }
  const std::vector<Index>& truth() const { return data_.support; }

 private:
  Index rows_;
  Simulated data_;
  DenseDesign design_, further_;
};

void intervals(const std::string& output, bool tiny);
void p_values(const std::string& output, bool tiny);

std::string columns_of(const Setting& setting, std::uint64_t seed);  // as CSV
inline constexpr const char* kColumns = "n,p,k,rho,snr,seed";
void write_csv(const std::string& path, const std::string& header,
               const std::vector<std::string>& rows);

}  // namespace lass0::experiments
