#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

// The columns at unit deviation: the penalty on their coefficients is a plain L1 norm.
RealMatrix standardised(const Centred& data) {
  RealMatrix Z = data.X;
  for (Index j = 0; j < Z.cols(); ++j)
    if (data.deviation[j] > 0) Z.col(j) /= data.deviation[j];
  return Z;
}

// The worst violation of: |z_j'r| <= lambda everywhere, z_j'r = lambda sign(b_j) at the members.
// Absolute.
Real violation(const RealMatrix& Z, const RealVector& y, Real lambda, const RealVector& b) {
  const RealVector gradient = Z.transpose() * (y - Z * b);
  Real worst = 0;
  for (Index j = 0; j < b.size(); ++j) {
    worst = std::max(worst, b[j] == 0 ? std::abs(gradient[j]) - lambda
                                      : std::abs(gradient[j] - (b[j] > 0 ? lambda : -lambda)));
  }
  return worst;
}

Real soft_threshold(Real value, Real level) {
  return value > level ? value - level : value < -level ? value + level : 0;
}

void sweep(const RealMatrix& Z, Real lambda, RealVector& b, RealVector& residual) {
  for (Index j = 0; j < b.size(); ++j) {
    const Real square = Z.col(j).squaredNorm();
    if (square == 0) continue;
    const Real next = soft_threshold(Z.col(j).dot(residual) + square * b[j], lambda) / square;
    if (next == b[j]) continue;
    residual += Z.col(j) * (b[j] - next);
    b[j] = next;
  }
}

// The exact solution, if it has the signs of b: Z_A'(y - Z_A b_A) = lambda sign(b_A).
RealVector solve_for_signs(const RealMatrix& Z, const RealVector& y, Real lambda,
                           const RealVector& b) {
  Support active;
  for (Index j = 0; j < b.size(); ++j)
    if (b[j] != 0) active.push_back(j);
  RealVector exact = RealVector::Zero(b.size());
  if (active.empty()) return exact;
  RealMatrix A(Z.rows(), std::ssize(active));
  RealVector right(A.cols());
  for (Index l = 0; l < A.cols(); ++l) {
    A.col(l) = Z.col(active[l]);
    right[l] = A.col(l).dot(y) - (b[active[l]] > 0 ? lambda : -lambda);
  }
  const RealMatrix gram = A.transpose() * A;
  const RealVector solution = gram.colPivHouseholderQr().solve(right);
  for (Index l = 0; l < A.cols(); ++l) {
    if (solution[l] * b[active[l]] <= 0) return b;  // other signs: not the solution yet
    exact[active[l]] = solution[l];
  }
  return exact;
}

}  // namespace

Real lambda_max_by_definition(const Centred& data) {
  const RealMatrix Z = standardised(data);
  return Z.cols() > 0 ? (Z.transpose() * data.y).cwiseAbs().maxCoeff() : 0;
}

OracleLasso lasso_by_definition(const Centred& data, Real lambda) {
  const RealMatrix Z = standardised(data);
  const Real lambda_max = lambda_max_by_definition(data);
  const Real unit = lambda_max > 0 ? lambda_max : 1;
  RealVector b = RealVector::Zero(data.p()), residual = data.y;
  for (int round = 0; round < 400; ++round) {
    for (int i = 0; i < 50; ++i) sweep(Z, lambda, b, residual);
    const RealVector exact = solve_for_signs(Z, data.y, lambda, b);
    if (violation(Z, data.y, lambda, exact) <= 1e-14L * unit) {
      b = exact;
      break;
    }
  }

  OracleLasso answer;
  answer.kkt = violation(Z, data.y, lambda, b) / unit;
  answer.beta = b;
  answer.intercept = data.y_mean;
  answer.objective = (data.y - Z * b).squaredNorm() / 2 + lambda * b.lpNorm<1>();
  const RealVector gradient = Z.transpose() * (data.y - Z * b);
  for (Index j = 0; j < data.p(); ++j) {
    if (b[j] != 0) {
      answer.support.push_back(j);
      answer.beta[j] = b[j] / data.deviation[j];
      answer.intercept -= data.mean[j] * answer.beta[j];
      answer.margin = std::min(answer.margin, std::abs(b[j]) * Z.col(j).squaredNorm() / unit);
    } else if (data.norm[j] > 0) {
      answer.margin = std::min(answer.margin, (lambda - std::abs(gradient[j])) / unit);
    }
  }
  // Dependent members: other solutions, with other supports, are just as good.
  if (least_squares(data, answer.support).rank < std::ssize(answer.support)) answer.margin = 0;
  return answer;
}

LassoJudgement judge_lasso(const Data& data, Real lambda, const Iterate& at) {
  const Centred centred(data);
  const RealMatrix Z = standardised(centred);
  RealVector b = RealVector::Zero(data.p());
  for (std::size_t l = 0; l < at.support.size(); ++l)
    b[at.support[l]] =
        Real(at.coefficients[static_cast<Index>(l)]) * centred.deviation[at.support[l]];

  LassoJudgement judgement;
  judgement.objective = rss_by_definition(data, at) / 2 + lambda * b.lpNorm<1>();
  const Real lambda_max = lambda_max_by_definition(centred);
  judgement.kkt = violation(Z, centred.y, lambda, b) / (lambda_max > 0 ? lambda_max : 1);

  // max over theta of 1/2 y'y - 1/2 ||y - theta||^2 subject to |z_j'theta| <= lambda, over the
  // multiples of the residual.
  const RealVector r = centred.y - Z * b;
  const Real square = r.squaredNorm();
  const Real largest = Z.cols() > 0 ? (Z.transpose() * r).cwiseAbs().maxCoeff() : 0;
  Real multiple = square > 0 ? centred.y.dot(r) / square : 0;
  if (largest > 0) multiple = std::clamp(multiple, -lambda / largest, lambda / largest);
  const Real total = centred.y.squaredNorm() / 2;
  const Real dual = total - (centred.y - multiple * r).squaredNorm() / 2;
  judgement.gap = total > 0 ? (judgement.objective - dual) / total : 0;
  return judgement;
}

}  // namespace lass0::testing
