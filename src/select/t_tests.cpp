#include "select/t_tests.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "model/included.hpp"
#include "problem/standardise.hpp"
#include "problem/weights.hpp"
#include "util/memory.hpp"
#include "util/student_t.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// The columns of the fit, centred and of norm 1, on rows of positive weight, times the root of the
// weights.
struct Rows {
  Matrix A;                  // one column per column of the fit, then the target
  std::vector<char> varies;  // by column of A
};

Rows rows_of(const Problem& problem, const std::vector<Index>& columns) {
  const Index n = problem.design->rows(), m = std::ssize(columns);
  const Vector w = scaled_weights(problem).values;
  std::vector<Index> used;
  for (Index i = 0; i < n; ++i) {
    if (w[i] > 0) used.push_back(i);
  }
  Rows rows{allocate_matrix(std::ssize(used), m + 1, "the columns of the tests"), {}};
  Vector column(n);
  for (Index c = 0; c <= m; ++c) {
    if (c < m) {
      column.setZero();
      problem.design->add_column(columns[static_cast<std::size_t>(c)], 1.0, column);
    } else {
      column = Eigen::Map<const Vector>(problem.y.data(), n);
    }
    const Standardised unit = standardise(problem, w, column);
    rows.varies.push_back(unit.norm > 0);
    rows.A.col(c) = column(used);
  }
  return rows;
}

// Rounding leaves this of the squares of a target that the columns explain entirely, and a column
// that adds no more than its root explains nothing.
constexpr double kRoundingOfResiduals = 1e-26;

}  // namespace

std::vector<double> t_test_p_values(const Problem& problem, Columns tested) {
  // Included columns come first: of columns that depend on each other, the last is left out.
  std::vector<Index> columns = include_list(problem);
  const Index included = std::ssize(columns);
  columns.insert(columns.end(), tested.begin(), tested.end());
  const Rows rows = rows_of(problem, columns);
  const Index n = rows.A.rows(), m = std::ssize(columns);
  std::vector<double> p_values(tested.size(), 1.0);

  std::vector<Index> used, dependent;  // columns of A
  for (Index c = 0; c < m; ++c) {
    if (rows.varies[static_cast<std::size_t>(c)]) used.push_back(c);
  }
  while (!used.empty() && rows.varies.back()) {
    const Index k = std::ssize(used);
    const Eigen::HouseholderQR<Matrix> qr(rows.A(Eigen::all, used));
    Index first = 0;
    while (first < std::min(k, n) && std::abs(qr.matrixQR()(first, first)) > kDependentNorm)
      ++first;
    if (first < k) {
      dependent.push_back(used[static_cast<std::size_t>(first)]);
      used.erase(used.begin() + first);
      continue;
    }
    const Index freedom = n - k - (problem.intercept ? 1 : 0);
    if (freedom < 1) break;
    const auto R = qr.matrixQR().topRows(k).triangularView<Eigen::Upper>();
    const auto coefficients = [&](Index column, double& rest) {
      const Vector rotated = qr.householderQ().adjoint() * rows.A.col(column);
      rest = rotated.tail(n - k).squaredNorm();
      return Vector(R.solve(rotated.head(k)));
    };
    double rest = 0;
    const Vector b = coefficients(m, rest);
    const Vector h = Matrix(R.solve(Matrix::Identity(k, k))).rowwise().squaredNorm();
    const bool perfect = rest <= kRoundingOfResiduals * static_cast<double>(n);
    const auto set = [&](Index c, double p_value) {
      const Index place = used[static_cast<std::size_t>(c)] - included;
      if (place >= 0) p_values[static_cast<std::size_t>(place)] = p_value;
    };
    for (Index c = 0; c < k; ++c) {
      const double explained = b[c] * b[c] / h[c];  // of the squares of the target, by it alone
      if (perfect)
        set(c, explained > std::sqrt(kRoundingOfResiduals) ? 0.0 : 1.0);
      else
        set(c, two_sided_p_value(std::sqrt(explained * static_cast<double>(freedom) / rest),
                                 static_cast<double>(freedom)));
    }
    for (const Index other : dependent) {
      const Vector parts = coefficients(other, rest);
      for (Index c = 0; c < k; ++c) {
        if (std::abs(parts[c]) > kInDependency) set(c, 1.0);
      }
    }
    break;
  }
  return p_values;
}

}  // namespace lass0
