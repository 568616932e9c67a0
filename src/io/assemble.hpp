// From what a reader found to a Table: the only place that knows what missing, infinite and text
// cells mean.
#pragma once

#include <lass0/io.hpp>

#include "io/raw_table.hpp"

namespace lass0::io {

Table assemble(RawTable raw, const ReadOptions& options);
Table assemble_sparse(RawTable raw, const ReadOptions& options);

// Throws Error where cells have the decimal sign or the thousands separators of other conventions.
void check_decimal_signs(const RawTable& raw);

// "a, b, c and 5 more"
std::string list(const std::vector<std::string>& items);

// The columns of X that are in every model.
std::vector<Index> included_features(const Plan& plan);
std::vector<int> feature_signs(const Plan& plan);  // one a feature; empty: none has one

// Throws Error unless there are rows, no weight is negative and one is above zero.
void check_weights(const std::string& source, const std::string& column, const Vector& weights);

}  // namespace lass0::io
