// --report: the result as one HTML page.
#pragma once

#include <CLI/CLI.hpp>
#include <lass0/io.hpp>
#include <lass0/report.hpp>
#include <optional>
#include <string>

namespace lass0::app {

// The command line as it was given, quoted for a shell, and when. main calls this once, before any
// command runs.
void remember_command_line(int argc, const char* const* argv);
double seconds_since_start();  // of the program

class ReportOption {
 public:
  void declare(CLI::App& parser);
  void check() const;  // before the data are read: a page can be written at all

  const std::optional<std::string>& path() const { return path_; }

  // Writes the page of a result where one was asked for.
  template <class Result>
  void write(const Problem& problem, const Result& result, const ReportContext& context) const {
    if (path_) write_page(report_json(problem, result, context));
  }

 private:
  void write_page(const std::string& json) const;

  std::optional<std::string> path_;
};

// What the program knows of a run: the command, the file and what was done to its columns.
ReportContext report_context(const Table& table, const Control& control);

}  // namespace lass0::app
