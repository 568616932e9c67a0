#include "support/oracles.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <lass0/search.hpp>
#include <sstream>

#include "util/tolerances.hpp"

namespace lass0::testing {
namespace {

Support without(const Support& support, Index column) {
  Support rest;
  for (const Index j : support)
    if (j != column) rest.push_back(j);
  return rest;
}

Support with(const Support& support, Index column) {
  Support more = support;
  more.push_back(column);
  std::sort(more.begin(), more.end());
  return more;
}

bool contains(const Support& support, Index column) {
  return std::find(support.begin(), support.end(), column) != support.end();
}

// What is constant must be exactly 0 after centring, which a rounded mean does not give.
bool constant(const Data& data, const Vector& values) {
  std::optional<double> first = data.intercept ? std::optional<double>{} : 0.0;
  for (Index i = 0; i < data.n(); ++i) {
    if (data.weight(i) == 0) continue;
    if (!first) first = values[i];
    if (values[i] != *first) return false;
  }
  return true;
}

RealMatrix unit_columns(const Centred& data, const Support& support) {
  RealMatrix Z(data.augmented_X.rows(), std::ssize(support));
  for (Index l = 0; l < Z.cols(); ++l) {
    const Index j = support[l];
    Z.col(l) = data.norm[j] > 0 ? RealVector(data.augmented_X.col(j) / data.augmented_norm[j])
                                : RealVector::Zero(Z.rows());
  }
  return Z;
}

}  // namespace

Centred::Centred(const Data& data) {
  std::vector<Index> kept;
  for (Index i = 0; i < data.n(); ++i)
    if (data.weight(i) > 0) kept.push_back(i);
  const Index n = std::ssize(kept), columns = data.p();
  for (const Index i : kept) weight += data.weight(i);

  mean = RealVector::Zero(columns);
  if (data.intercept) {
    for (const Index i : kept) {
      y_mean += Real(data.weight(i)) * data.y[i] / weight;
      for (Index j = 0; j < columns; ++j) mean[j] += Real(data.weight(i)) * data.X(i, j) / weight;
    }
  }
  X.resize(n, columns);
  y.resize(n);
  for (Index r = 0; r < n; ++r) {
    const Real root = std::sqrt(Real(data.weight(kept[r])));
    y[r] = root * (data.y[kept[r]] - y_mean);
    for (Index j = 0; j < columns; ++j) X(r, j) = root * (data.X(kept[r], j) - mean[j]);
  }
  for (Index j = 0; j < columns; ++j)
    if (constant(data, data.X.col(j))) X.col(j).setZero();
  if (constant(data, data.y)) y.setZero();
  norm = X.colwise().norm();
  deviation = data.standardize ? RealVector(norm / std::sqrt(weight)) : RealVector::Ones(columns);
  include = data.include;
  augmented_X = X;
  augmented_y = y;
  if (data.ridge > 0) {
    augmented_X.conservativeResizeLike(RealMatrix::Zero(n + columns, columns));
    augmented_y.conservativeResizeLike(RealVector::Zero(n + columns));
    for (Index j = 0; j < columns; ++j)
      if (norm[j] > 0) augmented_X(n + j, j) = std::sqrt(Real(data.ridge)) * deviation[j];
  }
  augmented_norm = augmented_X.colwise().norm();
}

Support model_columns(const Centred& data, const Support& support) {
  Support columns = support;
  for (const Index j : data.include)
    if (!contains(support, j)) columns.push_back(j);
  std::sort(columns.begin(), columns.end());
  return columns;
}

Support without_included(const Data& data, const Support& columns) {
  Support rest;
  for (const Index j : columns)
    if (!contains(data.include, j)) rest.push_back(j);
  return rest;
}

LeastSquares least_squares(const Centred& data, const Support& support) {
  LeastSquares fit;
  fit.beta = RealVector::Zero(std::ssize(support));
  fit.intercept = data.y_mean;
  fit.rss = fit.loss = data.y.squaredNorm();
  if (support.empty() || data.X.rows() == 0) return fit;

  const RealMatrix Z = unit_columns(data, support);
  Eigen::CompleteOrthogonalDecomposition<RealMatrix> qr;
  qr.setThreshold(std::sqrt(Real(kAliasTolerance)));
  qr.compute(Z);
  fit.rank = qr.rank();
  const RealVector b = qr.solve(data.augmented_y);
  const RealVector residual = data.augmented_y - Z * b;
  fit.loss = residual.squaredNorm();
  fit.rss = residual.head(data.y.size()).squaredNorm();
  for (Index l = 0; l < b.size(); ++l) {
    const Index j = support[l];
    fit.beta[l] = data.norm[j] > 0 ? b[l] / data.augmented_norm[j] : 0;
    fit.intercept -= data.mean[j] * fit.beta[l];
  }
  return fit;
}

Real unexplained(const Centred& data, const Support& columns, Index j) {
  if (data.norm[j] == 0) return 0;
  const RealVector z = data.augmented_X.col(j) / data.augmented_norm[j];
  if (columns.empty()) return 1;
  const RealMatrix Z = unit_columns(data, columns);
  Eigen::CompleteOrthogonalDecomposition<RealMatrix> qr;
  qr.setThreshold(std::sqrt(Real(kAliasTolerance)));
  qr.compute(Z);
  return (z - Z * qr.solve(z)).squaredNorm();
}

bool aliased(const Centred& data, const Support& support, Index j) {
  return unexplained(data, model_columns(data, support), j) <= Real(kAliasTolerance);
}

Real rss_by_definition(const Data& data, const Iterate& at) {
  Real sum = 0;
  for (Index i = 0; i < data.n(); ++i) {
    if (data.weight(i) == 0) continue;
    Real residual = Real(data.y[i]) - at.intercept;
    for (std::size_t l = 0; l < at.support.size(); ++l)
      residual -= Real(data.X(i, at.support[l])) * at.coefficients[static_cast<Index>(l)];
    sum += data.weight(i) * residual * residual;
  }
  return sum;
}

Real penalty_by_definition(const Penalty& penalty, const RealVector& beta) {
  if (penalty.power == 0) return penalty.lambda * static_cast<Real>(beta.size());
  Real sum = 0;
  for (Index l = 0; l < beta.size(); ++l) sum += std::pow(std::abs(beta[l]), Real(penalty.power));
  return penalty.lambda * sum;
}

Real ridge_by_definition(const Data& data, const Iterate& at) {
  if (data.ridge == 0) return 0;
  const Centred centred(data);
  Real sum = 0;
  for (std::size_t l = 0; l < at.support.size(); ++l) {
    const Real size = centred.deviation[at.support[l]] * at.coefficients[static_cast<Index>(l)];
    sum += data.ridge * size * size;
  }
  return sum;
}

Real objective_by_definition(const Data& data, const Penalty& penalty, const Iterate& at) {
  const Support chosen = without_included(data, at.support);
  RealVector penalised(std::ssize(chosen));
  for (std::size_t l = 0, c = 0; l < at.support.size() && c < chosen.size(); ++l)
    if (at.support[l] == chosen[c])
      penalised[static_cast<Index>(c++)] = at.coefficients[static_cast<Index>(l)];
  return (rss_by_definition(data, at) + ridge_by_definition(data, at)) / 2 +
         penalty_by_definition(penalty, penalised);
}

Real refitted_objective(const Centred& data, const Penalty& penalty, const Support& support) {
  const Support columns = model_columns(data, support);
  const LeastSquares fit = least_squares(data, columns);
  RealVector penalised(std::ssize(support));
  for (std::size_t l = 0, c = 0; l < columns.size(); ++l)
    if (contains(support, columns[l]))
      penalised[static_cast<Index>(c++)] = fit.beta[static_cast<Index>(l)];
  return fit.loss / 2 + penalty_by_definition(penalty, penalised);
}

namespace {

struct Candidate {
  bool add;
  Index column;
  Real objective;
};

std::vector<Candidate> single_moves(const Centred& data, const Support& support,
                                    const Penalty& penalty) {
  std::vector<Candidate> candidates;
  for (Index i = 0; i < data.p(); ++i) {
    if (contains(data.include, i)) continue;
    if (contains(support, i)) {
      candidates.push_back({false, i, refitted_objective(data, penalty, without(support, i))});
    } else if (!aliased(data, support, i)) {
      candidates.push_back({true, i, refitted_objective(data, penalty, with(support, i))});
    }
  }
  return candidates;
}

}  // namespace

OracleSearch algorithm_1(const Centred& data, const Support& start, const Penalty& penalty) {
  OracleSearch search;
  search.support = start;
  search.objective = refitted_objective(data, penalty, start);
  while (true) {
    const std::vector<Candidate> candidates = single_moves(data, search.support, penalty);
    if (candidates.empty()) return search;
    const Real slack = Real(kStrictImprovement) * search.objective;
    Real best = candidates.front().objective;
    for (const Candidate& candidate : candidates) best = std::min(best, candidate.objective);
    const auto chosen = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& c) {
      return c.objective <= best + slack;
    });

    const Real fall = search.objective - best;
    search.margin = std::min(search.margin, std::abs(fall - slack) / search.objective);
    if (!(search.objective - chosen->objective > slack)) return search;
    for (const Candidate& candidate : candidates) {
      if (candidate.objective > best + slack) {
        search.margin = std::min(search.margin, (candidate.objective - best) / search.objective);
      } else if (candidate.column != chosen->column) {
        search.tied = true;
      }
    }

    search.support = chosen->add ? with(search.support, chosen->column)
                                 : without(search.support, chosen->column);
    search.moves.push_back(
        {chosen->add, chosen->column, search.objective - chosen->objective, chosen->objective});
    search.objective = chosen->objective;
  }
}

std::optional<OracleSwap> best_swap(const Centred& data, const Support& support,
                                    const Penalty& penalty) {
  const Real now = refitted_objective(data, penalty, support);
  std::optional<OracleSwap> best;
  for (const Index i : support) {
    const Support rest = without(support, i);
    for (Index j = 0; j < data.p(); ++j) {
      if (contains(support, j) || contains(data.include, j) || aliased(data, rest, j)) continue;
      const Real gain = now - refitted_objective(data, penalty, with(rest, j));
      if (!best || gain > best->gain) best = OracleSwap{i, j, gain};
    }
  }
  return best;
}

Real best_single_gain(const Centred& data, const Support& support, const Penalty& penalty) {
  const Real now = refitted_objective(data, penalty, support);
  Real best = -now;
  for (const Candidate& candidate : single_moves(data, support, penalty))
    best = std::max(best, now - candidate.objective);
  return best;
}

Real brute_force_objective(const Centred& data, const Penalty& penalty) {
  Real best = refitted_objective(data, penalty, {});
  for (Index mask = 1; mask < (Index{1} << data.p()); ++mask) {
    Support support;
    for (Index j = 0; j < data.p(); ++j)
      if (mask >> j & 1) support.push_back(j);
    if (std::any_of(support.begin(), support.end(),
                    [&](Index j) { return contains(data.include, j); }))
      continue;
    best = std::min(best, refitted_objective(data, penalty, support));
  }
  return best;
}

std::string describe(const Data& data) {
  std::ostringstream text;
  text << "n=" << data.n() << " p=" << data.p() << (data.w.size() > 0 ? " weighted" : "")
       << (data.intercept ? "" : " no-intercept") << (data.standardize ? "" : " no-standardize");
  for (const Index j : data.include) text << " include " << j;
  if (data.ridge > 0) text << " ridge " << data.ridge;
  return text.str();
}

}  // namespace lass0::testing
