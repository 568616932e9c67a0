#include "support/checks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "util/tolerances.hpp"

namespace lass0::testing {
namespace {

void expect_finite(const Fit& fit) {
  const Iterate& at = fit.model.at;
  EXPECT_TRUE(at.coefficients.allFinite() && std::isfinite(at.intercept));
  for (const double value : {fit.objective, fit.rss, fit.problem.tss, fit.r_squared(), fit.seconds})
    EXPECT_TRUE(std::isfinite(value));
  for (const double effect : fit.effects) EXPECT_TRUE(std::isfinite(effect));
  for (const Move& move : fit.trace.moves)
    EXPECT_TRUE(std::isfinite(move.gain) && std::isfinite(move.objective));
}

void expect_support(const Fit& fit, const Centred& centred) {
  const Support& support = fit.model.at.support;
  ASSERT_EQ(std::ssize(support), fit.model.at.coefficients.size());
  EXPECT_TRUE(std::is_sorted(support.begin(), support.end()));
  for (const Index j : support) ASSERT_TRUE(j >= 0 && j < centred.p());
  EXPECT_TRUE(independent(centred, support));
  // An included column is missing only where it adds nothing.
  for (const Index j : centred.include) {
    if (!std::binary_search(support.begin(), support.end(), j)) {
      EXPECT_LT(unexplained(centred, support, j), 1e-8L) << "included column " << j;
    }
  }
  EXPECT_EQ(fit.problem.include, centred.include);
  EXPECT_EQ(fit.k(), std::ssize(chosen(fit)));
}

// The moves, taken back one by one from the final support, end in a part of the start.
void expect_trace(const Fit& fit, double slack) {
  const Support end = chosen(fit);
  std::set<Index> support(end.begin(), end.end());
  for (std::size_t i = fit.trace.moves.size(); i-- > 0;) {
    const Move& move = fit.trace.moves[i];
    EXPECT_GT(move.gain, 0.0);
    if (move.kind == Move::Kind::add) {
      EXPECT_EQ(support.erase(move.column), 1u) << "move " << i;
    } else {
      EXPECT_TRUE(support.insert(move.column).second) << "move " << i;
    }
    if (i > 0) {
      EXPECT_NEAR(fit.trace.moves[i - 1].objective - move.gain, move.objective, slack);
    }
  }
  if (!fit.trace.moves.empty()) {
    EXPECT_NEAR(fit.trace.moves.back().objective, fit.objective, slack);
  }
  for (const Index j : support)
    EXPECT_TRUE(std::count(fit.trace.start_support.begin(), fit.trace.start_support.end(), j) > 0)
        << "column " << j << " came from nowhere";
}

// The least share of a member that the others leave unexplained. Moments lose about 1e-16 / this of
// y'y.
double least_pivot(const Centred& centred, const Support& support) {
  Real least = 1;
  for (const Index i : support) {
    Support others;
    for (const Index j : support)
      if (j != i) others.push_back(j);
    least = std::min(least, unexplained(centred, others, i));
  }
  return static_cast<double>(std::max(least, Real(kAliasTolerance)));
}

void expect_excluded_columns(const Fit& fit, const Centred& centred) {
  Support constant;
  for (Index j = 0; j < centred.p(); ++j)
    if (centred.norm[j] == 0) constant.push_back(j);
  EXPECT_EQ(fit.problem.constant, constant);
  EXPECT_TRUE(std::is_sorted(fit.aliased.begin(), fit.aliased.end()));
  const Support& support = fit.model.at.support;
  for (Index j = 0; j < centred.p(); ++j) {
    const bool named = std::binary_search(fit.aliased.begin(), fit.aliased.end(), j);
    const bool member = std::binary_search(support.begin(), support.end(), j);
    if (member || centred.norm[j] == 0) {
      EXPECT_FALSE(named) << "column " << j;
      continue;
    }
    const Real left = unexplained(centred, support, j);
    if (left < 1e-13L) {
      EXPECT_TRUE(named) << "column " << j << " is aliased";
    } else if (left > 1e-8L) {
      EXPECT_FALSE(named) << "column " << j << " is not aliased";
    }
  }
}

}  // namespace

bool independent(const Centred& data, const Support& columns) {
  for (const Index j : columns)
    if (data.norm[j] == 0) return false;
  return columns.empty() || least_squares(data, columns).rank == std::ssize(columns);
}

Support chosen(const Fit& fit) {
  Support columns;
  for (const Index j : fit.model.at.support)
    if (!std::binary_search(fit.problem.include.begin(), fit.problem.include.end(), j))
      columns.push_back(j);
  return columns;
}

void expect_sound(const OwnedProblem& problem, const Fit& fit, const Penalty& penalty,
                  double tolerance) {
  const Centred centred(problem.data());
  const Iterate& at = fit.model.at;
  expect_finite(fit);
  ASSERT_NO_FATAL_FAILURE(expect_support(fit, centred));

  const double tss = static_cast<double>(centred.y.squaredNorm());
  const double want = static_cast<double>(objective_by_definition(problem.data(), penalty, at));
  const double slack = tolerance * want + 1e-14 * tss;
  EXPECT_NEAR(fit.objective, want, slack);
  EXPECT_NEAR(objective(problem, penalty, at), want, slack);
  EXPECT_NEAR(fit.rss, static_cast<double>(rss_by_definition(problem.data(), at)), slack);
  const LeastSquares ols = least_squares(centred, at.support);
  EXPECT_NEAR(fit.rss, static_cast<double>(ols.rss), slack);
  EXPECT_NEAR(fit.loss(), static_cast<double>(ols.loss), slack);
  EXPECT_EQ(fit.problem.ridge, problem.data().ridge);
  EXPECT_NEAR(fit.problem.tss, tss, 1e-12 * tss);
  EXPECT_EQ(fit.problem.n, centred.X.rows());
  EXPECT_EQ(fit.problem.p, centred.p());
  EXPECT_EQ(fit.penalty().lambda, penalty.lambda);
  EXPECT_EQ(fit.penalty().power, penalty.power);
  const double largest =
      fit.trace.moves.empty() ? want : std::max(want, fit.trace.moves.front().objective);
  expect_trace(fit, tolerance * largest + 1e-14 * tss / least_pivot(centred, at.support));
  expect_excluded_columns(fit, centred);

  ASSERT_EQ(fit.effects.size(), at.support.size());
  ASSERT_EQ(fit.model.names.size(), at.support.size());
  for (std::size_t l = 0; l < at.support.size(); ++l) {
    const Real deviation = centred.norm[at.support[l]] / std::sqrt(centred.weight);
    const Real effect = at.coefficients[static_cast<Index>(l)] * deviation;
    EXPECT_NEAR(fit.effects[l], static_cast<double>(effect),
                1e-12 * static_cast<double>(std::abs(effect)));
    EXPECT_EQ(fit.model.names[l], column_name(problem, at.support[l]));
  }
}

void expect_true_status(const OwnedProblem& problem, const Fit& fit, const Penalty& penalty) {
  const Centred centred(problem.data());
  const Support support = chosen(fit);
  const Real unsure = 1e-9L * std::abs(Real(fit.objective));
  EXPECT_LE(best_single_gain(centred, support, penalty), unsure) << "not where Algorithm 1 stops";

  const auto swap = best_swap(centred, support, penalty);
  const Real gain = swap ? swap->gain : 0;
  if (fit.status == Status::local_optimum) {
    EXPECT_LE(gain, unsure) << "swap " << swap->remove << " -> " << swap->add;
    EXPECT_FALSE(fit.improving_swap.has_value());
  } else {
    EXPECT_EQ(fit.status, Status::add_remove_optimum);
    // With a power, swaps may be left unscored: then nothing is claimed.
    if (penalty.power == 0) {
      EXPECT_GE(gain, -unsure);
      ASSERT_TRUE(fit.improving_swap.has_value());
    }
  }
  if (fit.improving_swap) {
    Support after;
    for (const Index j : support)
      if (j != fit.improving_swap->remove) after.push_back(j);
    EXPECT_EQ(after.size() + 1, support.size());
    EXPECT_FALSE(std::binary_search(support.begin(), support.end(), fit.improving_swap->add));
    after.push_back(fit.improving_swap->add);
    std::sort(after.begin(), after.end());
    const Real true_gain =
        refitted_objective(centred, penalty, support) - refitted_objective(centred, penalty, after);
    EXPECT_NEAR(fit.improving_swap->gain, static_cast<double>(true_gain),
                10 * static_cast<double>(unsure));
    EXPECT_NEAR(fit.improving_swap->gain, static_cast<double>(gain),
                10 * static_cast<double>(unsure));
  }
}

}  // namespace lass0::testing
