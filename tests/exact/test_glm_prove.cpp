// Proofs for logistic regression against every support there is, and what their bounds promise when
// they are stopped.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <lass0/error.hpp>

#include "exact/glm_bounds.hpp"
#include "exact/glm_prove.hpp"
#include "glm/glm_table.hpp"
#include "support/logistic_supports.hpp"

namespace lass0::testing {
namespace {

constexpr double kTolerance = 1e-8;  // ten times what a proof promises

// The rows of a table of some models of every size, by no means the best.
SupportTable table_of_random_models(const LogisticSubject& subject, Rng& rng) {
  SupportTable table;
  for (Index k = 0; k <= subject.largest(); ++k) {
    TableRow row;
    row.support = subject.random_model(rng, k);
    row.loss = subject.losses.at(row.support);
    table.rows.push_back(row);
  }
  return table;
}

double random_lambda(Rng& rng) { return std::exp(rng.uniform(-3, 2)); }

TEST(GlmProve, AtEveryLambdaTheProvenSupportIsTheBestOfAll) {
  int separated = 0, ridged = 0, included = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const LogisticSubject subject(logistic_of_any_kind(seed));
    if (subject.losses.empty()) continue;
    Panel panel(subject.rows);
    Rng rng(seed);
    const double lambda = random_lambda(rng);
    const auto start = subject.random_model(rng, 0);
    const ProvenSupport proven = glm_prove_at_lambda(panel, start, lambda);
    const double least = subject.least(lambda, 0);
    EXPECT_EQ(proven.proof.status, Status::proven_optimal);
    EXPECT_NEAR(proven.objective, least, kTolerance * least);
    EXPECT_DOUBLE_EQ(proven.lower_bound, proven.objective);
    ASSERT_TRUE(subject.losses.contains(proven.support));
    EXPECT_NEAR(
        LogisticSubject::objective(proven.support, subject.losses.at(proven.support), lambda, 0),
        least, kTolerance * least);
    ridged += subject.problem.ridge > 0 ? 1 : 0;
    included += subject.rows.included().empty() ? 0 : 1;
    separated += std::ssize(subject.eligible) > subject.largest() ? 1 : 0;
  }
  EXPECT_GT(ridged, 10);
  EXPECT_GT(included, 5);
  EXPECT_GT(separated, 10);  // or dependent
}

TEST(GlmProve, EveryRowOfATableBecomesTheBestOfItsSize) {
  for (std::uint64_t seed = 101; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    const LogisticSubject subject(logistic_of_any_kind(seed));
    if (subject.losses.empty()) continue;
    Panel panel(subject.rows);
    Rng rng(seed);
    SupportTable table = table_of_random_models(subject, rng);
    const Proof proof = glm_prove_table(panel, table);
    EXPECT_EQ(proof.status, Status::proven_optimal);
    for (Index k = 0; k <= subject.largest(); ++k) {
      const TableRow& row = table.rows[static_cast<std::size_t>(k)];
      const double least = 2 * subject.least({}, k);
      EXPECT_TRUE(row.proven);
      EXPECT_NEAR(row.loss, least, kTolerance * least);
      EXPECT_NEAR(subject.losses.at(row.support), least, kTolerance * least);
      EXPECT_EQ(row.lower_bound, row.loss);
    }
    const Index k = rng.between(0, subject.largest());
    const ProvenSupport one = glm_prove_at_size(panel, subject.random_model(rng, k));
    EXPECT_EQ(one.proof.status, Status::proven_optimal);
    EXPECT_NEAR(one.objective, subject.least({}, k), kTolerance * one.objective);
    EXPECT_EQ(one.lower_bound, one.objective);
  }
}

TEST(GlmProve, StoppedAtAnyTimeItsBoundsAreValid) {
  int stopped = 0;
  for (std::uint64_t seed = 201; seed <= 240; ++seed) {
    SCOPED_TRACE(seed);
    const LogisticSubject subject(logistic_of_any_kind(seed));
    if (subject.losses.empty()) continue;
    Panel panel(subject.rows);
    Rng rng(seed);
    const double lambda = random_lambda(rng);
    Index left = rng.below(20);
    const Control control{.keep_going = [&] { return left-- > 0; }};
    const ProvenSupport at =
        glm_prove_at_lambda(panel, subject.random_model(rng, 0), lambda, control);
    const double least = subject.least(lambda, 0);
    EXPECT_GE(at.objective, least * (1 - kTolerance));
    EXPECT_LE(at.lower_bound, least * (1 + kTolerance));
    stopped += at.proof.status == Status::interrupted ? 1 : 0;

    left = rng.below(20);
    SupportTable table = table_of_random_models(subject, rng);
    glm_prove_table(panel, table, {}, control);
    for (Index k = 0; k <= subject.largest(); ++k) {
      const TableRow& row = table.rows[static_cast<std::size_t>(k)];
      EXPECT_GE(row.loss, 2 * subject.least({}, k) * (1 - kTolerance));
      ASSERT_TRUE(row.lower_bound.has_value());
      EXPECT_LE(*row.lower_bound, 2 * subject.least({}, k) * (1 + kTolerance));
    }
  }
  EXPECT_GT(stopped, 10);
}

TEST(GlmProve, ATimeLimitOfNothingLeavesAGap) {
  const LogisticSubject subject(logistic_of_any_kind(1));
  Panel panel(subject.rows);
  const ProvenSupport at = glm_prove_at_lambda(panel, {}, 0.5, {.time_limit = 0});
  EXPECT_EQ(at.proof.status, Status::gap);
  EXPECT_LE(at.lower_bound, subject.least(0.5, 0) * (1 + kTolerance));
  EXPECT_NEAR(at.objective, subject.losses.at({}) / 2, kTolerance * at.objective);
}

// What a node of the tree says of the supports below it.
TEST(GlmBounds, NoSupportIsBelowThemAndThoseOfTheFitAreTight) {
  int tight = 0, all = 0;
  for (std::uint64_t seed = 301; seed <= 340; ++seed) {
    SCOPED_TRACE(seed);
    const LogisticSubject subject(logistic_of_any_kind(seed));
    Panel panel(subject.rows);
    panel.add(subject.eligible);
    const GlmBounds bounds(panel);
    for (const auto& [support, loss] : subject.losses) {
      const BoundedFit at = bounds.fit(support);
      ASSERT_TRUE(at.fit.fitted());
      EXPECT_LE(at.lower, loss * (1 + kTolerance));
      EXPECT_LE(at.lower, at.fit.loss);
      if (at.regular) {
        EXPECT_GE(at.lower, loss * (1 - kTolerance));
      }
      for (std::size_t i = 0; i < support.size(); ++i) {
        std::vector<Index> without = support;
        without.erase(without.begin() + static_cast<Index>(i));
        const double rise = subject.losses.at(without) - at.lower;
        const double worth = at.worth[static_cast<Index>(i)];
        EXPECT_LE(worth, rise + kTolerance * loss);
        EXPECT_LE(at.share[static_cast<Index>(i)], worth + kTolerance * loss);
        ++all;
        tight += worth >= 0.8 * rise - kTolerance * loss ? 1 : 0;
      }
    }
    // From any fit on, with a ridge, every size has a bound.
    const BoundedFit null = bounds.fit({});
    const auto lower = bounds.by_size(subject.eligible, null.fit, subject.largest());
    for (Index k = 0; k <= subject.largest(); ++k)
      EXPECT_LE(lower[static_cast<std::size_t>(k)], 2 * subject.least({}, k) * (1 + kTolerance));
    EXPECT_NEAR(lower[0], 2 * subject.least({}, 0), kTolerance * lower[0]);
  }
  EXPECT_GT(tight, 0.9 * all);
}

// More columns, so that subproblems are left open and searched again.
TEST(GlmProve, TheResultDoesNotDependOnTheNumberOfThreads) {
  Rng rng(5);
  LogisticSpec spec;
  spec.n = 60;
  spec.p = 19;
  spec.rho = 0.9;
  spec.signal = 1;
  const LogisticData logistic = random_logistic(spec, rng);
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  Problem squares = problem;
  squares.family = Family::gaussian;
  const Moments base(squares);
  const GlmRows rows(problem, base);
  std::vector<SupportTable> tables;
  std::vector<std::int64_t> nodes;
  for (const int threads : {1, 3}) {
    Panel panel(rows);
    SupportTable table = best_glm_supports(panel, {.max_k = 6}, Budget{Control{}}).table;
    nodes.push_back(glm_prove_table(panel, table, {}, {.threads = threads}).nodes);
    tables.push_back(table);
  }
  EXPECT_GT(nodes[0], 200);
  EXPECT_EQ(nodes[0], nodes[1]);
  for (std::size_t k = 0; k < tables[0].rows.size(); ++k) {
    EXPECT_TRUE(tables[0].rows[k].proven);
    EXPECT_EQ(tables[0].rows[k].support, tables[1].rows[k].support);
    EXPECT_EQ(tables[0].rows[k].loss, tables[1].rows[k].loss);
  }
}

TEST(GlmProve, TooManyColumnsHaveBoundsButNoSearch) {
  Rng rng(6);
  for (const double ridge : {0.0, 200.0}) {
    LogisticSpec spec;
    spec.n = 40;
    spec.p = ridge > 0 ? 1001 : 201;
    spec.ridge = ridge;
    const LogisticData logistic = random_logistic(spec, rng);
    const DenseDesign design(logistic.data.X);
    const Problem problem = problem_of(logistic, design);
    Problem squares = problem;
    squares.family = Family::gaussian;
    const Moments base(squares);
    const GlmRows rows(problem, base);
    Panel panel(rows);
    const std::vector<Index> one = {0};
    const ProvenSupport at = glm_prove_at_size(panel, one);
    EXPECT_EQ(at.proof.status, Status::gap);
    EXPECT_EQ(at.proof.nodes, 0);
    EXPECT_EQ(at.support, one);
    double least = at.objective;
    for (Index j = 0; j < spec.p; ++j)
      least = std::min(least, logistic_by_definition(logistic, {j})->loss / 2);
    EXPECT_LE(at.lower_bound, least);
    if (ridge > 0) {
      EXPECT_GT(at.lower_bound, 0.9 * least);
    }
    const ProvenSupport at_lambda = glm_prove_at_lambda(panel, one, 1e6);
    EXPECT_EQ(at_lambda.proof.status, Status::gap);
    EXPECT_LE(at_lambda.lower_bound, logistic_by_definition(logistic, {})->loss / 2 * (1 + 1e-9));
    EXPECT_GT(at_lambda.lower_bound, 0.9 * logistic_by_definition(logistic, {})->loss / 2);
  }
}

}  // namespace
}  // namespace lass0::testing
