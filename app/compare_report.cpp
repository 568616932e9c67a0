#include "compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "colour.hpp"
#include "text.hpp"

namespace lass0::app {
namespace {

constexpr int kIntervalWidth = 17, kIntervalWidthWithTruth = 11;
constexpr int kBarWidth = 8;

class Report {
 public:
  Report(const Comparison& comparison, const Table& data) : comparison_(comparison), data_(data) {}

  std::string text() const {
    std::string text =
        labelled("data", fmt::format("{}: {}, {}", printable(data_.source),
                                     count(comparison_.n, "row"), count(comparison_.p, "column"))) +
        labelled("target", printable(data_.target)) +
        labelled("folds", fmt::format("{} outer, {} inner, seed {}", comparison_.outer,
                                      comparison_.inner, comparison_.seed)) +
        "\n";
    text += rule(Rule::min, "rule min: each method at its least inner error") + "\n";
    text += rule(Rule::one_se, "rule 1se: the sparsest within one standard error of that") + "\n";
    return text + legend();
  }

 private:
  bool truth() const { return comparison_.truth.has_value(); }

  // Means and deviations of one measure, one a method, with their decimal points below each other.
  struct Column {
    std::vector<std::string> texts;
    std::vector<Spread> spreads;
    double least = 0, largest = 0;  // of the means

    // mean - sd to mean + sd, the mean an o, on the scale of all of them.
    std::string interval(std::size_t m, int width) const {
      double from = spreads[m].mean, to = from;
      for (const Spread& at : spreads) {
        from = std::min(from, at.mean - at.sd);
        to = std::max(to, at.mean + at.sd);
      }
      const auto position = [&](double value) {
        return to > from ? static_cast<std::size_t>(
                               std::lround((value - from) / (to - from) * (width - 1)))
                         : 0;
      };
      std::string line(static_cast<std::size_t>(width), ' ');
      const Spread& at = spreads[m];
      for (std::size_t i = position(at.mean - at.sd); i <= position(at.mean + at.sd); ++i)
        line[i] = '-';
      line[position(at.mean)] = 'o';
      return paint(at.mean == least ? Paint::chosen : Paint::up, line);
    }
  };

  Column column(Rule rule, Measure measure) const {
    Column column;
    std::vector<std::string> means, deviations;
    for (const ComparedMethod& method : comparison_.methods) {
      const Spread at = spread(method, rule, measure);
      column.spreads.push_back(at);
      means.push_back(fmt::format("{:.1f}", at.mean));
      deviations.push_back(method.folds.size() > 1 ? fmt::format("{:.1f}", at.sd) : "-");
    }
    align_decimals(means);
    align_decimals(deviations);
    for (std::size_t m = 0; m < means.size(); ++m)
      column.texts.push_back(fmt::format("{} +- {}", means[m], deviations[m]));
    const auto [least, largest] =
        std::minmax_element(column.spreads.begin(), column.spreads.end(),
                            [](const Spread& a, const Spread& b) { return a.mean < b.mean; });
    column.least = least->mean;
    column.largest = largest->mean;
    return column;
  }

  std::string rule(Rule rule, std::string_view title) const {
    const Column errors = column(rule, Measure::nrmse), sizes = column(rule, Measure::size);
    const Column distances = truth() ? column(rule, Measure::hamming) : Column();
    Rows rows = {{"method", "NRMSE", "", "size"}};
    rows.front().push_back(truth() ? "Hamming" : "");
    rows.front().push_back("seconds");
    for (std::size_t m = 0; m < comparison_.methods.size(); ++m) {
      const ComparedMethod& method = comparison_.methods[m];
      const auto marked = [&](const Column& column) {
        const bool best = column.spreads[m].mean == column.least;
        return best ? paint(Paint::chosen, column.texts[m]) : column.texts[m];
      };
      const double share = sizes.largest > 0 ? sizes.spreads[m].mean / sizes.largest : 0;
      rows.push_back({method.name, marked(errors),
                      errors.interval(m, truth() ? kIntervalWidthWithTruth : kIntervalWidth),
                      marked(sizes), truth() ? marked(distances) : bar(share, kBarWidth),
                      number(spread(method, rule, Measure::seconds).mean, 2)});
    }
    return wrap(words(title), {}) + headed_table(std::move(rows), truth() ? "lrlrrr" : "lrlrlr");
  }

  std::string legend() const {
    std::string methods;
    for (const ComparedMethod& method : comparison_.methods)
      methods +=
          fmt::format("{}{}: {}", methods.empty() ? "" : "; ", method.name, method.description);
    std::string text = labelled("methods", methods);
    text += labelled(
        "NRMSE",
        fmt::format("100 * RMSE on the rows left out / deviation {} of {}; mean +- sd over the "
                    "outer folds (--o--), seconds of one of them",
                    number(comparison_.deviation, 4), printable(data_.target)));
    if (truth()) {
      text += labelled("Hamming",
                       fmt::format("columns in the model or in the truth ({}), but not in both",
                                   count(std::ssize(*comparison_.truth), "column")));
    }
    if (std::ssize(comparison_.fold_rows) < comparison_.outer) {
      text +=
          labelled("stopped", fmt::format("{}: {} of {} outer folds", to_string(comparison_.status),
                                          comparison_.fold_rows.size(), comparison_.outer));
    }
    return text + labelled("time", fmt::format("{} s", number(comparison_.seconds, 3)));
  }

  const Comparison& comparison_;
  const Table& data_;
};

}  // namespace

std::string compare_report(const Comparison& comparison, const Table& table) {
  return Report(comparison, table).text();
}

}  // namespace lass0::app
