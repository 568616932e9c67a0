#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

// The columns at unit deviation: the penalty on their coefficients is a plain L1 norm. With a ridge
// they have its rows too.
RealMatrix standardised(const Centred& data) {
  RealMatrix Z = data.augmented_X;
  for (Index j = 0; j < Z.cols(); ++j)
    if (data.deviation[j] > 0) Z.col(j) /= data.deviation[j];
  return Z;
}

bool included(const Centred& data, Index j) {
  return std::binary_search(data.include.begin(), data.include.end(), j);
}

// One threshold a column: 0 for included ones, which are not penalised.
RealVector thresholds(const Centred& data, Real lambda) {
  RealVector t = RealVector::Constant(data.p(), lambda);
  for (const Index j : data.include) t[j] = 0;
  return t;
}

// What is left after the included columns explained what they can.
RealVector after_included(const Centred& data, const RealVector& v) {
  if (data.include.empty()) return v;
  RealMatrix Z(v.size(), std::ssize(data.include));
  for (Index l = 0; l < Z.cols(); ++l) Z.col(l) = data.augmented_X.col(data.include[l]);
  return v - Z * Z.completeOrthogonalDecomposition().solve(v);
}

// The worst violation of: |z_j'r| <= t_j everywhere, z_j'r = t_j sign(b_j) at the members.
// Absolute.
Real violation(const RealMatrix& Z, const RealVector& y, const RealVector& t, const RealVector& b) {
  const RealVector gradient = Z.transpose() * (y - Z * b);
  Real worst = 0;
  for (Index j = 0; j < b.size(); ++j) {
    worst = std::max(worst, b[j] == 0 ? std::abs(gradient[j]) - t[j]
                                      : std::abs(gradient[j] - (b[j] > 0 ? t[j] : -t[j])));
  }
  return worst;
}

Real soft_threshold(Real value, Real level) {
  return value > level ? value - level : value < -level ? value + level : 0;
}

void sweep(const RealMatrix& Z, const RealVector& t, RealVector& b, RealVector& residual) {
  for (Index j = 0; j < b.size(); ++j) {
    const Real square = Z.col(j).squaredNorm();
    if (square == 0) continue;
    const Real next = soft_threshold(Z.col(j).dot(residual) + square * b[j], t[j]) / square;
    if (next == b[j]) continue;
    residual += Z.col(j) * (b[j] - next);
    b[j] = next;
  }
}

// The exact solution, if it has the signs of b: Z_A'(y - Z_A b_A) = t_A sign(b_A).
RealVector solve_for_signs(const RealMatrix& Z, const RealVector& y, const RealVector& t,
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
    right[l] = A.col(l).dot(y) - (b[active[l]] > 0 ? t[active[l]] : -t[active[l]]);
  }
  const RealMatrix gram = A.transpose() * A;
  const RealVector solution = gram.colPivHouseholderQr().solve(right);
  for (Index l = 0; l < A.cols(); ++l) {
    const bool other_sign = t[active[l]] > 0 && solution[l] * b[active[l]] <= 0;
    if (other_sign) return b;  // not the solution yet
    exact[active[l]] = solution[l];
  }
  return exact;
}

}  // namespace

Real lambda_max_by_definition(const Centred& data) {
  const RealMatrix Z = standardised(data);
  const RealVector gradient = Z.transpose() * after_included(data, data.augmented_y);
  Real largest = 0;
  for (Index j = 0; j < gradient.size(); ++j)
    if (!included(data, j)) largest = std::max(largest, std::abs(gradient[j]));
  return largest;
}

OracleLasso lasso_by_definition(const Centred& data, Real lambda) {
  const RealMatrix Z = standardised(data);
  const Real lambda_max = lambda_max_by_definition(data);
  const Real unit = lambda_max > 0 ? lambda_max : 1;
  const RealVector t = thresholds(data, lambda);
  const RealVector& y = data.augmented_y;
  RealVector b = RealVector::Zero(data.p()), residual = y;
  for (int round = 0; round < 400; ++round) {
    for (int i = 0; i < 50; ++i) sweep(Z, t, b, residual);
    const RealVector exact = solve_for_signs(Z, y, t, b);
    if (violation(Z, y, t, exact) <= 1e-14L * unit) {
      b = exact;
      break;
    }
  }

  OracleLasso answer;
  answer.kkt = violation(Z, y, t, b) / unit;
  answer.beta = b;
  answer.intercept = data.y_mean;
  answer.objective = (y - Z * b).squaredNorm() / 2 + t.dot(b.cwiseAbs());
  const RealVector gradient = Z.transpose() * (y - Z * b);
  for (Index j = 0; j < data.p(); ++j) {
    if (b[j] != 0) {
      answer.beta[j] = b[j] / data.deviation[j];
      answer.intercept -= data.mean[j] * answer.beta[j];
    }
    if (included(data, j)) continue;
    if (b[j] != 0) {
      answer.support.push_back(j);
      answer.margin = std::min(answer.margin, std::abs(b[j]) * Z.col(j).squaredNorm() / unit);
    } else if (data.norm[j] > 0) {
      answer.margin = std::min(answer.margin, (lambda - std::abs(gradient[j])) / unit);
    }
  }
  // Dependent members: other solutions, with other supports, are just as good.
  const Support columns = model_columns(data, answer.support);
  if (least_squares(data, columns).rank < std::ssize(columns)) answer.margin = 0;
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
  const RealVector t = thresholds(centred, lambda);
  judgement.objective =
      (rss_by_definition(data, at) + ridge_by_definition(data, at)) / 2 + t.dot(b.cwiseAbs());
  const Real lambda_max = lambda_max_by_definition(centred);
  judgement.kkt = violation(Z, centred.augmented_y, t, b) / (lambda_max > 0 ? lambda_max : 1);

  // max over theta of 1/2 y'y - 1/2 ||y - theta||^2 subject to |z_j'theta| <= t_j, over the
  // multiples of the residual; of what included columns leave of it, so that their conditions hold.
  const RealVector y = after_included(centred, centred.augmented_y);
  const RealVector r = after_included(centred, centred.augmented_y - Z * b);
  const Real square = r.squaredNorm();
  const RealVector gradient = Z.transpose() * r;
  Real largest = 0;
  for (Index j = 0; j < gradient.size(); ++j)
    if (t[j] > 0) largest = std::max(largest, std::abs(gradient[j]));
  Real multiple = square > 0 ? y.dot(r) / square : 0;
  if (largest > 0) multiple = std::clamp(multiple, -lambda / largest, lambda / largest);
  const Real total = y.squaredNorm() / 2;
  const Real dual = total - (y - multiple * r).squaredNorm() / 2;
  judgement.gap = total > 0 ? (judgement.objective - dual) / total : 0;
  return judgement;
}

}  // namespace lass0::testing
