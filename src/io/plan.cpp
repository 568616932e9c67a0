#include "io/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <lass0/error.hpp>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace lass0::io {
namespace {

// The names of a file's columns, looked up the way users write them.
class ColumnNames {
 public:
  ColumnNames(const std::string& source, const std::vector<std::string>& names)
      : source_(source), names_(names) {
    first_.reserve(names.size());
    for (Index j = 0; j < std::ssize(names); ++j) {
      if (!first_.emplace(names[static_cast<std::size_t>(j)], j).second)
        repeated_.insert(names[static_cast<std::size_t>(j)]);
    }
  }

  // By name only; -1: no such column.
  Index find(const std::string& name) const {
    const auto found = first_.find(name);
    if (found == first_.end()) return -1;
    if (repeated_.contains(name)) {
      throw Error(fmt::format(
          "{}: the column name '{}' appears more than once; give the column's number instead",
          source_, name));
    }
    return found->second;
  }

  // By name or else by 1-based index; `role` ("target", ...) is for the message.
  Index require(const std::string& wanted, std::string_view role) const {
    const Index named = find(wanted);
    if (named >= 0) return named;
    Index number = 0;
    const char* end = wanted.data() + wanted.size();
    const auto parsed = std::from_chars(wanted.data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) {
      if (number >= 1 && number <= std::ssize(names_)) return number - 1;
      throw Error(fmt::format("{}: there is no column {} for the {}: the file has {} columns",
                              source_, wanted, role, names_.size()));
    }
    throw Error(fmt::format("{}: there is no column '{}' for the {}{}; the columns are {}", source_,
                            wanted, role, suggestion(wanted, names_), first_few(names_)));
  }

  const std::string& name(Index column) const { return names_[static_cast<std::size_t>(column)]; }
  Index count() const { return std::ssize(names_); }
  const std::vector<std::string>& all() const { return names_; }

  // Columns in use must have names of their own.
  void reject_repeated(const std::vector<bool>& used) const {
    std::vector<std::string> bad;
    std::unordered_set<std::string_view> seen;
    for (Index j = 0; j < count() && !repeated_.empty(); ++j) {
      if (!used[static_cast<std::size_t>(j)] || seen.insert(name(j)).second) continue;
      if (std::find(bad.begin(), bad.end(), name(j)) == bad.end()) bad.push_back(name(j));
    }
    if (bad.empty()) return;
    throw Error(fmt::format(
        "{}: {} more than once: {}; rename or exclude (by number) all but one", source_,
        bad.size() == 1 ? "a column name appears" : "column names appear", first_few(bad)));
  }

 private:
  const std::string& source_;
  const std::vector<std::string>& names_;
  std::unordered_map<std::string, Index> first_;
  std::unordered_set<std::string> repeated_;
};

Index edit_distance(std::string_view a, std::string_view b) {
  std::vector<Index> row(b.size() + 1);
  std::iota(row.begin(), row.end(), Index{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    Index diagonal = row[0];
    row[0] = static_cast<Index>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Index substituted = diagonal + (std::tolower(a[i]) != std::tolower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row.back();
}

// One role a column: a second one is a contradiction in the options.
class Roles {
 public:
  Roles(const std::string& source, const ColumnNames& names)
      : source_(source), names_(names), role_(static_cast<std::size_t>(names.count())) {}

  void give(Index column, const char* role) {
    std::string_view& current = role_[static_cast<std::size_t>(column)];
    if (!current.empty() && current != role) refuse(column, current, role);
    current = role;
  }
  [[noreturn]] void refuse(Index column, std::string_view one, std::string_view other) const {
    throw Error(fmt::format("{}: column '{}' can't be both {} and {}", source_, names_.name(column),
                            one, other));
  }
  std::string_view of(Index column) const { return role_[static_cast<std::size_t>(column)]; }

 private:
  const std::string& source_;
  const ColumnNames& names_;
  std::vector<std::string_view> role_;
};

constexpr const char* excluded = "excluded";
constexpr const char* included = "included";
constexpr const char* one_hot = "one-hot";

constexpr const char* every_column = "*";

// The signs of coefficients, by column of the file.
class Signs {
 public:
  explicit Signs(Index columns) : sign_(static_cast<std::size_t>(columns), 0) {}

  void give(const std::vector<std::string>& list, int sign, const Roles& roles,
            const ColumnNames& names, const std::unordered_set<Index>& include) {
    const char* what = sign > 0 ? "positive" : "negative";
    for (const std::string& name : list) {
      if (name == every_column && names.find(name) < 0) {
        if (others_ == -sign) throw UsageError("'*' can't be both positive and negative");
        others_ = sign;
        continue;
      }
      const Index column = names.require(name, "sign");
      int& current = sign_[static_cast<std::size_t>(column)];
      const std::string_view role = include.contains(column) ? included : roles.of(column);
      if (!role.empty() && role != one_hot) roles.refuse(column, role, what);
      if (current == -sign) roles.refuse(column, "positive", "negative");
      current = sign;
    }
  }

  int of(Index column) const {
    const int own = sign_[static_cast<std::size_t>(column)];
    return own != 0 ? own : others_;
  }

 private:
  std::vector<int> sign_;
  int others_ = 0;
};

void plan_fit(const std::string& source, const ColumnNames& names, const ReadOptions& options,
              Plan& plan) {
  Roles roles(source, names);
  if (plan.target >= 0) roles.give(plan.target, "the target");
  if (plan.weights >= 0) roles.give(plan.weights, "the weights");
  if (plan.folds >= 0) roles.give(plan.folds, "the folds");
  if (plan.groups >= 0) roles.give(plan.groups, "the groups");
  for (const std::string& name : options.exclude)
    roles.give(names.require(name, "exclusion"), excluded);
  for (const std::string& name : options.one_hot)
    roles.give(names.require(name, "one-hot coding"), one_hot);
  std::unordered_set<Index> include;
  for (const std::string& name : options.include) {
    const Index column = names.require(name, "inclusion");
    if (roles.of(column) != one_hot) roles.give(column, included);
    include.insert(column);
  }
  Signs signs(names.count());
  signs.give(options.positive, 1, roles, names, include);
  signs.give(options.negative, -1, roles, names, include);
  for (Index j = 0; j < names.count(); ++j) {
    const std::string_view role = roles.of(j);
    const bool in_every_model = include.contains(j);
    if (role.empty() || role == one_hot || role == included)
      plan.features.push_back({j, names.name(j), role == one_hot, "", in_every_model,
                               in_every_model ? 0 : signs.of(j)});
  }
  if (plan.features.empty())
    throw Error(fmt::format("{}: there are no columns left for X besides the target", source));
}

// Where a column of the model comes from when the file has no column of that name: `C=level`, from
// the text column C.
struct Level {
  std::string column, level;
};
std::optional<Level> as_level(const std::string& name, const ReadOptions& options) {
  for (const auto& [column, levels] : options.known_levels) {
    if (!name.starts_with(column + "=")) continue;
    const std::string level = name.substr(column.size() + 1);
    if (std::find(levels.begin(), levels.end(), level) != levels.end()) return Level{column, level};
  }
  return {};
}

void plan_prediction(const std::string& source, const ColumnNames& names,
                     const ReadOptions& options, Plan& plan) {
  std::vector<std::string> lacking;
  for (const std::string& name : options.columns) {
    Plan::Feature feature = {names.find(name), name, false, "", false, 0};
    std::string needed = name;
    if (const auto made = as_level(name, options); feature.column < 0 && made) {
      feature = {names.find(made->column), name, true, made->level, false, 0};
      needed = made->column;
    }
    if (feature.column >= 0)
      plan.features.push_back(std::move(feature));
    else if (std::find(lacking.begin(), lacking.end(), needed) == lacking.end())
      lacking.push_back(needed);
  }
  if (lacking.empty()) return;
  throw Error(fmt::format(
      "{}: {} of the model {} missing: {}; the file has {}", source,
      lacking.size() == 1 ? "a column" : fmt::format("{} columns", lacking.size()),
      lacking.size() == 1 ? "is" : "are", fmt::join(lacking, ", "), first_few(names.all())));
}

void plan_target(const std::string& source, const ColumnNames& names, const ReadOptions& options,
                 std::string_view default_target, Plan& plan) {
  // Predictions do without a target: it is looked for by name only, and may be absent.
  const std::string wanted(options.target.empty() && !options.only_columns ? default_target
                                                                           : options.target);
  if (wanted.empty()) {
    if (options.only_columns) return;
    throw UsageError(
        fmt::format("{}: which column is the target? Give --target; the columns are {}", source,
                    first_few(names.all())));
  }
  plan.target = names.find(wanted);
  plan.own_target = plan.target < 0 && wanted == default_target;
  if (plan.target < 0 && !plan.own_target && !options.only_columns)
    plan.target = names.require(wanted, "target");
  if (plan.target >= 0) plan.target_name = names.name(plan.target);
  if (plan.own_target) plan.target_name = wanted;
}

// Features first, so that taking the target off the stored columns moves nothing.
void give_slots(const ColumnNames& names, Plan& plan) {
  plan.number_slot.assign(static_cast<std::size_t>(names.count()), -1);
  plan.text_slot = plan.number_slot;
  const auto want = [&](Index column, std::vector<Index>& slots,
                        std::vector<std::string>& slot_names) {
    if (column < 0 || slots[static_cast<std::size_t>(column)] >= 0) return;
    slots[static_cast<std::size_t>(column)] = std::ssize(slot_names);
    slot_names.push_back(names.name(column));
  };
  for (const Plan::Feature& feature : plan.features) {
    if (feature.text)
      want(feature.column, plan.text_slot, plan.text_names);
    else
      want(feature.column, plan.number_slot, plan.number_names);
  }
  want(plan.target, plan.number_slot, plan.number_names);
  want(plan.weights, plan.number_slot, plan.number_names);
  want(plan.folds, plan.text_slot, plan.text_names);
  want(plan.groups, plan.text_slot, plan.text_names);
  plan.number_columns = std::ssize(plan.number_names);
  plan.text_columns = std::ssize(plan.text_names);

  std::vector<bool> used(static_cast<std::size_t>(names.count()));
  for (std::size_t j = 0; j < used.size(); ++j)
    used[j] = plan.number_slot[j] >= 0 || plan.text_slot[j] >= 0;
  names.reject_repeated(used);
}

}  // namespace

std::string suggestion(std::string_view wanted, std::span<const std::string> names) {
  constexpr std::size_t longest = 64;  // the distance costs the product of the lengths
  const std::string* best = nullptr;
  // One slip in three characters, but never all of them.
  Index best_distance = std::min((std::ssize(wanted) + 2) / 3 + 1, std::ssize(wanted));
  for (const std::string& name : names) {
    if (name.size() > longest || wanted.size() > longest) continue;
    const Index distance = edit_distance(wanted, name);
    if (distance < best_distance) {
      best = &name;
      best_distance = distance;
    }
  }
  return best ? fmt::format(" (did you mean '{}'?)", *best) : "";
}

std::string first_few(std::span<const std::string> names) {
  constexpr std::size_t few = 8;
  const auto shown = names.first(std::min(few, names.size()));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > few) text += fmt::format(", ... ({} in all)", names.size());
  return text;
}

Plan plan_columns(const std::string& source, const std::vector<std::string>& all_names,
                  const ReadOptions& options, std::string_view default_target) {
  const ColumnNames names(source, all_names);
  Plan plan;
  plan.predicting = options.only_columns;
  plan_target(source, names, options, default_target, plan);
  if (!options.weights.empty()) plan.weights = names.require(options.weights, "weights");
  if (!options.folds.empty()) plan.folds = names.require(options.folds, "folds");
  if (!options.groups.empty()) plan.groups = names.require(options.groups, "groups");
  if (options.only_columns)
    plan_prediction(source, names, options, plan);
  else
    plan_fit(source, names, options, plan);
  give_slots(names, plan);
  return plan;
}

}  // namespace lass0::io
