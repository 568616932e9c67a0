#include "common_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <thread>

#include "report_option.hpp"
#include "streams.hpp"
#include "text.hpp"

namespace lass0::app {
namespace {

// More than this share of the rows is worth a word before a model is fitted to what is left.
constexpr double kManyRows = 0.2;

void warn_of_dropped_rows(const Table& table, MissingValues missing) {
  const Index dropped = std::ssize(table.rows_dropped), all = dropped + table.design().rows();
  if (static_cast<double>(dropped) <= kManyRows * static_cast<double>(all)) return;
  constexpr std::size_t kFew = 3;
  std::string columns;
  for (std::size_t c = 0; c < std::min(kFew, table.dropped_by.size()); ++c) {
    const auto& [name, rows] = table.dropped_by[c];
    columns += fmt::format("{}{} ({})", c > 0 ? ", " : "", printable(name), count(rows, "row"));
  }
  if (table.dropped_by.size() > kFew)
    columns += fmt::format(" and {}", count(std::ssize(table.dropped_by) - kFew, "other column"));
  // With means it is the target, the weights or labels that are missing: there is no other way.
  const std::string advice =
      missing == MissingValues::drop ? "; --exclude these columns, or use --missing mean" : "";
  tell(fmt::format("warning: {}: {} of {} are dropped ({:.0f} %) for missing values in {}{}\n",
                   printable(table.source), dropped, count(all, "row"),
                   100 * static_cast<double>(dropped) / static_cast<double>(all), columns, advice));
}

void note_two_values(const Table& table) {
  const Vector& y = table.y();
  const Index ones = (y.array() == 1).count(), zeros = (y.array() == 0).count();
  if (ones == 0 || zeros == 0 || ones + zeros < y.size()) return;
  tell(
      fmt::format("note: {} is 0 or 1 in every row: --family binomial fits the probability of 1 "
                  "(logistic regression), --family gaussian is least squares without this note\n",
                  printable(table.target)));
}

}  // namespace

void add_column_list(CLI::App& parser, const std::string& name, std::vector<std::string>& columns,
                     const std::string& description) {
  parser.add_option(name, columns, description)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("C,...")
      ->group(kDataGroup);
}

// "500M", "1.5GiB", "2gb": a number, and a power of 1024.
double parse_size(const std::string& given) {
  std::string unit = CLI::detail::to_lower(given);
  const std::size_t digits = std::min(unit.find_first_not_of("0123456789."), unit.size());
  double size = 0;
  const bool number = CLI::detail::lexical_cast(unit.substr(0, digits), size) && size > 0;
  unit.erase(0, digits);
  constexpr std::string_view kUnits = "kmgt";
  const std::size_t power = unit.empty() ? kUnits.npos : kUnits.find(unit.front());
  if (power != kUnits.npos) {
    size *= std::pow(1024.0, static_cast<double>(power + 1));
    unit.erase(0, unit.substr(1) == "ib" ? 2 : 1);
  }
  if (!number || !(unit.empty() || unit == "b"))
    throw UsageError(
        fmt::format("--memory is {}, but must be a size above 0, e.g. 500M or 2G", given));
  return size;
}

void DataOptions::declare(CLI::App& parser) {
  parser
      .add_option("DATA", path,
                  "CSV, TSV, ARFF, LIBSVM, NPY, NPZ or Matrix Market, also gzipped, PLINK .bed, or "
                  "a file of "
                  "lass0 moments; - is standard input")
      ->required()
      ->type_name("");
  declare_format(parser);
}

void DataOptions::declare_format(CLI::App& parser) {
  add_choice(parser, "--header", header,
             {{"auto", Header::detect}, {"yes", Header::yes}, {"no", Header::no}},
             "Whether the first row holds the column names; auto: yes, unless all its cells are "
             "numbers")
      ->group(kDataGroup);
  parser
      .add_option_function<std::string>(
          "--input-format", [this](const std::string& name) { format = format_from_name(name); },
          "csv, tsv, arff, libsvm, npy, npz, mtx, bed or moments; by default recognised by name or "
          "content")
      ->type_name("FORMAT")
      ->group(kDataGroup);
  add_choice(parser, "--decimal", decimal, {{".", '.'}, {",", ','}},
             "Decimal sign of CSV and TSV files; with a comma, points may separate thousands")
      ->group(kDataGroup);
  parser
      .add_option(
          "--phenotypes", phenotypes,
          "For a .bed file: a table of the samples with a column IID (and FID), whose other "
          "columns can be the target, weights, folds or covariates (--include)")
      ->type_name("FILE")
      ->group(kDataGroup);
}

std::vector<FileOption> DataOptions::files(const std::vector<FileOption>& others) const {
  std::vector<FileOption> all = {{"DATA", path}};
  all.insert(all.end(), others.begin(), others.end());
  if (path.ends_with(".bed")) {
    const std::string stem = path.substr(0, path.size() - 4);
    all.push_back({"the .bim file of DATA", stem + ".bim"});
    all.push_back({"the .fam file of DATA", stem + ".fam"});
  }
  if (!phenotypes.empty()) all.push_back({"--phenotypes", phenotypes});
  return all;
}

ReadOptions DataOptions::with_format(ReadOptions options, Progress& progress) const {
  options.header = header;
  options.format = format;
  options.decimal = decimal;
  options.phenotypes = phenotypes;
  options.progress = [&progress](std::string_view what, double fraction) {
    progress.show(what, fraction);
  };
  return options;
}

Table DataOptions::read(ReadOptions options, Progress& progress) const {
  Table table = read_table(path, with_format(std::move(options), progress));
  progress.erase();
  return table;
}

void ProblemOptions::declare(CLI::App& parser, Ridge kind) {
  data.declare(parser);
  parser
      .add_option("--target", read.target,
                  "The column to explain: its name or 1-based number. Not needed for LIBSVM "
                  "files, NPZ files with y, .bed files (phenotype) and files of moments")
      ->type_name("Y");
  add_option(parser, Option::weights, read.weights,
             "A column of row weights: 2 counts the row twice, 0 ignores it")
      ->type_name("C")
      ->group(kDataGroup);
  std::vector<std::pair<std::string, std::optional<Family>>> known;
  std::string meanings;
  for (const FamilyInfo& info : families()) {
    known.emplace_back(info.name, info.family);
    meanings += fmt::format("{}{}: {}", meanings.empty() ? "" : "; ", info.name, info.meaning);
  }
  add_choice(parser, flag(Option::family), family_given, known, "What the target is. " + meanings)
      ->default_str(option_info(Option::family).fallback);
  add_option(parser, Option::offset, read.offset,
             "A column to add to the linear predictor with coefficient 1, with --family binomial")
      ->type_name("C")
      ->group(kDataGroup);
  add_column_list(parser, flag(Option::exclude), read.exclude,
                  "Columns to ignore, by name or number");
  add_column_list(
      parser, flag(Option::include), read.include,
      "Columns to keep in every model; they cost no lambda and are not counted in its size");
  if (kind != Ridge::none) {
    add_column_list(
        parser, "--positive", read.positive,
        "Columns whose coefficients must be 0 or above; * means all that --negative does not name");
    add_column_list(
        parser, "--negative", read.negative,
        "Columns whose coefficients must be 0 or below; * means all that --positive does not name");
  }
  add_column_list(
      parser, "--one-hot", read.one_hot,
      "Text columns to encode as 0/1 columns C=level, one for each level but the first");
  add_choice(parser, "--missing", read.missing,
             {{"error", MissingValues::error},
              {"drop", MissingValues::drop},
              {"mean", MissingValues::mean}},
             "Missing values: report an error, drop the row, or use the mean of the column")
      ->group(kDataGroup);
  parser.add_flag("--no-intercept", no_intercept, "Fit no intercept")->group(kModelGroup);
  parser
      .add_flag("--no-standardize", no_standardize,
                "Do not scale the columns to unit standard deviation for the Lasso and the ridge")
      ->group(kModelGroup);
  if (kind == Ridge::none) return;
  const std::string also_auto =
      kind == Ridge::number_or_auto
          ? "; auto: choose among 0 and six values up to 3 times the number of rows (two classes: "
            "three, where rows are few enough for a ridge to help)"
          : "";
  tune_ridge = kind == Ridge::number_or_auto;
  parser
      .add_option_function<std::string>(
          flag(Option::ridge),
          [this, kind](const std::string& given) {
            ridge_given = given;
            tune_ridge = kind == Ridge::number_or_auto && given == "auto";
            if (!tune_ridge && !CLI::detail::lexical_cast(given, ridge))
              throw UsageError(fmt::format("{} is {}, but must be {}{}", flag(Option::ridge), given,
                                           option_info(Option::ridge).allowed,
                                           kind == Ridge::number_or_auto ? ", or auto" : ""));
          },
          "Also shrink the coefficients: add R/2 * sum (s b)^2 to the objective, s the standard "
          "deviations of the columns" +
              also_auto)
      ->type_name(kind == Ridge::number_or_auto ? "R|auto" : "R")
      ->default_str(tune_ridge ? "auto" : option_info(Option::ridge).fallback)
      ->group(kModelGroup);
}

void ProblemOptions::check() const {
  lass0::check(choices(), FrontEnd::program);
  if (!read.offset.empty() && family() == Family::gaussian)
    throw UsageError(
        "--offset works with --family binomial only: for least squares, subtract it from the "
        "target");
}

void check_folds_of_moments(const Table& table, const AskedFolds& asked) {
  if (!table.summed) return;
  const SummedRows& summed = *table.summed;
  const auto refuse = [&](const CLI::Option& option, const std::string& given,
                          const std::string& has) {
    throw UsageError(
        fmt::format("{} is {}, but {} has the sums of {}: other folds need the rows of the data",
                    option.get_name(), given, printable(table.source), has));
  };
  const std::string folds = count(summed.folds, summed.seed ? "random fold" : "fold");
  if (asked.folds && asked.folds->count() > 0 && asked.count != summed.folds)
    refuse(*asked.folds, std::to_string(asked.count), folds);
  if (asked.seed && asked.seed->count() > 0 && summed.seed != asked.seed_value)
    refuse(*asked.seed, std::to_string(asked.seed_value),
           summed.seed ? fmt::format("{} of the seed {}", folds, *summed.seed) : folds);
}

Problem ProblemOptions::problem(const Table& table) const { return problem_of(table, choices()); }

Table ProblemOptions::read_data(Progress& progress) const {
  ReadOptions options = read;
  options.classes = family() == Family::binomial;
  Table table = data.read(std::move(options), progress);
  warn_of_dropped_rows(table, read.missing);
  if (!family_given) note_two_values(table);
  return table;
}

void RunOptions::declare(CLI::App& parser) {
  add_option(parser, Option::threads, threads,
             "Number of threads; 0: all cores. The result is the same for any number")
      ->type_name("N")
      ->group(kRunGroup);
  add_option(parser, Option::time_limit, time_limit,
             "Stop after S seconds, reading the data included, and print the best result so far")
      ->type_name("S")
      ->group(kRunGroup);
  parser
      .add_option_function<std::string>(
          flag(Option::memory), [this](const std::string& given) { memory = parse_size(given); },
          "Memory for cached Gram columns, e.g. 2G. Less memory costs time, not accuracy")
      ->type_name("SIZE")
      ->default_str("as needed")
      ->group(kRunGroup);
  parser
      .add_flag(
          "--verbose", verbose,
          "Print on standard error how the Gram matrix was computed, and the number of threads")
      ->group(kRunGroup);
}

void RunOptions::note(const GramUse& use) const {
  if (!verbose) return;
  const Index used =
      threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  tell(fmt::format("plan: {}, {}\n", description(use), count(used, "thread")));
}

void RunOptions::check() const {
  check_value(Option::threads, threads, FrontEnd::program);
  check_value(Option::time_limit, time_limit, FrontEnd::program);
}

Control RunOptions::control(Progress& progress) const {
  return {.threads = threads,
          .time_limit = time_limit - seconds_since_start(),
          .memory = memory,
          .keep_going = [] { return !Interrupt::requested(); },
          .progress = [&progress](std::string_view what,
                                  double fraction) { progress.show(what, fraction); }};
}

void declare_prove(CLI::App& parser, bool& prove) {
  parser
      .add_flag(flag(Option::prove), prove,
                "Prove by branch and bound that no other set of columns is better. If --time-limit "
                "comes first, report how much better one could be")
      ->group(kModelGroup);
}

CLI::Option* add_effort(CLI::App& parser, Effort& effort, const std::string& what) {
  return add_choice(
             parser, flag(Option::effort), effort,
             {{"quick", Effort::quick}, {"full", Effort::full}},
             what +
                 ": quick tries fewer moves and, with more than 1024 columns, uses only a short "
                 "list of columns")
      ->group(kModelGroup);
}

CLI::Option* add_seed(CLI::App& parser, std::uint64_t& seed, const std::string& description,
                      const std::string& type) {
  const auto set = [&seed](const std::string& given) {
    const char* const end = given.data() + given.size();
    const auto [last, problem] = std::from_chars(given.data(), end, seed);
    if (problem != std::errc() || last != end)
      throw UsageError(
          fmt::format("--seed is {}, but must be a whole number from 0 to 2^64 - 1", given));
  };
  return parser.add_option_function<std::string>(flag(Option::seed), set, description)
      ->type_name(type)
      ->default_str(std::to_string(seed));
}

void declare_output_format(CLI::App& parser, OutputFormat& format, const std::string& description) {
  add_choice(parser, "--format", format,
             {{"text", OutputFormat::text}, {"json", OutputFormat::json}}, description);
}

}  // namespace lass0::app
