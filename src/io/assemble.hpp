// From what a reader found to a Table: the only place that knows what missing, infinite and text
// cells mean.
#pragma once

#include <lass0/io.hpp>

#include "io/raw_table.hpp"

namespace lass0::io {

Table assemble(RawTable raw, const ReadOptions& options);
Table assemble_sparse(RawTable raw, const ReadOptions& options);

// What tables of both kinds take from the plan, with the weights, the offset and the names of the
// classes.
void keep_plan(const RawTable& raw, Vector weights, Vector offset, std::vector<std::string> classes,
               Table& table);

// Throws Error where cells have the decimal sign or the thousands separators of other conventions.
void check_decimal_signs(const RawTable& raw);

// Leaves out the rows that can't be used for their missing values, or throws Error, as `missing`
// says.
struct Dropped {
  std::vector<Index> rows;                        // 1-based
  std::vector<std::pair<std::string, Index>> by;  // Table::dropped_by
};
Dropped drop_rows(RawTable& raw, MissingValues missing);

// The slots of y, of the weights and of the offset among the numbers; -1: not a column, none.
Index target_slot(const Plan& plan);
Index weights_slot(const Plan& plan);
Index offset_slot(const Plan& plan);

// The slot of a target of two classes among the texts; -1: none.
Index classes_slot(const Plan& plan);

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }
std::string plural(Index count, std::string_view what);

// "a, b, c and 5 more"
std::string list(const std::vector<std::string>& items);

// Levels or labels in their order: numbers by size and others bytewise.
std::vector<std::string> sorted_labels(std::vector<std::string> labels);

// The columns of X that are in every model.
std::vector<Index> included_features(const Plan& plan);
std::vector<int> feature_signs(const Plan& plan);  // one a feature; empty: none has one

// Throws Error where a weight is negative. `first_row`: rows before these.
void check_no_negative(const std::string& source, const std::string& column, const Vector& weights,
                       Index first_row);
// Throws Error unless there are rows, no weight is negative and one is above zero.
void check_weights(const std::string& source, const std::string& column, const Vector& weights);

}  // namespace lass0::io
