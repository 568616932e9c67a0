// How many new rows are inside their 90 % prediction intervals, with the default cross-validation.
#include <fmt/format.h>

#include <lass0/cross_validate.hpp>

#include "experiments.hpp"

namespace lass0::experiments {

void intervals(const std::string& output, bool tiny) {
  constexpr Index kNewRows = 100;
  const Runs all = runs(tiny);
  std::vector<std::string> lines;
  for (const Setting& setting : all.settings) {
    for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + all.data_sets; ++seed) {
      const Sample sample(setting, seed, kNewRows);
      CrossValidateOptions options;
      options.fold_models = true;
      options.control.threads = 0;
      const CrossValidation cv = cross_validate(sample.problem(), options);
      const Intervals values = cv.model().predict_interval(sample.further(), 0.9);
      Index inside = 0;
      for (Index i = 0; i < kNewRows; ++i) {
        const double y = sample.further_y(i);
        inside += values.lower[i] <= y && y <= values.upper[i] ? 1 : 0;
      }
      lines.push_back(fmt::format("{},{},{},{:.6g},{}", columns_of(setting, seed), kNewRows, inside,
                                  (values.upper - values.lower).mean(), cv.fit.k()));
    }
  }
  write_csv(output, fmt::format("{},new_rows,inside,mean_width,size", kColumns), lines);
}

}  // namespace lass0::experiments
