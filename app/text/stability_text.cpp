#include "text/stability_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "colour.hpp"
#include "text.hpp"
#include "text/classes_text.hpp"

namespace lass0::app {
namespace {

constexpr int kBarWidth = 40, kNameWidth = 24;
constexpr Index kFewest = 10, kMost = 30;  // lines of the table
constexpr double kOften = 0.5;             // columns below this are shown up to kFewest

class StabilityText {
 public:
  StabilityText(const Stability& stability, const Table& data)
      : stability_(stability), data_(data) {}

  std::string text() const {
    return head() + "\n" + frequencies() + "\n" + stable() + bound() + stopped() +
           labelled("time", fmt::format("{} s", number(stability_.seconds, 3)));
  }

 private:
  std::string name(Index column) const { return data_.names()[static_cast<std::size_t>(column)]; }
  Index halves() const { return 2 * stability_.pairs_done; }

  std::string head() const {
    const ProblemInfo& problem = stability_.problem;
    std::string text =
        labelled("data", fmt::format("{}: {}, {}", printable(data_.source), count(problem.n, "row"),
                                     count(problem.p, "column"))) +
        labelled("target", printable(data_.target)) + classes_line(data_, problem.family) +
        labelled("halves",
                 fmt::format("{} random halves of the rows: {} without a common row, "
                             "seed {}",
                             halves(), count(stability_.pairs_done, "pair"), stability_.seed)) +
        labelled("model", asked_for());
    if (!problem.include.empty())
      text += labelled("included", fmt::format("{} in every model, without a frequency",
                                               count(std::ssize(problem.include), "column")));
    text += signs_line(std::ssize(problem.positive), std::ssize(problem.negative));
    if (stability_.short_lists)
      text += labelled("search",
                       "quick: not every move was checked in each half; --effort full checks more");
    return text;
  }

  std::string asked_for() const {
    const std::string ridge =
        stability_.ridge > 0 ? fmt::format(" and ridge {}", number(stability_.ridge, 4)) : "";
    const std::string scaled = ", multiplied in each half by its share of the rows";
    if (stability_.lambda)
      return fmt::format("lambda {}{}{}: {} columns on average", number(*stability_.lambda), ridge,
                         scaled, number(stability_.mean_size, 3));
    std::string text = fmt::format("{} in each half{}", count(*stability_.k, "column"), ridge);
    if (stability_.by_cross_validation) text += ", chosen once by cross-validation on all rows";
    if (stability_.mean_size < static_cast<double>(*stability_.k))
      text += fmt::format("; {} on average, because some halves have fewer to choose",
                          number(stability_.mean_size, 3));
    return text;
  }

  Index shown() const {
    const auto& columns = stability_.columns;
    const Index often = std::count_if(columns.begin(), columns.end(),
                                      [](const auto& one) { return one.frequency >= kOften; });
    const Index ever = std::count_if(columns.begin(), columns.end(),
                                     [](const auto& one) { return one.halves > 0; });
    return std::min({ever, std::max(often, kFewest), kMost});
  }

  std::string frequencies() const {
    const Index lines = shown();
    Rows rows = {{"column", "frequency", "", ""}};
    for (Index i = 0; i < lines; ++i) {
      const ColumnFrequency& one = stability_.columns[static_cast<std::size_t>(i)];
      rows.push_back(
          {shorten_name(name(one.column), kNameWidth), fmt::format("{:.2f}", one.frequency),
           i < stability_.stable ? paint(Paint::chosen, "*") : "", bar(one.frequency, kBarWidth)});
    }
    std::string text = headed_table(std::move(rows), "lrll");
    const Index others = std::ssize(stability_.columns) - lines;
    if (others > 0) {
      const double most = stability_.columns[static_cast<std::size_t>(lines)].frequency;
      text += wrap(
          words(most > 0 ? fmt::format("... and {} with a frequency of at most {:.2f}",
                                       count(others, lines > 0 ? "other column" : "column"), most)
                         : fmt::format("... and {} that no half chose",
                                       count(others, lines > 0 ? "other column" : "column"))),
          {});
    }
    return text;
  }

  std::string stable() const {
    return labelled(
        "*", fmt::format("chosen in at least {} % of the halves (--threshold {}): {}",
                         number(100 * stability_.threshold, 4), number(stability_.threshold, 4),
                         count(stability_.stable, "column")));
  }

  // What the bound says, and what it does not.
  std::string bound() const {
    return labelled("bound",
                    fmt::format(
                        "each half chooses {} of {}: blindly, every column would be chosen with "
                        "probability {}. Of the columns with *, at most {} are expected to have a "
                        "selection probability that low; at most {} if the frequencies have an "
                        "r-concave distribution (Shah and Samworth, 2013)",
                        number(stability_.mean_size, 3), count(stability_.candidates, "column"),
                        number(stability_.low_probability, 2),
                        number(stability_.expected_low_probability, 2),
                        number(stability_.expected_low_probability_r_concave, 2))) +
           labelled("caution",
                    "this is not a bound on false columns: a column without an effect of its own "
                    "is chosen often if it stands in for a true one");
  }

  std::string stopped() const {
    if (stability_.pairs_done == stability_.pairs) return "";
    return labelled("stopped", fmt::format("{}: the frequencies use {} of {} pairs",
                                           to_string(stability_.status), stability_.pairs_done,
                                           stability_.pairs));
  }

  const Stability& stability_;
  const Table& data_;
};

}  // namespace

std::string stability_text(const Stability& stability, const Table& table) {
  return StabilityText(stability, table).text();
}

}  // namespace lass0::app
