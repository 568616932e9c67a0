// How many columns have a split-sample p-value of at most 0.05, and how many of them are true.
#include <fmt/format.h>

#include <algorithm>
#include <lass0/inference.hpp>

#include "experiments.hpp"

namespace lass0::experiments {

void p_values(const std::string& output, bool tiny) {
  constexpr double kLevel = 0.05;
  const Runs all = runs(tiny);
  std::vector<std::string> lines;
  for (const Setting& setting : all.settings) {
    for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + all.data_sets; ++seed) {
      const Sample sample(setting, seed, 0);
      const SplitTests tests = split_tests(sample.problem(), {.control = {.threads = 0}});
      Index found = 0, wrong = 0;
      double lowest_wrong = 1;
      for (Index j = 0; j < setting.p; ++j) {
        const double p_value = tests.p_values[static_cast<std::size_t>(j)];
        const bool is_true = std::ranges::binary_search(sample.truth(), j);
        if (p_value <= kLevel) ++(is_true ? found : wrong);
        if (!is_true) lowest_wrong = std::min(lowest_wrong, p_value);
      }
      lines.push_back(
          fmt::format("{},{},{},{:.4g}", columns_of(setting, seed), found, wrong, lowest_wrong));
    }
  }
  write_csv(output, fmt::format("{},true_columns,false_columns,lowest_false_p_value", kColumns),
            lines);
}

}  // namespace lass0::experiments
