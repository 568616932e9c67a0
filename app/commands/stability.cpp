// lass0 stability: how often each column is chosen on random halves of the rows.
#include <lass0/io.hpp>
#include <lass0/stability.hpp>
#include <memory>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "report_option.hpp"
#include "streams.hpp"
#include "text/stability_text.hpp"

namespace lass0::app {
namespace {

struct StabilityCommand {
  ProblemOptions problem;
  RunOptions run_options;
  OutputFormat format = OutputFormat::text;
  StabilityOptions stability_options;
  ReportOption report;

  void check() const {
    problem.check();
    lass0::check(stability_options, FrontEnd::program);
    report.check();
    check_files(problem.data.files(), {kResultOnStandardOutput, {"--report", report.path()}});
  }

  void run() {
    check();
    run_options.check();
    Progress progress;
    const Table table = problem.read_data(progress);
    const Interrupt interrupt;
    stability_options.control = run_options.control(progress);
    const Stability result = naming_the_file(
        table, [&] { return stability(table, stability_options, problem.choices()); });
    progress.erase();
    run_options.note(result.gram_use);
    report.write(problem.problem(table), result, report_context(table, stability_options.control));
    print(format == OutputFormat::json ? naming_the_file(table, [&] { return to_json(result); })
                                       : stability_text(result, table));
  }
};

}  // namespace

Command add_stability(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("stability", "Show how often random halves choose each column");
  const auto command = std::make_shared<StabilityCommand>();
  StabilityOptions& options = command->stability_options;
  command->problem.declare(*parser);
  add_option(
      *parser, Option::k, options.k,
      "Number of columns that each half chooses; without --k and --lambda it is chosen once, "
      "by cross-validation on all rows")
      ->type_name("K");
  add_option(*parser, Option::lambda, options.lambda,
             "Price of a column on all rows; in each half it is multiplied by the half's share of "
             "the rows")
      ->type_name("L");
  add_option(*parser, Option::threshold, options.threshold,
             "Mark the columns with at least this frequency")
      ->type_name("T");
  add_option(*parser, Option::pairs, options.pairs,
             "Number of pairs of halves; the two halves of a pair have no row in common")
      ->type_name("N");
  add_seed(*parser, options.seed, "Seed of the random halves");
  declare_output_format(*parser, command->format);
  command->report.declare(*parser);
  add_effort(*parser, options.effort, "The search in every half");
  command->run_options.declare(*parser);
  parser->footer(
      "A frequency says how much the choice of a column depends on the rows. It is\n"
      "not the probability that the column has an effect.\n"
      "Example:\n"
      "  lass0 simulate --n 200 --p 50 --k 5 --seed 1 --output data.csv\n"
      "  lass0 stability data.csv --target y --k 5");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
