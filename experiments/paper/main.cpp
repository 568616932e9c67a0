// lass0_paper EXPERIMENT OUTPUT.csv [--data FOLDER] [--tiny | --full]
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <string_view>

#include "experiments.hpp"

namespace lass0::experiments {

void write_csv(const std::string& path, const std::string& header,
               const std::vector<std::string>& rows) {
  write_file(path, [&](const Sink& sink) {
    sink(header + "\n");
    for (const std::string& row : rows) sink(row);
  });
}

std::vector<std::string> data_sets(const std::string& folder, Size size) {
  std::vector<std::string> names = {"pyrimidines.csv", "ailerons.csv.gz",   "triazines.csv",
                                    "stocks.csv",      "pole.csv.gz",       "bank32nh.csv.gz",
                                    "puma32h.csv.gz",  "breast_cancer.csv", "mice.csv"};
  if (size == Size::tiny) names = {"pyrimidines.csv", "stocks.csv"};
  std::erase_if(names, [&](const std::string& name) {
    const bool missing = !std::filesystem::exists(std::filesystem::path(folder) / name);
    if (missing) fmt::print(stderr, "{} is not in {}: left out\n", name, folder);
    return missing;
  });
  if (names.empty())
    throw Error("none of the paper's data sets is in " + folder +
                ": set LASS0_DATA to the folder that has pyrimidines.csv and the others");
  return names;
}

namespace {

int run(int argc, char** argv) try {
  std::string folder;
  Size size = Size::standard;
  const std::string usage =
      "usage: lass0_paper table1|figure1|htt|htt_cv|choice|nothing|optimum OUTPUT.csv [--data "
      "FOLDER] "
      "[--tiny|--full]";
  if (argc < 3) throw UsageError(usage);
  const std::string_view experiment = argv[1];
  for (int i = 3; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--tiny")
      size = Size::tiny;
    else if (option == "--full")
      size = Size::full;
    else if (option == "--data" && i + 1 < argc)
      folder = argv[++i];
    else
      throw UsageError(usage);
  }
  if (experiment == "table1")
    table1(folder, argv[2], size);
  else if (experiment == "figure1")
    figure1(argv[2], size);
  else if (experiment == "htt")
    htt(argv[2], size);
  else if (experiment == "htt_cv")
    htt_cv(argv[2], size);
  else if (experiment == "choice")
    choice(folder, argv[2], size);
  else if (experiment == "nothing")
    nothing(folder, argv[2], size);
  else if (experiment == "optimum")
    optimum(folder, argv[2], size);
  else
    throw UsageError(usage);
  return 0;
} catch (const UsageError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
} catch (const std::exception& error) {
  fmt::print(stderr, "lass0_paper: {}\n", error.what());
  return 1;
}

}  // namespace
}  // namespace lass0::experiments

int main(int argc, char** argv) { return lass0::experiments::run(argc, argv); }
