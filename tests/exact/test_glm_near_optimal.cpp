// Near-optimal logistic models and the prices of columns, against every support there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "exact/glm_near_optimal.hpp"
#include "exact/glm_prove.hpp"
#include "support/logistic_supports.hpp"

namespace lass0::testing {
namespace {

constexpr double kTolerance = 1e-8;  // of the objective: ten times what a proof promises
using Class = ColumnPrice::Class;

struct Asked {
  std::optional<double> lambda = {};
  Index size = 0;
  Within within = {};
};

Asked random_question(Rng& rng, const LogisticSubject& subject) {
  Asked asked;
  if (rng.chance(0.6)) {
    asked.lambda = std::exp(rng.uniform(-2, 1.5));
  } else {
    asked.size = rng.between(0, subject.largest());
  }
  if (rng.chance(0.4)) asked.within = {Within::Kind::share, 0.2 * rng.uniform()};
  if (rng.chance(0.3)) asked.within = {Within::Kind::objective, 2 * rng.uniform()};
  return asked;
}

NearOptimal answer(Panel& panel, const LogisticSubject& subject, const Asked& asked, Rng& rng,
                   const Control& control = {}) {
  const NearOptimalOptions options{.within = asked.within, .max_models = 100000};
  if (asked.lambda) {
    const auto best = glm_prove_at_lambda(panel, {}, *asked.lambda);
    return glm_near_optimal_at_lambda(panel, best.support, *asked.lambda, options, control);
  }
  const auto best = glm_prove_at_size(panel, subject.random_model(rng, asked.size));
  return glm_near_optimal_of_size(panel, best.support, options, control);
}

void expect_price(const std::optional<double>& price, double least_there, double least,
                  double tolerance) {
  ASSERT_EQ(price.has_value(), std::isfinite(least_there));
  if (price) {
    EXPECT_NEAR(*price, least_there - least, tolerance);
  }
}

TEST(GlmNearOptimal, TheModelsAndThePricesAreThoseOfAllSupports) {
  int several = 0, always = 0, never = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const LogisticSubject subject(logistic_of_any_kind(seed));
    if (!subject.losses.contains({})) continue;
    Panel panel(subject.rows);
    Rng rng(seed);
    const Asked asked = random_question(rng, subject);
    const NearOptimal found = answer(panel, subject, asked, rng);
    const double least = subject.least(asked.lambda, asked.size);
    const double tolerance = kTolerance * (1 + least), end = least + found.within;
    if (asked.within.kind == Within::Kind::automatic) {
      EXPECT_DOUBLE_EQ(found.within, asked.lambda.value_or(kWithinLogLikelihood));
    }

    EXPECT_TRUE(found.complete && found.best_listed && found.exact());
    EXPECT_EQ(found.count, std::ssize(found.models));
    std::map<std::vector<Index>, double> listed;
    for (const NearOptimalModel& model : found.models) {
      EXPECT_TRUE(listed.emplace(model.support, model.objective).second) << "listed twice";
      const auto at = subject.losses.find(model.support);
      ASSERT_NE(at, subject.losses.end());
      const double objective =
          LogisticSubject::objective(at->first, at->second, asked.lambda, asked.size);
      EXPECT_NEAR(model.objective, objective, tolerance);
      EXPECT_LE(objective, end + tolerance);
    }
    for (const auto& [support, loss] : subject.losses) {
      if (LogisticSubject::objective(support, loss, asked.lambda, asked.size) < end - tolerance) {
        EXPECT_TRUE(listed.contains(support));
      }
    }
    several += found.count > 1 ? 1 : 0;

    std::vector<Index> columns;
    for (const ColumnPrice& one : found.columns) {
      SCOPED_TRACE(one.column);
      columns.push_back(one.column);
      const double with = subject.least(asked.lambda, asked.size, one.column, true);
      const double without = subject.least(asked.lambda, asked.size, one.column, false);
      expect_price(one.in, with, least, tolerance);
      expect_price(one.out, without, least, tolerance);
      if (with < end - tolerance && without < end - tolerance) {
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
      none += one.in && one.out ? 0 : 1;
    }
    EXPECT_EQ(columns, subject.eligible);
  }
  EXPECT_GT(several, 20);
  EXPECT_GT(always, 10);
  EXPECT_GT(never, 10);
  EXPECT_GT(none, 0);
}

TEST(GlmNearOptimal, StoppedAtAnyTimeEverythingSaidIsTrue) {
  int incomplete = 0, inexact = 0;
  for (std::uint64_t seed = 101; seed <= 140; ++seed) {
    SCOPED_TRACE(seed);
    const LogisticSubject subject(logistic_of_any_kind(seed));
    if (!subject.losses.contains({})) continue;
    Panel panel(subject.rows);
    Rng rng(seed);
    const Asked asked = random_question(rng, subject);
    Index left = rng.below(40);
    const NearOptimal found =
        answer(panel, subject, asked, rng, {.keep_going = [&] { return left-- > 0; }});
    const double least = subject.least(asked.lambda, asked.size);
    const double tolerance = kTolerance * (1 + least), end = least + found.within;
    Index near = 0;
    for (const auto& [support, loss] : subject.losses) {
      const double objective = LogisticSubject::objective(support, loss, asked.lambda, asked.size);
      near += objective <= end + tolerance ? 1 : 0;
    }
    EXPECT_LE(found.count, near);
    for (const NearOptimalModel& model : found.models)
      EXPECT_NEAR(model.objective,
                  LogisticSubject::objective(model.support, subject.losses.at(model.support),
                                             asked.lambda, asked.size),
                  tolerance);
    for (const ColumnPrice& one : found.columns) {
      const double with = subject.least(asked.lambda, asked.size, one.column, true);
      const double without = subject.least(asked.lambda, asked.size, one.column, false);
      if (one.in) {
        EXPECT_LE(*one.in, with - least + tolerance);
      }
      if (one.out) {
        EXPECT_LE(*one.out, without - least + tolerance);
      }
      if (one.kind == Class::always) {
        EXPECT_GT(without, end - tolerance);
      }
      if (one.kind == Class::never) {
        EXPECT_GT(with, end - tolerance);
      }
    }
    incomplete += found.complete ? 0 : 1;
    inexact += found.exact() ? 0 : 1;
  }
  EXPECT_GT(incomplete, 10);
  EXPECT_GT(inexact, 10);
}

}  // namespace
}  // namespace lass0::testing
