// What a MomentsBuilder holds, for those that fill it from files.
#pragma once

#include <lass0/moments_builder.hpp>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "moments/fold_sums.hpp"
#include "util/row_folds.hpp"

namespace lass0 {

struct MomentsBuilder::State {
  State(MomentsSchema what, Index first, int thread_count);

  // Rows of a block: column j of the values is column j of X, and the last one is the target.
  // `weights` (null: 1) and `labels` (of all rows, where the schema has a fold column) are one per
  // row.
  void add(const BlockColumns& values, Index count, const double* weights,
           std::span<const std::string> labels);
  Index fold_of(const std::string& label);
  void check_scales() const;
  // The folds in the order of their labels.
  std::vector<Index> fold_order() const;
  // Rows in one fold, with or without numbers.
  bool has_no_folds() const;
  // Forgets the numbers of rows that have no folds, as rows of a cluster have none.
  void forget_row_numbers();

  MomentsSchema schema;
  int threads;
  FoldSums sums;
  Index first_row, next_row;  // of those that were added here, from 1
  // The first row and the number of rows of every part, with random folds.
  std::vector<std::pair<Index, Index>> parts;  // of those that were merged
  std::vector<std::pair<Index, Index>> all_parts() const;
  std::vector<std::string> labels;                        // of the folds
  Index most_labels = std::numeric_limits<Index>::max();  // that rows may bring
  std::unordered_map<std::string, Index> fold_of_label;
  std::optional<RowFolds> random;
};

namespace io {

// The fold column, and its label, of rows that have neither numbers nor folds.
constexpr std::string_view kNoFolds = "none";

// Throws Error, which says what the text is, where it is not valid UTF-8: the header of a file of
// moments is JSON, which can't hold it, and two such labels would become one.
void check_utf8(const std::string& text, const std::string& what);

// What folds a schema has, in messages: "no folds".
std::string folds_text(const MomentsSchema& schema);

// Throws UsageError where rows have a number, but their folds come from a column.
void check_first_row(Index first_row, const std::string& folds_by);

// The content of a file of moments. Throws Error, which names `source`, where it is none.
MomentsBuilder moments_from_bytes(std::string_view bytes, const std::string& source);

}  // namespace io
}  // namespace lass0
