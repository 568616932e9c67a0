#include "text/split_tests_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text.hpp"

namespace lass0::app {
namespace {

constexpr int kNameWidth = 30;
constexpr double kSignificant = 0.05;  // columns outside the model are shown up to here
constexpr std::size_t kOthers = 5;     // of them at most

}  // namespace

std::string split_tests_text(const CrossValidation& cv, const Table& table) {
  const SplitTests& tests = *cv.split_tests;
  if (tests.splits == 0)
    return labelled("p-values", fmt::format("{}: no split was finished", to_string(tests.status)));
  const std::vector<Index>& support = cv.fit.model.at.support;
  Rows rows = {{"column", "p-value", "chosen in", ""}};
  std::size_t others = 0;
  for (const Index j : tests.listed(support)) {
    const auto at = static_cast<std::size_t>(j);
    const bool member = std::binary_search(support.begin(), support.end(), j);
    if (!member && (tests.p_values[at] > kSignificant || ++others > kOthers)) continue;
    rows.push_back({shorten_name(table.names()[at], kNameWidth), number(tests.p_values[at], 3),
                    fmt::format("{:.0f} %", 100 * tests.selected[at]),
                    member ? "" : "not in the model"});
  }
  const std::string halves =
      fmt::format("{} random {}", tests.splits, tests.splits == 1 ? "half" : "halves");
  std::string text = rows.size() > 1 ? headed_table(std::move(rows), "lrrl") + "\n" : "";
  text += labelled(
      "p-values",
      fmt::format("least-squares tests on {} of the rows, of up to {} chosen on the other half, "
                  "adjusted for all columns (family-wise error rate)",
                  halves, count(tests.size, "column")));
  if (stopped(tests.status))
    text += labelled("stopped", fmt::format("{}: the p-values use {} of {} splits",
                                            to_string(tests.status), tests.splits, tests.asked));
  return text;
}

}  // namespace lass0::app
