// lass0 compare: nested cross-validation of Lass0 and other methods.
#include <fmt/format.h>

#include <algorithm>
#include <lass0/compare.hpp>
#include <lass0/io.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "report_option.hpp"
#include "streams.hpp"
#include "text/compare_text.hpp"

namespace lass0::app {
namespace {

struct CompareCommand {
  ProblemOptions problem;
  RunOptions run_options;
  OutputFormat format = OutputFormat::text;
  CompareOptions compare_options;
  std::optional<std::string> truth;
  bool prove = false;
  ReportOption report;
  CLI::Option *of_outer = nullptr, *of_inner = nullptr, *of_seed = nullptr;

  void check() {
    problem.check();
    for (const auto& [option, folds] :
         {std::pair{Option::outer, compare_options.outer}, {Option::inner, compare_options.inner}})
      check_value(option, static_cast<double>(folds), FrontEnd::program);
    report.check();
    check_files(problem.data.files({{"--truth", truth}}),
                {kResultOnStandardOutput, {"--report", report.path()}});
    if (!prove) return;
    std::vector<std::string>& methods = compare_options.methods;
    if (methods.empty()) {
      for (const MethodName& method : compare_methods()) methods.push_back(method.name);
    } else if (std::find(methods.begin(), methods.end(), "exact") == methods.end()) {
      methods.push_back("exact");
    }
  }

  void run() {
    check();
    run_options.check();
    Progress progress;
    const Table table = problem.read_data(progress);
    check_folds_of_moments(table, {of_outer, compare_options.outer, of_seed, compare_options.seed});
    if (table.summed && of_inner->count() > 0)
      throw UsageError(
          fmt::format("--inner does not work with a file of moments: the inner folds "
                      "are the other {} of its folds",
                      table.summed->folds - 1));
    if (truth) compare_options.truth = read_column_list(*truth, table.names());
    const Interrupt interrupt;
    compare_options.control = run_options.control(progress);
    const Problem data = problem.problem(table);
    const Comparison result =
        naming_the_file(table, [&] { return compare(data, compare_options); });
    progress.erase();
    report.write(data, result, report_context(table, compare_options.control));
    print(format == OutputFormat::json
              ? naming_the_file(table, [&] { return to_json(result, table.names()); })
              : compare_text(result, table));
  }
};

}  // namespace

Command add_compare(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("compare", "Compare the test errors of Lasso, stepwise and Lass0");
  const auto command = std::make_shared<CompareCommand>();
  command->problem.declare(*parser, ProblemOptions::Ridge::none);
  std::string names;
  for (const MethodName& method : compare_methods())
    names += (names.empty() ? "" : ", ") + method.name;
  parser
      ->add_option("--methods", command->compare_options.methods,
                   "Methods to compare: " + names + ". By default all but exact")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("M,...");
  parser
      ->add_option("--truth", command->truth,
                   "File with the names of the true columns, one per line: also report the Hamming "
                   "distance of each model to them")
      ->type_name("FILE");
  parser
      ->add_flag("--prove", command->prove,
                 "Add the method exact: every model is proven to be the best of its size; for up "
                 "to 30 or 40 columns")
      ->group(kModelGroup);
  command->of_outer = add_option(*parser, Option::outer, command->compare_options.outer,
                                 "Number of folds on which the test errors are measured")
                          ->type_name("F");
  command->of_inner = add_option(*parser, Option::inner, command->compare_options.inner,
                                 "Number of folds within each training set, to tune the methods")
                          ->type_name("F");
  command->of_seed = add_seed(*parser, command->compare_options.seed, "Seed of the random folds");
  command->run_options.declare(*parser);
  declare_output_format(*parser, command->format);
  command->report.declare(*parser);
  parser->footer(
      "Example:\n"
      "  lass0 simulate --n 200 --p 50 --k 5 --seed 1 --truth t.txt --output data.csv\n"
      "  lass0 compare data.csv --target y --truth t.txt");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
