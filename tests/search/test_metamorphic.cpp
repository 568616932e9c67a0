// Changes to the data that must not change the answer, or change it in a known way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

constexpr std::uint64_t kSeeds = 100;

// One problem per seed, clear enough that neither rounding nor the order of the columns decides.
struct Instance {
  std::uint64_t seed;
  Data data;
  double lambda;
};

void for_each_clear_instance(const Start& start,
                             const std::function<void(const Instance&)>& check) {
  int count = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Rng rng(seed);
    Instance instance{seed, random_data(seed, 12), 0};
    instance.lambda = random_lambda(rng, instance.data) * 0.5;
    const Centred centred(instance.data);
    Support first;
    if (start.method == Start::Method::paper) {
      const OracleLasso lasso = lasso_by_definition(centred, instance.lambda);
      if (lasso.kkt > 1e-10L || lasso.margin < 1e-5L) continue;
      first = lasso.support;
    }
    if (!independent(centred, first)) continue;
    const OracleSearch definition = algorithm_1(centred, first, {instance.lambda});
    if (definition.margin < 1e-8L || definition.tied) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(instance.data));
    ++count;
    check(instance);
  }
  EXPECT_GT(count, static_cast<int>(kSeeds) * 8 / 10);
}

Fit fit_from(const Data& data, double lambda, const Start& start,
             Storage storage = Storage::dense) {
  const OwnedProblem problem(data, storage);
  Fit result = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
  expect_sound(problem, result, {lambda});
  return result;
}

// The same support, objective and coefficients, up to rounding.
void expect_same(const Fit& a, const Fit& b) {
  ASSERT_EQ(a.model.at.support, b.model.at.support);
  EXPECT_NEAR(a.objective, b.objective, 1e-9 * a.objective);
  const double unit =
      a.model.at.coefficients.size() > 0 ? a.model.at.coefficients.cwiseAbs().maxCoeff() : 1.0;
  for (Index l = 0; l < a.model.at.coefficients.size(); ++l)
    EXPECT_NEAR(a.model.at.coefficients[l], b.model.at.coefficients[l], 1e-7 * unit);
  EXPECT_EQ(a.trace.moves.size(), b.trace.moves.size());
  EXPECT_EQ(a.status, b.status);
}

class FromEachStart : public ::testing::TestWithParam<Start::Method> {
 protected:
  Start start() const { return Start{GetParam(), {}}; }
};
INSTANTIATE_TEST_SUITE_P(Metamorphic, FromEachStart,
                         ::testing::Values(Start::Method::paper, Start::Method::empty),
                         [](const auto& one) { return std::string(to_string(one.param)); });

TEST_P(FromEachStart, PermutedRows) {
  for_each_clear_instance(start(), [&](const Instance& instance) {
    Rng rng(instance.seed);
    const Data permuted = instance.data.rows(rng.permutation(instance.data.n()));
    expect_same(fit_from(instance.data, instance.lambda, start()),
                fit_from(permuted, instance.lambda, start()));
  });
}

TEST_P(FromEachStart, PermutedColumns) {
  for_each_clear_instance(start(), [&](const Instance& instance) {
    Rng rng(instance.seed);
    const std::vector<Index> order = rng.permutation(instance.data.p());
    const Fit a = fit_from(instance.data, instance.lambda, start());
    const Fit b = fit_from(instance.data.columns(order), instance.lambda, start());
    Support back;
    for (const Index j : b.model.at.support) back.push_back(order[j]);
    std::sort(back.begin(), back.end());
    EXPECT_EQ(a.model.at.support, back);
    EXPECT_NEAR(a.objective, b.objective, 1e-9 * a.objective);
  });
}

TEST_P(FromEachStart, RescaledColumns) {
  for_each_clear_instance(start(), [&](const Instance& instance) {
    if (!instance.data.standardize && GetParam() == Start::Method::paper) return;
    Rng rng(instance.seed);
    Data scaled = instance.data;
    Vector scale(scaled.p());
    for (Index j = 0; j < scaled.p(); ++j) {
      scale[j] = std::exp(rng.uniform(-10, 10)) * (rng.chance(0.5) ? 1 : -1);
      scaled.X.col(j) *= scale[j];
    }
    const Fit a = fit_from(instance.data, instance.lambda, start());
    const Fit b = fit_from(scaled, instance.lambda, start());
    ASSERT_EQ(a.model.at.support, b.model.at.support);
    EXPECT_NEAR(a.objective, b.objective, 1e-9 * a.objective);
    EXPECT_EQ(a.trace.moves.size(), b.trace.moves.size());
    for (std::size_t l = 0; l < a.effects.size(); ++l)
      EXPECT_NEAR(std::abs(a.effects[l]), std::abs(b.effects[l]), 1e-7 * std::sqrt(a.problem.tss));
  });
}

TEST_P(FromEachStart, RepeatedRowsEqualWeights) {
  int weighted = 0;
  for_each_clear_instance(start(), [&](const Instance& instance) {
    const Data& data = instance.data;
    std::vector<Index> rows;
    for (Index i = 0; i < data.n(); ++i) {
      if (data.weight(i) != std::round(data.weight(i))) return;
      for (int times = 0; times < data.weight(i); ++times) rows.push_back(i);
    }
    Data repeated = data.rows(rows);
    repeated.w.resize(0);
    weighted += data.w.size() > 0;
    expect_same(fit_from(data, instance.lambda, start()),
                fit_from(repeated, instance.lambda, start()));
  });
  EXPECT_GT(weighted, 15);
}

TEST_P(FromEachStart, ShiftedTargetAndColumns) {
  for_each_clear_instance(start(), [&](const Instance& instance) {
    if (!instance.data.intercept) return;
    Data shifted = instance.data;
    shifted.y.array() += 1234.5;
    for (Index j = 0; j < shifted.p(); ++j)
      shifted.X.col(j).array() -= 10.0 * static_cast<double>(j);
    expect_same(fit_from(instance.data, instance.lambda, start()),
                fit_from(shifted, instance.lambda, start()));
  });
}

TEST_P(FromEachStart, EveryStorageGivesTheSame) {
  for_each_clear_instance(start(), [&](const Instance& instance) {
    const Fit dense = fit_from(instance.data, instance.lambda, start());
    expect_same(dense, fit_from(instance.data, instance.lambda, start(), Storage::strided));
    expect_same(dense, fit_from(instance.data, instance.lambda, start(), Storage::sparse));
  });
}

TEST_P(FromEachStart, ARowOfWeightZeroCountsForNothing) {
  for_each_clear_instance(start(), [&](const Instance& instance) {
    Data more = instance.data.rows(Rng(1).permutation(instance.data.n()));
    const Index n = more.n();
    if (more.w.size() == 0) more.w = Vector::Ones(n);
    more.X.conservativeResize(n + 1, Eigen::NoChange);
    more.y.conservativeResize(n + 1);
    more.w.conservativeResize(n + 1);
    more.X.row(n).setConstant(1e200);
    more.y[n] = -1e250;
    more.w[n] = 0;
    const Fit a = fit_from(instance.data, instance.lambda, start());
    const Fit b = fit_from(more, instance.lambda, start());
    expect_same(a, b);
    EXPECT_EQ(a.problem.n, b.problem.n);
  });
}

// Not from the paper's start: the Lasso at the same lambda is not invariant to the units of y.
TEST(Metamorphic, RescaledTarget) {
  for_each_clear_instance(Start::empty(), [&](const Instance& instance) {
    for (const double a : {1e-3, -2.0, 1e5}) {
      Data scaled = instance.data;
      scaled.y *= a;
      for (const Start& start : {Start::empty(), Start::support({0})}) {
        const Fit one = fit_from(instance.data, instance.lambda, start);
        const Fit two = fit_from(scaled, instance.lambda * a * a, start);
        if (start.method == Start::Method::empty) {
          EXPECT_EQ(one.model.at.support, two.model.at.support);
        }
        EXPECT_NEAR(one.objective * a * a, two.objective, 1e-8 * two.objective);
      }
    }
  });
}

TEST(Metamorphic, ADuplicatedColumnDoesNotChangeTheObjective) {
  for_each_clear_instance(Start::empty(), [&](const Instance& instance) {
    Data more = instance.data;
    for (Index j = 0; j < instance.data.p(); j += 2) more.append(scaled_copy(more, j, 1.0));
    const Fit a = fit_from(instance.data, instance.lambda, Start::empty());
    const Fit b = fit_from(more, instance.lambda, Start::empty());
    EXPECT_EQ(a.model.at.support, b.model.at.support) << "ties go to the lower index";
    EXPECT_NEAR(a.objective, b.objective, 1e-9 * a.objective);
  });
}

TEST(Metamorphic, TheBitsDoNotDependOnTheNumberOfThreads) {
  for (const Storage storage : kStorages) {
    ProblemSpec spec{.n = 150, .p = 260, .k = 12, .rho = 0.5, .mean = 1};
    const OwnedProblem problem(random_data(3, spec), storage);
    Rng rng(3);
    for (const auto& [power, start] :
         {std::pair{0.0, Start::paper()}, {0.5, Start::paper()}, {0.0, Start::table()}}) {
      FitOptions options{.goal =
                             AtLambda{.penalty = {random_lambda(rng, problem.data()) * 0.1, power},
                                      .start = start}};
      options.control.threads = 1;
      const Fit one = fit(problem, options);
      for (const int threads : {2, 3, 0}) {
        options.control.threads = threads;
        const Fit many = fit(problem, options);
        EXPECT_EQ(one.trace.start_support, many.trace.start_support);
        EXPECT_EQ(one.model.at.support, many.model.at.support);
        EXPECT_EQ(one.model.at.coefficients, many.model.at.coefficients);
        EXPECT_EQ(one.model.at.intercept, many.model.at.intercept);
        EXPECT_EQ(one.objective, many.objective);
        ASSERT_EQ(one.trace.moves.size(), many.trace.moves.size());
        for (std::size_t i = 0; i < one.trace.moves.size(); ++i) {
          EXPECT_EQ(one.trace.moves[i].column, many.trace.moves[i].column);
          EXPECT_EQ(one.trace.moves[i].gain, many.trace.moves[i].gain);
          EXPECT_EQ(one.trace.moves[i].objective, many.trace.moves[i].objective);
        }
      }
    }
  }
}

TEST(Metamorphic, SharedMomentsGiveWhatFreshOnesGive) {
  const OwnedProblem problem(random_data(6, ProblemSpec{.n = 80, .p = 40, .k = 8}));
  const Moments moments(problem);
  for (const double lambda : {8.0, 2.0, 0.5, 0.1}) {
    for (const Start& start : {Start::paper(), Start::table()}) {
      const Fit fresh = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
      const Fit shared = fit(moments, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
      expect_same(fresh, shared);
    }
  }
}

}  // namespace
}  // namespace lass0::testing
