#include "problem/weights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <lass0/error.hpp>
#include <limits>
#include <numeric>

namespace lass0 {
namespace {

constexpr int kUsualExponent = 128;  // of 2: largest weights from 2^-128 to 2^128 stay as they are

// As many heavy rows are looked at, besides those that included columns and the intercept can fit.
constexpr Index kMostHeavyRows = 100;
// Weight of a heavy row over that of all lighter rows together. What is left once the heavy rows
// are fitted exactly is a difference of sums, which has 16 digits less those of this.
constexpr double kMostAboveRest = 1e8;
// One row, with an intercept: centring takes it out of all sums before they are made. What remains
// is its residual, by rounding 1e-16 of its values, of which the square counts.
constexpr double kMostAboveRestCentred = 1e18;

std::string row(Index i) { return "row " + std::to_string(i + 1); }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

[[noreturn]] void throw_too_heavy(const std::vector<Index>& heavy, double weight, double rest) {
  const auto others = heavy.size() - 1;
  std::string which = row(heavy.back()) + ": the weight " + number(weight);
  if (others > 0)
    which += ", and that of " + std::to_string(others) + " heavier row" + (others > 1 ? "s" : "");
  throw Error(which + (others > 0 ? ", are" : " is") +
              " too large compared with that of all other rows together, " + number(rest) +
              ": sums in double precision would lose those rows; give the heavy row" +
              (others > 0 ? "s" : "") + " less weight, or the other rows weight 0");
}

// The rows by weight, heaviest first: as many as a model of usual size can fit exactly, if these
// are not most rows anyway.
std::vector<Index> heaviest_rows(const Problem& problem) {
  const auto& w = problem.weights;
  std::vector<Index> rows(w.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  const Index columns =
      std::min(problem.design->cols(), kMostHeavyRows + std::ssize(problem.include));
  const Index count =
      std::min(columns + (problem.intercept ? 1 : 0),
               std::count_if(w.begin(), w.end(), [](double weight) { return weight > 0; }) / 2);
  std::partial_sort(rows.begin(), rows.begin() + count, rows.end(), [&](Index i, Index j) {
    const double a = w[static_cast<std::size_t>(i)], b = w[static_cast<std::size_t>(j)];
    return a != b ? a > b : i < j;
  });
  rows.resize(static_cast<std::size_t>(count));
  return rows;
}

void check_spread(const Problem& problem) {
  const auto& w = problem.weights;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const double weight : w) {
    if (weight > 0) least = std::min(least, weight);
    most = std::max(most, weight);
  }
  if (most <= kMostAboveRest * least) return;
  std::vector<Index> heavy = heaviest_rows(problem);
  std::vector<char> is_heavy(w.size(), 0);
  for (const Index i : heavy) is_heavy[static_cast<std::size_t>(i)] = 1;
  double rest = 0;
  for (std::size_t i = 0; i < w.size(); ++i) rest += is_heavy[i] ? 0 : w[i];
  for (; !heavy.empty(); heavy.pop_back()) {
    const double weight = w[static_cast<std::size_t>(heavy.back())];
    const bool centred = problem.intercept && heavy.size() == 1;
    if (weight > (centred ? kMostAboveRestCentred : kMostAboveRest) * rest)
      throw_too_heavy(heavy, weight, rest);
    rest += weight;
  }
}

}  // namespace

Vector row_weights(const Problem& problem) {
  const Index n = problem.design->rows();
  if (problem.weights.empty()) return Vector::Ones(n);
  return Eigen::Map<const Vector>(problem.weights.data(), n);
}

Problem with_weights(const Problem& problem, const Vector& weights) {
  Problem weighted = problem;
  weighted.weights = {weights.data(), static_cast<std::size_t>(weights.size())};
  return weighted;
}

ScaledWeights scaled_weights(const Problem& problem) {
  ScaledWeights scaled{row_weights(problem)};
  const double largest = scaled.values.maxCoeff();
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  if (std::abs(exponent) <= kUsualExponent) return scaled;
  const int half = exponent / 2;
  scaled.root = std::ldexp(1.0, half);
  for (double& w : scaled.values) {
    if (w > 0) w = std::max(std::ldexp(w, -2 * half), std::numeric_limits<double>::denorm_min());
  }
  return scaled;
}

void check_weights(const Problem& problem) {
  if (problem.weights.empty()) return;
  double total = 0;
  for (std::size_t i = 0; i < problem.weights.size(); ++i) {
    const double w = problem.weights[i];
    if (!std::isfinite(w) || w < 0)
      throw Error(row(static_cast<Index>(i)) + ": the weight must be a finite number, 0 or more");
    total += w;
  }
  if (!(total > 0)) throw Error("all weights are 0: give at least one row a positive weight");
  if (!std::isfinite(total)) throw Error("the weights are too large to be summed: rescale them");
  check_spread(problem);
}

}  // namespace lass0
