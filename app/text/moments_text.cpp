#include "text/moments_text.hpp"

#include <fmt/format.h>

#include "text.hpp"

namespace lass0::app {

std::string moments_text(const MomentsBuilder& builder, const std::string& output) {
  const MomentsSchema& schema = builder.schema();
  // Sums of a cluster's rows without folds have the fold column "none".
  const std::string folds =
      builder.folds() == 1 && (schema.fold_column.empty() || schema.fold_column == "none")
          ? std::string("no folds")
      : schema.fold_column.empty()
          ? fmt::format("{}, seed {}", count(builder.folds(), "random fold"), schema.seed)
          : fmt::format("{} by {}", count(builder.folds(), "fold"), printable(schema.fold_column));
  std::string text =
      fmt::format("{}: {}, {}, target {}, {}\n", printable(output), count(builder.rows(), "row"),
                  count(std::ssize(schema.names), "column"), printable(schema.target), folds);
  if (schema.fold_column.empty() && builder.folds() > 1)
    text += fmt::format("the next part needs --first-row {}\n", builder.next_row());
  return text;
}

}  // namespace lass0::app
