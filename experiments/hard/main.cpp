// lass0_hard EXPERIMENT OUTPUT.csv [--tiny] [--only-lass0]
#include <fmt/format.h>

#include <Eigen/QR>
#include <cstdio>
#include <exception>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <string_view>

#include "experiments.hpp"

namespace lass0::experiments {

void write_csv(const std::string& path, const std::string& header,
               const std::vector<std::string>& rows) {
  write_file(path, [&](const Sink& sink) {
    sink(header + "\n");
    for (const std::string& row : rows) sink(row + "\n");
  });
}

double least_squares_rss(const Simulated& data, const std::vector<Index>& columns) {
  Matrix X(data.X.rows(), std::ssize(columns) + 1);
  X.col(0).setOnes();
  for (Index j = 0; j < std::ssize(columns); ++j)
    X.col(j + 1) = data.X.col(columns[static_cast<std::size_t>(j)]);
  const Eigen::ColPivHouseholderQR<Matrix> qr(X);
  return (data.y - X * qr.solve(data.y)).squaredNorm();
}

Runs setting_runs(const Scope& scope) {
  if (scope.tiny) return {{{60, 200, 6, 0.5, 20}}, 2};
  return {{kHardSettings.begin(), kHardSettings.end()}, 20};
}

namespace {

int run(int argc, char** argv) try {
  Scope scope;
  const std::string usage =
      "usage: lass0_hard phase|settings|lambdas|cv OUTPUT.csv [--tiny] [--only-lass0]";
  if (argc < 3) throw UsageError(usage);
  for (int i = 3; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--tiny")
      scope.tiny = true;
    else if (option == "--only-lass0")
      scope.only_lass0 = true;
    else
      throw UsageError(usage);
  }
  const std::string_view experiment = argv[1];
  if (experiment == "phase")
    phase(argv[2], scope);
  else if (experiment == "settings")
    rows_of_settings(argv[2], scope);
  else if (experiment == "lambdas")
    lambdas_of_settings(argv[2], scope);
  else if (experiment == "cv")
    cross_validation(argv[2], scope);
  else
    throw UsageError(usage);
  return 0;
} catch (const UsageError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
} catch (const std::exception& error) {
  fmt::print(stderr, "lass0_hard: {}\n", error.what());
  return 1;
}

}  // namespace
}  // namespace lass0::experiments

int main(int argc, char** argv) { return lass0::experiments::run(argc, argv); }
