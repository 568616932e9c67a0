#include "io/column_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <lass0/error.hpp>
#include <numeric>
#include <utility>

namespace lass0::io {
namespace {

constexpr std::size_t few = 8;

std::string listed(std::span<const std::string> shown, Index all) {
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (all > std::ssize(shown)) text += fmt::format(", ... ({} in all)", all);
  return text;
}

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

}  // namespace

ColumnNames::ColumnNames(std::string source, std::vector<std::string> names)
    : source_(std::move(source)), names_(std::move(names)) {
  first_.reserve(names_.size());
  for (Index j = 0; j < std::ssize(names_); ++j) {
    const std::string_view name = names_[static_cast<std::size_t>(j)];
    if (!first_.emplace(name, j).second) repeated_.insert(name);
  }
}

ColumnNames ColumnNames::numbered(std::string source, Index count, std::string last) {
  ColumnNames names(std::move(source));
  names.numbered_ = count;
  if (!last.empty()) {
    names.names_.push_back(std::move(last));
    names.first_.emplace(names.names_.back(), count);
  }
  return names;
}

std::string ColumnNames::name(Index column) const {
  return column < numbered_ ? fmt::format("x{}", column + 1)
                            : names_[static_cast<std::size_t>(column - numbered_)];
}

Index ColumnNames::find(std::string_view name) const {
  if (repeated_.contains(name)) {
    throw Error(fmt::format(
        "{}: the column name '{}' appears more than once; give the column's number instead",
        source_, name));
  }
  if (const auto found = first_.find(name); found != first_.end()) return found->second;
  const Index number = numbered_column(name);
  return number < numbered_ ? number : -1;
}

Index ColumnNames::require(const std::string& wanted, std::string_view role) const {
  const Index named = find(wanted);
  if (named >= 0) return named;
  Index number = 0;
  const char* end = wanted.data() + wanted.size();
  const auto parsed = std::from_chars(wanted.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end) {
    if (number >= 1 && number <= count()) return number - 1;
    throw Error(fmt::format("{}: there is no column {} for the {}: the file has {} columns",
                            source_, wanted, role, count()));
  }
  throw Error(fmt::format("{}: there is no column '{}' for the {}{}; the columns are {}", source_,
                          wanted, role, suggestion(wanted, names_), first_few()));
}

void ColumnNames::reject_repeated(const std::vector<bool>& used) const {
  std::vector<std::string> bad;
  std::unordered_set<std::string> seen;
  for (Index j = 0; j < count() && !repeated_.empty(); ++j) {
    if (!used[static_cast<std::size_t>(j)] || seen.insert(name(j)).second) continue;
    if (std::find(bad.begin(), bad.end(), name(j)) == bad.end()) bad.push_back(name(j));
  }
  if (bad.empty()) return;
  throw Error(fmt::format(
      "{}: {} more than once: {}; rename or exclude (by number) all but one", source_,
      bad.size() == 1 ? "a column name appears" : "column names appear", io::first_few(bad)));
}

std::string ColumnNames::first_few() const {
  std::vector<std::string> shown;
  for (Index j = 0; j < std::min<Index>(few, count()); ++j) shown.push_back(name(j));
  return listed(shown, count());
}

Index numbered_column(std::string_view name) {
  if (name.size() < 2 || name[0] != 'x' || name[1] == '0' || name[1] == '-') return -1;
  Index number = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + 1, end, number);
  return parsed.ec == std::errc() && parsed.ptr == end ? number - 1 : -1;
}

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
  return listed(names.first(std::min(few, names.size())), std::ssize(names));
}

}  // namespace lass0::io
