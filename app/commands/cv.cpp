// lass0 cv: choose lambda or the size by cross-validation, or by a criterion, and fit.
#include <cmath>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/io.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common_options.hpp"
#include "cv_report.hpp"
#include "files.hpp"
#include "report_option.hpp"
#include "streams.hpp"

namespace lass0::app {
namespace {

constexpr const char* kFoldsGroup = "Folds";

struct CvCommand {
  ProblemOptions problem;
  RunOptions run_options;
  OutputFormat format = OutputFormat::text;
  CrossValidateOptions cv;
  std::optional<std::string> folds, model_path;
  ReportOption report_option;
  std::optional<Criterion> criterion;
  // Options that mean nothing with a criterion, with folds that are not random, with sizes.
  std::vector<CLI::Option*> of_folds, of_random_folds;
  CLI::Option* of_lambdas = nullptr;

  void check() {
    problem.check();
    problem.check_signs(cv.start == Start::Method::paper, "--start paper");
    for (const CLI::Option* option : of_folds) {
      if (criterion && option->count() > 0)
        throw UsageError(
            fmt::format("--criterion does not work with {}: it uses no folds", option->get_name()));
    }
    if (criterion && (problem.ridge > 0 || problem.tune_ridge))
      throw UsageError(
          "--criterion does not work with --ridge: the size is then not the number of free "
          "coefficients");
    if (folds) cv.folds = parse_folds(*folds);
    if (!problem.read.folds.empty() && folds)
      throw UsageError("give either --folds or --fold-column");
    const int kinds =
        !problem.read.folds.empty() + !problem.read.groups.empty() + (cv.blocks ? 1 : 0);
    if (kinds > 1) throw UsageError("give one of --fold-column, --group-column and --blocks");
    if (cv.repeats < 1)
      throw UsageError(fmt::format("--repeats is {}, but must be 1 or more", cv.repeats));
    for (const CLI::Option* option : of_random_folds) {
      if (folds_are_fixed() && option->count() > 0)
        throw UsageError(
            fmt::format("{} works with random folds only: other folds are always the same",
                        option->get_name()));
    }
    if (cv.tune == Tune::k && of_lambdas->count() > 0)
      throw UsageError(
          "--lambdas works with --tune lambda only: --max-k says which sizes are tried");
    if (cv.lambdas < 2 || cv.lambdas > kMostLambdas)
      throw UsageError(
          fmt::format("--lambdas is {}, but must be from 2 to {}", cv.lambdas, kMostLambdas));
    if (cv.max_k < -1)
      throw UsageError(fmt::format("--max-k is {}, but must be 0 or more", cv.max_k));
    if (cv.tune == Tune::k && cv.start == Start::Method::paper)
      throw UsageError("--start paper works with --tune lambda only");
    if (model_path == "-")
      throw UsageError("--model needs a file; --format json prints the model on standard output");
    report_option.check();
    check_files(
        {{"DATA", problem.data.path}},
        {kResultOnStandardOutput, {"--model", model_path}, {"--report", report_option.path()}});
  }

  bool folds_are_fixed() const {
    return cv.blocks || !problem.read.folds.empty() || cv.folds == kLeaveOneOut;
  }

  static Index parse_folds(const std::string& given) {
    Index count = 0;
    if (given == "n") return kLeaveOneOut;
    if (!CLI::detail::lexical_cast(given, count) || count < 2)
      throw UsageError(fmt::format(
          "--folds is {}, but must be 2 or more, or n to leave out one row at a time", given));
    return count;
  }

  template <class Select>
  static auto select(const Table& table, const Select& select) {
    auto result = naming_the_file(table, select);
    for (Model* model : {&result.model, &result.fit.model}) {
      model->target = table.target;
      model->one_hot = table.one_hot;
      model->imputed = table.imputed;
    }
    return result;
  }

  template <class Selection, class Report>
  void deliver(const Problem& data, const Selection& selection, const Table& table,
               const Report& report) const {
    if (model_path) {
      save(*model_path,
           naming_the_file(table, [&] { return to_json(selection.fit, table.names()); }));
    }
    ReportContext context = report_context(table, cv.control);
    if (!criterion && !folds_are_fixed()) context.seed = cv.seed;
    report_option.write(data, selection, context);
    print(format == OutputFormat::json
              ? naming_the_file(table, [&] { return to_json(selection, table.names()); })
              : report(selection, table));
  }

  void run() {
    check();
    run_options.check();
    Progress progress;
    cv.tune_ridge = problem.tune_ridge;
    const Table table = problem.read_data(progress);
    const Problem data = problem.problem(table);
    const Interrupt interrupt;
    cv.control = run_options.control(progress);
    if (criterion) {
      const auto result = select(table, [&] {
        return select_by_criterion(
            data, {.criterion = *criterion, .max_k = cv.max_k, .control = cv.control});
      });
      progress.erase();
      run_options.note(result.fit.gram_use);
      deliver(data, result, table, criterion_report);
      return;
    }
    cv.fold_labels = table.folds;
    cv.groups = table.groups;
    const auto result = select(table, [&] { return cross_validate(data, cv); });
    progress.erase();
    run_options.note(result.gram_use);
    deliver(data, result, table, cv_report);
  }

  void declare_folds(CLI::App& parser) {
    const auto add = [&](CLI::Option* option, const char* type, const char* fallback = "") {
      if (*type != '\0') option->type_name(type)->default_str(fallback);
      of_folds.push_back(option->group(kFoldsGroup));
    };
    add(parser.add_option("--folds", folds,
                          "Number of folds; n: leave out one row, or group, at a time"),
        "F|n", "10");
    add(parser.add_option("--fold-column", problem.read.folds,
                          "A column of labels: rows of one label are one fold"),
        "C");
    add(parser.add_option("--group-column", problem.read.groups,
                          "A column of labels: rows of one label are always in the same fold"),
        "C");
    add(parser.add_flag("--blocks", cv.blocks,
                        "Folds of consecutive rows, for rows ordered in time"),
        "");
    CLI::Option* repeats =
        parser.add_option("--repeats", cv.repeats, "Number of random partitions into folds");
    CLI::Option* seed = add_seed(parser, cv.seed, "Seed of the random folds");
    add(repeats, "R", "1");
    add(seed, "S", "1");
    of_random_folds = {repeats, seed};
  }

  void declare_choice(CLI::App& parser) {
    of_folds.push_back(
        add_choice(parser, "--tune", cv.tune, {{"lambda", Tune::lambda}, {"k", Tune::k}},
                   "What to choose: lambda (what a column costs) or k (how many columns)"));
    of_folds.push_back(add_choice(
        parser, "--rule", cv.rule, {{"min", Rule::min}, {"1se", Rule::one_se}},
        "min: the lowest mean error; 1se: the sparsest model within one standard error of it"));
    add_choice(parser, "--criterion", criterion,
               {{"aic", Criterion::aic},
                {"bic", Criterion::bic},
                {"ebic", Criterion::ebic},
                {"gic", Criterion::gic},
                {"cp", Criterion::cp}},
               "Choose the size with the lowest aic, bic, ... on all rows, without folds");
    parser
        .add_option("--model", model_path,
                    "Also write the chosen model, fitted on all rows, as JSON for lass0 predict")
        ->type_name("FILE");
    report_option.declare(parser);
    of_lambdas = parser
                     .add_option("--lambdas", cv.lambdas,
                                 "Number of lambdas to try, evenly spaced in log(lambda)")
                     ->type_name("N")
                     ->default_str("100")
                     ->group(kModelGroup);
    of_folds.push_back(of_lambdas);
    parser
        .add_option("--max-k", cv.max_k,
                    "The largest size; by default 100, the number of columns or half the training "
                    "rows, whichever is smallest")
        ->type_name("K")
        ->group(kModelGroup);
    of_folds.push_back(
        add_choice(parser, "--start", cv.start,
                   {{"table", Start::Method::table}, {"paper", Start::Method::paper}},
                   "Where the search at each lambda begins: the best of all sizes, or the Lasso at "
                   "the same lambda")
            ->group(kModelGroup));
    of_folds.push_back(add_effort(parser, cv.effort, "The search in every fold"));
  }
};

}  // namespace

Command add_cv(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("cv", "Choose lambda or k by cross-validation, and fit");
  const auto command = std::make_shared<CvCommand>();
  command->problem.declare(*parser, ProblemOptions::Ridge::number_or_auto);
  command->declare_choice(*parser);
  declare_output_format(*parser, command->format);
  command->declare_folds(*parser);
  command->run_options.declare(*parser);
  parser->footer(
      "Example:\n"
      "  lass0 simulate --n 200 --p 50 --k 5 --seed 1 --output data.csv\n"
      "  lass0 cv data.csv --target y --rule 1se --model model.json\n"
      "  lass0 cv data.csv --target y --positive '*'");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
