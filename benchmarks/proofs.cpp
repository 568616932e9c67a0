// What a proof, and the prices of all columns, cost on the data sets of the paper: the tables of
// docs/proof.md.
//
//   bench_proofs [FOLDER]     FOLDER has the data sets; default: LASS0_DATA, else
//   ../shared/data/paper
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <lass0/lass0.hpp>

namespace {

using namespace lass0;

constexpr const char* kSets[] = {"pyrimidines.csv", "ailerons.csv.gz",   "triazines.csv",
                                 "stocks.csv",      "pole.csv.gz",       "bank32nh.csv.gz",
                                 "puma32h.csv.gz",  "breast_cancer.csv", "mice.csv"};
constexpr Index kAllSizes = 40;  // columns up to which every size is proven
constexpr double kTimeLimit = 120;

// s^2 log p, s^2 the residual variance of the full model.
double lambda_of(const Problem& problem) {
  std::vector<Index> all;
  for (Index j = 0; j < problem.design->cols(); ++j) all.push_back(j);
  const Iterate full = refit(problem, all);
  const auto rank = (full.coefficients.array() != 0).count();
  const double n = static_cast<double>(rows_used(problem));
  const double s2 = residual_sum_of_squares(problem, full) / (n - static_cast<double>(rank) - 1);
  return s2 * std::log(static_cast<double>(all.size()));
}

// The models within lambda of the best one, and the prices of all columns.
std::string prices_line(const std::string& name, const Problem& problem, FitOptions options) {
  options.near_optimal.emplace();
  const Fit fit = lass0::fit(problem, options);
  const NearOptimal& near = *fit.near_optimal;
  Index always = 0, exact = 0;
  for (const ColumnPrice& one : near.columns) {
    always += one.kind == ColumnPrice::Class::always ? 1 : 0;
    exact += one.exact ? 1 : 0;
  }
  return fmt::format("| {} | {} | {}{} | {} | {} of {} | {} | {:.1f} |\n", name, fit.k(),
                     near.complete ? "" : "at least ", near.count, always, exact,
                     near.columns.size(), near.nodes, near.seconds);
}

void run(const std::filesystem::path& folder) {
  const Control control{.threads = 0, .time_limit = kTimeLimit};
  fmt::print("| data set | rows | columns | lambda | k | status | gap | nodes | seconds |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  std::string sizes, prices;
  for (const std::string set : kSets) {
    const Table table = read_table((folder / set).string(), {.target = "target"});
    const Problem problem = table.problem();
    const std::string name = set.substr(0, set.find('.'));
    FitOptions options;
    options.goal = AtLambda{lambda_of(problem)};
    options.prove = true;
    options.control = control;
    const Fit fit = lass0::fit(problem, options);
    fmt::print("| {} | {} | {} | {:.4g} | {} | {} | {:.2g} % | {} | {:.2f} |\n", name,
               fit.problem.n, fit.problem.p, fit.penalty().lambda, fit.k(), to_string(fit.status),
               100 * fit.gap(), fit.proof->nodes, fit.seconds);
    prices += prices_line(name, problem, options);
    if (fit.problem.p > kAllSizes) continue;
    const Path path =
        lass0::path(problem, {.max_k = fit.problem.p, .prove = true, .control = control});
    sizes += fmt::format("| {} | {} | {} | {} | {} | {:.3f} | {:.3f} |\n", name, path.problem.p,
                         path.table.max_k(), to_string(path.table.status), path.proof->nodes,
                         path.table.seconds, path.proof->seconds);
  }
  fmt::print("\nAll sizes at once:\n\n");
  fmt::print("| data set | columns | sizes | status | nodes | table, seconds | proof, seconds |\n");
  fmt::print("|---|---|---|---|---|---|---|\n{}", sizes);
  fmt::print("\nNear-optimal models (within lambda) and the prices of all columns:\n\n");
  fmt::print("| data set | k | models | always | exact prices | nodes | seconds |\n");
  fmt::print("|---|---|---|---|---|---|---|\n{}", prices);
}

}  // namespace

int main(int argc, char** argv) {
  const char* from_environment = std::getenv("LASS0_DATA");
  const std::filesystem::path folder = argc > 1           ? argv[1]
                                       : from_environment ? from_environment
                                                          : "../shared/data/paper";
  if (!std::filesystem::is_directory(folder)) {
    fmt::print("{}: not there. Give the folder of the paper's data sets, or set LASS0_DATA.\n",
               folder.string());
    return 0;
  }
  run(folder);
}
