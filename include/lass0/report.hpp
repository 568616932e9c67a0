// The report: one self-contained HTML page with the model, the curve that chose it, the models of
// all other sizes, plots and notes (docs/report.md). It is made in two steps that any front end can
// share: a result becomes JSON with only what the page shows, and the JSON is put into the template
// of the page.
#pragma once

#include <cstdint>
#include <lass0/compare.hpp>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/path.hpp>
#include <lass0/stability.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lass0 {

// What the page says about a run that the results do not contain.
struct ReportContext {
  std::string source = {};                 // the file or another name of the data
  std::string target = {};                 // the name of y
  std::string command = {};                // the command that repeats the run
  std::optional<std::uint64_t> seed = {};  // if anything was random
  Index rows_dropped = 0;                  // for missing values
  std::vector<std::string> imputed = {};   // columns whose missing values were replaced by the mean
  std::vector<std::string> one_hot = {};   // text columns that became 0/1 columns
  std::optional<double> total_seconds = {};  // with reading the data
  Control control = {};  // only threads and memory; a report takes a bounded time
};

// `problem` is the one of the result. The JSON has at most a few hundred columns, a hundred sizes
// and two thousand rows, for data of any size.
// A fit has no table of all sizes: the report searches for one, for at most a minute.
std::string report_json(const Problem& problem, const Fit& fit, const ReportContext& context = {});
std::string report_json(const Problem& problem, const CrossValidation& cv,
                        const ReportContext& context = {});
std::string report_json(const Problem& problem, const CriterionSelection& selection,
                        const ReportContext& context = {});
std::string report_json(const Problem& problem, const Path& path,
                        const ReportContext& context = {});

std::string report_json(const Problem& problem, const Comparison& comparison,
                        const ReportContext& context = {});
std::string report_json(const Problem& problem, const Stability& stability,
                        const ReportContext& context = {});

// The page without data. Empty if the library was built without it (building it needs Node.js).
std::string_view report_template();

// The page with the data in it. Names in the JSON can't become markup: characters that are special
// in HTML are escaped. Throws Error if the template is empty or not that of a report.
std::string render_report(std::string_view json, std::string_view page = report_template());

}  // namespace lass0
