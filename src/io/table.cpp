#include <fmt/format.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <lass0/model.hpp>
#include <set>

namespace lass0 {
namespace {

// Arrays, and the view of them that solvers see.
struct OwnedDense {
  explicit OwnedDense(Matrix X) : values(std::move(X)), design(values) {}
  Matrix values;
  DenseDesign design;
};

struct OwnedSparse {
  OwnedSparse(Index rows, Index cols, std::vector<std::int64_t> start,
              std::vector<std::int32_t> row, std::vector<double> value)
      : column_start(std::move(start)),
        row_index(std::move(row)),
        values(std::move(value)),
        design(rows, cols, column_start, row_index, values) {}
  std::vector<std::int64_t> column_start;
  std::vector<std::int32_t> row_index;
  std::vector<double> values;
  SparseDesign design;
};

}  // namespace

Table::Table(std::shared_ptr<const Design> design, Vector y, std::vector<std::string> names)
    : design_(std::move(design)), y_(std::move(y)), names_(std::move(names)) {
  if (!design_) throw Error("a table needs a design");
  if (y_.size() != 0 && y_.size() != design_->rows())
    throw Error(fmt::format("y has {} values but X has {} rows", y_.size(), design_->rows()));
  if (std::ssize(names_) != design_->cols())
    throw Error(
        fmt::format("there are {} names but X has {} columns", names_.size(), design_->cols()));
}

Table Table::dense(Matrix values, Vector y, std::vector<std::string> names) {
  const auto owner = std::make_shared<const OwnedDense>(std::move(values));
  return Table({owner, &owner->design}, std::move(y), std::move(names));
}

Table Table::sparse(Index rows, Index cols, std::vector<std::int64_t> column_start,
                    std::vector<std::int32_t> row_index, std::vector<double> values, Vector y,
                    std::vector<std::string> names) {
  const auto owner = std::make_shared<const OwnedSparse>(rows, cols, std::move(column_start),
                                                         std::move(row_index), std::move(values));
  return Table({owner, &owner->design}, std::move(y), std::move(names));
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
  problem.offset = {offset_.data(), static_cast<std::size_t>(offset_.size())};
  problem.names = names_;
  problem.intercept = intercept;
  problem.standardize = standardize;
  problem.include = include;
  problem.signs = signs;
  problem.summed = summed.get();
  return problem;
}

ReadOptions for_prediction(const Model& model) {
  ReadOptions options;
  options.only_columns = true;
  options.columns = model.names;
  std::set<std::string> seen(model.names.begin(), model.names.end());
  for (const FoldModel& fold : model.folds) {
    for (const std::string& name : fold.names) {
      if (seen.insert(name).second) options.columns.push_back(name);
    }
  }
  options.known_levels = model.one_hot;
  options.known_means = model.imputed;
  options.known_alleles = model.alleles;
  options.offset = model.offset;
  options.classes = model.family == Family::binomial;
  if (options.classes)
    options.known_classes =
        model.classes.empty() ? std::vector<std::string>{"0", "1"} : model.classes;
  return options;
}

}  // namespace lass0
