#include "text/compare_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "colour.hpp"
#include "text.hpp"
#include "text/classes_text.hpp"

namespace lass0::app {
namespace {

constexpr int kIntervalWidth = 17, kNarrowInterval = 9;
constexpr int kBarWidth = 8;

class CompareText {
 public:
  CompareText(const Comparison& comparison, const Table& data)
      : comparison_(comparison), data_(data) {}

  std::string text() const {
    std::string text =
        labelled("data", fmt::format("{}: {}, {}", printable(data_.source),
                                     count(comparison_.n, "row"), count(comparison_.p, "column"))) +
        labelled("target", printable(data_.target)) + classes_line(data_, comparison_.family) +
        labelled("folds", fmt::format("{} outer, {} inner, seed {}", comparison_.outer,
                                      comparison_.inner, comparison_.seed)) +
        "\n";
    // The default first.
    text += rule(CrossValidateOptions{}.rule) + "\n";
    for (const RuleInfo& info : rules()) {
      if (info.rule != CrossValidateOptions{}.rule) text += rule(info.rule) + "\n";
    }
    return text + legend();
  }

 private:
  bool gaussian() const { return comparison_.family == Family::gaussian; }
  const char* error_name() const { return gaussian() ? "NRMSE" : "deviance"; }
  bool truth() const { return comparison_.truth.has_value(); }

  // Means and deviations of one measure, one a method, with their decimal points below each other.
  struct Column {
    std::vector<std::string> texts;
    std::vector<Spread> spreads;
    double largest = 0;  // of the means

    // -----o-----: mean - sd to mean + sd, the mean an o, on the scale of all of them.
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
      return paint(Paint::up, line);
    }
  };

  Column column(Rule rule, ComparedNumber measure) const {
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
    for (const Spread& at : column.spreads) column.largest = std::max(column.largest, at.mean);
    return column;
  }

  // "+1.9 +- 0.4" for all but the best.
  std::vector<std::string> to_best(const std::vector<Difference>& all) const {
    std::vector<std::string> means, errors, texts;
    for (const Difference& one : all) {
      means.push_back(fmt::format("{:+.1f}", one.mean));
      errors.push_back(several_folds() ? fmt::format("{:.1f}", one.se) : "-");
    }
    align_decimals(means);
    align_decimals(errors);
    for (std::size_t m = 0; m < all.size(); ++m)
      texts.push_back(
          all[m].mean == 0 && all[m].se == 0 ? "0" : fmt::format("{} +- {}", means[m], errors[m]));
    return texts;
  }

  bool several_folds() const { return comparison_.fold_rows.size() > 1; }

  std::string rule(Rule rule) const {
    const Column errors = column(rule, ComparedNumber::nrmse),
                 sizes = column(rule, ComparedNumber::size);
    const Column distances = truth() ? column(rule, ComparedNumber::hamming) : Column();
    const std::vector<Difference> all = differences(comparison_, rule);
    const std::vector<std::string> differ = to_best(all);
    Rows rows = {
        {"method", "", error_name(), "to best", "size", truth() ? "Hamming" : "", "seconds"}};
    for (std::size_t m = 0; m < comparison_.methods.size(); ++m) {
      const ComparedMethod& method = comparison_.methods[m];
      const bool near = !all[m].distinct;
      const double share = sizes.largest > 0 ? sizes.spreads[m].mean / sizes.largest : 0;
      rows.push_back({method.name, paint(Paint::chosen, near ? "*" : ""),
                      near ? paint(Paint::chosen, errors.texts[m]) : errors.texts[m], differ[m],
                      sizes.texts[m], truth() ? distances.texts[m] : bar(share, kBarWidth),
                      number(spread(method, rule, ComparedNumber::seconds).mean, 2)});
    }
    std::string format = truth() ? "llrrrrr" : "llrrrlr";
    add_intervals(errors, rows, format);
    const std::string title = fmt::format("rule {}: {}", to_string(rule), rule_info(rule).meaning);
    return wrap(words(title), {}) + headed_table(std::move(rows), format);
  }

  // The errors as a picture behind their numbers, where the line has room for it.
  static void add_intervals(const Column& errors, Rows& rows, std::string& format) {
    const std::string without = table(rows, format);
    const int room = line_width() - 2 - display_width(without.substr(0, without.find('\n')));
    if (room < kNarrowInterval) return;
    format.insert(3, "l");
    for (std::size_t r = 0; r < rows.size(); ++r)
      rows[r].insert(rows[r].begin() + 3,
                     r == 0 ? "" : errors.interval(r - 1, std::min(room, kIntervalWidth)));
  }

  std::string legend() const {
    std::string methods;
    for (const ComparedMethod& method : comparison_.methods)
      methods +=
          fmt::format("{}{}: {}", methods.empty() ? "" : "; ", method.name, method.description);
    std::string text = labelled("methods", methods);
    const std::string spread_of = "; mean +- standard deviation over the outer folds";
    text += labelled(error_name(),
                     gaussian()
                         ? fmt::format("100 * root mean squared error on held-out rows / "
                                       "standard deviation {} of {}",
                                       number(comparison_.deviation, 4), printable(data_.target)) +
                               spread_of
                         : fmt::format("100 * deviance per held-out row / {}, that of the "
                                       "model with no column",
                                       number(comparison_.deviation, 4)) +
                               spread_of);
    text += labelled("to best",
                     fmt::format("{} minus that of the best method, fold by fold: mean +- standard "
                                 "error",
                                 error_name()));
    text += labelled("*", several_folds()
                              ? "the best method, and those within two standard errors of it, "
                                "which these folds can't distinguish"
                              : "all methods, because one outer fold can't distinguish them");
    text += labelled("seconds", "time to tune and fit on one training set");
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

std::string compare_text(const Comparison& comparison, const Table& table) {
  return CompareText(comparison, table).text();
}

}  // namespace lass0::app
