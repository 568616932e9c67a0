// lass0 fit: the best model at one lambda, or of one size.
#include <cmath>
#include <lass0/fit.hpp>
#include <lass0/io.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "report_option.hpp"
#include "streams.hpp"
#include "text/fit_text.hpp"

namespace lass0::app {
namespace {

struct FitCommand {
  ProblemOptions problem;
  RunOptions run_options;
  OutputFormat format = OutputFormat::text;
  FitOptions fit;
  AtLambda at;
  std::optional<double> lambda;
  std::optional<Index> k;
  std::optional<std::string> start;
  std::optional<std::string> model_path;
  ReportOption report;
  NearOptimalOptions near_optimal;
  CLI::Option* l1_tolerance = nullptr;
  CLI::Option* within = nullptr;
  CLI::Option* max_models = nullptr;

  void check() const {
    if (lambda && k) throw_lambda_and_k(FrontEnd::program);
    if (!lambda && !k)
      throw UsageError(
          "give --lambda L (the price of a column) or --k K (the number of columns); lass0 cv "
          "chooses "
          "either by cross-validation");
    if (k && (start || at.penalty.power != 0)) throw_k_with_search(FrontEnd::program);
    problem.check();
    lass0::check(fit, problem.signs(), FrontEnd::program);
    if (l1_tolerance->count() > 0 && at.start.method != Start::Method::paper)
      throw UsageError(
          "--l1-tolerance works with --start paper only: no other start runs the Lasso");
    if (max_models->count() > 0 && within->count() == 0)
      throw UsageError("--max-models works with --within only: it limits the models listed");
    if (model_path == "-")
      throw UsageError("--model needs a file; --format json prints the model on standard output");
    const bool start_is_file = at.start.method == Start::Method::support;
    check_files(
        problem.data.files({{"--start", start_is_file ? start : std::optional<std::string>()}}),
        {kResultOnStandardOutput, {"--model", model_path}, {"--report", report.path()}});
    report.check();
  }

  // What is asked for, but for the columns of a start, which are known when the data are.
  void set_goal() {
    at.penalty.lambda = lambda.value_or(0);
    at.start = !start || start == "table" ? Start::table()
               : start == "paper"         ? Start::paper()
               : start == "empty"         ? Start::empty()
                                          : Start::support({});
    fit.goal = k ? FitGoal(OfSize{*k}) : FitGoal(at);
    if (within->count() > 0) fit.near_optimal = near_optimal;
  }

  void read_start(const Table& table) {
    if (at.start.method != Start::Method::support) return;
    at.start.columns = read_column_list(*start, table.names());
    fit.goal = at;
  }

  Fit fit_table(const Table& table) const {
    Fit result = lass0::fit(table, fit, problem.choices());
    if (!std::isfinite(result.objective))
      throw Error("the objective is too large for a double: rescale the target");
    return result;
  }

  void run() {
    set_goal();
    check();
    run_options.check();
    Progress progress;
    const Table table = problem.read_data(progress);
    read_start(table);

    const Interrupt interrupt;  // from here on there is a result so far
    fit.control = run_options.control(progress);
    const Fit result = naming_the_file(table, [&] { return fit_table(table); });
    progress.erase();
    run_options.note(result.gram_use);

    if (model_path || format == OutputFormat::json) {
      const std::string json = naming_the_file(table, [&] { return to_json(result); });
      if (model_path) save(*model_path, json);
      if (format == OutputFormat::json) print(json);
    }
    if (format == OutputFormat::text) print(fit_text(result, table));
    report.write(problem.problem(table), result, report_context(table, fit.control));
  }
};

}  // namespace

Command add_fit(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("fit", "Fit the best model at one lambda, or of one size");
  const auto command = std::make_shared<FitCommand>();
  FitOptions& fit = command->fit;
  AtLambda& at = command->at;
  command->problem.declare(*parser);
  add_option(
      *parser, Option::lambda, command->lambda,
      "Price of a column: minimise 1/2 residual sum of squares (RSS), or with --family binomial "
      "the negative log-likelihood, + L * number of columns. lass0 cv chooses L")
      ->type_name("L");
  add_option(*parser, Option::k, command->k,
             "Fit the best model with exactly K columns, instead of --lambda")
      ->type_name("K");
  parser
      ->add_option("--model", command->model_path,
                   "Also write the model to a file, for lass0 predict")
      ->type_name("FILE");
  command->report.declare(*parser);
  declare_output_format(*parser, command->format);
  add_option(*parser, Option::start, command->start,
             "Where the search starts: table (the best row of lass0 path at this lambda), paper "
             "(the Lasso at the same lambda), empty, or a file with column names, one per line")
      ->type_name("paper|table|empty|FILE")
      ->group(kModelGroup);
  add_option(*parser, Option::power, at.penalty.power,
             "Exponent of the penalty lambda * sum |b|^Q, below 1; 0 counts the columns")
      ->type_name("Q")
      ->group(kModelGroup);
  command->l1_tolerance =
      add_option(*parser, Option::l1_tolerance, at.l1_tolerance,
                 "Duality gap at which the Lasso of --start paper stops, relative to 1/2 y'y")
          ->type_name("T")
          ->group(kModelGroup);
  add_effort(*parser, fit.effort, "The search");
  declare_prove(*parser, fit.prove);
  NearOptimalOptions& near = command->near_optimal;
  command->within = parser
                        ->add_option_function<std::string>(
                            flag(Option::within),
                            [&near](const std::string& text) {
                              near.within = parse_within(text, FrontEnd::program);
                            },
                            "With --prove: list every model whose objective is at most D above the "
                            "best, and what "
                            "each column is worth. D is in units of the objective, or a share such "
                            "as 1%; without "
                            "D it is lambda or, with --k, 2 units of log-likelihood")
                        ->expected(0, 1)
                        ->type_name("[D]")
                        ->group(kModelGroup);
  command->max_models = add_option(*parser, Option::max_models, near.max_models,
                                   "List at most N of these models, the best ones; all are counted")
                            ->type_name("N")
                            ->group(kModelGroup);
  command->run_options.declare(*parser);
  parser->footer(
      "Example:\n"
      "  lass0 simulate --n 200 --p 50 --k 5 --seed 1 --output data.csv\n"
      "  lass0 fit data.csv --target y --lambda 2 --model model.json\n"
      "  lass0 fit data.csv --target y --k 5 --positive x1,x2 --negative x7\n"
      "  lass0 fit data.csv --target y --k 5 --prove --within 1%\n"
      "  lass0 fit loans.csv --target default --family binomial --k 5");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
