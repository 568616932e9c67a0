// lass0 fit: the best model at one lambda, or of one size.
#include <cmath>
#include <lass0/fit.hpp>
#include <lass0/io.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "fit_report.hpp"
#include "streams.hpp"

namespace lass0::app {
namespace {

struct FitCommand {
  ProblemOptions problem;
  RunOptions run_options;
  OutputFormat format = OutputFormat::text;
  FitOptions fit;
  std::optional<double> lambda;
  std::optional<Index> k;
  std::optional<std::string> start;
  std::optional<std::string> model_path;
  CLI::Option* l1_tolerance = nullptr;
  CLI::Option* effort = nullptr;

  void check() const {
    if (lambda && k) throw UsageError("--lambda and --k exclude each other: give one of them");
    if (!lambda && !k)
      throw UsageError(
          "give --lambda L (what a column costs) or --k K (how many columns); lass0 cv chooses "
          "either by cross-validation");
    if (k && *k < 0) throw UsageError(fmt::format("--k is {}, but must be 0 or more", *k));
    if (k && (start || fit.power > 0))
      throw UsageError(
          "--k does not work with --start or --power: it takes the best support of that size");
    if (!(fit.lambda >= 0) || !std::isfinite(fit.lambda))
      throw UsageError(
          fmt::format("--lambda is {}, but must be a number from 0 upwards", fit.lambda));
    if (!(fit.power >= 0 && fit.power < 1))
      throw UsageError(fmt::format("--power is {}, but must be at least 0 and below 1", fit.power));
    if (!(fit.l1_tolerance > 0) || !std::isfinite(fit.l1_tolerance))
      throw UsageError(fmt::format("--l1-tolerance is {}, but must be above 0", fit.l1_tolerance));
    if (l1_tolerance->count() > 0 && start != "paper")
      throw UsageError(
          "--l1-tolerance works with --start paper only: no other start runs the Lasso");
    if (effort->count() > 0 && start && start != "table")
      throw UsageError("--effort works with --start table only");
    if (fit.prove && fit.effort == Effort::quick)
      throw UsageError("--prove works with --effort full only: a proof looks at all columns");
    if (fit.prove && fit.power > 0) throw UsageError("--prove does not work with --power");
    problem.check();
    problem.check_signs(fit.prove, "--prove");
    problem.check_signs(fit.power > 0, "--power");
    problem.check_signs(start == "paper", "--start paper");
    if (model_path == "-")
      throw UsageError("--model needs a file; --format json prints the model on standard output");
    const bool start_is_file = start && start != "table" && start != "paper" && start != "empty";
    check_files({{"DATA", problem.data.path},
                 {"--start", start_is_file ? start : std::optional<std::string>()}},
                {kResultOnStandardOutput, {"--model", model_path}});
  }

  Start start_from(const Table& table) const {
    if (!start || start == "table") return Start::table();
    if (start == "paper") return Start::paper();
    if (start == "empty") return Start::empty();
    return Start::support(read_column_list(*start, table.names()));
  }

  Fit fit_table(const Table& table) const {
    Fit result = lass0::fit(problem.problem(table), fit);
    if (!std::isfinite(result.objective))
      throw Error("the residual sum of squares is too large for a double: rescale the target");
    result.model.target = table.target;
    result.model.one_hot = table.one_hot;
    result.model.imputed = table.imputed;
    return result;
  }

  void run() {
    fit.lambda = lambda.value_or(0);
    check();
    fit.k = k.value_or(-1);
    run_options.check();
    Progress progress;
    const Table table = problem.read_data(progress);
    fit.start = start_from(table);

    const Interrupt interrupt;  // from here on there is a result so far
    fit.control = run_options.control(progress);
    const Fit result = naming_the_file(table, [&] { return fit_table(table); });
    progress.erase();
    run_options.note(result.gram_use);

    if (model_path || format == OutputFormat::json) {
      const std::string json =
          naming_the_file(table, [&] { return to_json(result, table.names()); });
      if (model_path) save(*model_path, json);
      if (format == OutputFormat::json) print(json);
    }
    if (format == OutputFormat::text) print(fit_report(result, table));
  }
};

}  // namespace

Command add_fit(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("fit", "Fit the best model at one lambda, or of one size");
  const auto command = std::make_shared<FitCommand>();
  FitOptions& fit = command->fit;
  command->problem.declare(*parser);
  parser
      ->add_option("--lambda", command->lambda,
                   "What a column costs: 1/2 RSS + lambda * size is minimised. lass0 cv chooses it")
      ->type_name("L");
  parser->add_option("--k", command->k, "Fit the best model with exactly K columns")
      ->type_name("K");
  parser
      ->add_option("--model", command->model_path,
                   "Also write the model as JSON, for lass0 predict")
      ->type_name("FILE");
  declare_output_format(*parser, command->format);
  parser
      ->add_option(
          "--start", command->start,
          "Where the search begins: table (the best of all sizes at this lambda), paper "
          "(the Lasso at the same lambda), empty, or a file with column names, one per line")
      ->type_name("paper|table|empty|FILE")
      ->default_str("table")
      ->group(kModelGroup);
  parser
      ->add_option("--power", fit.power,
                   "q of the penalty lambda * sum |b|^q, from 0 (the size) to below 1")
      ->type_name("Q")
      ->default_str("0")
      ->group(kModelGroup);
  command->l1_tolerance =
      parser
          ->add_option("--l1-tolerance", fit.l1_tolerance,
                       "Duality gap at which the Lasso of --start paper stops, relative to 1/2 y'y")
          ->type_name("T")
          ->default_str("1e-7")
          ->group(kModelGroup);
  command->effort = add_effort(*parser, fit.effort, "The search");
  declare_prove(*parser, fit.prove);
  command->run_options.declare(*parser);
  parser->footer(
      "Example:\n"
      "  lass0 simulate --n 200 --p 50 --k 5 --seed 1 --output data.csv\n"
      "  lass0 fit data.csv --target y --lambda 2 --model model.json\n"
      "  lass0 fit data.csv --target y --k 5 --positive x1,x2 --negative x7");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
