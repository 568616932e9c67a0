#include "glm/glm_rows.hpp"

#include <algorithm>
#include <cmath>

#include "problem/likelihood.hpp"
#include "problem/weights.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr Index kBlockOfColumns = 256;

std::span<const double> span_of(const Vector& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

Vector picked(const Vector& values, const std::vector<Index>& rows) {
  if (rows.empty()) return values;
  Vector some(std::ssize(rows));
  for (Index i = 0; i < some.size(); ++i) some[i] = values[rows[static_cast<std::size_t>(i)]];
  return some;
}

bool is_all_in_order(Columns list, Index cols) {
  return std::ssize(list) == cols && std::is_sorted(list.begin(), list.end());
}

}  // namespace

GlmRows::GlmRows(const Problem& problem, const Moments& base)
    : problem_(problem), loss_(loss_of(problem)), base_(base) {
  const Index n = problem.design->rows();
  weights_ = row_weights(problem);
  if ((weights_.array() == 0).any()) {
    for (Index i = 0; i < n; ++i) {
      if (weights_[i] > 0) used_.push_back(i);
    }
  }
  weights_ = picked(weights_, used_);
  weighted_ = (weights_.array() != 1).any();
  y_ = picked(Eigen::Map<const Vector>(problem.y.data(), n), used_);
  offset_ = problem.offset.empty()
                ? Vector(Vector::Zero(y_.size()))
                : picked(Eigen::Map<const Vector>(problem.offset.data(), n), used_);
  means_.resize(cols());
  units_.resize(cols());
  for (Index j = 0; j < cols(); ++j) {
    const double deviation = base.constant(j) ? 0 : base.deviation(j);
    means_[j] = problem.intercept ? base.mean(j) : 0;
    units_[j] = deviation > 0 ? (problem.standardize ? 1 / deviation : 1) : 0;
  }
}

Response GlmRows::response() const {
  return {.y = span_of(y_),
          .weights = weighted_ ? span_of(weights_) : std::span<const double>(),
          .offset = span_of(offset_)};
}

void GlmRows::columns(Columns list, MutMat Z) const {
  if (!used_.empty() && is_all_in_order(list, cols()) && problem_.design->gather(used_, Z)) {
    for (Index l = 0; l < Z.cols(); ++l) Z.col(l) = (Z.col(l).array() - means_[l]) * units_[l];
    return;
  }
  problem_.design->fetch(list);
  Vector all(used_.empty() ? 0 : problem_.design->rows());
  for (Index l = 0; l < Z.cols(); ++l) {
    const Index j = list[static_cast<std::size_t>(l)];
    const double mean = means_[j], unit = units_[j];
    auto z = Z.col(l);
    if (used_.empty()) {
      z.setZero();
      problem_.design->add_column(j, 1.0, z);
      z = (z.array() - mean) * unit;
      continue;
    }
    all.setZero();
    problem_.design->add_column(j, 1.0, all);
    for (Index i = 0; i < z.size(); ++i)
      z[i] = (all[used_[static_cast<std::size_t>(i)]] - mean) * unit;
  }
}

template <class Body>
void GlmRows::for_each_block_of_columns(const Body& body) const {
  const Index p = cols(), asked = problem_.design->columns_per_call();
  const Index width = asked > 0 ? asked : kBlockOfColumns;
  for_each_block((p + width - 1) / width, base_.control().threads, [&](Index block) {
    const Index first = block * width;
    body(first, std::min(width, p - first));
  });
}

// With zeros for the rows that are not here.
RowMatrix GlmRows::over_all_rows(const RowMatrix& V) const {
  RowMatrix all = RowMatrix::Zero(problem_.design->rows(), V.cols());
  for (Index i = 0; i < V.rows(); ++i) all.row(used_[static_cast<std::size_t>(i)]) = V.row(i);
  return all;
}

Matrix GlmRows::products(const RowMatrix& V) const {
  const RowMatrix spread = used_.empty() ? RowMatrix() : over_all_rows(V);
  const RowMatrix& all = used_.empty() ? V : spread;
  Matrix out = allocate_matrix(cols(), V.cols(), "the products of all columns with a fit");
  const RowGroups groups = RowGroups::single();
  for_each_block_of_columns([&](Index first, Index count) {
    Matrix block(count, V.cols());
    problem_.design->products(first, count, means_.segment(first, count), groups, all, block);
    out.middleRows(first, count) = units_.segment(first, count).asDiagonal() * block;
  });
  return out;
}

Vector GlmRows::squares(const Vector& v) const {
  const RowMatrix spread = used_.empty() ? RowMatrix() : over_all_rows(v);
  Vector out(cols());
  const Vector all = used_.empty() ? v : Vector(spread.col(0));
  const RowGroups groups = RowGroups::single();
  for_each_block_of_columns([&](Index first, Index count) {
    Matrix block(count, 1);
    problem_.design->squares(first, count, means_.segment(first, count), groups, all, block);
    out.segment(first, count) =
        block.col(0).array() * units_.segment(first, count).array().square();
  });
  return out;
}

Iterate GlmRows::model(double intercept, Columns columns, const ConstVec& b) const {
  Iterate at;
  at.support.assign(columns.begin(), columns.end());
  at.coefficients.resize(b.size());
  at.intercept = intercept;
  for (Index l = 0; l < b.size(); ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    at.coefficients[l] = b[l] * units_[j];
    at.intercept -= at.coefficients[l] * means_[j];
  }
  return at;
}

Panel::Panel(const GlmRows& rows)
    : rows_(rows),
      place_(static_cast<std::size_t>(rows.cols()), -1),
      Z_(std::make_shared<Matrix>(rows.rows(), 0)) {
  add(rows.included());
}

Panel::Panel(const GlmRows& rows, const Panel& at_other_ridge) : Panel(rows) {
  // A ridge may tell apart what included columns without it do not: then nothing is shared.
  if (rows.included() != at_other_ridge.rows().included()) return;
  inherited_ = true;
  columns_ = at_other_ridge.columns_;
  place_ = at_other_ridge.place_;
  largest_ = at_other_ridge.largest_;
  Z_ = at_other_ridge.Z_;
}

void Panel::add(Columns columns) {
  std::vector<Index> fresh;
  for (const Index j : columns) {
    if (place(j) >= 0) continue;
    place_[static_cast<std::size_t>(j)] = size() + std::ssize(fresh);
    fresh.push_back(j);
  }
  if (fresh.empty()) return;
  const Index before = size(), after = before + std::ssize(fresh);
  if (after > Z_->cols() || Z_.use_count() > 1) {
    auto larger = std::make_shared<Matrix>(
        allocate_matrix(rows_.rows(), before == 0 ? after : std::max(after, before + before / 2),
                        "the standardised columns of the search"));
    use_large_pages(*larger);
    larger->leftCols(before) = Z_->leftCols(before);
    Z_ = std::move(larger);
  }
  auto Z = Z_->middleCols(before, std::ssize(fresh));
  rows_.columns(fresh, Z);
  for (Index l = 0; l < Z.cols(); ++l)
    largest_.push_back(Z.rows() > 0 ? Z.col(l).cwiseAbs().maxCoeff() : 0);
  columns_.insert(columns_.end(), fresh.begin(), fresh.end());
}

}  // namespace lass0
