#include <fmt/format.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <lass0/model.hpp>

namespace lass0 {
namespace {

void check_sizes(Index rows, Index cols, const Vector& y, const std::vector<std::string>& names) {
  if (y.size() != 0 && y.size() != rows)
    throw Error(fmt::format("y has {} values but X has {} rows", y.size(), rows));
  if (std::ssize(names) != cols)
    throw Error(fmt::format("there are {} names but X has {} columns", names.size(), cols));
}

}  // namespace

Table Table::dense(Matrix values, Vector y, std::vector<std::string> names) {
  check_sizes(values.rows(), values.cols(), y, names);
  Table table;
  table.dense_ = std::move(values);
  table.design_ = std::make_unique<DenseDesign>(table.dense_);
  table.y_ = std::move(y);
  table.names_ = std::move(names);
  return table;
}

Table Table::sparse(Index rows, Index cols, std::vector<std::int64_t> column_start,
                    std::vector<std::int32_t> row_index, std::vector<double> values, Vector y,
                    std::vector<std::string> names) {
  check_sizes(rows, cols, y, names);
  Table table;
  table.column_start_ = std::move(column_start);
  table.row_index_ = std::move(row_index);
  table.sparse_values_ = std::move(values);
  table.design_ = std::make_unique<SparseDesign>(rows, cols, table.column_start_, table.row_index_,
                                                 table.sparse_values_);
  table.y_ = std::move(y);
  table.names_ = std::move(names);
  return table;
}

Index Table::column(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? -1 : found - names_.begin();
}

Problem Table::problem(bool intercept, bool standardize) const {
  Problem problem;
  problem.design = design_.get();
  problem.y = {y_.data(), static_cast<std::size_t>(y_.size())};
  problem.weights = {weights_.data(), static_cast<std::size_t>(weights_.size())};
  problem.names = names_;
  problem.intercept = intercept;
  problem.standardize = standardize;
  problem.include = include;
  problem.signs = signs;
  return problem;
}

ReadOptions for_prediction(const Model& model) {
  ReadOptions options;
  options.only_columns = true;
  options.columns = model.names;
  options.known_levels = model.one_hot;
  options.known_means = model.imputed;
  return options;
}

}  // namespace lass0
