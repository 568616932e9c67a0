#include "problem/likelihood.hpp"

#include <numeric>

namespace lass0 {
namespace {

std::span<const double> span_of(const Vector& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

// sum += sign * (offset + intercept + x' beta)
void add_predictor(const Problem& problem, const Iterate& at, double sign, Vector& sum) {
  if (!problem.offset.empty())
    sum += sign * Eigen::Map<const Vector>(problem.offset.data(), sum.size());
  sum.array() += sign * at.intercept;
  for (Index l = 0; l < std::ssize(at.support); ++l) {
    problem.design->add_column(at.support[static_cast<std::size_t>(l)], sign * at.coefficients[l],
                               sum);
  }
}

// Calls use(response, eta) with what the loss is to be evaluated at.
template <class Use>
double at_rows(const Problem& problem, const Iterate& at, const Use& use) {
  check_support(problem, at.support);
  const bool difference = loss_of(problem).of_difference();
  Vector eta = Vector::Zero(std::ssize(problem.y)), y;
  if (difference) y = Eigen::Map<const Vector>(problem.y.data(), eta.size());
  add_predictor(problem, at, difference ? -1 : 1, difference ? y : eta);
  Response response = response_of(problem);
  if (difference) response.y = span_of(y);
  return use(response, eta);
}

}  // namespace

const Loss& loss_of(const Problem& problem) { return loss_of(problem.family); }

Response response_of(const Problem& problem) {
  return {.y = problem.y, .weights = problem.weights, .offset = problem.offset};
}

Vector linear_predictor(const Problem& problem, const Iterate& at) {
  check_support(problem, at.support);
  Vector eta = Vector::Zero(std::ssize(problem.y));
  add_predictor(problem, at, 1, eta);
  return eta;
}

double loss_value(const Problem& problem, const Iterate& at) {
  return at_rows(problem, at, [&](const Response& response, const Vector& eta) {
    return loss_of(problem).value(response, eta);
  });
}

double deviance(const Problem& problem, const Iterate& at) {
  return at_rows(problem, at, [&](const Response& response, const Vector& eta) {
    return loss_of(problem).deviance(response, eta);
  });
}

double null_deviance(const Problem& problem, const Vector& fitted, const Vector& judged) {
  const Loss& loss = loss_of(problem);
  Response response = response_of(problem);
  response.weights = span_of(fitted);
  const double intercept = problem.intercept ? loss.null_intercept(response) : 0;
  response.weights = span_of(judged);
  Vector eta(std::ssize(problem.y));
  for (Index i = 0; i < eta.size(); ++i) eta[i] = intercept + response.offset_of(i);
  const Vector deviances = loss.deviances(response, eta);
  return std::accumulate(deviances.begin(), deviances.end(), 0.0);
}

}  // namespace lass0
