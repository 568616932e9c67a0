// Text for people: numbers, bars and aligned tables that fit the terminal, whatever the columns of
// the data are called.
#pragma once

#include <lass0/types.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lass0::app {

// Of the terminal that standard output is, or 80 where it is none.
int line_width();
int terminal_width(int descriptor);  // that of an open file; as if plain where it is no terminal

// The columns a text takes on a terminal: UTF-8, wide and combining characters counted as they are
// shown, colours not at all.
int display_width(std::string_view text);

// A name as it may be printed: control characters and broken UTF-8 become '?', so that data can't
// steer the terminal.
std::string printable(std::string_view text);

bool is_utf8(std::string_view text);

std::string one_line(std::string_view text);  // line breaks become spaces, the rest printable
std::string shorten(std::string_view text,
                    int width);  // printable, cut with "..." where it is wider
// The same for the name of a column, cut in the middle: names that begin alike stay apart.
std::string shorten_name(std::string_view name, int width);
std::string pad_right(std::string_view text, int width);  // by spaces, to a display width
std::string pad_left(std::string_view text, int width);

std::string number(double value, int digits = 6);    // significant digits, no trailing zeros
std::string count(Index n, std::string_view thing);  // "1 column", "12,345 columns"

// A bar of + or - signs: `share` in [-1, 1] of `width`. Anything but zero shows at least one sign.
std::string bar(double share, int width);

// Pads numbers on both sides so that their decimal points stand below each other.
void align_decimals(std::vector<std::string>& numbers);

// Columns side by side, two spaces apart; the format has one letter for each: 'l' left, 'r' right.
using Rows = std::vector<std::vector<std::string>>;
std::string table(const Rows& rows, std::string_view format);
std::string headed_table(Rows rows, std::string_view format);  // the first row are headings

std::vector<std::string> words(std::string_view sentence);

// Items with a space between them, broken into lines; what does not fit in `max_lines` becomes
// "...".
struct Wrap {
  int indent = 0;  // of every line but the first, which has this much used up already
  int width = line_width();
  int max_lines = 1000;
};
std::string wrap(const std::vector<std::string>& items, const Wrap& options);

// "label      items, wrapped and indented"
std::string labelled(std::string_view label, const std::vector<std::string>& items,
                     int max_lines = Wrap{}.max_lines);
std::string labelled(std::string_view label, std::string_view sentence);

// The line that says how many coefficients were held to a sign; empty where none was.
std::string signs_line(Index positive, Index negative);

}  // namespace lass0::app
