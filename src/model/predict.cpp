#include <algorithm>
#include <bit>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <lass0/model.hpp>

#include "loss/loss.hpp"
#include "model/intervals.hpp"
#include "util/memory.hpp"

namespace lass0 {

namespace {

Vector predictions(const Iterate& at, const Design& design) {
  Vector fitted = Vector::Constant(design.rows(), at.intercept);
  for (Index l = 0; l < std::ssize(at.support); ++l) {
    const Index j = at.support[static_cast<std::size_t>(l)];
    if (j >= design.cols()) {
      throw Error("the model uses column " + std::to_string(j + 1) + " but the design has " +
                  std::to_string(design.cols()));
    }
    design.add_column(j, at.coefficients[l], fitted);
  }
  return fitted;
}

// Where the columns of models are in a table.
class ColumnsByName {
 public:
  explicit ColumnsByName(const Table& table) : table_(table) {}

  void find(const std::vector<std::string>& names, Iterate& at) {
    for (std::size_t l = 0; l < names.size(); ++l) {
      at.support[l] = table_.column(names[l]);
      if (at.support[l] < 0 && std::ranges::find(missing_, names[l]) == missing_.end())
        missing_.push_back(names[l]);
    }
  }

  void check() const {
    if (missing_.empty()) return;
    std::string list;
    for (const std::string& name : missing_) list += (list.empty() ? "'" : ", '") + name + "'";
    throw Error((table_.source.empty() ? "the table" : table_.source) +
                ": columns of the model are missing: " + list);
  }

 private:
  const Table& table_;
  std::vector<std::string> missing_;
};

}  // namespace

Vector Model::predict(const Design& design, Prediction type,
                      std::span<const double> offsets) const {
  Vector values = predictions(at, design);
  if (!offsets.empty()) {
    if (std::ssize(offsets) != values.size())
      throw Error("the offset has " + std::to_string(offsets.size()) + " values but X has " +
                  std::to_string(values.size()) + " rows");
    values += Eigen::Map<const Vector>(offsets.data(), values.size());
  }
  if (type == Prediction::response && family != Family::gaussian) {
    const Loss& loss = loss_of(family);
    for (double& value : values) value = loss.mean(value);
  }
  return values;
}

Vector Model::predict(const Table& table, Prediction type) const {
  Model found;
  found.at = at;
  found.family = family;
  ColumnsByName columns(table);
  columns.find(names, found.at);
  columns.check();
  const Vector& given = table.offset();
  if (!offset.empty() && given.size() == 0)
    throw Error((table.source.empty() ? "the table" : table.source) +
                " has no offset, but the model has one ('" + offset + "')");
  return found.predict(table.design(), type,
                       {given.data(), static_cast<std::size_t>(given.size())});
}

Intervals Model::predict_interval(const Table& table, double coverage) const {
  Model found = *this;
  ColumnsByName columns(table);
  columns.find(names, found.at);
  for (FoldModel& fold : found.folds) columns.find(fold.names, fold.at);
  columns.check();
  return found.predict_interval(table.design(), coverage);
}

Intervals Model::predict_interval(const Design& design, double coverage) const {
  if (folds.empty())
    throw Error(
        "the model has no fold models, which intervals need: lass0 cv --model FILE keeps them "
        "(without splits of the caller's own)");
  std::vector<std::vector<double>> residuals;
  for (const FoldModel& fold : folds) residuals.push_back(fold.residuals);
  check_coverage(coverage, residuals);
  Matrix of_folds =
      allocate_matrix(design.rows(), std::ssize(folds), "the predictions of all fold models");
  for (std::size_t f = 0; f < folds.size(); ++f)
    of_folds.col(static_cast<Index>(f)) = predictions(folds[f].at, design);
  IntervalEnds ends = cv_plus(of_folds, residuals, coverage);
  return {predict(design), std::move(ends.lower), std::move(ends.upper)};
}

// FNV-1a over the bits of the values, lowest first on every machine.
std::uint64_t checksum(std::span<const double> values) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
    for (int shift = 0; shift < 64; shift += 8)
      sum = (sum ^ (bits >> shift & 0xFF)) * 0x100000001b3;
  }
  return sum == 0 ? 1 : sum;
}

}  // namespace lass0
