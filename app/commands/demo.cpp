// lass0 demo: the paper's synthetic experiment, small, with a report.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "commands.hpp"
#include "common_options.hpp"
#include "experiment.hpp"
#include "streams.hpp"
#include "text.hpp"

namespace lass0::app {
namespace {

constexpr int kRepetitions = 50;

std::string name(Index j) { return fmt::format("x{}", j + 1); }

std::string paragraph(std::string_view sentences) { return wrap(words(sentences), {}) + "\n"; }

std::string introduction(const ExperimentOptions& options) {
  const SimulateOptions& data = options.data;
  return paragraph(fmt::format("A small version of the paper's synthetic experiment: y = X beta + "
                               "noise with {} columns, any two of them with correlation {}. {} "
                               "columns are true, with coefficients Uniform(-1, 1). The variance "
                               "of the signal is {} times that of the noise. From the same {} "
                               "rows,",
                               data.p, data.rho, data.k, data.snr, options.train)) +
         labelled("  Lasso",
                  "minimises 1/2 RSS + lambda * sum |b| (RSS: residual sum of squares)") +
         labelled("  Lass0",
                  "minimises 1/2 RSS + lambda * (number of columns) by adding and removing single "
                  "columns, starting from the Lasso at the same lambda") +
         "\n" +
         paragraph(fmt::format("Both run at the same {} lambdas, from the largest (no column) down "
                               "to a ten-thousandth "
                               "of it. Each keeps the lambda with the lowest error on {} "
                               "validation rows. Test errors "
                               "are root mean squared errors (RMSE) on {} further rows.",
                               options.lambdas, options.validation, options.test));
}

std::string two_decimals(double value) {
  const std::string text = fmt::format("{:.2f}", value);
  return text == "-0.00" ? "0.00" : text;
}

std::string coefficient(const Iterate& at, Index j) {
  const auto found = std::lower_bound(at.support.begin(), at.support.end(), j);
  if (found == at.support.end() || *found != j) return "-";
  return two_decimals(at.coefficients[found - at.support.begin()]);
}

std::string false_columns(const Experiment& one, const Chosen& chosen, std::string_view label) {
  std::vector<std::string> items;
  for (const Index j : chosen.at.support) {
    if (!std::binary_search(one.truth.begin(), one.truth.end(), j)) items.push_back(name(j));
  }
  if (items.empty()) items = {"none"};
  return labelled(label, items);
}

std::string one_data_set(const Experiment& one, std::uint64_t seed) {
  std::string text =
      fmt::format("One data set (seed {}): the true columns, and the coefficients found\n\n", seed);
  Rows rows = {{"column", "true", "Lasso", "Lass0"}};
  for (const Index j : one.truth) {
    rows.push_back({name(j), two_decimals(one.beta[j]), coefficient(one.lasso.at, j),
                    coefficient(one.lass0.at, j)});
  }
  text += table(rows, "lrrr") + "\nFalse columns in the models\n\n";
  text += false_columns(one, one.lasso, "Lasso") + false_columns(one, one.lass0, "Lass0") + "\n";

  const auto row = [](std::string label, auto value) {
    return std::vector<std::string>{std::move(label), value(true), value(false)};
  };
  const auto of = [&](bool lasso) -> const Chosen& { return lasso ? one.lasso : one.lass0; };
  const auto columns = std::to_string(one.truth.size());
  text += table(
      {{"", "Lasso", "Lass0"},
       row("lambda chosen", [&](bool lasso) { return number(of(lasso).lambda, 3); }),
       row("columns chosen", [&](bool lasso) { return std::to_string(of(lasso).size()); }),
       row("true columns found, of " + columns,
           [&](bool lasso) { return std::to_string(of(lasso).found); }),
       row("false columns", [&](bool lasso) { return std::to_string(of(lasso).wrong); }),
       row("Hamming distance to the truth",
           [&](bool lasso) { return std::to_string(one.hamming(of(lasso))); }),
       row("test RMSE", [&](bool lasso) { return fmt::format("{:.4f}", of(lasso).test_rmse); }),
       row("test RMSE / noise",
           [&](bool lasso) { return fmt::format("{:.3f}", of(lasso).test_rmse / one.noise); })},
      "lrr");
  return text + "\n";
}

// "12.3 +- 0.4": the mean over the repetitions and its standard error.
template <typename Value>
std::string mean(const std::vector<Experiment>& all, int decimals, Value value) {
  const double n = static_cast<double>(all.size());
  double sum = 0, squares = 0;
  for (const Experiment& one : all) sum += value(one);
  for (const Experiment& one : all) squares += std::pow(value(one) - sum / n, 2);
  return fmt::format("{:.{}f} +- {:.{}f}", sum / n, decimals, std::sqrt(squares / (n - 1) / n),
                     decimals);
}

std::string averages(const std::vector<Experiment>& all, std::uint64_t seed) {
  const auto row = [&](std::string label, int decimals, auto value) {
    return std::vector<std::string>{
        std::move(label),
        mean(all, decimals,
             [&](const Experiment& one) { return static_cast<double>(value(one, one.lasso)); }),
        mean(all, decimals,
             [&](const Experiment& one) { return static_cast<double>(value(one, one.lass0)); })};
  };
  using E = const Experiment&;
  using C = const Chosen&;
  return fmt::format("Averages over {} data sets (seeds {} to {}), with standard errors\n\n",
                     all.size(), seed, seed + all.size() - 1) +
         table({{"", "Lasso", "Lass0"},
                row("columns chosen", 1, [](E, C chosen) { return chosen.size(); }),
                row("true columns found", 1, [](E, C chosen) { return chosen.found; }),
                row("false columns", 1, [](E, C chosen) { return chosen.wrong; }),
                row("Hamming distance to the truth", 1,
                    [](E one, C chosen) { return one.hamming(chosen); }),
                row("test RMSE / noise", 3,
                    [](E one, C chosen) { return chosen.test_rmse / one.noise; })},
               "lrr");
}

void run(std::uint64_t seed) {
  ExperimentOptions options;
  std::vector<Experiment> all;
  for (int i = 0; i < kRepetitions; ++i) {
    options.data.seed = seed + static_cast<std::uint64_t>(i);
    all.push_back(run_experiment(options));
  }
  print(introduction(options) + one_data_set(all.front(), seed) + averages(all, seed) +
        "\nTry it on similar data:\n"
        "  lass0 simulate --p 50 --k 10 --output data.csv\n"
        "  lass0 cv data.csv --target y\n"
        "\nlass0 cv chooses the number of columns by cross-validation. For your own\n"
        "data, give the file and the name of the target column. A target of two\n"
        "classes (yes or no) takes --family binomial, and lass0 simulate makes one:\n"
        "  lass0 simulate --n 500 --family binomial --output classes.csv\n"
        "  lass0 cv classes.csv --target y --family binomial\n");
}

}  // namespace

Command add_demo(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("demo", "Show the Lasso and Lass0 on data with a known answer");
  const auto seed = std::make_shared<std::uint64_t>(1);
  add_seed(*parser, *seed, "Seed of the first data set");
  parser->footer("Example:\n  lass0 demo --seed 7");
  return {parser, [seed] { run(*seed); }};
}

}  // namespace lass0::app
