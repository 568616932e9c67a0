// Cross-validation near the limit: the risk of the model chosen, in noise variances.
#include <fmt/format.h>

#include <lass0/cross_validate.hpp>

#include "experiments.hpp"

namespace lass0::experiments {
namespace {

// (b - beta)' Sigma (b - beta) / noise^2, where Sigma_ij = rho^|i - j|.
double risk(const Iterate& at, const HardProblem& hard, double rho) {
  Vector error = -hard.data.beta;
  for (std::size_t i = 0; i < at.support.size(); ++i)
    error[at.support[i]] += at.coefficients[static_cast<Index>(i)];
  double sum = 0, tail = 0;  // tail: sum over j < i of rho^(i - j) error_j
  for (Index i = 0; i < error.size(); ++i) {
    sum += error[i] * (error[i] + 2 * tail);
    tail = rho * (tail + error[i]);
  }
  return sum / (hard.data.noise * hard.data.noise);
}

}  // namespace

void cross_validation(const std::string& output, const Scope& scope) {
  const Setting setting = setting_runs(scope).settings.front();
  // The search is the question here, not the choice: no ridge, and the lowest error.
  const CrossValidateOptions quick{.rule = Rule::min, .tune_ridge = false};
  CrossValidateOptions full = quick;
  full.effort = Effort::full;
  std::vector<std::string> lines;
  for (std::uint64_t i = 0; i < (scope.tiny ? 2U : 20U); ++i) {
    const std::uint64_t seed = kFirstSeed + i;
    const HardProblem hard(setting, seed);
    const auto add = [&](const char* method, const Iterate& at) {
      lines.push_back(fmt::format("{},{},{},{},{},{},{},{:.6g},{}", setting.n, setting.p, setting.k,
                                  setting.rho, setting.snr, seed, method,
                                  risk(at, hard, setting.rho), at.support.size()));
    };
    add("lass0", cross_validate(hard.problem(), quick).fit.model.at);
    add("lass0-full", cross_validate(hard.problem(), full).fit.model.at);
    if (scope.only_lass0) continue;
    add("lasso", cross_validated_lasso(hard));
    add("truth", refit(hard.problem(), hard.data.support));
  }
  write_csv(output, "n,p,k,rho,snr,seed,method,risk,size", lines);
}

}  // namespace lass0::experiments
