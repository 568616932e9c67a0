// Branch and bound against every support there is, and what its bounds promise when it is stopped.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <lass0/prove.hpp>
#include <limits>

#include "search/state/support_state.hpp"
#include "support/checks.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

constexpr double kTolerance = 1e-8;  // of y'y: ten times what a proof promises

// The least loss of every size over all supports of independent columns, by eliminating one column
// after the other from the Gram matrix in long double. Independent: each column has something left
// when all the others are taken out of it.
class AllSupports {
 public:
  explicit AllSupports(const Centred& data)
      : least_(static_cast<std::size_t>(data.p()) + 1, kNone) {
    RealMatrix G = data.X.transpose() * data.X;
    RealVector c = data.X.transpose() * data.y;
    scale_ = G.diagonal();
    gram_ = G;
    visit(G, c, data.y.squaredNorm(), 0);
  }
  static constexpr Real kNone = std::numeric_limits<Real>::infinity();
  const std::vector<Real>& least() const { return least_; }
  Real least_objective(Real lambda) const {
    Real best = kNone;
    for (std::size_t k = 0; k < least_.size(); ++k)
      best = std::min(best, least_[k] / 2 + lambda * static_cast<Real>(k));
    return best;
  }

 private:
  void visit(const RealMatrix& G, const RealVector& c, Real loss, Index first) {
    if (!independent()) return;
    least_[support_.size()] = std::min(least_[support_.size()], loss);
    for (Index j = first; j < c.size(); ++j) {
      if (!(scale_[j] > 0) || G(j, j) <= kAliasTolerance * scale_[j]) continue;
      const RealVector g = G.col(j);
      const Real b = c[j] / g[j];
      support_.push_back(j);
      visit(G - g * g.transpose() / g[j], c - b * g, loss - c[j] * b, j + 1);
      support_.pop_back();
    }
  }

  bool independent() const {
    if (support_.empty()) return true;
    const RealMatrix H = RealMatrix(gram_(support_, support_)).inverse();
    const RealVector scale = scale_(support_);
    return (H.diagonal().array() * scale.array() * kAliasTolerance < 1).all();
  }

  std::vector<Real> least_;
  RealVector scale_;
  RealMatrix gram_;
  std::vector<Index> support_;
};

Data problem_of_any_kind(std::uint64_t seed) {
  Rng rng(seed * 31 + 7);
  const Index p = 4 + static_cast<Index>(seed % 9);
  Data data = random_data(
      seed, ProblemSpec{.n = 6 + rng.below(40),
                        .p = p,
                        .k = 3,
                        .rho = 0.95 * rng.uniform(),
                        .snr = rng.chance(0.4) ? 0.3 : 3.0,
                        .zeros = rng.chance(0.3) ? 0.5 : 0.0,
                        .weights = rng.chance(0.3) ? WeightKind::reals : WeightKind::none,
                        .intercept = rng.chance(0.8)});
  if (rng.chance(0.3)) data.append(scaled_copy(data, 0, -2));       // a duplicate
  if (rng.chance(0.3)) data.append(data.X.col(1) + data.X.col(2));  // a sum
  if (rng.chance(0.2)) data.append(data.X.col(0) - 3 * data.X.col(p - 1));
  if (rng.chance(0.2)) data.append(Vector::Constant(data.n(), 5));  // no variation
  if (rng.chance(0.2)) {                                            // nearly a duplicate
    Vector near = data.X.col(1);
    for (Index i = 0; i < near.size(); ++i) near[i] += 1e-3 * rng.normal();
    data.append(near);
  }
  return data;
}

// What a test of the proof looks at: the data, every support of them, and their moments.
struct Subject {
  explicit Subject(Data d)
      : data(std::move(d)),
        centred(data),
        all(centred),
        problem(data),
        moments(problem),
        scale(static_cast<double>(centred.y.squaredNorm())) {}

  double least(Index k) const {
    return static_cast<double>(all.least()[static_cast<std::size_t>(k)]);
  }
  // What the last digits of the Gram matrix can do to a loss: on nearly dependent columns, much.
  double rounding(const std::vector<Index>& support) const {
    return fit_support(moments, support).rounding * moments.target_scale() * moments.target_scale();
  }

  Data data;
  Centred centred;
  AllSupports all;
  OwnedProblem problem;
  Moments moments;
  double scale;  // y'y
};

TEST(Prove, AtEveryLambdaTheProvenSupportIsTheBestOfAll) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Subject subject(problem_of_any_kind(seed));
    const auto& [data, centred, all, problem, moments, scale] = subject;
    Rng rng(seed);
    const double lambda = random_lambda(rng, data) * (rng.chance(0.1) ? 0 : 1);
    // From the table as users do, or from nothing: then the search has to find the answer itself.
    const auto start =
        rng.chance(0.5) ? best_supports(moments).at_lambda(lambda).support : std::vector<Index>{};
    const ProvenSupport proven = prove_at_lambda(moments, start, lambda);
    EXPECT_EQ(proven.proof.status, Status::proven_optimal);
    const double tolerance = kTolerance * scale + subject.rounding(proven.support);
    EXPECT_NEAR(proven.objective, static_cast<double>(all.least_objective(lambda)), tolerance);
    EXPECT_DOUBLE_EQ(proven.lower_bound, proven.objective);
    EXPECT_NEAR(proven.objective,
                static_cast<double>(refitted_objective(centred, {lambda, 0}, proven.support)),
                tolerance);
  }
}

TEST(Prove, EveryRowOfAProvenTableIsTheBestOfItsSize) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const Subject subject(problem_of_any_kind(seed));
    const auto& [data, centred, all, problem, moments, scale] = subject;
    SupportTable table = best_supports(moments, {.max_k = data.p()});
    const SupportTable before = table;
    const Proof proof = prove_table(moments, table);
    EXPECT_EQ(proof.status, Status::proven_optimal);
    for (Index k = 0; k <= table.max_k(); ++k) {
      const TableRow& row = table.at_k(k);
      EXPECT_TRUE(row.proven);
      const double tolerance = kTolerance * scale + subject.rounding(row.support);
      EXPECT_NEAR(row.loss, subject.least(k), tolerance) << "k = " << k;
      EXPECT_LE(row.loss, before.at_k(k).loss);
      EXPECT_EQ(std::ssize(row.support), k);
      if (k == 0) continue;
      const ProvenSupport alone = prove_at_size(moments, before.at_k(k).support);
      EXPECT_NEAR(2 * alone.objective, row.loss, tolerance);
    }
  }
}

// Many columns, so that the relaxation decides; few enough supports of the sizes asked for that all
// can be looked at.
TEST(Prove, SmallSizesAmongManyColumnsAreTheBestOfAll) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const Data data = random_data(seed, ProblemSpec{.n = 120,
                                                    .p = 40,
                                                    .k = 6,
                                                    .rho = 0.3 * static_cast<double>(seed % 4),
                                                    .snr = seed % 2 ? 2.0 : 0.2});
    const Centred centred(data);
    const OwnedProblem problem(data);
    const Moments moments(problem);
    Real least = std::numeric_limits<Real>::infinity();
    for (Index a = 0; a < data.p(); ++a) {
      for (Index b = 0; b < a; ++b) least = std::min(least, least_squares(centred, {b, a}).rss);
    }
    const ProvenSupport proven = prove_at_size(moments, std::vector<Index>{0, 1});
    EXPECT_EQ(proven.proof.status, Status::proven_optimal);
    EXPECT_NEAR(2 * proven.objective, static_cast<double>(least),
                1e-8 * static_cast<double>(least));
    // The three ways to ask agree.
    SupportTable table = best_supports(moments);
    prove_table(moments, table, 8);
    for (Index k = 0; k <= 8; ++k) EXPECT_TRUE(table.at_k(k).proven);
    EXPECT_NEAR(table.at_k(2).loss, static_cast<double>(least), 1e-8 * static_cast<double>(least));
    for (Index k = 1; k < 8; ++k) {
      const TableRow& row = table.at_k(k);
      if (!row.lambda_min || *row.lambda_min == 0) continue;
      const double lambda = 0.5 * (*row.lambda_min + *row.lambda_max);
      const ProvenSupport at = prove_at_lambda(moments, {}, lambda);
      EXPECT_EQ(at.support, row.support);
    }
  }
}

TEST(Prove, TheResultAndTheNodesAreTheSameForAnyNumberOfThreads) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Data data =
        random_data(seed, ProblemSpec{.n = 90, .p = 34, .k = 10, .rho = 0.7, .snr = 0.5});
    const OwnedProblem problem(data);
    const Moments moments(problem);
    const double lambda = 0.004 * 0.5 * static_cast<double>(Centred(data).y.squaredNorm());
    const ProvenSupport one = prove_at_lambda(moments, {}, lambda, {.threads = 1});
    const ProvenSupport four = prove_at_lambda(moments, {}, lambda, {.threads = 4});
    EXPECT_GT(one.proof.nodes, 1000);
    EXPECT_EQ(one.proof.nodes, four.proof.nodes);
    EXPECT_EQ(one.support, four.support);
    EXPECT_EQ(one.objective, four.objective);
  }
}

TEST(Prove, StoppedAtAnyTimeTheBoundIsBelowTheOptimum) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Data data =
        random_data(seed, ProblemSpec{.n = 70, .p = 30, .k = 10, .rho = 0.8, .snr = 0.5});
    const OwnedProblem problem(data);
    const Moments moments(problem);
    const double total = static_cast<double>(Centred(data).y.squaredNorm());
    const double lambda = 0.004 * 0.5 * total;
    const double optimum = prove_at_lambda(moments, {}, lambda).objective;
    std::atomic<int> left = static_cast<int>(seed % 10);
    const ProvenSupport stopped = prove_at_lambda(
        moments, {}, lambda, {.threads = 2, .keep_going = [&] { return left-- > 0; }});
    EXPECT_LE(stopped.lower_bound, optimum * (1 + 1e-9));
    EXPECT_GE(stopped.objective, optimum * (1 - 1e-9));
    EXPECT_GE(stopped.gap(), 0);
    EXPECT_GT(stopped.lower_bound, 0);
    if (stopped.proof.status != Status::proven_optimal) {
      EXPECT_EQ(stopped.proof.status, Status::interrupted);
    }
  }
}

TEST(Prove, WithNoTimeAtAllTheTableHasValidBounds) {
  const Subject subject(
      random_data(5, ProblemSpec{.n = 40, .p = 12, .k = 4, .rho = 0.6, .snr = 1}));
  SupportTable table = best_supports(subject.moments);
  EXPECT_EQ(prove_table(subject.moments, table, {}, {.time_limit = 0}).status, Status::gap);
  for (Index k = 0; k <= table.max_k(); ++k) {
    const TableRow& row = table.at_k(k);
    ASSERT_TRUE(row.lower_bound);
    EXPECT_LE(*row.lower_bound, subject.least(k) * (1 + 1e-9));
  }
}

// Columns that differ in their sixth digit are no copies: their difference can be what matters.
TEST(Prove, NearCopiesAreNotCopies) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Data raw = random_data(seed, ProblemSpec{.n = 40, .p = 3, .k = 1, .rho = 0.2, .snr = 1});
    Vector difference(raw.n());
    for (double& value : difference) value = rng.normal();
    const double size = std::pow(10.0, -rng.uniform(2.0, 4.5));
    raw.append(raw.X.col(0) + size * difference);
    raw.append(raw.X.col(0) - size * difference);
    if (seed % 2) raw.append(scaled_copy(raw, 3, 2.5));
    raw.y += difference;
    const Subject subject(std::move(raw));
    const auto& [data, centred, all, problem, moments, scale] = subject;
    SupportTable table = best_supports(moments, {.max_k = data.p()});
    prove_table(moments, table);
    for (Index k = 0; k <= table.max_k(); ++k) {
      const TableRow& row = table.at_k(k);
      ASSERT_TRUE(std::adjacent_find(row.support.begin(), row.support.end()) == row.support.end());
      EXPECT_NEAR(row.loss, static_cast<double>(least_squares(centred, row.support).rss),
                  1e-5 * scale);
      EXPECT_NEAR(row.loss, subject.least(k), 1e-5 * scale);
    }
    const std::vector<Index> copies = {0, 3};
    EXPECT_EQ(prove_at_size(moments, copies).support.size(), 2u);
  }
}

// Columns that differ from each other in their last digits only, so that which of them count as
// dependent would depend on their order if one looked at pivots.
TEST(Prove, WhereColumnsAreNearlyDependentTheProofAndTheTableMeanTheSameSupports) {
  int edge = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Data data = random_data(seed, ProblemSpec{.n = 20 + rng.below(30),
                                              .p = 5 + rng.below(4),
                                              .k = 3,
                                              .rho = 0.3,
                                              .snr = 2,
                                              .intercept = false});
    const double mean = std::pow(10.0, rng.uniform(4.0, 5.5));  // in deviations
    for (Index j = 0; j < data.p(); ++j) data.X.col(j).array() += mean * (1 + 0.1 * rng.uniform());
    const OwnedProblem problem(data);
    const Moments moments(problem);
    SupportTable table = best_supports(moments, {.max_k = data.p()});
    const SupportTable before = table;
    prove_table(moments, table);
    const AllSupports all{Centred(data)};
    const double scale = data.y.squaredNorm();
    EXPECT_EQ(table.max_k(), before.max_k());
    for (Index k = 0; k <= table.max_k(); ++k) {
      EXPECT_LE(table.at_k(k).loss, before.at_k(k).loss);
      EXPECT_NEAR(table.at_k(k).loss, static_cast<double>(all.least()[static_cast<std::size_t>(k)]),
                  1e-5 * scale);
    }
    edge += table.max_k() < data.p() ? 1 : 0;
  }
  EXPECT_GT(edge, 20);
}

TEST(Prove, AStopBeforeTheSearchBeginsIsNoFailure) {
  const Data data = random_data(3, ProblemSpec{.n = 60, .p = 300, .k = 3, .rho = 0.1, .snr = 2});
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const std::vector<Index> some = {1, 2};
  const ProvenSupport at = prove_at_lambda(moments, some, 1.0, {.time_limit = 0});
  EXPECT_EQ(at.proof.status, Status::gap);
  EXPECT_EQ(at.support, some);
  EXPECT_LE(at.lower_bound, at.objective);
  const Control stopped{.keep_going = [] { return false; }};
  EXPECT_EQ(prove_at_size(moments, some, stopped).proof.status, Status::interrupted);
  SupportTable table;
  table.rows.push_back({.support = {}, .loss = moments.yty()});
  EXPECT_EQ(prove_table(moments, table, {}, stopped).status, Status::interrupted);
}

TEST(Prove, MoreColumnsThanASearchCanTakeGiveABoundNotAnHour) {
  const Data data = random_data(2, ProblemSpec{.n = 30, .p = 1100, .k = 3, .rho = 0, .snr = 9});
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const double total = static_cast<double>(Centred(data).y.squaredNorm());
  const auto table = best_supports(moments, {.max_k = 3});
  const ProvenSupport at = prove_at_lambda(moments, table.at_k(3).support, 0.01 * total);
  EXPECT_EQ(at.proof.status, Status::gap);
  EXPECT_LE(at.lower_bound, at.objective);
  EXPECT_NEAR(at.lower_bound, 0.02 * total, 1e-9 * total);
}

}  // namespace
}  // namespace lass0::testing
