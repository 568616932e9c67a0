#include "text/fit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "text.hpp"
#include "text/classes_text.hpp"
#include "text/near_optimal_text.hpp"

namespace lass0::app {
namespace {

constexpr int kBarWidth = 20, kNarrowBar = 12;
constexpr int kNameWidth = 30;
constexpr int kListLines = 2;  // of moves and of column names
constexpr int kStandInWidth = 24;
constexpr std::size_t kCancelling = 6;  // effects that cancel, shown
constexpr Index kNearTies = 5;          // stand-ins shown, the nearest of all members

class FitText {
 public:
  FitText(const Fit& fit, const Table& table, std::optional<double> held_out)
      : fit_(fit), table_(table), held_out_(held_out) {}

  std::string text() const {
    return data() + "\n" + coefficients() + "\n" + confusion() + quality() + stand_ins() +
           search() + ignored() + warnings() + near_optimal_text(fit_, table_);
  }

 private:
  std::string name(Index j) const {
    return shorten_name(table_.names()[static_cast<std::size_t>(j)], kNameWidth);
  }

  std::string data() const {
    std::string asked = fit_.of_size() ? fmt::format("k {}", fit_.k())
                                       : fmt::format("lambda {}", number(fit_.penalty().lambda));
    if (fit_.problem.ridge > 0) asked += fmt::format(", ridge {}", number(fit_.problem.ridge));
    if (fit_.penalty().power > 0) asked += fmt::format(", power {}", number(fit_.penalty().power));
    return labelled("data",
                    fmt::format("{}: {}, {}", printable(table_.source),
                                count(fit_.problem.n, "row"), count(fit_.problem.p, "column"))) +
           labelled("target", fmt::format("{}, {}", printable(table_.target), asked)) +
           classes_line(table_, fit_.problem.family);
  }

  std::string coefficients() const {
    const Iterate& at = fit_.model.at;
    std::vector<std::size_t> order(at.support.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(fit_.effects[a]) > std::abs(fit_.effects[b]);
    });

    std::vector<std::string> values, ratios, effects;
    for (const std::size_t i : order) {
      values.push_back(number(at.coefficients[static_cast<Index>(i)]));
      ratios.push_back(odds_ratio(at.coefficients[static_cast<Index>(i)]));
      effects.push_back(number(fit_.effects[i], 4));
    }
    values.push_back(number(at.intercept));
    align_decimals(values);
    align_decimals(ratios);
    align_decimals(effects);

    const double largest = order.empty() ? 0 : std::abs(fit_.effects[order.front()]);
    const auto& folds = fit_.chosen_in_folds;
    const bool odds = binomial();
    const int width = folds || odds ? kNarrowBar : kBarWidth;
    Rows rows = {{"column", "coefficient", "odds ratio", "effect", "folds", ""}};
    for (std::size_t row = 0; row < order.size(); ++row) {
      const double effect = fit_.effects[order[row]];
      rows.push_back({name(at.support[order[row]]), values[row], ratios[row], effects[row],
                      folds ? fmt::format("{} of {}", folds->times[order[row]], folds->folds) : "",
                      bar(largest > 0 ? effect / largest : 0, width)});
    }
    rows.push_back({"(intercept)", values.back(), "", "", "", ""});
    std::string format = "lrrrrl";
    const auto leave_out = [&](std::size_t column) {
      for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
      format.erase(column, 1);
    };
    if (!folds) leave_out(4);
    if (!odds) leave_out(2);
    return headed_table(std::move(rows), format);
  }

  bool binomial() const { return fit_.problem.family == Family::binomial; }

  std::string confusion() const {
    if (!fit_.confusion) return "";
    return confusion_text(*fit_.confusion, fit_.model.classes) + "\n";
  }

  std::string including() const {
    return fit_.problem.include.empty()
               ? ""
               : fmt::format(", and {} included:", fit_.problem.include.size());
  }

  std::string among() const { return stopped(fit_.status) ? ", among the sizes found so far" : ""; }

  std::string_view loss_name() const {
    return fit_.problem.ridge > 0 ? "loss" : binomial() ? "deviance" : "RSS";
  }

  Vector penalised_coefficients() const {
    const Iterate& at = fit_.model.at;
    Vector chosen(fit_.k());
    Index count = 0;
    for (std::size_t i = 0; i < at.support.size(); ++i) {
      if (!std::binary_search(fit_.problem.include.begin(), fit_.problem.include.end(),
                              at.support[i]))
        chosen[count++] = at.coefficients[static_cast<Index>(i)];
    }
    return chosen;
  }

  std::string quality() const {
    const double penalty = penalty_value(fit_.penalty(), penalised_coefficients());
    const std::string sum =
        fit_.penalty().power > 0
            ? fmt::format("lambda * sum |b|^{} {}", number(fit_.penalty().power), number(penalty))
            : fmt::format("lambda * size {}", number(penalty));
    std::vector<std::string> size =
        words(fmt::format("{} of {}{}", fit_.k(), count(fit_.problem.p, "column"), including()));
    for (const Index j : fit_.problem.include) size.push_back(name(j));
    std::string text =
        labelled("size", size, kListLines) +
        signs_line(std::ssize(fit_.problem.positive), std::ssize(fit_.problem.negative));
    std::string parts = fmt::format("{} = {}", number(fit_.objective),
                                    binomial() ? "negative log-likelihood" : "1/2 RSS");
    if (!fit_.of_size() || fit_.problem.ridge > 0) parts += " " + number(fit_.rss / 2);
    if (!fit_.of_size()) parts += " + " + sum;
    if (fit_.problem.ridge > 0)
      parts += fmt::format(" + ridge term {}", number(fit_.ridge_penalty / 2));
    text += labelled("objective", parts);
    if (fit_.row) text += labelled("lambdas", lambda_range(*fit_.row) + among());
    text += binomial() ? labelled("deviance", deviance()) : labelled("R^2", r_squared());
    if (fit_.confusion) text += labelled("error rate", error_rate());
    if (fit_.of_size() && fit_.status == Status::proven_optimal)
      return text +
             labelled("status", fmt::format("{}: no other support of this size has a lower {}",
                                            to_string(fit_.status), loss_name())) +
             proof();
    const std::string why = fit_.of_size() ? explanation_at_a_size(fit_.status, loss_name())
                                           : std::string(explanation(fit_.status));
    return text + labelled("status", fmt::format("{}: {}", to_string(fit_.status), why)) + proof();
  }

  std::string r_squared() const {
    if (!(fit_.problem.tss > 0)) return "0 (the target is constant)";
    if (fit_.model.at.support.empty())
      return fmt::format("0 (no column: the model predicts {} for every row)",
                         number(fit_.model.at.intercept));
    const std::string of_fit = fmt::format("{:.4f} on the rows of the fit", fit_.r_squared());
    return held_out_ ? fmt::format("{:.4f} on held-out rows, {}", *held_out_, of_fit) : of_fit;
  }

  std::string deviance() const {
    const std::string null = number(fit_.problem.tss);
    if (fit_.model.at.support.empty()) {
      const bool same = table_.offset_name.empty();
      return fmt::format("{} (no column: {})", null,
                         same ? fmt::format("the model predicts the probability {} for every row",
                                            number(1 / (1 + std::exp(-fit_.model.at.intercept)), 4))
                              : "the model has only the offset");
    }
    const std::string of_fit =
        fmt::format("{}, of {} without columns: {:.1f} % explained on the rows of the fit",
                    number(fit_.rss), null, 100 * fit_.r_squared());
    return held_out_ ? fmt::format("{}, {:.1f} % on held-out rows", of_fit, 100 * *held_out_)
                     : of_fit;
  }

  std::string error_rate() const {
    return fmt::format("{:.1f} % of the rows of the fit are on the wrong side of probability 0.5",
                       100 * fit_.confusion->errors() / fit_.problem.weight);
  }

  std::string proof() const {
    if (!fit_.proof) return "";
    const std::string effort = count(fit_.proof->nodes, "node");
    if (fit_.status == Status::proven_optimal) return labelled("proof", effort);
    return labelled(
        "proof", fmt::format("{}: no support has an objective below {}, which is {} lower", effort,
                             number(fit_.lower_bound), number(100 * fit_.gap(), 2) + " %"));
  }

  std::string search() const {
    const std::string size = count(std::ssize(fit_.trace.start_support), "column");
    std::string start;
    switch (fit_.trace.start) {
      case Start::Method::paper:
        start = fit_.trace.lasso->lambda == fit_.penalty().lambda
                    ? fmt::format("paper: the Lasso at the same lambda, {}", size)
                    : fmt::format("the Lasso on its way to this lambda, stopped at {}: {}",
                                  number(fit_.trace.lasso->lambda), size);
        break;
      case Start::Method::empty:
        start = "empty: no column";
        break;
      case Start::Method::support:
        start = fmt::format("given: {}", size);
        break;
      case Start::Method::table:
        start = fmt::format(
            "table: the best {}, {}",
            fit_.of_size() ? "model found of this size" : "of all sizes at this lambda", size);
        break;
    }
    std::vector<std::string> moves = {
        fmt::format("{}{}", fit_.trace.moves.size(), fit_.trace.moves.empty() ? "" : ":")};
    for (const Move& move : fit_.trace.moves)
      moves.push_back(
          fmt::format("{}{}", move.kind == Move::Kind::add ? '+' : '-', name(move.column)));
    return labelled("start", start) + labelled("moves", moves, kListLines);
  }

  // The near ties, each with what it costs and what it would cost to have neither column.
  std::string stand_ins() const {
    if (!fit_.alternatives || fit_.alternatives->empty()) return "";
    std::vector<Alternative> near;
    for (const Alternative& one : *fit_.alternatives)
      if (fit_.near_tie(one)) near.push_back(one);
    std::stable_sort(near.begin(), near.end(), [](const Alternative& a, const Alternative& b) {
      return a.loss_increase < b.loss_increase;
    });
    if (near.empty())
      return labelled("stand-ins", "none: replacing any column by another fits clearly worse");
    if (std::ssize(near) > kNearTies) near.resize(kNearTies);
    std::vector<std::string> pairs;
    int widest = 0;
    for (const Alternative& one : near) {
      pairs.push_back(fmt::format("{} -> {}:", shorten_name(name(one.member), kStandInWidth),
                                  shorten_name(name(one.stand_in), kStandInWidth)));
      widest = std::max(widest, display_width(pairs.back()));
    }
    std::string text;
    for (std::size_t i = 0; i < near.size(); ++i) {
      const std::string cost = fmt::format(
          "{} {}, without {} {}", loss_name(), percent(near[i].loss_increase),
          shorten_name(name(near[i].member), kStandInWidth), percent(without(near[i].member)));
      std::vector<std::string> items = words(cost);
      items.insert(items.begin(), pad_right(pairs[i], widest) + " ");
      text += labelled(i == 0 ? "stand-ins" : "", items);
    }
    return text;
  }

  double without(Index member) const {
    for (const Removal& one : fit_.without)
      if (one.member == member) return one.loss_increase;
    return 0;
  }

  std::string percent(double increase) const {
    constexpr double kSmallestShown = 0.01, kLargestWhole = 1e6;
    if (increase > 0 && !(fit_.loss() > 0)) return "from 0";
    const double share = fit_.loss() > 0 ? 100 * increase / fit_.loss() : 0;
    const char* sign = share < 0 ? "-" : "+";
    const double size = std::abs(share);
    if (size > 0 && size < kSmallestShown) return fmt::format("{}0.01 % or less", sign);
    const bool whole = size >= 100 && size < kLargestWhole;
    return fmt::format("{}{} %", sign, whole ? fmt::format("{:.0f}", size) : number(size, 2));
  }

  std::string column_list(std::string_view label, Columns columns, std::string_view why) const {
    if (columns.empty()) return "";
    std::vector<std::string> items =
        words(fmt::format("{} {}:", count(std::ssize(columns), "column"), why));
    for (const Index j : columns) items.push_back(name(j));
    return labelled(label, items, kListLines);
  }

  std::string ignored() const {
    std::string text = column_list("aliased", fit_.aliased, "explained entirely by other columns") +
                       column_list("constant", fit_.problem.constant, "without variation");
    if (!table_.rows_dropped.empty())
      text += labelled("dropped", fmt::format("{} with missing values",
                                              count(std::ssize(table_.rows_dropped), "row")));
    if (!table_.imputed.empty()) {
      std::vector<std::string> items =
          words(fmt::format("missing values replaced by the mean in {}:",
                            count(std::ssize(table_.imputed), "column")));
      for (const auto& [column, mean] : table_.imputed)
        items.push_back(shorten_name(column, kNameWidth));
      text += labelled("imputed", items, kListLines);
    }
    return text + missing_genotypes();
  }

  std::string missing_genotypes() const {
    if (!table_.genotypes) return "";
    Index variants = 0, missing = 0;
    for (Index j = 0; j < table_.genotypes->cols(); ++j) {
      variants += table_.genotypes->missing(j) > 0;
      missing += table_.genotypes->missing(j);
    }
    if (missing == 0) return "";
    return labelled("imputed",
                    fmt::format("{} in {}, replaced by the mean of the variant",
                                count(missing, "missing genotype"), count(variants, "variant")));
  }

  // "x3 (5012), x7 (-5008)": effects that cancel.
  std::string collinear() const {
    const std::vector<std::size_t> large = fit_.cancelling();
    if (large.empty()) return "";
    std::string effects;
    for (std::size_t l = 0; l < std::min(large.size(), kCancelling); ++l)
      effects +=
          fmt::format("{}{} ({})", effects.empty() ? "" : ", ",
                      name(fit_.model.at.support[large[l]]), number(fit_.effects[large[l]], 4));
    if (large.size() > kCancelling)
      effects += fmt::format(" and {} more", large.size() - kCancelling);
    return labelled("collinear",
                    fmt::format("large effects that cancel: {}. These columns are nearly "
                                "collinear, and a single coefficient means little: "
                                "--exclude one of them, or add --ridge",
                                effects));
  }

  std::string warnings() const {
    std::string text = collinear();
    if (const auto& swap = fit_.improving_swap) {
      text += labelled(
          "swap",
          fmt::format("{} for {} would lower the objective by {} (Algorithm 1 makes no swaps)",
                      name(swap->add), name(swap->remove), number(swap->gain, 4)));
    }
    if (fit_.trace.lasso && !fit_.trace.lasso->converged) {
      text += labelled(
          "warning",
          fmt::format("the Lasso did not converge (relative duality gap {}): the start may not be "
                      "the paper's",
                      number(fit_.trace.lasso->relative_gap, 2)));
    }
    return text;
  }

  const Fit& fit_;
  const Table& table_;
  std::optional<double> held_out_;  // R^2, or the share of the deviance explained
};

}  // namespace

std::string lambda_range(const TableRow& row) {
  if (!row.lambda_min) return "none selects this size";
  const std::string from = number(*row.lambda_min, 4);
  return std::isfinite(*row.lambda_max) ? fmt::format("{} to {}", from, number(*row.lambda_max, 4))
                                        : fmt::format("{} upwards", from);
}

std::string fit_text(const Fit& fit, const Table& table, std::optional<double> held_out) {
  return FitText(fit, table, held_out).text();
}

}  // namespace lass0::app
