// A file of moments where a data file is read: rows with the same sums, and the options of data
// files that need the rows themselves refused.
#include <fmt/format.h>

#include <lass0/error.hpp>

#include "io/formats.hpp"
#include "io/moments_state.hpp"

namespace lass0::io {
namespace {

void check_options(const std::string& source, const ReadOptions& options) {
  const auto needs_rows = [&](const std::string& what) {
    throw UsageError(
        fmt::format("{}: {}, but a file of moments has only the sums of its rows", source, what));
  };
  if (options.only_columns) needs_rows("predictions need rows");
  if (options.classes) needs_rows("the family binomial needs rows");
  const auto in_sums = [&](const std::string& column, const char* option) {
    if (!column.empty())
      needs_rows(fmt::format("{} {} needs rows: use it with lass0 moments, when the file is made",
                             option, column));
  };
  in_sums(options.weights, "--weights");
  in_sums(options.folds, "--fold-column");
  if (!options.groups.empty()) needs_rows("--group-column needs rows");
  if (!options.offset.empty()) needs_rows("--offset needs rows");
  if (!options.one_hot.empty()) in_sums(options.one_hot.front(), "--one-hot");
}

}  // namespace

RawTable read_moments(const Input& input) {
  check_options(input.source, input.options);
  MomentsBuilder builder = moments_from_bytes(input.bytes, input.source);
  const Table table = builder.table();
  std::vector<std::string> names = table.names();
  names.push_back(table.target);
  const Index p = std::ssize(table.names()), n = table.design().rows();
  RawTable raw(input, ColumnNames(input.source, std::move(names)), n, table.target);
  Vector column(n);
  for (Index j = 0; j <= p; ++j) {
    if (j < p) {
      column.setZero();
      table.design().add_column(j, 1.0, column);
    } else {
      column = table.y();
    }
    for (Index i = 0; i < n; ++i) raw.put(j, column[i], i);
  }
  raw.summed = table.summed;
  raw.summed_weights = table.weights();
  raw.summed_one_hot = table.one_hot;
  return raw;
}

}  // namespace lass0::io
