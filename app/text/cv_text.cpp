#include "text/cv_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "colour.hpp"
#include "text.hpp"
#include "text/classes_text.hpp"
#include "text/fit_text.hpp"
#include "text/split_tests_text.hpp"

namespace lass0::app {
namespace {

constexpr int kBarWidth = 24;
constexpr Index kCurveLines = 15;
constexpr Index kMargin = 4;  // points shown on either side of those that the rules choose

class CvText {
 public:
  CvText(const CrossValidation& cv, const Table& table) : cv_(cv), table_(table) {}

  std::string text() const {
    return curve() + "\n" + legend() + chosen() + ridge() + held_out() + search() +
           separation_line(cv_.table, table_) + stopped();
  }

 private:
  const CurvePoint& point(Index i) const { return cv_.curve[static_cast<std::size_t>(i)]; }
  bool sizes() const { return cv_.tune == Tune::k; }

  std::string value(const CurvePoint& at) const {
    return sizes() ? std::to_string(*at.k) : number(at.lambda, 4);
  }

  // The marks of the rules that choose this point.
  std::string marks(Index i) const {
    std::string text;
    for (const RuleInfo& rule : rules()) text += cv_.points[rule.rule] == i ? rule.mark : ' ';
    return text;
  }

  bool marked(Index i) const {
    return std::ranges::find(cv_.points.all, i) != cv_.points.all.end();
  }

  // The points of the chosen ridge that differ from the one before, about those that rules choose.
  std::vector<Index> shown() const {
    std::vector<Index> different;
    std::vector<std::size_t> choices;  // their positions
    for (Index i = 0; i < std::ssize(cv_.curve); ++i) {
      if (point(i).ridge != cv_.best().ridge) continue;
      if (!different.empty() && !marked(i) && same(i, different.back())) continue;
      different.push_back(i);
      if (marked(i)) choices.push_back(different.size() - 1);
    }
    const std::size_t first = choices.front() - std::min<std::size_t>(choices.front(), kMargin);
    const std::size_t last = std::min(choices.back() + kMargin, different.size() - 1);
    const std::size_t step = (last - first) / static_cast<std::size_t>(kCurveLines - 2) + 1;
    std::vector<Index> few;
    for (std::size_t i = first; i <= last; ++i) {
      if ((i - first) % step == 0 || marked(different[i])) few.push_back(different[i]);
    }
    return few;
  }

  bool same(Index a, Index b) const {
    return point(a).mean_error == point(b).mean_error && point(a).mean_size == point(b).mean_size;
  }

  std::string curve() const {
    const std::vector<Index> points = shown();
    double largest = 0;
    std::vector<std::string> values, errors, deviations, mean_sizes;
    for (const Index i : points) {
      largest = std::max(largest, point(i).mean_error);
      values.push_back(value(point(i)));
      errors.push_back(number(point(i).mean_error));
      deviations.push_back(number(point(i).se, 3));
      mean_sizes.push_back(fmt::format("{:.1f}", point(i).mean_size));
    }
    align_decimals(values);
    align_decimals(errors);
    align_decimals(deviations);
    Rows rows = {{std::string(to_string(cv_.tune)), heading(), "se", "size", "", ""}};
    if (sizes()) rows.front().erase(rows.front().begin() + 3);
    for (std::size_t r = 0; r < points.size(); ++r) {
      const Index i = points[r];
      std::vector<std::string> row = {values[r], errors[r], deviations[r], mean_sizes[r]};
      if (sizes()) row.pop_back();
      row.push_back(paint(Paint::chosen, marks(i)));
      row.push_back(bar(largest > 0 ? point(i).mean_error / largest : 0, kBarWidth));
      rows.push_back(std::move(row));
    }
    return headed_table(std::move(rows), sizes() ? "rrrll" : "rrrrll");
  }

  std::string legend() const {
    std::string text = fmt::format("{} on held-out rows{}", info_of(measure()).meaning,
                                   sizes() ? "" : ", and the mean number of columns");
    for (const RuleInfo& rule : rules())
      text += fmt::format("; {} {} ({})", rule.mark, rule.meaning, rule.name);
    return labelled("error", text);
  }

  bool squares() const { return cv_.fit.problem.family == Family::gaussian; }
  Measure measure() const { return squares() ? Measure::mse : cv_.measure; }

  std::string heading() const {
    switch (measure()) {
      case Measure::deviance:
        return "deviance";
      case Measure::auc:
        return "1 - AUC";
      case Measure::error:
        return "error rate";
      case Measure::brier:
        return "Brier score";
      case Measure::mse:
        break;
    }
    return "mean error";
  }

  // The chosen point by all measures, where the rows were predicted by models that had not seen
  // them.
  std::string held_out() const {
    if (squares() || cv_.held_out_links.size() != table_.y().size() ||
        !cv_.held_out_links.allFinite())
      return "";
    return labelled("held out",
                    to_text(class_scores(table_.y(), cv_.held_out_links, table_.weights())));
  }

  std::string folds() const {
    const Index each = cv_.folds / cv_.repeats;
    return cv_.repeats > 1 ? fmt::format("{} x {} folds", cv_.repeats, each)
                           : fmt::format("{} folds", each);
  }

  std::string chosen() const {
    const CurvePoint& best = cv_.best();
    std::string what = fmt::format("{} {}", to_string(cv_.tune), value(best));
    if (cv_.ridges.size() > 1) what += fmt::format(", ridge {}", number(best.ridge, 4));
    const Index points = std::ssize(cv_.curve);
    const std::string tried =
        fmt::format("{} {}{}{}", points, sizes() ? "size" : "lambda", points == 1 ? "" : "s",
                    cv_.ridges.size() > 1 ? " and ridges" : "");
    return labelled("chosen",
                    fmt::format("{}: rule {} ({}), of {} over {}", what, to_string(cv_.rule),
                                rule_info(cv_.rule).mark, tried, folds()));
  }

  // What the chosen ridge bought: the same rule without one.
  std::string ridge() const {
    if (cv_.ridges_left_out && !squares())
      return labelled("ridge",
                      "none tried: with this many rows per column it could lower the deviance "
                      "by next to nothing; --ridge R sets one");
    if (cv_.ridges.size() < 2 || !cv_.without_ridge || cv_.best().ridge == 0) return "";
    const auto told = [](const CurvePoint& at) {
      return fmt::format("{} with {:.1f} columns", number(at.mean_error, 4), at.mean_size);
    };
    return labelled("ridge", fmt::format("{} {}; without a ridge {}", heading(), told(cv_.best()),
                                         told(point(*cv_.without_ridge))));
  }

  std::string search() const {
    if (cv_.lists_too_short)
      return labelled("search",
                      "full: a short list of columns was not enough on all rows, so each fold "
                      "searched all columns");
    if (!cv_.short_lists) return "";
    return labelled("search",
                    cv_.fit.status == Status::unchecked
                        ? "quick: each fold, and all rows, were searched among a short list of "
                          "columns; --effort full searches all columns"
                        : "quick: each fold searched a short list of columns, and the model above "
                          "all columns; --effort full searches all columns in the folds, too");
  }

  std::string stopped() const {
    if (!lass0::stopped(cv_.status)) return "";
    if (std::ssize(cv_.fold_rows) == cv_.folds)
      return labelled("stopped", fmt::format("{}: all folds are finished, but not the search that "
                                             "follows them",
                                             to_string(cv_.status)));
    return labelled("stopped", fmt::format("{}: the curve uses {} of {} folds",
                                           to_string(cv_.status), cv_.fold_rows.size(), cv_.folds));
  }

  const CrossValidation& cv_;
  const Table& table_;
};

}  // namespace

std::string cv_text(const CrossValidation& cv, const Table& table) {
  std::optional<double> explained;
  if (cv.fit.problem.family == Family::gaussian || cv.measure == Measure::deviance)
    explained = cv.held_out_r_squared();
  const std::string text = fit_text(cv.fit, table, explained) + "\n" + CvText(cv, table).text();
  return cv.split_tests ? text + "\n" + split_tests_text(cv, table) : text;
}

std::string criterion_text(const CriterionSelection& selection, const Table& data) {
  const std::string name(to_string(selection.criterion));
  const Index last = std::ssize(selection.curve) - 1;
  const Index first = std::clamp<Index>(selection.chosen - kCurveLines / 2, 0,
                                        std::max<Index>(0, last - kCurveLines + 1));
  std::vector<std::string> rss, values;
  const bool squares = selection.fit.problem.family == Family::gaussian;
  Rows rows = {{"k", squares ? "RSS" : "deviance", name, ""}};
  for (Index k = first; k <= std::min(last, first + kCurveLines - 1); ++k) {
    const CriterionPoint& point = selection.curve[static_cast<std::size_t>(k)];
    rss.push_back(number(point.rss));
    values.push_back(number(point.value));
    rows.push_back(
        {std::to_string(k), "", "", k == selection.chosen ? paint(Paint::chosen, "*") : ""});
  }
  align_decimals(rss);
  align_decimals(values);
  for (std::size_t r = 0; r < rss.size(); ++r) {
    rows[r + 1][1] = rss[r];
    rows[r + 1][2] = values[r];
  }
  return fit_text(selection.fit, data) + "\n" + headed_table(rows, "rrrl") + "\n" +
         labelled("chosen", fmt::format("k {}: the lowest {} of {} sizes", selection.chosen, name,
                                        selection.curve.size())) +
         separation_line(selection.table, data);
}

}  // namespace lass0::app
