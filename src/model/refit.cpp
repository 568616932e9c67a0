#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <lass0/model.hpp>

#include "problem/standardise.hpp"
#include "problem/weights.hpp"
#include "util/memory.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Of the columns at `used` places of the support one whose coefficient has the wrong sign; -1:
// none.
Index wrong_sign(const Problem& problem, Columns support, const std::vector<Index>& used,
                 const Vector& b) {
  for (Index c = 0; c < b.size(); ++c) {
    const Index j = support[static_cast<std::size_t>(used[static_cast<std::size_t>(c)])];
    if (problem.sign(j) * b[c] < 0) return c;
  }
  return -1;
}

}  // namespace

Iterate refit(const Problem& problem, Columns support) {
  check_support(problem, support);
  const Index n = problem.design->rows(), k = std::ssize(support);
  const auto [w, root] = scaled_weights(problem);
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
    const Index m = std::ssize(used), rows = problem.ridge > 0 ? n + m : n;
    Matrix A = allocate_matrix(rows, m, "the columns of the final refit");
    A.setZero();
    Vector scale = Vector::Ones(m);  // of the columns: 1, or more with their row of the ridge
    for (Index c = 0; c < m; ++c) {
      const Index l = used[static_cast<std::size_t>(c)];
      Standardised& unit = units[static_cast<std::size_t>(l)];
      problem.design->add_column(at.support[static_cast<std::size_t>(l)], 1.0, A.col(c).head(n));
      unit = standardise(problem, w, A.col(c).head(n));
      if (problem.ridge == 0) continue;
      A(n + c, c) = std::sqrt(problem.ridge) / root * relative_deviation(problem, w, unit);
      scale[c] = std::max(1.0, A(n + c, c));
    }
    const Eigen::HouseholderQR<Eigen::Ref<Matrix>> qr(A);
    Index dependent = -1;
    for (Index c = 0; c < m && dependent < 0; ++c) {
      if (c >= rows || std::abs(qr.matrixQR()(c, c)) <= kDependentNorm * scale[c]) dependent = c;
    }
    if (dependent >= 0) {
      used.erase(used.begin() + dependent);
      continue;
    }
    if (m > 0) {
      Vector rotated = Vector::Zero(rows);
      rotated.head(n) = y;
      rotated.applyOnTheLeft(qr.householderQ().adjoint());
      const Vector b =
          qr.matrixQR().topRows(m).triangularView<Eigen::Upper>().solve(rotated.head(m));
      if (const Index wrong = wrong_sign(problem, at.support, used, b); wrong >= 0) {
        used.erase(used.begin() + wrong);
        continue;
      }
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
