// lass0 moments: sums of data files in a file of their own, and such files into one.
#include <fmt/format.h>

#include <algorithm>
#include <lass0/moments_builder.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "streams.hpp"
#include "text/moments_text.hpp"

namespace lass0::app {
namespace {

struct MomentsCommand {
  std::vector<std::string> paths;
  std::string output;
  DataOptions data;
  MomentsReadOptions options;
  std::optional<std::string> levels;
  OutputFormat format = OutputFormat::text;
  // Options of data, and those of random folds.
  std::vector<CLI::Option*> of_data, of_random_folds;

  void check() const {
    std::vector<FileOption> inputs;
    for (const std::string& path : paths) inputs.push_back({"DATA", path});
    inputs.push_back({"--levels", levels});
    check_files(inputs, {kResultOnStandardOutput, {"--output", output}});
    if (output == "-")
      throw UsageError("--output needs a file: standard output says what is in it");
    check_value(Option::threads, options.threads, FrontEnd::program);
    for (const CLI::Option* option : of_random_folds) {
      if (!options.read.folds.empty() && option->count() > 0)
        throw UsageError(fmt::format("{} does not work with --fold-column: it is for random folds",
                                     option->get_name()));
    }
    if (levels && options.read.one_hot.empty())
      throw UsageError("--levels works with --one-hot only: it has the levels of those columns");
  }

  // Whether the files are all of moments, to be merged.
  bool merging() const {
    const auto count = std::count_if(paths.begin(), paths.end(), is_moments_file);
    if (count == 0) return false;
    if (count < std::ssize(paths))
      throw UsageError(
          "some of the files are data and others have moments: make moments of the data first, "
          "then merge them");
    for (const CLI::Option* option : of_data) {
      if (option->count() > 0)
        throw UsageError(fmt::format("{} is for data files: moments are merged as they are",
                                     option->get_name()));
    }
    return true;
  }

  MomentsBuilder merged() const {
    MomentsBuilder all = MomentsBuilder::load(paths.front());
    for (std::size_t i = 1; i < paths.size(); ++i) {
      try {
        all.merge(MomentsBuilder::load(paths[i]));
      } catch (const UsageError&) {
        throw;
      } catch (const Error& error) {
        const std::string what = error.what();
        if (what.starts_with(paths[i])) throw;
        throw Error(fmt::format("{} and {}: {}", paths.front(), paths[i], what));
      }
    }
    return all;
  }

  MomentsBuilder of_files(Progress& progress) {
    options.read = data.with_format(options.read, progress);
    if (levels) options.read.known_levels = read_levels(*levels, options.read.one_hot);
    return moments_of_files(paths, options);
  }

  void run() {
    check();
    Progress progress;
    MomentsBuilder builder = merging() ? merged() : of_files(progress);
    progress.erase();
    const RemoveUnfinishedFiles guard;
    builder.save(output);
    print(format == OutputFormat::json ? to_json(builder) : moments_text(builder, output));
  }

  void declare(CLI::App& parser) {
    parser
        .add_option("DATA", paths,
                    "Data files with the same columns, or files of moments to merge. CSV and TSV "
                    "(also gzipped) are read in pieces, from standard input as well (-)")
        ->required()
        ->type_name("");
    of_data.push_back(parser
                          .add_option("--target", options.read.target,
                                      "The column to explain: its name or 1-based number")
                          ->type_name("Y"));
    parser.add_option("--output", output, "The file to write")->required()->type_name("FILE");
    declare_output_format(parser, format, "Describe the file as text, or only as JSON");
    data.declare_format(parser);
    of_data.push_back(parser
                          .add_option("--weights", options.read.weights,
                                      "A column of row weights: 2 counts the row twice, 0 ignores "
                                      "it")
                          ->type_name("C")
                          ->group(kDataGroup));
    add_column_list(parser, "--exclude", options.read.exclude,
                    "Columns to ignore, by name or number");
    add_column_list(
        parser, "--one-hot", options.read.one_hot,
        "Text columns to encode as 0/1 columns C=level, one for each level but the first");
    of_data.push_back(parser
                          .add_option("--levels", levels,
                                      "File with the levels of the --one-hot columns, one C=level "
                                      "per line; without it a first pass over the data finds them")
                          ->type_name("FILE")
                          ->group(kDataGroup));
    of_data.push_back(add_choice(parser, "--missing", options.read.missing,
                                 {{"error", MissingValues::error}, {"drop", MissingValues::drop}},
                                 "Missing values: report an error, or drop the row")
                          ->group(kDataGroup));
    declare_folds(parser);
    add_option(parser, Option::threads, options.threads,
               "Number of threads; 0: all cores. The result is the same for any number")
        ->type_name("N")
        ->group(kRunGroup);
    parser
        .add_option_function<std::string>(
            "--memory", [this](const std::string& given) { options.memory = parse_size(given); },
            "Memory for pieces of the data, beside the sums; at least one piece of 4 MiB is read")
        ->type_name("SIZE")
        ->group(kRunGroup);
    for (const char* list : {"--exclude", "--one-hot"}) of_data.push_back(parser.get_option(list));
    for (const char* one : {"--header", "--input-format", "--decimal"})
      of_data.push_back(parser.get_option(one));
  }

  void declare_folds(CLI::App& parser) {
    CLI::Option* folds =
        parser.add_option("--folds", options.folds, "Number of random folds; 1: none")
            ->type_name("F")
            ->capture_default_str();
    CLI::Option* seed = add_seed(parser, options.seed, "Seed of the random folds");
    CLI::Option* first =
        parser
            .add_option("--first-row", options.first_row,
                        "Row number, in the whole data, of the first row of this part")
            ->type_name("N")
            ->capture_default_str();
    CLI::Option* column =
        parser
            .add_option("--fold-column", options.read.folds,
                        "A column of labels: rows with the same label are one fold")
            ->type_name("C");
    of_random_folds = {folds, seed, first};
    for (CLI::Option* option : {folds, seed, first, column}) {
      option->group(kFoldsGroup);
      of_data.push_back(option);
    }
  }
};

}  // namespace

Command add_moments(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("moments", "Sum up data that are large or come in parts");
  const auto command = std::make_shared<MomentsCommand>();
  command->declare(*parser);
  parser->footer(
      "fit, path, cv, compare and stability take the file in place of DATA.\n"
      "Example:\n"
      "  lass0 simulate --n 200 --p 50 --k 5 --seed 1 --output data.csv\n"
      "  lass0 moments data.csv --target y --output data.moments\n"
      "  lass0 cv data.moments\n"
      "  lass0 moments monday.moments tuesday.moments --output week.moments");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
