// Problems on which local search gets stuck: many true columns, few rows. AR(1) columns, unit
// coefficients of random sign; the seeds are 101, 102, ...
#pragma once

#include <array>
#include <lass0/design.hpp>
#include <lass0/problem.hpp>
#include <lass0/simulate.hpp>
#include <memory>

namespace lass0::experiments {

struct Setting {
  Index n, p, k;
  double rho, snr;
};

inline constexpr std::array<Setting, 4> kHardSettings = {{
    {200, 2000, 30, 0.7, 10},
    {300, 3000, 50, 0.7, 20},
    {200, 2000, 40, 0.3, 50},
    {500, 5000, 80, 0.5, 20},
}};

inline constexpr std::uint64_t kFirstSeed = 101;

// Data with the problem that refers to them.
struct HardProblem {
  HardProblem(const Setting& setting, std::uint64_t seed)
      : data(simulate({.n = setting.n,
                       .p = setting.p,
                       .k = setting.k,
                       .rho = setting.rho,
                       .snr = setting.snr,
                       .seed = seed,
                       .correlation = Correlation::ar1,
                       .coefficients = TrueCoefficients::unit})),
        design(data.X.data(), data.X.rows(), data.X.cols(), data.X.rows()) {}
  HardProblem(const HardProblem&) = delete;
  HardProblem& operator=(const HardProblem&) = delete;

  Problem problem() const {
    return {.design = &design, .y = {data.y.data(), static_cast<std::size_t>(data.y.size())}};
  }

  Simulated data;
  DenseDesign design;
};

}  // namespace lass0::experiments
