// A report for people: one HTML page that needs nothing else, with the model, the curve that chose
// it, the models of all other sizes, plots and notes (docs/report.md). It is made in two steps that
// any front end can share: a result becomes JSON with only what the page shows, and the JSON is put
// into the page's template.
#pragma once

#include <cstdint>
#include <lass0/compare.hpp>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/path.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lass0 {

// What a page tells about a run that the results do not know.
struct ReportContext {
  std::string source = {};                   // the file, or what the data are called
  std::string target = {};                   // the name of y
  std::string command = {};                  // what repeats the run
  std::optional<std::uint64_t> seed = {};    // where anything was random
  Index rows_dropped = 0;                    // for missing values
  std::vector<std::string> imputed = {};     // columns whose missing values became the mean
  std::vector<std::string> one_hot = {};     // text columns that were turned into 0/1 columns
  std::optional<double> total_seconds = {};  // with reading the data
  Control control = {};  // its threads and memory; the time is not limited, as a report is bounded
};

// `problem` is the one that was cross-validated, selected from or searched. At most some hundreds
// of columns, a hundred sizes and two thousand rows are in the JSON, however large the data are.
std::string report_json(const Problem& problem, const CrossValidation& cv,
                        const ReportContext& context = {});
std::string report_json(const Problem& problem, const CriterionSelection& selection,
                        const ReportContext& context = {});
std::string report_json(const Problem& problem, const Path& path,
                        const ReportContext& context = {});

std::string report_json(const Problem& problem, const Comparison& comparison,
                        const ReportContext& context = {});

// The page without data. Empty where the library was built without it (it needs Node.js then).
std::string_view report_template();

// The page with the data in it. Names in the JSON can't become markup: what HTML could take for a
// tag is escaped. Throws Error where the template is empty or not that of a report.
std::string render_report(std::string_view json, std::string_view page = report_template());

}  // namespace lass0
