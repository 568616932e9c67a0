// lass0 simulate: data with a known sparse truth, as in the paper's synthetic experiment.
#include <lass0/io.hpp>
#include <lass0/simulate.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "interrupt.hpp"

namespace lass0::app {
namespace {

struct SimulateCommand {
  SimulateOptions options;
  std::string output = "-";
  std::optional<std::string> truth;

  void run() const {
    if (truth == "-" && output == "-")
      throw UsageError("--truth - needs --output FILE: the table goes to standard output");
    check_files({}, {{"--truth", truth}, {"--output", output}});
    const Simulated data = simulate(options);
    std::vector<std::string> names;
    for (Index j = 0; j < data.X.cols(); ++j) names.push_back(fmt::format("x{}", j + 1));
    const RemoveUnfinishedFiles guard;
    write_table(output, data.X, data.y, names, "y");
    if (!truth) return;
    write_file(*truth, [&](const Sink& sink) {
      for (const Index j : data.support) sink(names[static_cast<std::size_t>(j)] + "\n");
    });
  }
};

}  // namespace

Command add_simulate(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("simulate", "Simulate data with known true columns");
  const auto command = std::make_shared<SimulateCommand>();
  SimulateOptions& options = command->options;
  const auto add = [&](const char* name, auto& value, const char* description, const char* type) {
    parser->add_option(name, value, description)->type_name(type)->capture_default_str();
  };
  add("--n", options.n, "Number of rows", "N");
  add("--p", options.p, "Number of columns, x1 ... xP", "P");
  add("--k", options.k, "Number of true columns", "K");
  add("--rho", options.rho, "Correlation of the columns", "R");
  add("--snr", options.snr,
      "Variance of the signal divided by that of the noise; inf: no noise. With --family binomial, "
      "the variance of the log odds; inf: the class is certain",
      "S");
  std::vector<std::pair<std::string, Family>> known;
  for (const FamilyInfo& info : families()) known.emplace_back(info.name, info.family);
  add_choice(*parser, flag(Option::family), options.family, known,
             "gaussian: y is a number; binomial: y is 0 or 1, by a logistic model");
  add_seed(*parser, options.seed, "Seed: the same seed gives the same data", "Z");
  add_choice(*parser, "--correlation", options.correlation,
             {{"equal", Correlation::equal}, {"ar1", Correlation::ar1}},
             "equal: R for any two columns; ar1: R to the power of their distance");
  add_choice(*parser, "--coefficients", options.coefficients,
             {{"uniform", TrueCoefficients::uniform}, {"unit", TrueCoefficients::unit}},
             "Coefficients of the true columns: uniform between -1 and 1, or unit: 1 or -1");
  parser
      ->add_option("--truth", command->truth,
                   "Also write the names of the true columns, one per line")
      ->type_name("FILE");
  add("--output", command->output,
      "File for the data: .csv, .tsv or .npy, also .gz; - is standard output", "FILE");
  parser->footer(
      "The target is the last column, y.\n"
      "Example:\n"
      "  lass0 simulate --p 50 --k 5 --rho 0.9 --truth truth.txt --output data.csv\n"
      "  lass0 simulate --n 500 --family binomial --output classes.csv");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
