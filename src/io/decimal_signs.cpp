// Cells whose decimal sign or thousands separators are not those that the options say.
#include <fmt/format.h>

#include <lass0/error.hpp>

#include "io/assemble.hpp"

namespace lass0::io {
namespace {

// What all texts of a column look like; `either` for "1,234".
enum class Looks { text, other_decimal, thousands, either };

Looks looks_like(const ColumnNotes& notes) {
  const bool decimal = notes.text.count > 0 && notes.other_decimal == notes.text.count;
  const bool thousands = notes.text.count > 0 && notes.thousands == notes.text.count;
  if (decimal && thousands) return Looks::either;
  return decimal ? Looks::other_decimal : thousands ? Looks::thousands : Looks::text;
}

// One column that is sure says how those that may be either are meant.
Looks common(const std::vector<Looks>& columns) {
  Looks found = Looks::text;
  for (const Looks looks : columns) {
    if (looks == Looks::other_decimal) return looks;
    if (looks == Looks::thousands || (looks == Looks::either && found == Looks::text))
      found = looks;
  }
  return found;
}

struct Words {
  std::string_view what, advice;
};
Words words(Looks looks, char decimal) {
  if (decimal == ',')
    return {"decimal points", "remove --decimal , or write all numbers with commas"};
  if (looks == Looks::other_decimal)
    return {"decimal commas", "use --decimal , if the whole file has them, else correct these"};
  if (looks == Looks::thousands)
    return {"thousands separators", "write the numbers without separators"};
  return {"decimal commas or thousands separators",
          "use --decimal , if the comma is the decimal sign, else write the numbers without it"};
}

void check_points(const RawTable& raw) {
  for (std::size_t slot = 0; slot < raw.notes.size(); ++slot) {
    const ColumnNotes& notes = raw.notes[slot];
    if (notes.doubtful.count == 0 || notes.points_are_thousands) continue;
    const Cell& cell = notes.doubtful.first;
    throw Error(fmt::format(
        "{}: {}, column '{}': the point of '{}' may separate thousands or be a decimal sign, and "
        "no other number of the column shows which; write it without the point, or with a comma",
        raw.source, place(cell), raw.plan.number_names[slot], cell.text));
  }
}

}  // namespace

void check_decimal_signs(const RawTable& raw) {
  std::vector<Looks> columns;
  for (const ColumnNotes& notes : raw.notes) columns.push_back(looks_like(notes));
  const Looks looks = common(columns);
  if (looks == Looks::text) return check_points(raw);
  std::vector<std::string> examples;
  for (std::size_t slot = 0; slot < columns.size(); ++slot) {
    if (columns[slot] != looks && columns[slot] != Looks::either) continue;
    const Cell& cell = raw.notes[slot].text.first;
    examples.push_back(
        fmt::format("{} ('{}' in {})", raw.plan.number_names[slot], cell.text, place(cell)));
  }
  const auto [what, advice] = words(looks, raw.decimal);
  const std::string count =
      examples.size() == 1 ? "a column looks" : fmt::format("{} columns look", examples.size());
  throw Error(fmt::format("{}: {} like numbers with {}: {}; {}", raw.source, count, what,
                          list(examples), advice));
}

}  // namespace lass0::io
