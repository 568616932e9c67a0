#include "report/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "problem/likelihood.hpp"
#include "util/random.hpp"

namespace lass0 {
namespace {

constexpr Index kMostRows = 2000, kFewestRows = 500;
constexpr Index kMostValues = 100000;  // rows times models: about a megabyte of JSON
constexpr Index kFarthest = 20;        // rows always shown: the largest residuals

// Where the loss depends on y - eta alone, `rest` is that difference; else it is -eta.
Vector residuals(const Loss& loss, const std::vector<double>& y, Vector rest) {
  if (loss.of_difference()) return rest;
  const Vector eta = -rest;
  const Vector deviances = loss.deviances({.y = y}, eta);
  for (Index i = 0; i < eta.size(); ++i) {
    const double above = y[static_cast<std::size_t>(i)] - loss.mean(eta[i]);
    rest[i] = std::copysign(std::sqrt(std::max(0.0, deviances[i])), above);
  }
  return rest;
}

// y, or 0 where the linear predictor itself is asked for, without the offset.
Vector before_fit(const Problem& problem) {
  const Index n = problem.design->rows();
  Vector rest = Vector::Zero(n);
  if (loss_of(problem).of_difference()) rest = Eigen::Map<const Vector>(problem.y.data(), n);
  if (!problem.offset.empty()) rest -= Eigen::Map<const Vector>(problem.offset.data(), n);
  return rest;
}

Vector residuals(const Problem& problem, const Iterate& at) {
  Vector rest = before_fit(problem).array() - at.intercept;
  for (std::size_t i = 0; i < at.support.size(); ++i)
    problem.design->add_column(at.support[i], -at.coefficients[static_cast<Index>(i)], rest);
  return residuals(loss_of(problem), {problem.y.begin(), problem.y.end()}, std::move(rest));
}

// A random choice of the rows, and those farthest from the model that is shown first.
std::vector<Index> few(const Problem& problem, const std::vector<Index>& used, Index count,
                       const Iterate& shown) {
  const Vector rest = residuals(problem, shown);
  std::vector<Index> far = used;
  std::partial_sort(far.begin(), far.begin() + kFarthest, far.end(), [&](Index a, Index b) {
    const double at_a = std::abs(rest[a]), at_b = std::abs(rest[b]);
    return at_a != at_b ? at_a > at_b : a < b;
  });
  far.resize(static_cast<std::size_t>(kFarthest));
  std::vector<Index> rows = far;
  Random random(1);
  for (const Index i : random.sample(std::ssize(used), count - kFarthest)) {
    const Index row = used[static_cast<std::size_t>(i)];
    if (std::find(far.begin(), far.end(), row) == far.end()) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

Matrix shown_values(const Problem& problem, const std::vector<Index>& rows,
                    const std::vector<Index>& columns) {
  Matrix x(std::ssize(rows), std::ssize(columns));
  for (Index c = 0; c < x.cols(); ++c) {
    for (Index r = 0; r < x.rows(); ++r)
      x(r, c) = problem.design->value(rows[static_cast<std::size_t>(r)],
                                      columns[static_cast<std::size_t>(c)]);
  }
  return x;
}

ReportRows report_rows(const Problem& problem, const ReportModels& models) {
  ReportRows shown;
  if (problem.summed) {
    shown.total = rows_used(problem);
    shown.residuals.resize(models.models.size());
    return shown;
  }
  std::vector<Index> used;
  for (Index i = 0; i < problem.design->rows(); ++i) {
    if (problem.weights.empty() || problem.weights[static_cast<std::size_t>(i)] > 0)
      used.push_back(i);
  }
  shown.total = std::ssize(used);
  const Index count = std::clamp(kMostValues / std::ssize(models.models), kFewestRows, kMostRows);
  if (shown.total > count) {
    shown.rows = few(problem, used, count, models.first().at);
    shown.farthest = kFarthest;
  } else {
    shown.rows = std::move(used);
  }
  for (const Index i : shown.rows) shown.observed.push_back(problem.y[static_cast<std::size_t>(i)]);

  const Matrix x = shown_values(problem, shown.rows, models.columns);
  const Vector before = before_fit(problem)(shown.rows);
  for (const ReportModel& model : models.models) {
    Vector rest = before.array() - model.at.intercept;
    for (std::size_t i = 0; i < model.at.support.size(); ++i) {
      const auto place =
          std::lower_bound(models.columns.begin(), models.columns.end(), model.at.support[i]);
      rest -= model.at.coefficients[static_cast<Index>(i)] * x.col(place - models.columns.begin());
    }
    shown.residuals.push_back(residuals(loss_of(problem), shown.observed, std::move(rest)));
  }
  return shown;
}

}  // namespace lass0
