// lass0 cv: choose lambda or the size by cross-validation, or by a criterion, and fit.
#include <cmath>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/io.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "report_option.hpp"
#include "streams.hpp"
#include "text/cv_text.hpp"

namespace lass0::app {
namespace {

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
  CLI::Option* of_folds_count = nullptr;

  void check() {
    problem.check();
    for (const CLI::Option* option : of_folds) {
      if (criterion && option->count() > 0)
        throw UsageError(
            fmt::format("--criterion does not work with {}: it uses no folds", option->get_name()));
    }
    if (criterion)
      lass0::check(CriterionOptions{.max_k = cv.max_k},
                   problem.ridge > 0 || (problem.ridge_given && problem.tune_ridge),
                   FrontEnd::program);
    if (folds) cv.folds = parse_folds(*folds);
    lass0::check(cv, problem.signs(), FrontEnd::program);
    if (!works_with(cv.measure, problem.family())) throw_measure(cv.measure, problem.family());
    if (cv.inference != Inference::none && !problem.read.groups.empty())
      throw UsageError(
          "--inference splits does not work with --group-column: its tests assume independent "
          "rows");
    if (!problem.read.folds.empty() && folds)
      throw UsageError("give either --folds or --fold-column");
    const int kinds =
        !problem.read.folds.empty() + !problem.read.groups.empty() + (cv.blocks ? 1 : 0);
    if (kinds > 1) throw UsageError("give one of --fold-column, --group-column and --blocks");
    for (const CLI::Option* option : of_random_folds) {
      if (folds_are_fixed() && option->count() > 0)
        throw UsageError(
            fmt::format("{} works with random folds only: other folds are always the same",
                        option->get_name()));
    }
    if (cv.tune == Tune::k && of_lambdas->count() > 0)
      throw UsageError("--lambdas works with --tune lambda only: use --max-k for the largest size");
    if (model_path == "-")
      throw UsageError("--model needs a file; --format json prints the model on standard output");
    report_option.check();
    check_files(
        problem.data.files(),
        {kResultOnStandardOutput, {"--model", model_path}, {"--report", report_option.path()}});
  }

  [[noreturn]] static void throw_measure(Measure measure, Family family) {
    std::string known;
    for (const MeasureInfo& info : measures()) {
      if (works_with(info.measure, family))
        known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
    }
    throw UsageError(fmt::format("{} {} does not work with {} {}: choose one of {}",
                                 flag(Option::measure), to_string(measure), flag(Option::family),
                                 to_string(family), known));
  }

  bool folds_are_fixed() const {
    return cv.blocks || !problem.read.folds.empty() || cv.folds == kLeaveOneOut;
  }

  static Index parse_folds(const std::string& given) {
    Index count = 0;
    if (given == "n") return kLeaveOneOut;
    const OptionInfo& info = option_info(Option::folds);
    if (!CLI::detail::lexical_cast(given, count) || static_cast<double>(count) < info.least)
      throw UsageError(fmt::format("{} is {}, but must be {}, or n to hold out one row at a time",
                                   info.flag, given, info.allowed));
    return count;
  }

  template <class Selection, class Text>
  void deliver(const Selection& selection, const Table& table, const Text& text) const {
    if (model_path) {
      save(*model_path, naming_the_file(table, [&] { return model_to_json(selection); }));
    }
    ReportContext context = report_context(table, cv.control);
    if (!criterion && !folds_are_fixed()) context.seed = cv.seed;
    report_option.write(problem.problem(table), selection, context);
    print(format == OutputFormat::json ? naming_the_file(table, [&] { return to_json(selection); })
                                       : text(selection, table));
  }

  void run() {
    check();
    run_options.check();
    Progress progress;
    cv.tune_ridge = problem.tune_ridge;
    // What lass0 predict may ask for, and the report shows: intervals are for numbers only.
    cv.models = model_path.has_value() || report_option.path().has_value();
    cv.fold_models = model_path.has_value() && problem.family() == Family::gaussian;
    const Table table = problem.read_data(progress);
    check_folds_of_moments(table, {of_folds_count, cv.folds, of_random_folds[1], cv.seed});
    if (table.summed && table.summed->seed) cv.seed = *table.summed->seed;
    const Interrupt interrupt;
    cv.control = run_options.control(progress);
    if (criterion) {
      const auto result = naming_the_file(table, [&] {
        return select_by_criterion(table,
                                   {.criterion = *criterion,
                                    .max_k = cv.max_k,
                                    .models = cv.models,
                                    .control = cv.control},
                                   problem.choices());
      });
      progress.erase();
      run_options.note(result.fit.gram_use);
      deliver(result, table, criterion_text);
      return;
    }
    const auto result =
        naming_the_file(table, [&] { return cross_validate(table, cv, problem.choices()); });
    progress.erase();
    run_options.note(result.gram_use);
    deliver(result, table, cv_text);
  }

  void declare_folds(CLI::App& parser) {
    const auto add = [&](CLI::Option* option, const char* type, const std::string& fallback = "") {
      if (*type != '\0') option->type_name(type)->default_str(fallback);
      of_folds.push_back(option->group(kFoldsGroup));
    };
    of_folds_count = parser.add_option(flag(Option::folds), folds,
                                       "Number of folds; n: hold out one row, or group, at a time");
    add(of_folds_count, "F|n", option_info(Option::folds).fallback);
    add(parser.add_option("--fold-column", problem.read.folds,
                          "A column of labels: rows with the same label are one fold"),
        "C");
    add(parser.add_option(
            "--group-column", problem.read.groups,
            "A column of labels: rows with the same label are always in the same fold"),
        "C");
    add(parser.add_flag("--blocks", cv.blocks,
                        "Folds of consecutive rows, for rows ordered in time"),
        "");
    CLI::Option* repeats = parser.add_option(flag(Option::repeats), cv.repeats,
                                             "Number of random partitions into folds");
    CLI::Option* seed = add_seed(parser, cv.seed, "Seed of the random folds");
    add(repeats, "R", option_info(Option::repeats).fallback);
    add(seed, "S", option_info(Option::seed).fallback);
    of_random_folds = {repeats, seed};
  }

  void declare_choice(CLI::App& parser) {
    of_folds.push_back(
        add_choice(parser, flag(Option::tune), cv.tune, {{"lambda", Tune::lambda}, {"k", Tune::k}},
                   "What to choose: lambda (the price of a column) or k (the number of columns)"));
    std::vector<std::pair<std::string, Rule>> known;
    std::string meanings;
    for (const RuleInfo& info : rules()) {
      known.emplace_back(info.name, info.rule);
      meanings += fmt::format("{}{}: {}", meanings.empty() ? "" : "; ", info.name, info.meaning);
    }
    of_folds.push_back(add_choice(parser, flag(Option::rule), cv.rule, known, meanings));
    std::vector<std::pair<std::string, Measure>> known_measures;
    std::string curves;
    for (const MeasureInfo& info : measures()) {
      known_measures.emplace_back(info.name, info.measure);
      curves += fmt::format("{}{}: {}", curves.empty() ? "" : "; ", info.name, info.meaning);
    }
    of_folds.push_back(add_choice(parser, flag(Option::measure), cv.measure, known_measures,
                                  "How predictions for held-out rows are judged. " + curves));
    of_folds.push_back(add_choice(
        parser, flag(Option::inference), cv.inference,
        {{"none", Inference::none}, {"splits", Inference::splits}},
        "splits: p-values of the columns, chosen on one random half of the rows and tested on the "
        "other, for 50 splits"));
    add_choice(parser, flag(Option::criterion), criterion,
               {{"aic", Criterion::aic},
                {"bic", Criterion::bic},
                {"ebic", Criterion::ebic},
                {"gic", Criterion::gic},
                {"cp", Criterion::cp}},
               "Choose the size by an information criterion on all rows, without folds");
    parser
        .add_option("--model", model_path,
                    "Also write the chosen model, fitted on all rows, to a file for lass0 predict")
        ->type_name("FILE");
    report_option.declare(parser);
    of_lambdas = add_option(parser, Option::lambdas, cv.lambdas,
                            "Number of lambdas, evenly spaced in log(lambda)")
                     ->type_name("N")
                     ->group(kModelGroup);
    of_folds.push_back(of_lambdas);
    add_option(parser, Option::max_k, cv.max_k,
               "Largest size; by default the smallest of 100, the number of columns and half the "
               "number of training rows")
        ->type_name("K")
        ->group(kModelGroup);
    of_folds.push_back(
        add_choice(
            parser, flag(Option::start), cv.start,
            {{"table", Start::Method::table}, {"paper", Start::Method::paper}},
            "Where the search at each lambda starts: table (the best model of any size) or paper "
            "(the Lasso at the same lambda)")
            ->group(kModelGroup));
    of_folds.push_back(add_effort(parser, cv.effort, "The search in every fold"));
  }
};

}  // namespace

Command add_cv(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("cv", "Choose lambda or the size k by cross-validation");
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
      "  lass0 cv data.csv --target y --positive '*'\n"
      "  lass0 cv loans.csv --target default --family binomial --measure auc");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
