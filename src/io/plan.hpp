// Which columns of a file are read, as what, and where they end up: made from the column names and
// the options before any row is read, so that no reader parses or stores a column that nobody
// wants.
#pragma once

#include <lass0/io.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lass0::io {

struct Plan {
  // Per column of the file: its place among the columns kept as numbers (texts), -1 when it is not
  // one of them.
  std::vector<Index> number_slot, text_slot;
  Index number_columns = 0, text_columns = 0;
  std::vector<std::string> number_names, text_names;  // their names in the file, by slot

  // A column of X: a column of the file, or what a text column is turned into.
  struct Feature {
    Index column;  // of the file
    std::string name;
    bool text = false;
    std::string level;  // predictions: the one level this column stands for; otherwise empty: all
                        // levels but the first
    bool include = false;  // in every model
    int sign = 0;          // of its coefficient; 0: any
  };
  // In the order of X. Features that are numbers have the slots 0, 1, ... in this order.
  std::vector<Feature> features;
  Index target = -1;        // column of the file; -1: none, or the format's own
  bool own_target = false;  // y is what the format keeps apart
  std::string target_name;
  Index weights = -1;             // column of the file; -1: none
  Index folds = -1, groups = -1;  // likewise, kept as texts
  bool predicting = false;
};

// `default_target` is the y of formats that have one of their own: a column of that name or, when
// there is none, what the format keeps apart from the columns; empty for other formats. Throws
// Error for unknown, ambiguous and contradicting names.
Plan plan_columns(const std::string& source, const std::vector<std::string>& names,
                  const ReadOptions& options, std::string_view default_target);

// ": did you mean 'lpsa'?" when a name is close to `wanted`, else "".
std::string suggestion(std::string_view wanted, std::span<const std::string> names);

// "a, b, c, ... (12 in all)"
std::string first_few(std::span<const std::string> names);

}  // namespace lass0::io
