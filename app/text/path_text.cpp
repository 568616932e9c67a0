#include "text/path_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "text.hpp"
#include "text/classes_text.hpp"

namespace lass0::app {
namespace {

constexpr int kBarWidth = 12;
constexpr int kNameWidth = 40;
constexpr int kIndent = 5;     // of columns that do not fit beside their size
constexpr int kListLines = 2;  // of included columns

// All columns of a size, those that the size before does not have marked +.
std::vector<std::string> columns(Columns before, Columns support, const Table& table) {
  std::vector<std::string> items;
  for (const Index j : support) {
    const bool is_new = !std::binary_search(before.begin(), before.end(), j);
    items.push_back((is_new ? "+" : "") +
                    shorten_name(table.names()[static_cast<std::size_t>(j)], kNameWidth));
  }
  return items;
}

std::string gap(const TableRow& row) {
  if (row.proven) return "0";
  const double share = row.loss > 0 ? 1 - row.lower_bound.value_or(0) / row.loss : 0;
  return fmt::format("{:.2g} %", 100 * share);
}

// The table with the columns of each size at the end of its line, or below it where they are too
// many for that.
std::string with_columns(const std::string& table, const Path& path, const Table& data) {
  std::istringstream lines(table);
  std::string line, text;
  std::getline(lines, line);
  text = line + "\n";
  const int place = display_width(line.substr(0, line.find("columns")));
  for (Index k = 0; std::getline(lines, line); ++k) {
    text += line;
    std::vector<std::string> items;
    if (k > 0) items = columns(path.table.at_k(k - 1).support, path.table.at_k(k).support, data);
    std::string beside = wrap(items, {.width = std::numeric_limits<int>::max()});
    beside.pop_back();
    if (place + display_width(beside) <= line_width()) {
      if (!beside.empty())
        text += std::string(static_cast<std::size_t>(place - display_width(line)), ' ') + beside;
      text += "\n";
    } else {
      text += "\n" + std::string(kIndent, ' ') + wrap(items, {.indent = kIndent});
    }
  }
  return text;
}

}  // namespace

std::string path_text(const Path& path, const Table& data) {
  std::string text =
      labelled("data", fmt::format("{}: {}, {}", printable(data.source),
                                   count(path.problem.n, "row"), count(path.problem.p, "column"))) +
      labelled("target", printable(data.target)) + classes_line(data, path.problem.family);
  const std::string_view likelihood = path.problem.family == Family::binomial ? "deviance" : "RSS";
  if (path.problem.ridge > 0)
    text += labelled("ridge",
                     fmt::format("{}: loss is {} + ridge * sum (s b)^2, s the standard deviations",
                                 number(path.problem.ridge), likelihood));
  if (!path.problem.include.empty()) {
    std::vector<std::string> items;
    for (const Index j : path.problem.include)
      items.push_back(shorten_name(data.names()[static_cast<std::size_t>(j)], kNameWidth));
    text += labelled("included", items, kListLines);
  }
  text += signs_line(std::ssize(path.problem.positive), std::ssize(path.problem.negative)) + "\n";
  const std::string_view loss_name = path.problem.ridge > 0 ? "loss" : likelihood;
  const double largest = path.table.rows.front().loss;
  std::vector<std::string> losses;
  for (const TableRow& row : path.table.rows) losses.push_back(number(row.loss));
  align_decimals(losses);
  Rows rows = {{"k", std::string(loss_name), "", "lambda from", "to", "columns"}};
  if (path.proof) rows.front().insert(rows.front().begin() + 2, "gap");
  for (Index k = 0; k <= path.table.max_k(); ++k) {
    const TableRow& row = path.table.at_k(k);
    const bool on_envelope = row.lambda_min.has_value();
    rows.push_back({std::to_string(k), losses[static_cast<std::size_t>(k)],
                    bar(largest > 0 ? row.loss / largest : 0, kBarWidth),
                    on_envelope ? number(*row.lambda_min, 4) : "-",
                    !on_envelope ? "-"
                    : k == 0     ? ""
                                 : number(*row.lambda_max, 4),
                    ""});
    if (path.proof) rows.back().insert(rows.back().begin() + 2, gap(row));
  }
  text +=
      with_columns(headed_table(std::move(rows), path.proof ? "rrrlrrl" : "rrlrrl"), path, data) +
      "\n";
  text += labelled("columns",
                   "all columns of the best model of that size; + marks columns that the previous "
                   "size does not have");
  const bool was_stopped = stopped(path.table.status);
  text += labelled("lambda", fmt::format("the range in which the size is the best of {}; - if no "
                                         "lambda selects it",
                                         was_stopped ? "those found" : "all"));
  const Index unshown = std::count_if(path.table.rows.begin(), path.table.rows.end(),
                                      [](const TableRow& row) { return !row.swap_optimal; });
  std::string status = explanation_at_a_size(path.table.status, loss_name);
  if (path.table.status == Status::local_optimum) {
    status = unshown == 0
                 ? fmt::format("no swap of a column lowers the {} of any size", loss_name)
                 : fmt::format(
                       "no swap of a column lowers the {}, except perhaps at {} with nearly "
                       "dependent columns",
                       loss_name, count(unshown, "size"));
  }
  if (path.table.status == Status::second_order_optimum) status += " of any size";
  if (path.table.status == Status::unchecked)
    status = "unchecked: " + status + "; --effort full compares every size with all columns";
  if (path.table.status == Status::proven_optimal)
    status =
        fmt::format("proven_optimal: no other support of any size shown has a lower {}", loss_name);
  text += labelled("status", status) + separation_line(path.table, data);
  const LargerMovesTried& larger = path.table.larger_moves;
  if (!larger.sizes.empty())
    text +=
        labelled("moves", fmt::format("larger moves were tried at {} from {} to {}: {} improved",
                                      count(std::ssize(larger.sizes), "size"), larger.sizes.front(),
                                      larger.sizes.back(), count(larger.improved, "row")));
  if (was_stopped) {
    text += labelled("stopped",
                     "before the table was complete: larger sizes and better supports may be "
                     "missing, which would change the lambdas");
  }
  if (path.proof) {
    text += labelled("proof", fmt::format("{}; gap: how much lower the {} of this size could be, "
                                          "0 if it is proven",
                                          count(path.proof->nodes, "node"), loss_name));
  }
  return text;
}

}  // namespace lass0::app
