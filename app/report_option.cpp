#include "report_option.hpp"

#include <chrono>
#include <lass0/error.hpp>

#include "files.hpp"

namespace lass0::app {
namespace {

using Clock = std::chrono::steady_clock;

struct Invocation {
  std::string command = "lass0";
  Clock::time_point start = Clock::now();
};

Invocation& invocation() {
  static Invocation one;
  return one;
}

std::string quoted(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  return "'" + CLI::detail::find_and_replace(word, "'", "'\\''") + "'";
}

}  // namespace

void remember_command_line(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) invocation().command += " " + quoted(argv[i]);
}

double seconds_since_start() {
  return std::chrono::duration<double>(Clock::now() - invocation().start).count();
}

void ReportOption::declare(CLI::App& parser) {
  parser.add_option("--report", path_, "Also write a report: one HTML page with plots")
      ->type_name("FILE");
}

void ReportOption::check() const {
  if (!path_) return;
  if (*path_ == "-") throw UsageError("--report needs a file: standard output has the result");
  if (report_template().empty())
    throw UsageError(
        "--report is not part of this build: install Node.js with npm and build again "
        "(docs/report.md), or use --format json");
}

void ReportOption::write_page(const std::string& json) const { save(*path_, render_report(json)); }

ReportContext report_context(const Table& table, const Control& control) {
  ReportContext context{.source = table.source,
                        .target = table.target,
                        .command = invocation().command,
                        .rows_dropped = std::ssize(table.rows_dropped),
                        .total_seconds = seconds_since_start(),
                        .control = control};
  for (const auto& [column, mean] : table.imputed) context.imputed.push_back(column);
  for (const auto& [column, levels] : table.one_hot) context.one_hot.push_back(column);
  return context;
}

}  // namespace lass0::app
