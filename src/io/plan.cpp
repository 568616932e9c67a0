#include "io/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace lass0::io {
namespace {

// One role a column: a second one is a contradiction in the options.
class Roles {
 public:
  explicit Roles(const ColumnNames& names) : names_(names) {}

  void give(Index column, const char* role) {
    std::string_view& current = role_[column];
    if (!current.empty() && current != role) refuse(column, current, role);
    current = role;
  }
  [[noreturn]] void refuse(Index column, std::string_view one, std::string_view other) const {
    throw Error(fmt::format("{}: column '{}' can't be both {} and {}", names_.source(),
                            names_.name(column), one, other));
  }
  std::string_view of(Index column) const {
    const auto found = role_.find(column);
    return found == role_.end() ? std::string_view() : found->second;
  }

 private:
  const ColumnNames& names_;
  std::unordered_map<Index, std::string_view> role_;  // few columns have one
};

constexpr const char* excluded = "excluded";
constexpr const char* included = "included";
constexpr const char* one_hot = "one-hot";

constexpr const char* every_column = "*";

// The signs of coefficients, by column of the file.
class Signs {
 public:
  void give(const std::vector<std::string>& list, int sign, const Roles& roles,
            const ColumnNames& names, const std::unordered_set<Index>& include) {
    const char* what = sign > 0 ? "positive" : "negative";
    for (const std::string& name : list) {
      if (name == every_column && names.find(name) < 0) {
        if (others_ == -sign)
          throw UsageError(
              fmt::format("{}: '*' can't be both positive and negative", names.source()));
        others_ = sign;
        continue;
      }
      const Index column = names.require(name, "sign");
      int& current = sign_[column];
      const std::string_view role = include.contains(column) ? included : roles.of(column);
      if (!role.empty() && role != one_hot) roles.refuse(column, role, what);
      if (current == -sign) roles.refuse(column, "positive", "negative");
      current = sign;
    }
  }

  int of(Index column) const {
    const auto own = sign_.find(column);
    return own != sign_.end() ? own->second : others_;
  }

 private:
  std::unordered_map<Index, int> sign_;
  int others_ = 0;
};

void plan_fit(const ColumnNames& names, const ReadOptions& options, Plan& plan) {
  Roles roles(names);
  if (plan.target >= 0) roles.give(plan.target, "the target");
  if (plan.weights >= 0) roles.give(plan.weights, "the weights");
  if (plan.offset >= 0) roles.give(plan.offset, "the offset");
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
  Signs signs;
  signs.give(options.positive, 1, roles, names, include);
  signs.give(options.negative, -1, roles, names, include);
  plan.features.reserve(static_cast<std::size_t>(names.count()));
  for (Index j = 0; j < names.count(); ++j) {
    const std::string_view role = roles.of(j);
    const bool in_every_model = include.contains(j);
    if (role.empty() || role == one_hot || role == included)
      plan.features.push_back({.column = j,
                               .text = role == one_hot,
                               .include = in_every_model,
                               .sign = in_every_model ? 0 : signs.of(j)});
  }
  if (plan.features.empty())
    throw Error(
        fmt::format("{}: there are no columns left for X besides the target", names.source()));
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

void plan_prediction(const ColumnNames& names, const ReadOptions& options, Plan& plan) {
  std::vector<std::string> lacking;
  for (const std::string& name : options.columns) {
    Plan::Feature feature = {.column = names.find(name)};
    std::string needed = name;
    if (const auto made = as_level(name, options); feature.column < 0 && made) {
      feature = {.column = names.find(made->column),
                 .level = static_cast<std::int32_t>(plan.levels.size()),
                 .text = true};
      plan.levels.push_back(made->level);
      needed = made->column;
    }
    if (feature.column >= 0)
      plan.features.push_back(feature);
    else if (std::find(lacking.begin(), lacking.end(), needed) == lacking.end())
      lacking.push_back(needed);
  }
  if (lacking.empty()) return;
  throw Error(
      fmt::format("{}: {} of the model {} missing: {}; the file has {}", names.source(),
                  lacking.size() == 1 ? "a column" : fmt::format("{} columns", lacking.size()),
                  lacking.size() == 1 ? "is" : "are", fmt::join(lacking, ", "), names.first_few()));
}

void plan_target(const ColumnNames& names, const ReadOptions& options,
                 std::string_view default_target, Plan& plan) {
  // Predictions do without a target: it is looked for by name only, and may be absent.
  const std::string wanted(options.target.empty() && !options.only_columns ? default_target
                                                                           : options.target);
  if (wanted.empty()) {
    if (options.only_columns) return;
    throw UsageError(
        fmt::format("{}: which column is the target? Give --target; the columns are {}",
                    names.source(), names.first_few()));
  }
  plan.target = names.find(wanted);
  plan.own_target = plan.target < 0 && wanted == default_target;
  if (plan.target < 0 && !plan.own_target && !options.only_columns)
    plan.target = names.require(wanted, "target");
  if (plan.target >= 0) plan.target_name = names.name(plan.target);
  if (plan.own_target) plan.target_name = wanted;
}

}  // namespace

Plan plan_columns(const ColumnNames& names, const ReadOptions& options,
                  std::string_view default_target) {
  Plan plan;
  plan.predicting = options.only_columns;
  plan.classes = options.classes;
  plan_target(names, options, default_target, plan);
  if (!options.weights.empty()) plan.weights = names.require(options.weights, "weights");
  if (!options.offset.empty()) plan.offset = names.require(options.offset, "offset");
  if (!options.folds.empty()) plan.folds = names.require(options.folds, "folds");
  if (!options.groups.empty()) plan.groups = names.require(options.groups, "groups");
  if (!options.id.empty()) plan.id = names.require(options.id, "ID");
  if (plan.weights >= 0) plan.weights_name = names.name(plan.weights);
  if (plan.offset >= 0) plan.offset_name = names.name(plan.offset);
  if (plan.id >= 0) plan.id_name = names.name(plan.id);
  if (options.only_columns)
    plan_prediction(names, options, plan);
  else
    plan_fit(names, options, plan);
  return plan;
}

void give_slots(const ColumnNames& names, Plan& plan, Index in_place) {
  plan.number_slot.assign(static_cast<std::size_t>(names.count()), -1);
  plan.text_slot = plan.number_slot;
  const auto want = [&](Index column, std::vector<Index>& slots,
                        std::vector<std::string>& slot_names) {
    if (column < 0 || slots[static_cast<std::size_t>(column)] >= 0) return;
    slots[static_cast<std::size_t>(column)] = std::ssize(slot_names);
    slot_names.push_back(names.name(column));
  };
  for (const Plan::Feature& feature : plan.features) {
    if (feature.column < in_place) continue;
    if (feature.text)
      want(feature.column, plan.text_slot, plan.text_names);
    else
      want(feature.column, plan.number_slot, plan.number_names);
  }
  if (plan.classes)
    want(plan.target, plan.text_slot, plan.text_names);
  else
    want(plan.target, plan.number_slot, plan.number_names);
  want(plan.weights, plan.number_slot, plan.number_names);
  want(plan.offset, plan.number_slot, plan.number_names);
  want(plan.folds, plan.text_slot, plan.text_names);
  want(plan.groups, plan.text_slot, plan.text_names);
  plan.number_columns = std::ssize(plan.number_names);
  plan.text_columns = std::ssize(plan.text_names);

  std::vector<bool> used(static_cast<std::size_t>(names.count()));
  for (std::size_t j = 0; j < used.size(); ++j)
    used[j] = plan.number_slot[j] >= 0 || plan.text_slot[j] >= 0;
  for (const Plan::Feature& feature : plan.features)
    used[static_cast<std::size_t>(feature.column)] = true;
  names.reject_repeated(used);
}

bool has_slot(const Plan& plan, const Plan::Feature& feature) {
  return feature.text || plan.number_slot[static_cast<std::size_t>(feature.column)] >= 0;
}

std::string feature_name(const Plan& plan, const Plan::Feature& feature) {
  const auto column = static_cast<std::size_t>(feature.column);
  if (!feature.text) return plan.number_names[static_cast<std::size_t>(plan.number_slot[column])];
  const std::string& text = plan.text_names[static_cast<std::size_t>(plan.text_slot[column])];
  return feature.level < 0 ? text
                           : text + "=" + plan.levels[static_cast<std::size_t>(feature.level)];
}

}  // namespace lass0::io
