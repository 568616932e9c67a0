#include "text/near_optimal_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text.hpp"

namespace lass0::app {
namespace {

using Class = ColumnPrice::Class;

constexpr int kNameWidth = 24;
constexpr std::size_t kRows = 12;  // columns shown of each class
constexpr int kListLines = 2;      // of column names
constexpr int kPriceWidth = 10;
constexpr int kGaps = 6;  // spaces between four columns of a table

class NearOptimalText {
 public:
  NearOptimalText(const Fit& fit, const Table& table)
      : near_(*fit.near_optimal),
        objective_(fit.objective),
        proven_(is_proven(fit)),
        table_(table) {}

  std::string text() const {
    std::string text = "\n" + labelled("models", models());
    if (!near_.columns.empty()) text += labelled("prices", prices()) + "\n" + map();
    return text;
  }

 private:
  static bool is_proven(const Fit& fit) { return fit.status == Status::proven_optimal; }

  std::string name(Index j) const {
    return shorten_name(table_.names()[static_cast<std::size_t>(j)], kNameWidth);
  }

  std::string models() const {
    if (!proven_) return "unknown: the best model is not proven";
    const std::string within = fmt::format("within {} of the best objective, {}",
                                           number(near_.within, 4), number(objective_));
    if (near_.complete && near_.count == 1) return "no other model is " + within;
    const std::string found = fmt::format("{} {} {}", count(near_.count, "model"),
                                          near_.count == 1 ? "is" : "are", within);
    const bool all = near_.count == std::ssize(near_.models);
    const std::string listed =
        all ? "" : fmt::format("; the best {} are listed", near_.models.size());
    if (near_.complete) return found + listed;
    if (near_.best_listed) return fmt::format("at least {}: too many to count{}", found, listed);
    return fmt::format("at least {}: the run was stopped before all were found", found);
  }

  std::string prices() const {
    const std::string what =
        "the rise of the objective if a column must be left out, or must be in";
    if (near_.exact()) return what;
    return what + "; \">=\" marks lower bounds: the run was stopped before these were exact";
  }

  std::string price(const std::optional<double>& value, bool exact, bool other_is_zero) const {
    if (!value) return "none";
    if (*value == 0 && other_is_zero) return "";
    return (exact ? "" : ">= ") + number(*value, 3);
  }

  // The columns of a class: those of the best model first, then by what they cost.
  std::vector<ColumnPrice> of(Class kind) const {
    std::vector<ColumnPrice> all;
    for (const ColumnPrice& one : near_.columns)
      if (one.kind == kind) all.push_back(one);
    std::stable_sort(all.begin(), all.end(), [&](const ColumnPrice& a, const ColumnPrice& b) {
      const bool in_a = in_best(a.column), in_b = in_best(b.column);
      if (in_a != in_b) return in_a;
      constexpr double kNever = std::numeric_limits<double>::infinity();
      return in_a ? a.out.value_or(kNever) > b.out.value_or(kNever)
                  : a.in.value_or(kNever) < b.in.value_or(kNever);
    });
    return all;
  }

  bool in_best(Index j) const { return has(near_.models.front(), j); }
  static bool has(const NearOptimalModel& model, Index j) {
    return std::binary_search(model.support.begin(), model.support.end(), j);
  }

  std::size_t models_shown(int name_width) const {
    const int room = std::max(1, line_width() - name_width - 2 * kPriceWidth - kGaps);
    return std::min(near_.models.size(), static_cast<std::size_t>(room));
  }

  std::string map() const {
    Rows rows = {{"column", "price out", "price in", ""}};
    int widest = 0;
    for (const Class kind : {Class::always, Class::interchangeable}) {
      for (const ColumnPrice& one : of(kind))
        widest = std::max(widest, display_width(name(one.column)) + 2);
    }
    widest = std::max(widest, 15);
    const std::size_t shown = models_shown(widest);
    rows[0][3] = shown == 1 ? "model 1" : fmt::format("models 1 to {}", shown);
    for (const Class kind : {Class::always, Class::interchangeable}) {
      const std::vector<ColumnPrice> all = of(kind);
      if (all.empty()) continue;
      rows.push_back({std::string(to_string(kind)), "", "", ""});
      for (std::size_t i = 0; i < std::min(kRows, all.size()); ++i)
        rows.push_back(map_row(all[i], shown));
      if (all.size() > kRows)
        rows.push_back({fmt::format("  and {} more", all.size() - kRows), "", "", ""});
    }
    const std::string marks = rows.size() > 1 ? headed_table(std::move(rows), "lrrl") : "";
    const std::string lists = list(Class::never) + list(Class::undecided);
    return marks + (marks.empty() || lists.empty() ? "" : "\n") + lists;
  }

  std::vector<std::string> map_row(const ColumnPrice& one, std::size_t shown) const {
    const bool member = in_best(one.column);
    std::string marks;
    for (std::size_t i = 0; i < shown; ++i) marks += has(near_.models[i], one.column) ? '#' : '.';
    return {"  " + name(one.column), price(one.out, one.exact, !member),
            price(one.in, one.exact, member), marks};
  }

  // The columns without a row: their names, and what they have in common.
  std::string list(Class kind) const {
    const std::vector<ColumnPrice> all = of(kind);
    if (all.empty()) return "";
    std::string what = count(std::ssize(all), "column");
    const ColumnPrice& cheapest = all.front();
    if (kind == Class::never && cheapest.in)
      what += fmt::format(", price in {} or more", number(*cheapest.in, 3));
    std::vector<std::string> items = words(what + ":");
    for (const ColumnPrice& one : all) items.push_back(name(one.column));
    return labelled(to_string(kind), items, kListLines);
  }

  const NearOptimal& near_;
  const double objective_;
  const bool proven_;
  const Table& table_;
};

}  // namespace

std::string near_optimal_text(const Fit& fit, const Table& table) {
  return fit.near_optimal ? NearOptimalText(fit, table).text() : "";
}

}  // namespace lass0::app
