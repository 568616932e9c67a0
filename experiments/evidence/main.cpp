// lass0_evidence intervals|p_values OUTPUT.csv [--tiny]
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <string_view>

#include "experiments.hpp"

namespace lass0::experiments {

Runs runs(bool tiny) {
  if (tiny) return {{{60, 10, 3, 0.5, 3}}, 2};
  Runs all{{}, 100};
  for (const Index n : {100, 300}) {
    for (const Index p : {20, 200}) {
      for (const double rho : {0.0, 0.7}) all.settings.push_back({n, p, 5, rho, 2});
    }
  }
  return all;
}

Sample::Sample(const Setting& setting, std::uint64_t seed, Index further_rows)
    : rows_(setting.n),
      data_(simulate({.n = setting.n + further_rows,
                      .p = setting.p,
                      .k = setting.k,
                      .rho = setting.rho,
                      .snr = setting.snr,
                      .seed = seed,
                      .coefficients = TrueCoefficients::unit})),
      design_(data_.X.data(), rows_, setting.p, data_.X.rows()),
      further_(data_.X.data() + rows_, further_rows, setting.p, data_.X.rows()) {}

std::string columns_of(const Setting& setting, std::uint64_t seed) {
  return fmt::format("{},{},{},{},{},{}", setting.n, setting.p, setting.k, setting.rho, setting.snr,
                     seed);
}

void write_csv(const std::string& path, const std::string& header,
               const std::vector<std::string>& rows) {
  write_file(path, [&](const Sink& sink) {
    sink(header + "\n");
    for (const std::string& row : rows) sink(row + "\n");
  });
}

namespace {

int run(int argc, char** argv) try {
  const std::string usage = "usage: lass0_evidence intervals|p_values OUTPUT.csv [--tiny]";
  const bool tiny = argc == 4 && std::string_view(argv[3]) == "--tiny";
  if (argc != 3 && !tiny) throw UsageError(usage);
  const std::string_view experiment = argv[1];
  if (experiment == "intervals")
    intervals(argv[2], tiny);
  else if (experiment == "p_values")
    p_values(argv[2], tiny);
  else
    throw UsageError(usage);
  return 0;
} catch (const UsageError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
} catch (const std::exception& error) {
  fmt::print(stderr, "lass0_evidence: {}\n", error.what());
  return 1;
}

}  // namespace
}  // namespace lass0::experiments

int main(int argc, char** argv) { return lass0::experiments::run(argc, argv); }
