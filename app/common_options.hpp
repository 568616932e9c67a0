// Options that several commands share: the data to read, what the run may use, and the form of the
// output. Their flags, defaults and checks are the library's (lass0/options.hpp).
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <lass0/control.hpp>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <lass0/model.hpp>
#include <lass0/moments.hpp>
#include <lass0/options.hpp>
#include <lass0/support_table.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"
#include "interrupt.hpp"
#include "progress.hpp"

namespace lass0::app {

// Headings of --help.
inline constexpr const char* kDataGroup = "Data";
inline constexpr const char* kFoldsGroup = "Folds";
inline constexpr const char* kModelGroup = "Model and search";
inline constexpr const char* kRunGroup = "Run";

inline std::string flag(Option option) { return std::string(option_info(option).flag); }

// An option that the library declares: its flag and, in --help, its value where none is given.
template <class Value>
CLI::Option* add_option(CLI::App& parser, Option option, Value& value,
                        const std::string& description) {
  CLI::Option* added = parser.add_option(flag(option), value, description);
  const std::string& fallback = option_info(option).fallback;
  return fallback.empty() ? added : added->default_str(fallback);
}

// The file and how it is read.
struct DataOptions {
  std::string path;
  Header header = Header::detect;
  FileFormat format = FileFormat::detect;
  char decimal = '.';
  std::string phenotypes;

  void declare(CLI::App& parser);
  void declare_format(CLI::App& parser);  // all but the file itself
  ReadOptions with_format(ReadOptions options, Progress& progress) const;
  std::vector<FileOption> files(
      const std::vector<FileOption>& others = {}) const;  // all that are read
  // The table that the command wants of the file.
  Table read(ReadOptions options, Progress& progress) const;
};

// What is fitted: the target, the columns and rows that take part, and the choices that change what
// a model is.
struct ProblemOptions {
  DataOptions data;
  ReadOptions read;
  bool no_intercept = false;
  bool no_standardize = false;
  double ridge = 0;
  std::optional<Family> family_given;      // --family
  std::optional<std::string> ridge_given;  // --ridge
  bool tune_ridge = false;                 // --ridge auto

  enum class Ridge { none, number, number_or_auto };
  void declare(CLI::App& parser, Ridge kind = Ridge::number);
  void check() const;  // before the data are read
  bool signs() const { return !(read.positive.empty() && read.negative.empty()); }
  // Says at once where many rows are left out for missing values, and where the target looks like
  // two classes but is fitted as any number.
  Table read_data(Progress& progress) const;
  Family family() const { return family_given.value_or(ProblemChoices{}.family); }
  ProblemChoices choices() const { return {!no_intercept, !no_standardize, ridge, family()}; }
  Problem problem(const Table& table) const;  // with these choices
};

// Where the table is of a file of moments: throws UsageError where other folds are asked for than
// those of the file. `asked`: options that were given, with their values; empty: none was.
struct AskedFolds {
  const CLI::Option* folds = nullptr;
  Index count = 0;
  const CLI::Option* seed = nullptr;
  std::uint64_t seed_value = 0;
};
void check_folds_of_moments(const Table& table, const AskedFolds& asked);

// What a computation returns; the library knows rows and columns, not where they came from, so its
// errors get the name of the file here.
template <class Compute>
auto naming_the_file(const Table& table, const Compute& compute) try {
  return compute();
} catch (const UsageError&) {
  throw;
} catch (const Error& error) {
  throw Error(fmt::format("{}: {}", table.source, error.what()));
}

// Threads and time, and the person at the keyboard. Lives as long as the computation.
struct RunOptions {
  int threads = 0;
  double time_limit = std::numeric_limits<double>::infinity();
  double memory = 0;  // bytes; 0: the library's choice
  bool verbose = false;

  void declare(CLI::App& parser);
  void check() const;  // before the data are read
  // What is left of the time since the program was started, the reading of the data included.
  Control control(Progress& progress) const;
  void note(const GramUse& use) const;  // on standard error, where that was asked for
};

// "500M" as bytes, for --memory.
double parse_size(const std::string& given);

// Column names, several with commas between them; the option may be given again.
void add_column_list(CLI::App& parser, const std::string& name, std::vector<std::string>& columns,
                     const std::string& description);

void declare_prove(CLI::App& parser, bool& prove);

enum class OutputFormat { text, json };
void declare_output_format(CLI::App& parser, OutputFormat& format,
                           const std::string& description = "Print text, or only JSON");

// --seed. Returns the option, for its group and what it works with.
CLI::Option* add_seed(CLI::App& parser, std::uint64_t& seed, const std::string& description,
                      const std::string& type = "S");

// An option whose value is one of a few words.
template <typename Value>
CLI::Option* add_choice(CLI::App& parser, const std::string& name, Value& value,
                        std::vector<std::pair<std::string, Value>> choices,
                        const std::string& description) {
  std::string words, current;
  for (const auto& [word, meaning] : choices) {
    words += (words.empty() ? "" : "|") + word;
    if (meaning == value) current = word;
  }
  const auto set = [&value, choices = std::move(choices), name](const std::string& given) {
    std::vector<std::string_view> known;
    for (const auto& [word, meaning] : choices) {
      if (word == given) {
        value = meaning;
        return;
      }
      known.push_back(word);
    }
    throw_unknown_word(name, given, known);
  };
  return parser.add_option_function<std::string>(name, set, description)
      ->type_name(words)
      ->default_str(current);
}

// --effort, with what is its default here. `what` it is for: a search.
CLI::Option* add_effort(CLI::App& parser, Effort& effort, const std::string& what);

}  // namespace lass0::app
