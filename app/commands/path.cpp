// lass0 path: the best support of every size.
#include <fmt/format.h>

#include <lass0/io.hpp>
#include <lass0/path.hpp>
#include <memory>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "report_option.hpp"
#include "streams.hpp"
#include "text/path_text.hpp"

namespace lass0::app {
namespace {

struct PathCommand {
  ProblemOptions problem;
  RunOptions run_options;
  OutputFormat format = OutputFormat::text;
  PathOptions path_options;
  ReportOption report;

  void run() {
    problem.check();
    check(path_options, problem.signs(), FrontEnd::program);
    report.check();
    check_files(problem.data.files(), {kResultOnStandardOutput, {"--report", report.path()}});
    run_options.check();
    Progress progress;
    const Table table = problem.read_data(progress);
    const Interrupt interrupt;
    path_options.control = run_options.control(progress);
    const Path result =
        naming_the_file(table, [&] { return path(table, path_options, problem.choices()); });
    progress.erase();
    run_options.note(result.gram_use);
    report.write(problem.problem(table), result, report_context(table, path_options.control));
    print(format == OutputFormat::json ? naming_the_file(table, [&] { return to_json(result); })
                                       : path_text(result, table));
  }
};

}  // namespace

Command add_path(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("path", "List the best model of every size");
  const auto command = std::make_shared<PathCommand>();
  command->problem.declare(*parser);
  add_option(*parser, Option::max_k, command->path_options.max_k,
             "Largest size; by default the smallest of 100, the number of columns and half the "
             "number of rows")
      ->type_name("K");
  add_effort(*parser, command->path_options.effort, "The search");
  declare_prove(*parser, command->path_options.prove);
  command->run_options.declare(*parser);
  declare_output_format(*parser, command->format);
  command->report.declare(*parser);
  parser->footer(
      "Example:\n"
      "  lass0 simulate --n 200 --p 50 --k 5 --seed 1 --output data.csv\n"
      "  lass0 path data.csv --target y --max-k 8\n"
      "  lass0 path data.csv --target y --positive '*'");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
