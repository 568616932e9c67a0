// All near-optimal models and the prices of columns, against every support there is.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <lass0/near_optimal.hpp>
#include <limits>
#include <map>

#include "support/checks.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"
#include "util/tolerances.hpp"

namespace lass0::testing {
namespace {

constexpr double kTolerance = 1e-8;  // of y'y: ten times what a proof promises
constexpr Real kNone = std::numeric_limits<Real>::infinity();
using Class = ColumnPrice::Class;

// The loss of every support of independent columns, in long double. Included columns are taken out
// beforehand; with a ridge the data have one more row per column.
class AllSupports {
 public:
  explicit AllSupports(const Centred& data) {
    RealMatrix G = data.augmented_X.transpose() * data.augmented_X;
    RealVector c = data.augmented_X.transpose() * data.augmented_y;
    Real loss = data.augmented_y.squaredNorm();
    scale_ = G.diagonal();
    for (const Index j : data.include) {
      if (!(G(j, j) > kAliasTolerance * scale_[j])) continue;
      const RealVector g = G.col(j);
      loss -= c[j] * c[j] / g[j];
      c -= RealVector(g * (c[j] / g[j]));
      G -= RealMatrix(g * g.transpose() / g[j]);
    }
    gram_ = G;
    for (Index j = 0; j < c.size(); ++j) {
      const bool included = std::binary_search(data.include.begin(), data.include.end(), j);
      if (!included && data.norm[j] > 0 && G(j, j) > kAliasTolerance * scale_[j])
        eligible_.push_back(j);
    }
    visit(G, c, loss, 0);
  }

  const std::map<Support, Real>& losses() const { return losses_; }
  const std::vector<Index>& eligible() const { return eligible_; }

  // The least objective of those supports that have (lack) column j; -1: of all. No lambda: of
  // this size.
  Real least(std::optional<double> lambda, Index size, Index j = -1, bool with = true) const {
    Real best = kNone;
    for (const auto& [support, loss] : losses_) {
      if (j >= 0 && std::binary_search(support.begin(), support.end(), j) != with) continue;
      best = std::min(best, objective(support, loss, lambda, size));
    }
    return best;
  }

  static Real objective(const Support& support, Real loss, std::optional<double> lambda,
                        Index size) {
    if (!lambda) return std::ssize(support) == size ? loss / 2 : kNone;
    return loss / 2 + static_cast<Real>(*lambda) * static_cast<Real>(support.size());
  }

 private:
  void visit(const RealMatrix& G, const RealVector& c, Real loss, std::size_t first) {
    if (!independent()) return;
    losses_[support_] = loss;
    for (std::size_t next = first; next < eligible_.size(); ++next) {
      const Index j = eligible_[next];
      if (G(j, j) <= kAliasTolerance * scale_[j]) continue;
      const RealVector g = G.col(j);
      const Real b = c[j] / g[j];
      support_.push_back(j);
      visit(G - g * g.transpose() / g[j], c - b * g, loss - c[j] * b, next + 1);
      support_.pop_back();
    }
  }

  bool independent() const {
    if (support_.empty()) return true;
    const RealMatrix H = RealMatrix(gram_(support_, support_)).inverse();
    const RealVector scale = scale_(support_);
    return (H.diagonal().array() * scale.array() * kAliasTolerance < 1).all();
  }

  RealMatrix gram_;
  RealVector scale_;
  std::vector<Index> eligible_;
  Support support_;
  std::map<Support, Real> losses_;
};

// Up to 14 columns: weights, a ridge, included columns, no intercept, duplicates and dependencies.
Data problem_of_any_kind(std::uint64_t seed) {
  Rng rng(seed * 77 + 3);
  const Index p = 4 + static_cast<Index>(seed % 7);
  Data data = random_data(
      seed, ProblemSpec{.n = 6 + rng.below(60),
                        .p = p,
                        .k = 3,
                        .rho = 0.95 * rng.uniform(),
                        .snr = rng.chance(0.4) ? 0.3 : 3.0,
                        .zeros = rng.chance(0.3) ? 0.5 : 0.0,
                        .weights = rng.chance(0.3) ? WeightKind::reals : WeightKind::none,
                        .intercept = rng.chance(0.7)});
  if (rng.chance(0.4)) data.append(scaled_copy(data, 0, -2));
  if (rng.chance(0.2)) data.append(scaled_copy(data, 0, 0.5));
  if (rng.chance(0.3)) data.append(data.X.col(1) + data.X.col(2));
  if (rng.chance(0.2)) data.append(Vector::Constant(data.n(), 5));
  return rng.chance(0.5) ? with_random_extras(seed, std::move(data)) : data;
}

struct Asked {
  std::optional<double> lambda = {};
  Index size = 0;
  Within within = {};
};

Asked random_question(Rng& rng, const Data& data, const SupportTable& table) {
  Asked asked;
  if (rng.chance(0.6)) {
    asked.lambda = random_lambda(rng, data);
  } else {
    asked.size = rng.between(0, table.max_k());
  }
  if (rng.chance(0.4)) asked.within = {Within::Kind::share, 0.3 * rng.uniform() * rng.uniform()};
  if (rng.chance(0.3))
    asked.within = {Within::Kind::objective,
                    0.05 * rng.uniform() * static_cast<double>(Centred(data).y.squaredNorm())};
  return asked;
}

NearOptimal answer(const Moments& moments, const SupportTable& table, const Asked& asked,
                   Index max_models, const Control& control = {}) {
  const NearOptimalOptions options{.within = asked.within, .max_models = max_models};
  if (asked.lambda) {
    const auto best =
        prove_at_lambda(moments, table.at_lambda(*asked.lambda).support, *asked.lambda);
    return near_optimal_at_lambda(moments, best.support, *asked.lambda, options, control);
  }
  const auto best = prove_at_size(moments, table.at_k(asked.size).support);
  return near_optimal_of_size(moments, best.support, options, control);
}

void expect_price(const std::optional<double>& price, Real least_there, Real least,
                  double tolerance) {
  ASSERT_EQ(price.has_value(), std::isfinite(least_there));
  if (price) {
    EXPECT_NEAR(*price, static_cast<double>(least_there - least), tolerance);
  }
}

TEST(NearOptimal, TheModelsAndThePricesAreThoseOfAllSupports) {
  int several = 0, duplicates = 0, always = 0, never = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Data data = problem_of_any_kind(seed);
    ASSERT_LE(data.p(), 14);
    const Centred centred(data);
    const AllSupports all(centred);
    const OwnedProblem problem(data);
    const Moments moments(problem);
    const SupportTable table = best_supports(moments, {.max_k = data.p()});
    Rng rng(seed);
    const Asked asked = random_question(rng, data, table);
    const NearOptimal found = answer(moments, table, asked, 100000);
    const double tolerance = kTolerance * static_cast<double>(centred.y.squaredNorm());
    const Real least = all.least(asked.lambda, asked.size);
    const Real end = least + static_cast<Real>(found.within);

    EXPECT_TRUE(found.complete && found.best_listed && found.exact());
    EXPECT_EQ(found.count, std::ssize(found.models));
    std::map<Support, double> listed;
    for (const NearOptimalModel& model : found.models) {
      EXPECT_TRUE(listed.emplace(model.support, model.objective).second) << "listed twice";
      const auto at = all.losses().find(model.support);
      ASSERT_NE(at, all.losses().end());
      const Real objective =
          AllSupports::objective(at->first, at->second, asked.lambda, asked.size);
      EXPECT_NEAR(model.objective, static_cast<double>(objective), tolerance);
      EXPECT_LE(objective, end + tolerance);
    }
    for (const auto& [support, loss] : all.losses()) {
      if (AllSupports::objective(support, loss, asked.lambda, asked.size) < end - tolerance) {
        EXPECT_TRUE(listed.contains(support));
      }
    }
    EXPECT_TRUE(
        std::is_sorted(found.models.begin(), found.models.end(),
                       [](const auto& a, const auto& b) { return a.objective < b.objective; }));
    several += found.count > 1 ? 1 : 0;

    std::vector<Index> columns;
    for (const ColumnPrice& one : found.columns) {
      columns.push_back(one.column);
      const Real with = all.least(asked.lambda, asked.size, one.column, true);
      const Real without = all.least(asked.lambda, asked.size, one.column, false);
      expect_price(one.in, with, least, tolerance);
      expect_price(one.out, without, least, tolerance);
      const bool near_with = std::isfinite(with) && with < end - tolerance;
      const bool near_without = std::isfinite(without) && without < end - tolerance;
      if (near_with && near_without) {
        EXPECT_EQ(one.kind, Class::interchangeable);
      }
      if (!(with < end + tolerance)) {
        EXPECT_EQ(one.kind, Class::never);
      }
      if (!(without < end + tolerance)) {
        EXPECT_EQ(one.kind, Class::always);
      }
      always += one.kind == Class::always ? 1 : 0;
      never += one.kind == Class::never ? 1 : 0;
      duplicates += near_with && near_without && one.in == 0 && one.out == 0 ? 1 : 0;
    }
    EXPECT_EQ(columns, all.eligible());
  }
  EXPECT_GT(several, 100);
  EXPECT_GT(duplicates, 10);
  EXPECT_GT(always, 50);
  EXPECT_GT(never, 50);
}

// More columns, so that subproblems are left open, tightened and searched again.
TEST(NearOptimal, AShortListHasTheBestOfTheLongOneAndCountsAreTheSame) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const Data data =
        random_data(seed, ProblemSpec{.n = 90, .p = 32, .k = 8, .rho = 0.7, .snr = 0.7});
    const OwnedProblem problem(data);
    const Moments moments(problem);
    const SupportTable table = best_supports(moments);
    const double lambda = 0.006 * 0.5 * static_cast<double>(Centred(data).y.squaredNorm());
    const Asked asked{.lambda = lambda, .within = {Within::Kind::objective, lambda}};
    const NearOptimal all = answer(moments, table, asked, 100000, {.threads = 1});
    const NearOptimal few = answer(moments, table, asked, 20, {.threads = 3});
    EXPECT_GT(all.nodes, 20000);
    ASSERT_TRUE(all.complete);
    EXPECT_EQ(all.count, std::ssize(all.models));
    EXPECT_EQ(few.count, all.count);
    EXPECT_EQ(few.nodes, all.nodes);
    ASSERT_GT(all.count, 20);
    ASSERT_EQ(few.models.size(), 20u);
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_EQ(few.models[i].support, all.models[i].support);
      EXPECT_EQ(few.models[i].objective, all.models[i].objective);
    }
    // Every model is listed once, and the list is closed: each single change of a listed model is
    // listed where it is near-optimal.
    std::map<Support, double> listed;
    for (const NearOptimalModel& model : all.models)
      EXPECT_TRUE(listed.emplace(model.support, model.objective).second);
    const Centred centred(data);
    for (std::size_t i = 0; i < std::min<std::size_t>(10, all.models.size()); ++i) {
      for (Index j = 0; j < data.p(); ++j) {
        Support changed = all.models[i].support;
        const auto at = std::lower_bound(changed.begin(), changed.end(), j);
        if (at != changed.end() && *at == j) {
          changed.erase(at);
        } else {
          changed.insert(at, j);
        }
        const double F = static_cast<double>(refitted_objective(centred, {lambda, 0}, changed));
        EXPECT_EQ(listed.contains(changed), F < all.models[0].objective + all.within);
      }
    }
    // The prices agree with the models, and with a proof in which the column can't be chosen.
    for (const ColumnPrice& one : all.columns) {
      double with = 1e300, without = 1e300;
      for (const auto& [support, objective] : listed) {
        const bool member = std::binary_search(support.begin(), support.end(), one.column);
        (member ? with : without) = std::min(member ? with : without, objective);
      }
      const double best = all.models[0].objective;
      if (with < 1e300) {
        EXPECT_NEAR(*one.in, with - best, 1e-9 * best);
      }
      if (without < 1e300) {
        EXPECT_NEAR(*one.out, without - best, 1e-9 * best);
      }
      if (one.kind != Class::always) continue;
      std::vector<Index> others;
      for (Index j = 0; j < data.p(); ++j)
        if (j != one.column) others.push_back(j);
      const OwnedProblem rest(data.columns(others));
      const double alone = prove_at_lambda(Moments(rest), {}, lambda).objective;
      EXPECT_NEAR(*one.out, alone - best, 1e-9 * best);
    }
  }
}

TEST(NearOptimal, MillionsOfModelsAreCountedUpToALimitAndTheBestAreListed) {
  // Orthogonal columns without effect that cost nothing: all 2^24 supports are near-optimal.
  Rng rng(1);
  Data data = random_data(1, ProblemSpec{.n = 400, .p = 24, .k = 2, .rho = 0, .snr = 3});
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const SupportTable table = best_supports(moments);
  const Asked asked{.lambda = 1e-9, .within = {Within::Kind::share, 0.5}};
  const NearOptimal found = answer(moments, table, asked, 50, {.threads = 2});
  EXPECT_FALSE(found.complete);
  EXPECT_TRUE(found.best_listed);
  EXPECT_TRUE(found.exact());
  EXPECT_GE(found.count, 1000000);
  EXPECT_LT(found.count, 1 << 24);
  ASSERT_EQ(found.models.size(), 50u);
  // lambda is next to nothing: the best model has all columns, the next ones lack one each.
  const Centred centred(data);
  std::vector<double> without;
  for (Index j = 0; j < data.p(); ++j) {
    Support rest = found.models[0].support;
    std::erase(rest, j);
    without.push_back(static_cast<double>(refitted_objective(centred, {1e-9, 0}, rest)));
  }
  const double next = *std::min_element(without.begin(), without.end());
  EXPECT_NEAR(found.models[1].objective, next, 1e-9 * next);
}

TEST(NearOptimal, StoppedAtAnyTimeEverythingSaidIsTrue) {
  int incomplete = 0, inexact = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    const Data data =
        random_data(seed, ProblemSpec{.n = 70, .p = 28, .k = 8, .rho = 0.8, .snr = 0.5});
    const OwnedProblem problem(data);
    const Moments moments(problem);
    const SupportTable table = best_supports(moments);
    const double lambda = 0.006 * 0.5 * static_cast<double>(Centred(data).y.squaredNorm());
    const Asked asked{.lambda = lambda, .within = {Within::Kind::objective, 0.4 * lambda}};
    const NearOptimal truth = answer(moments, table, asked, 100000);
    std::atomic<int> left = static_cast<int>(seed * seed / 3);
    const NearOptimal found = answer(moments, table, asked, 100000,
                                     {.threads = 2, .keep_going = [&] { return left-- > 0; }});
    EXPECT_LE(found.count, truth.count);
    if (found.complete) {
      EXPECT_EQ(found.count, truth.count);
    }
    std::map<Support, double> all;
    for (const NearOptimalModel& model : truth.models) all[model.support] = model.objective;
    std::map<Support, double> listed;
    for (const NearOptimalModel& model : found.models) {
      EXPECT_TRUE(listed.emplace(model.support, model.objective).second);
      EXPECT_TRUE(all.contains(model.support));
    }
    incomplete += found.complete ? 0 : 1;
    inexact += found.exact() ? 0 : 1;
    ASSERT_EQ(found.columns.size(), truth.columns.size());
    for (std::size_t i = 0; i < found.columns.size(); ++i) {
      const ColumnPrice &one = found.columns[i], &exact = truth.columns[i];
      EXPECT_LE(*one.in, *exact.in + 1e-9 * lambda);
      EXPECT_LE(*one.out, *exact.out + 1e-9 * lambda);
      if (one.exact) {
        EXPECT_NEAR(*one.in, *exact.in, 1e-7 * lambda);
        EXPECT_NEAR(*one.out, *exact.out, 1e-7 * lambda);
      }
      if (one.kind != Class::undecided) {
        EXPECT_EQ(one.kind, exact.kind);
      }
    }
  }
  EXPECT_GT(incomplete, 3);
  EXPECT_GT(inexact, 3);
}

TEST(NearOptimal, AWeightIsARepeatedRowAndTheOrderOfColumnsDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Data data = random_data(
        seed, ProblemSpec{
                  .n = 40, .p = 9, .k = 3, .rho = 0.5, .snr = 1, .weights = WeightKind::integers});
    Rng rng(seed);
    const std::vector<Index> order = rng.permutation(data.p());
    std::vector<Index> rows;
    for (Index i = 0; i < data.n(); ++i)
      for (int copy = 0; copy < static_cast<int>(data.w[i]); ++copy) rows.push_back(i);
    Data repeated = data.rows(rows).columns(order);
    repeated.w.resize(0);
    const OwnedProblem first(data), second(repeated);
    const Moments a(first), b(second);
    const Asked asked{.size = 3};
    const NearOptimal one = answer(a, best_supports(a), asked, 1000);
    const NearOptimal two = answer(b, best_supports(b), asked, 1000);
    EXPECT_NEAR(one.within, two.within, 1e-9 * one.within);
    ASSERT_EQ(one.count, two.count);
    for (std::size_t i = 0; i < one.models.size(); ++i)
      EXPECT_NEAR(one.models[i].objective, two.models[i].objective, 1e-9 * one.models[i].objective);
    for (const ColumnPrice& price : two.columns) {
      const Index j = order[static_cast<std::size_t>(price.column)];
      const ColumnPrice& same = one.columns[static_cast<std::size_t>(j)];
      EXPECT_EQ(same.kind, price.kind);
      EXPECT_NEAR(*same.in, *price.in, 1e-8 * one.models[0].objective);
      EXPECT_NEAR(*same.out, *price.out, 1e-8 * one.models[0].objective);
    }
  }
}

TEST(NearOptimal, TheDefaultDistanceIsLambdaOrTwoUnitsOfLogLikelihood) {
  const Data data = random_data(4, ProblemSpec{.n = 50, .p = 8, .k = 3, .rho = 0.2, .snr = 2});
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const SupportTable table = best_supports(moments);
  EXPECT_EQ(answer(moments, table, {.lambda = 0.25}, 10).within, 0.25);
  const NearOptimal of_size = answer(moments, table, {.size = 3}, 10);
  const double best = of_size.models[0].objective;
  EXPECT_NEAR(25 * std::log((best + of_size.within) / best), 2, 1e-9);
  const NearOptimal share =
      answer(moments, table, {.lambda = 0.25, .within = {Within::Kind::share, 0.02}}, 10);
  EXPECT_NEAR(share.within, 0.02 * share.models[0].objective, 1e-12);
}

TEST(NearOptimal, ManyDuplicatesAreCountedAndListedUpToTheLimit) {
  Data data = random_data(4, ProblemSpec{.n = 50, .p = 4, .k = 3, .rho = 0.2, .snr = 9});
  for (Index j = 0; j < 4; ++j) {
    for (int copy = 1; copy <= 30; ++copy) data.append(scaled_copy(data, j, 1 + copy));
  }
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const SupportTable table = best_supports(moments);
  const NearOptimal found =
      answer(moments, table, {.size = 3, .within = {Within::Kind::objective, 0}}, 100);
  EXPECT_EQ(found.count, 31 * 31 * 31);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.models.size(), 100u);
  for (const ColumnPrice& one : found.columns) {
    if (one.in == 0) {
      EXPECT_EQ(one.out, 0);
    }
    EXPECT_NE(one.kind, Class::always);
  }
}

TEST(NearOptimal, WhereTheTargetIsConstantAllModelsAreAsGood) {
  Data data = random_data(2, ProblemSpec{.n = 30, .p = 5, .k = 3, .rho = 0, .snr = 9});
  data.y.setConstant(4);
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const NearOptimal free = near_optimal_at_lambda(moments, {}, 0);
  EXPECT_EQ(free.count, 32);
  EXPECT_TRUE(free.complete);
  const NearOptimal priced = near_optimal_at_lambda(moments, {}, 0.5);
  EXPECT_EQ(priced.count, 6);
  for (const ColumnPrice& one : priced.columns) EXPECT_EQ(one.in, 0.5);
}

TEST(NearOptimal, WithoutTimeOrWithTooManyColumnsNothingIsClaimed) {
  const Data data = random_data(2, ProblemSpec{.n = 30, .p = 12, .k = 3, .rho = 0, .snr = 9});
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const std::vector<Index> some = {1, 2};
  const NearOptimal none = near_optimal_at_lambda(moments, some, 1.0, {}, {.time_limit = 0});
  EXPECT_FALSE(none.complete || none.best_listed);
  EXPECT_EQ(none.count, 1);
  EXPECT_EQ(none.models[0].support, some);
  ASSERT_EQ(none.columns.size(), 12u);
  for (const ColumnPrice& one : none.columns) EXPECT_EQ(one.kind, Class::undecided);

  const Data wide = random_data(2, ProblemSpec{.n = 30, .p = 1100, .k = 3, .rho = 0, .snr = 9});
  const OwnedProblem wide_problem(wide);
  const NearOptimal many = near_optimal_of_size(Moments(wide_problem), some);
  EXPECT_FALSE(many.complete);
  EXPECT_TRUE(many.columns.empty());
  EXPECT_GT(many.within, 0);
}

}  // namespace
}  // namespace lass0::testing
