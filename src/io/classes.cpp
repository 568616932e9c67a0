#include "io/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <limits>
#include <map>

#include "io/assemble.hpp"

namespace lass0::io {
namespace {

std::string number_name(double value) { return fmt::format("{}", value == 0 ? 0.0 : value); }

// The labels that occur, and which of them each row has.
struct Labels {
  std::vector<std::string> names;
  std::vector<std::int32_t> codes;  // one per row
  bool numbers = true;              // all of them are numbers
};

[[noreturn]] void throw_infinite(const RawTable& raw, Index row, std::string_view text) {
  throw Error(fmt::format("{}: row {}, column '{}': '{}' is not a finite number", raw.source,
                          row + 1, raw.plan.target_name, text));
}

Labels labels_of(const RawTable& raw, const TextColumn& target) {
  Labels labels;
  std::vector<bool> occurs(target.levels.size(), false);
  for (const std::int32_t code : target.codes) occurs[at(code)] = true;
  for (std::size_t l = 0; l < occurs.size(); ++l)
    labels.numbers = labels.numbers && (!occurs[l] || parse_number(trim(target.levels[l])));

  // Texts that mean the same become one label.
  std::map<std::string, std::int32_t, std::less<>> code_of;
  std::vector<std::int32_t> merged(target.levels.size(), -1);
  for (std::size_t l = 0; l < occurs.size(); ++l) {
    if (!occurs[l]) continue;
    const std::string_view text = trim(target.levels[l]);
    if (labels.numbers && !std::isfinite(*parse_number(text))) {
      const auto row = std::ranges::find(target.codes, static_cast<std::int32_t>(l));
      throw_infinite(raw, row - target.codes.begin(), text);
    }
    const auto [found, is_new] =
        code_of.emplace(labels.numbers ? number_name(*parse_number(text)) : std::string(text),
                        static_cast<std::int32_t>(labels.names.size()));
    if (is_new) labels.names.push_back(found->first);
    merged[l] = found->second;
  }
  labels.codes.reserve(target.codes.size());
  for (const std::int32_t code : target.codes) labels.codes.push_back(merged[at(code)]);
  return labels;
}

Labels labels_of(const RawTable& raw, const Vector& target) {
  Labels labels;
  std::map<double, std::int32_t> code_of;
  labels.codes.reserve(at(target.size()));
  for (Index i = 0; i < target.size(); ++i) {
    if (!std::isfinite(target(i))) throw_infinite(raw, i, fmt::format("{}", target(i)));
    const auto [found, is_new] =
        code_of.emplace(target(i), static_cast<std::int32_t>(labels.names.size()));
    if (is_new) labels.names.push_back(number_name(target(i)));
    labels.codes.push_back(found->second);
  }
  return labels;
}

// The positions of the labels in their order.
std::vector<std::size_t> in_order(const Labels& labels) {
  std::vector<std::size_t> order(labels.names.size());
  for (std::size_t l = 0; l < order.size(); ++l) order[l] = l;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return labels.numbers ? *parse_number(labels.names[a]) < *parse_number(labels.names[b])
                          : labels.names[a] < labels.names[b];
  });
  return order;
}

[[noreturn]] void throw_not_two(const RawTable& raw, const Labels& labels) {
  const std::string where = fmt::format("{}: the target '{}'", raw.source, raw.plan.target_name);
  if (labels.names.size() == 1) {
    throw Error(
        fmt::format("{} is '{}' in every row, but --family binomial needs two classes; choose "
                    "another target, or read rows of both classes",
                    where, labels.names.front()));
  }
  std::vector<std::string> sorted;
  for (const std::size_t l : in_order(labels)) sorted.push_back(labels.names[l]);
  throw Error(fmt::format(
      "{} has {} {} ({}), but --family binomial needs two; {}", where, sorted.size(),
      labels.numbers ? "different values" : "classes", list(sorted),
      labels.numbers ? "leave --family out for least squares, or make a column of 0 and 1"
                     : "make a column that is 1 for the class of interest and 0 for all others"));
}

bool same(const std::string& one, const std::string& other) {
  if (one == other) return true;
  const auto a = parse_number(one), b = parse_number(other);
  return a && b && *a == *b;
}

Classes by_labels(const RawTable& raw, const Labels& labels,
                  const std::vector<std::string>& known) {
  Classes classes;
  std::vector<double> value(labels.names.size(), 0);
  if (!raw.plan.predicting) {
    if (labels.names.size() != 2) throw_not_two(raw, labels);
    const std::vector<std::size_t> order = in_order(labels);
    classes.names = {labels.names[order[0]], labels.names[order[1]]};
    value[order[1]] = 1;
  } else {
    classes.names = known;
    for (std::size_t l = 0; l < labels.names.size(); ++l) {
      const auto found = std::ranges::find_if(
          known, [&](const auto& name) { return same(labels.names[l], name); });
      if (found == known.end()) {
        const auto row = std::ranges::find(labels.codes, static_cast<std::int32_t>(l));
        throw Error(fmt::format(
            "{}: row {}, column '{}': '{}' is neither of the classes of the fit: {}", raw.source,
            row - labels.codes.begin() + 1, raw.plan.target_name, labels.names[l], list(known)));
      }
      value[l] = static_cast<double>(found - known.begin());
    }
  }
  classes.y.resize(std::ssize(labels.codes));
  for (Index i = 0; i < classes.y.size(); ++i) classes.y(i) = value[at(labels.codes[at(i)])];
  return classes;
}

}  // namespace

Classes classes_of(const RawTable& raw, const TextColumn& target,
                   const std::vector<std::string>& known) {
  return by_labels(raw, labels_of(raw, target), known);
}

Classes classes_of(const RawTable& raw, const Vector& target,
                   const std::vector<std::string>& known) {
  return by_labels(raw, labels_of(raw, target), known);
}

}  // namespace lass0::io
