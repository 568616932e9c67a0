// Which columns of a file are read, as what, and where they end up: made from the column names and
// the options before any row is read, so that no reader parses or stores a column that nobody
// wants.
#pragma once

#include <cstdint>
#include <lass0/io.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/column_names.hpp"

namespace lass0::io {

struct Plan {
  // Dense tables, see give_slots(). Per column of the file: its place among the columns kept as
  // numbers (texts), -1 when it is not one of them.
  std::vector<Index> number_slot, text_slot;
  Index number_columns = 0, text_columns = 0;
  std::vector<std::string> number_names, text_names;  // their names in the file, by slot

  // A column of X: a column of the file, or what a text column is turned into. Small: a sparse file
  // may have millions.
  struct Feature {
    Index column;             // of the file
    std::int32_t level = -1;  // in `levels`: the one that this column stands for; -1 of a text
                              // column: all levels but the first
    bool text = false;
    bool include = false;  // in every model
    int sign = 0;          // of its coefficient; 0: any
  };
  // In the order of X. Features that are numbers have the slots 0, 1, ... in this order.
  std::vector<Feature> features;
  std::vector<std::string> levels;
  Index target = -1;        // column of the file; -1: none, or the format's own
  bool own_target = false;  // y is what the format keeps apart
  bool classes = false;     // y is one of two classes, kept as texts
  std::string target_name, weights_name, offset_name, id_name;
  Index weights = -1, offset = -1;  // column of the file; -1: none
  Index folds = -1, groups = -1;    // likewise, kept as texts
  Index id = -1;                    // predictions: column of the file, -1: none
  bool predicting = false;
};

// `default_target` is the y of formats that have one of their own: a column of that name or, when
// there is none, what the format keeps apart from the columns; empty for other formats. Throws
// Error for unknown, ambiguous and contradicting names.
Plan plan_columns(const ColumnNames& names, const ReadOptions& options,
                  std::string_view default_target);

// For dense tables: where the columns are stored. Features first, so that taking the target off the
// stored columns moves nothing. Features among the first `in_place` columns of the file stay where
// they are and get no slots.
void give_slots(const ColumnNames& names, Plan& plan, Index in_place = 0);
bool has_slot(const Plan& plan, const Plan::Feature& feature);

// Of a plan with slots.
std::string feature_name(const Plan& plan, const Plan::Feature& feature);

}  // namespace lass0::io
