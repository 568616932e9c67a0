// The experiments on hard problems. Each writes one CSV file; run.py adds what other packages find,
// and makes the page and the figure.
#pragma once

#include <lass0/types.hpp>
#include <string>
#include <vector>

#include "settings.hpp"

namespace lass0::experiments {

struct Scope {
  bool tiny = false;        // seconds, to see that all works
  bool only_lass0 = false;  // no other method: to store the results of an earlier version
};

void phase(const std::string& output, const Scope& scope);
void rows_of_settings(const std::string& output, const Scope& scope);
void lambdas_of_settings(const std::string& output, const Scope& scope);
void cross_validation(const std::string& output, const Scope& scope);

// The hard settings with their number of data sets; of a tiny run one small setting.
struct Runs {
  std::vector<Setting> settings;
  std::uint64_t data_sets;
};
Runs setting_runs(const Scope& scope);

// A size is found when its RSS is at most this times that of the true support: equal but for
// rounding.
inline constexpr double kSameRss = 1 + 1e-9;

// Of least squares with an intercept on these columns.
double least_squares_rss(const Simulated& data, const std::vector<Index>& columns);

// Its lambda is the one of least error in 10-fold cross-validation.
Iterate cross_validated_lasso(const HardProblem& hard);

void write_csv(const std::string& path, const std::string& header,
               const std::vector<std::string>& rows);

}  // namespace lass0::experiments
