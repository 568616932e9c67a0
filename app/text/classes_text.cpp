#include "text/classes_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "text.hpp"

namespace lass0::app {
namespace {

constexpr int kClassWidth = 20;
constexpr int kNameWidth = 30;
constexpr std::size_t kSeparating = 6;  // columns named

double weight_of(const Vector& weights, Index i) { return weights.size() > 0 ? weights[i] : 1; }

// Of all pairs of a row of each class, the share in which the row of class 1 has the larger link;
// ties count half.
double area_under_roc(const Vector& y, const Vector& links, const Vector& weights) {
  std::vector<Index> order(static_cast<std::size_t>(y.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index i) { return links[i]; });
  double zeros = 0, ones = 0, right = 0;  // zeros: those with a lower link so far
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    double tied_zeros = 0, tied_ones = 0;
    for (; last < order.size() && links[order[last]] == links[order[first]]; ++last)
      (y[order[last]] > 0 ? tied_ones : tied_zeros) += weight_of(weights, order[last]);
    right += tied_ones * (zeros + 0.5 * tied_zeros);
    zeros += tied_zeros;
    ones += tied_ones;
  }
  return zeros > 0 && ones > 0 ? right / (zeros * ones) : 0.5;
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

}  // namespace

std::string class_name(const std::vector<std::string>& classes, bool one) {
  return classes.empty() ? (one ? "1" : "0") : shorten_name(classes[one ? 1 : 0], kClassWidth);
}

std::string classes_line(const Table& table, Family family) {
  if (family != Family::binomial) return "";
  const Index ones = (table.y().array() > 0).count();
  const auto told = [&](bool one) {
    const std::string name = class_name(table.classes, one), value = one ? "1" : "0";
    return fmt::format("{}{} ({})", name, name == value ? "" : " is " + value,
                       count(one ? ones : table.y().size() - ones, "row"));
  };
  std::string text = labelled("classes", told(true) + ", " + told(false));
  if (!table.offset_name.empty()) text += labelled("offset", printable(table.offset_name));
  return text;
}

std::string odds_ratio(double coefficient) {
  const double ratio = std::exp(coefficient);
  return std::isfinite(ratio) ? number(ratio, 4) : "> 1e300";
}

std::string confusion_text(const Confusion& seen, const std::vector<std::string>& classes) {
  const std::string zero = class_name(classes, false), one = class_name(classes, true);
  const auto row = [](const std::string& name, double as_zero, double as_one, double right) {
    return std::vector<std::string>{name, number(as_zero), number(as_one),
                                    percent(right, as_zero + as_one)};
  };
  return headed_table({{"observed", "predicted " + zero, "predicted " + one, "correct"},
                       row(zero, seen.true_negative, seen.false_positive, seen.true_negative),
                       row(one, seen.false_negative, seen.true_positive, seen.true_positive)},
                      "lrrr");
}

std::string separation_line(const SupportTable& support_table, const Table& table) {
  const std::vector<Index>& columns = support_table.separated_by;
  if (columns.empty()) return "";
  std::string names;
  const std::size_t shown = std::min(columns.size(), kSeparating);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i > 0 && i + 1 == columns.size();
    names += i == 0 ? "" : last ? " and " : ", ";
    names += shorten_name(table.names()[static_cast<std::size_t>(columns[i])], kNameWidth);
  }
  if (shown < columns.size())
    names += " and " + count(std::ssize(columns) - static_cast<Index>(shown), "other column");
  return labelled(
      "separation",
      fmt::format("the table ends at {}: {} {} the two classes, so the coefficients of a model "
                  "with {} have no finite best values. A ridge (--ridge 1, for example) allows "
                  "larger models",
                  count(support_table.max_k(), "column"), names,
                  columns.size() == 1 ? "separates" : "together separate",
                  columns.size() == 1 ? "it" : "them"));
}

ClassScores class_scores(const Vector& y, const Vector& links, const Vector& weights) {
  ClassScores scores;
  double total = 0, ones = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const double weight = weight_of(weights, i), eta = y[i] > 0 ? links[i] : -links[i];
    const double probability = 1 / (1 + std::exp(-eta));  // of the class that is seen
    // log(1 + exp(-eta)) without overflow
    const double loss = eta > 0 ? std::log1p(std::exp(-eta)) : std::log1p(std::exp(eta)) - eta;
    total += weight;
    ones += y[i] > 0 ? weight : 0;
    scores.deviance += 2 * weight * loss;
    scores.error += (links[i] >= 0) != (y[i] > 0) ? weight : 0;
    scores.brier += weight * (1 - probability) * (1 - probability);
  }
  if (total > 0) {
    scores.deviance /= total;
    scores.error /= total;
    scores.brier /= total;
  }
  scores.both_classes = ones > 0 && ones < total;
  scores.auc = area_under_roc(y, links, weights);
  return scores;
}

std::string to_text(const ClassScores& scores) {
  return fmt::format("deviance {} per row, error rate {}{}, Brier score {}",
                     number(scores.deviance, 4), percent(scores.error, 1),
                     scores.both_classes ? fmt::format(", AUC {}", number(scores.auc, 4)) : "",
                     number(scores.brier, 4));
}

}  // namespace lass0::app
