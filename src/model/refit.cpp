#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <lass0/model.hpp>

#include "util/memory.hpp"

namespace lass0 {
namespace {

// A column of which the ones before it leave less than this (of its norm) is dependent on them.
constexpr double kDependentNorm = 1e-12;

// Centred by its weighted mean, computed about a provisional centre so that digits are kept, then
// scaled to norm 1 over the rows times sqrt(w).
struct Standardised {
  double mean = 0;
  double norm = 0;  // 0: constant
};

Standardised standardise(const Problem& problem, const Vector& w, MutVec x) {
  Standardised result;
  if (problem.intercept) {
    Index row = 0;
    while (w[row] == 0) ++row;
    const double provisional = x[row];
    x.array() -= provisional;
    const double shift = w.dot(x) / w.sum();
    x.array() -= shift;
    result.mean = provisional + shift;
  }
  x.array() *= w.array().sqrt();
  const double largest = x.cwiseAbs().maxCoeff();
  if (largest > 0) {
    x /= largest;
    const double norm = x.norm();
    x /= norm;
    result.norm = largest * norm;
  }
  return result;
}

}  // namespace

Iterate refit(const Problem& problem, Columns support) {
  check_support(problem, support);
  const Index n = problem.design->rows(), k = std::ssize(support);
  const Vector w = problem.weights.empty()
                       ? Vector::Ones(n)
                       : Vector(Eigen::Map<const Vector>(problem.weights.data(), n));
  Iterate at;
  at.support.assign(support.begin(), support.end());
  std::sort(at.support.begin(), at.support.end());
  at.coefficients = Vector::Zero(k);
  Vector y = Eigen::Map<const Vector>(problem.y.data(), n);
  const Standardised target = standardise(problem, w, y);

  std::vector<Index> used;  // positions in the support of the independent columns
  for (Index l = 0; l < k; ++l) used.push_back(l);
  std::vector<Standardised> units(static_cast<std::size_t>(k));
  for (;;) {
    const Index m = std::ssize(used);
    Matrix A = allocate_matrix(n, m, "the columns of the final refit");
    A.setZero();
    for (Index c = 0; c < m; ++c) {
      const Index l = used[static_cast<std::size_t>(c)];
      problem.design->add_column(at.support[static_cast<std::size_t>(l)], 1.0, A.col(c));
      units[static_cast<std::size_t>(l)] = standardise(problem, w, A.col(c));
    }
    const Eigen::HouseholderQR<Eigen::Ref<Matrix>> qr(A);
    Index dependent = -1;
    for (Index c = 0; c < m && dependent < 0; ++c) {
      if (c >= n || std::abs(qr.matrixQR()(c, c)) <= kDependentNorm) dependent = c;
    }
    if (dependent >= 0) {
      used.erase(used.begin() + dependent);
      continue;
    }
    if (m > 0) {
      Vector rotated = qr.householderQ().adjoint() * y;
      const Vector b =
          qr.matrixQR().topRows(m).triangularView<Eigen::Upper>().solve(rotated.head(m));
      for (Index c = 0; c < m; ++c) {
        const Index l = used[static_cast<std::size_t>(c)];
        at.coefficients[l] = b[c] * (target.norm / units[static_cast<std::size_t>(l)].norm);
      }
    }
    break;
  }
  at.intercept = target.mean;
  for (const Index l : used) {
    at.intercept -= at.coefficients[l] * units[static_cast<std::size_t>(l)].mean;
  }
  return at;
}

}  // namespace lass0
