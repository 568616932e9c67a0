// Coefficients with signs: the table against every support there is, what a status claims, and
// changes to the data that must not change the answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <lass0/path.hpp>
#include <numeric>

#include "search/signed/signed_fit.hpp"
#include "support/signs.hpp"

namespace lass0::testing {
namespace {

constexpr double kTolerance = 1e-9;  // of the target's sum of squares

double total(const Data& data) { return static_cast<double>(Centred(data).y.squaredNorm()); }

SignedProblem make(std::uint64_t seed, Index max_p = 9) {
  Rng rng(seed + 1000);
  ProblemSpec spec = random_spec(seed, max_p);
  spec.rho = rng.uniform(0.0, 0.95);
  Data data = with_random_extras(seed, random_data(seed, spec));
  std::vector<int> signs = random_signs(rng, data);
  return SignedProblem(std::move(data), std::move(signs), kStorages[seed % 3]);
}

void for_each_problem(std::uint64_t count, const std::function<void(const SignedProblem&)>& check) {
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const SignedProblem problem = make(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(problem.data()));
    check(problem);
  }
}

double loss_of(const Centred& centred, const Support& support) {
  return static_cast<double>(least_squares(centred, model_columns(centred, support)).loss);
}

void expect_rows_keep_signs(const SignedProblem& problem, const SupportTable& table) {
  const Centred centred(problem.data());
  for (Index k = 1; k <= table.max_k(); ++k) {
    const TableRow& row = table.at_k(k);
    ASSERT_EQ(std::ssize(row.support), k);
    EXPECT_TRUE(keeps_signs(centred, row.support, problem.signs())) << k;
    EXPECT_NEAR(row.loss, loss_of(centred, row.support), kTolerance * total(problem.data()));
    EXPECT_LT(row.loss, table.at_k(k - 1).loss);
  }
}

// All supports an add, a remove or a swap away that keep the signs.
std::vector<Support> neighbours(const SignedProblem& problem, const Support& support, bool swaps) {
  const Centred centred(problem.data());
  std::vector<Support> all;
  const auto consider = [&](Support other) {
    std::sort(other.begin(), other.end());
    if (without_included(problem.data(), other) == other &&
        keeps_signs(centred, other, problem.signs()))
      all.push_back(std::move(other));
  };
  for (const Index i : support) {
    Support rest = support;
    std::erase(rest, i);
    consider(rest);
    for (Index j = 0; swaps && j < problem.data().p(); ++j) {
      if (std::find(support.begin(), support.end(), j) != support.end()) continue;
      Support swapped = rest;
      swapped.push_back(j);
      consider(swapped);
    }
  }
  for (Index j = 0; j < problem.data().p(); ++j) {
    if (std::find(support.begin(), support.end(), j) != support.end()) continue;
    Support more = support;
    more.push_back(j);
    consider(more);
  }
  return all;
}

TEST(Signs, TheTableIsTheBestOfAllSupportsThatKeepThem) {
  int rows = 0, optimal = 0, binding = 0;
  for_each_problem(500, [&](const SignedProblem& problem) {
    const Data& data = problem.data();
    const SupportTable table = best_supports(*problem, {.max_k = data.p()});
    EXPECT_EQ(table.status, Status::local_optimum);
    expect_rows_keep_signs(problem, table);
    const std::vector<Real> least = least_signed_losses(data, problem.signs());
    const double slack = kTolerance * total(data);
    for (Index k = 0; k <= table.max_k(); ++k) {
      const double best = static_cast<double>(least[static_cast<std::size_t>(k)]);
      EXPECT_GE(table.at_k(k).loss, best - slack) << k;
      EXPECT_TRUE(table.at_k(k).swap_optimal) << k;
      ++rows;
      optimal += table.at_k(k).loss <= best + slack;
    }
    // It ends where more columns would not help.
    EXPECT_NEAR(table.rows.back().loss, static_cast<double>(least.back()), slack);
    binding += best_supports(*problem.without_signs(), {.max_k = data.p()}).max_k() > table.max_k();
  });
  EXPECT_GT(rows, 1500);
  EXPECT_GT(binding, 200);
  EXPECT_GE(optimal, 0.998 * rows);
}

TEST(Signs, AFitOnAllColumnsIsTheBestOfAllSupports) {
  for_each_problem(100, [&](const SignedProblem& problem) {
    const Moments moments(*problem);
    const double unit = moments.target_scale() * moments.target_scale();
    std::vector<Index> columns;
    for (Index j = 0; j < moments.cols(); ++j) {
      columns.push_back(j);
      if (!moments.eligible(j) || !signed_fit(moments, columns).independent) columns.pop_back();
    }
    const FittedSupport all = signed_fit(moments, columns);
    Data data = problem.data();
    std::vector<int> signs = problem.signs();
    for (Index j = data.p() - 1; j >= 0; --j) {  // of dependent columns, those alone
      const auto in = [&](const std::vector<Index>& list) {
        return std::find(list.begin(), list.end(), j) != list.end();
      };
      if (!in(columns) && !in(data.include)) data.X.col(j).setZero();
    }
    EXPECT_NEAR(all.loss * unit, static_cast<double>(least_signed_losses(data, signs).back()),
                kTolerance * total(data));
  });
}

TEST(Signs, ThatDoNotBindChangeNothing) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Data data = random_data(
        seed, ProblemSpec{.n = 50, .p = 12, .k = 4, .rho = 0.1 * static_cast<double>(seed % 9)});
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const OwnedProblem free(data);
    const Path path = lass0::path(free);
    // The sign that a column has in all rows, where there is one.
    std::vector<int> signs(static_cast<std::size_t>(data.p()), 0);
    std::vector<char> both(signs.size(), 0);
    for (const Iterate& at : path.models) {
      for (std::size_t l = 0; l < at.support.size(); ++l) {
        const auto j = static_cast<std::size_t>(at.support[l]);
        const int sign = at.coefficients[static_cast<Index>(l)] > 0 ? 1 : -1;
        both[j] = both[j] || signs[j] == -sign;
        signs[j] = sign;
      }
    }
    for (std::size_t j = 0; j < signs.size(); ++j) signs[j] = both[j] ? 0 : signs[j];
    const SignedProblem problem(data, signs);
    const SupportTable table = best_supports(*problem);
    ASSERT_EQ(table.max_k(), path.table.max_k());
    for (Index k = 0; k <= table.max_k(); ++k) {
      EXPECT_EQ(table.at_k(k).support, path.table.at_k(k).support) << k;
      EXPECT_NEAR(table.at_k(k).loss, path.table.at_k(k).loss, kTolerance * total(data));
      EXPECT_TRUE(table.at_k(k).swap_optimal);
    }
  }
}

TEST(Signs, AColumnTurnedWithItsSignGivesTheSameTable) {
  for_each_problem(60, [](const SignedProblem& problem) {
    Data data = problem.data();
    std::vector<int> signs = problem.signs();
    for (Index j = 0; j < data.p(); j += 2) {
      data.X.col(j) *= -1;
      signs[static_cast<std::size_t>(j)] *= -1;
    }
    const SignedProblem turned(data, signs);
    const SupportTable one = best_supports(*problem), other = best_supports(*turned);
    ASSERT_EQ(one.max_k(), other.max_k());
    for (Index k = 0; k <= one.max_k(); ++k)
      EXPECT_NEAR(one.at_k(k).loss, other.at_k(k).loss, kTolerance * total(data));
  });
}

TEST(Signs, TheOrderOfTheColumnsDoesNotMatter) {
  for_each_problem(60, [](const SignedProblem& problem) {
    Rng rng(7);
    const std::vector<Index> order = rng.permutation(problem.data().p());
    Data data = problem.data().columns(order);
    std::vector<int> signs;
    data.include.clear();
    for (std::size_t l = 0; l < order.size(); ++l) {
      signs.push_back(problem.signs()[static_cast<std::size_t>(order[l])]);
      const auto& include = problem.data().include;
      if (std::find(include.begin(), include.end(), order[l]) != include.end())
        data.include.push_back(static_cast<Index>(l));
    }
    const SignedProblem permuted(data, signs);
    const SupportTable one = best_supports(*problem), other = best_supports(*permuted);
    ASSERT_EQ(one.max_k(), other.max_k());
    for (Index k = 0; k <= one.max_k(); ++k)
      EXPECT_NEAR(one.at_k(k).loss, other.at_k(k).loss, kTolerance * total(data));
  });
}

TEST(Signs, RowsDoNotDependOnHowManyAreAskedFor) {
  for_each_problem(40, [](const SignedProblem& problem) {
    const SupportTable all = best_supports(*problem, {.max_k = problem.data().p()});
    const SupportTable few = best_supports(*problem, {.max_k = 2});
    ASSERT_LE(few.max_k(), 2);
    for (Index k = 0; k <= few.max_k(); ++k) {
      EXPECT_EQ(few.at_k(k).support, all.at_k(k).support);
      EXPECT_EQ(few.at_k(k).loss, all.at_k(k).loss);
    }
  });
}

TEST(Signs, TheStatusAtALambdaIsTrueFromEveryStart) {
  int with_moves = 0, improvable = 0;
  for_each_problem(150, [&](const SignedProblem& problem) {
    const Data& data = problem.data();
    const Centred centred(data);
    Rng rng(static_cast<std::uint64_t>(data.n() * 100 + data.p()));
    const double lambda = 0.3 * random_lambda(rng, data), slack = kTolerance * total(data);
    Support all(static_cast<std::size_t>(data.p()));
    std::iota(all.begin(), all.end(), 0);
    double best = 0;
    for (const Start& start : {Start::table(), Start::empty(), Start::support(all)}) {
      const Fit fit = lass0::fit(*problem, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
      const Support support = without_included(data, fit.model.at.support);
      EXPECT_TRUE(support.empty() || keeps_signs(centred, support, problem.signs()));
      for (std::size_t l = 0; l < fit.model.at.support.size(); ++l) {
        const auto j = static_cast<std::size_t>(fit.model.at.support[l]);
        EXPECT_GE(problem.signs()[j] * fit.model.at.coefficients[static_cast<Index>(l)], 0);
      }
      const auto value = [&](const Support& one) {
        return 0.5 * loss_of(centred, one) + lambda * static_cast<double>(one.size());
      };
      EXPECT_NEAR(fit.objective, value(support), slack);
      if (start.method == Start::Method::table) best = fit.objective;
      EXPECT_GE(fit.objective, best - slack);
      ASSERT_NE(fit.status == Status::local_optimum, fit.improving_swap.has_value());
      for (const Support& other : neighbours(problem, support, !fit.improving_swap))
        EXPECT_GE(value(other), fit.objective - slack) << ::testing::PrintToString(other);
      with_moves += !fit.trace.moves.empty();
      if (!fit.improving_swap) continue;
      ++improvable;
      EXPECT_GT(fit.improving_swap->gain, 0);
    }
  });
  EXPECT_GT(with_moves, 100);
  EXPECT_GT(improvable, 0);
}

TEST(Signs, StandInsKeepThemAndCostWhatTheySay) {
  int listed = 0;
  for_each_problem(60, [&](const SignedProblem& problem) {
    const Centred centred(problem.data());
    const SupportTable table = best_supports(*problem);
    for (Index k = 1; k <= std::min<Index>(3, table.max_k()); ++k) {
      const Fit fit = lass0::fit(*problem, {.goal = OfSize{k}});
      ASSERT_TRUE(fit.alternatives.has_value());
      const Support support = without_included(problem.data(), fit.model.at.support);
      EXPECT_EQ(support, table.at_k(k).support);
      const double loss = loss_of(centred, support), slack = kTolerance * total(problem.data());
      if (loss < slack) continue;  // of a perfect fit all is rounding
      for (const Alternative& one : *fit.alternatives) {
        Support other = support;
        std::erase(other, one.member);
        other.push_back(one.stand_in);
        std::sort(other.begin(), other.end());
        EXPECT_TRUE(keeps_signs(centred, other, problem.signs()));
        EXPECT_NEAR(loss + one.loss_increase, loss_of(centred, other), slack);
        EXPECT_GE(one.loss_increase, -slack);
        ++listed;
      }
    }
  });
  EXPECT_GT(listed, 200);
}

TEST(Signs, OfTwoCopiesTheOneWithTheRightSignIsChosen) {
  Data data = random_data(3, ProblemSpec{.n = 50, .p = 5, .k = 2, .snr = 10});
  data.y = 2 * data.X.col(1) + 0.1 * data.X.col(3);
  data.append(scaled_copy(data, 1, -3));
  const SignedProblem problem(data, {0, -1, 0, 0, 0, 0});
  EXPECT_EQ(best_supports(*problem).at_k(1).support, Support{5});
  const SignedProblem neither(data, {0, -1, 0, 0, 0, 1});
  expect_rows_keep_signs(neither, best_supports(*neither));
  const SignedProblem first(data, {0, 1, 0, 0, 0, -1});
  EXPECT_EQ(best_supports(*first).at_k(1).support, Support{1});
}

TEST(Signs, NoColumnAtAllWhereEverySignIsWrong) {
  Data data = random_data(4, ProblemSpec{.n = 40, .p = 1, .k = 1, .snr = 10});
  data.y = -data.X.col(0);
  const SignedProblem problem(data, {1});
  EXPECT_EQ(best_supports(*problem).max_k(), 0);
  EXPECT_TRUE(fit(*problem, {.goal = AtLambda{0}}).model.at.support.empty());
  EXPECT_THROW(fit(*problem, {.goal = OfSize{1}}), UsageError);
}

TEST(Signs, MoreColumnsThanRows) {
  const Data data =
      random_data(11, ProblemSpec{.n = 30, .p = 120, .k = 8, .rho = 0.4, .snr = 5, .mean = 3});
  Rng rng(5);
  const SignedProblem problem(data, random_signs(rng, data));
  const SupportTable table = best_supports(*problem);
  expect_rows_keep_signs(problem, table);
  const Centred centred(data);
  for (const Index k : {Index{2}, Index{5}}) {
    const TableRow& row = table.at_k(k);
    EXPECT_TRUE(row.swap_optimal);
    for (const Support& other : neighbours(problem, row.support, true)) {
      if (std::ssize(other) == k) {
        EXPECT_GE(loss_of(centred, other), row.loss * (1 - 1e-9));
      }
    }
  }
}

TEST(Signs, NearCopiesNeitherTurnThemNorKeepTheSearchGoing) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Rng rng(seed * 7);
    const Index p = 2 + rng.below(6), n = 3 + rng.below(30);
    Data data = random_data(seed, ProblemSpec{.n = n,
                                              .p = p,
                                              .k = std::min<Index>(p, 3),
                                              .rho = 0.95 * rng.uniform(),
                                              .snr = rng.chance(0.3) ? 1e6 : 2.0,
                                              .mean = rng.chance(0.3) ? 1e4 : 1.0});
    for (int copy = 0; copy < 2; ++copy) {
      Vector column = scaled_copy(data, rng.below(data.p()), rng.chance(0.5) ? -2.0 : 3.0);
      const double off = std::vector{0.0, 1e-9, 1e-7, 1e-5, 1e-3}[seed % 5];
      for (Index i = 0; i < n; ++i) column[i] += off * rng.normal() * std::abs(column[i] + 1);
      data.append(column);
    }
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const SignedProblem problem(data, random_signs(rng, data));
    const Path path = lass0::path(*problem, {.max_k = data.p()});
    EXPECT_EQ(path.table.status, Status::local_optimum);
    for (const Iterate& at : path.models) {
      for (std::size_t l = 0; l < at.support.size(); ++l) {
        const double b = at.coefficients[static_cast<Index>(l)];
        EXPECT_TRUE(std::isfinite(b));
        EXPECT_GE(problem.signs()[static_cast<std::size_t>(at.support[l])] * b, 0);
      }
    }
  }
}

TEST(Signs, AStoppedSearchStillKeepsThem) {
  const Data data = random_data(12, ProblemSpec{.n = 60, .p = 40, .k = 8, .rho = 0.6});
  const SignedProblem problem(data, std::vector<int>(40, 1));
  for (int calls = 1; calls < 400; calls = calls * 3 / 2 + 1) {
    int left = calls;
    Control control;
    control.keep_going = [&] { return --left > 0; };
    const SupportTable table = best_supports(*problem, {.control = control});
    expect_rows_keep_signs(problem, table);
    left = calls;
    FitOptions options{.goal = AtLambda{1}};
    options.control = control;
    const Fit fit = lass0::fit(Moments(*problem), options);
    EXPECT_TRUE((fit.model.at.coefficients.array() >= 0).all());
  }
}

TEST(Signs, WhatTheyDoNotGoWithIsSaid) {
  const Data data = random_data(1, ProblemSpec{.n = 30, .p = 4});
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  const SignedProblem problem(data, {1, 0, -1, 0});
  FitOptions prove, paper, power;
  prove.prove = true;
  paper.goal = AtLambda{.start = Start::paper()};
  power.goal = AtLambda{.penalty = {.power = 0.5}};
  CrossValidateOptions paper_folds;
  paper_folds.start = Start::Method::paper;
  EXPECT_NE(message([&] { fit(*problem, prove); }).find("signs do not work with prove"),
            std::string::npos);
  EXPECT_NE(message([&] { path(*problem, {.prove = true}); }).find("signs do not work with prove"),
            std::string::npos);
  EXPECT_NE(message([&] { fit(*problem, paper); }).find("paper"), std::string::npos);
  EXPECT_NE(message([&] { cross_validate(*problem, paper_folds); }).find("paper"),
            std::string::npos);
  EXPECT_NE(message([&] { fit(*problem, power); }).find("power"), std::string::npos);
  const SignedProblem two(data, {2, 0, 0, 0});
  EXPECT_NE(message([&] { best_supports(*two); }).find("column 'x1' is 2"), std::string::npos);
  Data included = data;
  included.include = {2};
  const SignedProblem both(included, {0, 0, 1, 0});
  EXPECT_NE(message([&] { best_supports(*both); }).find("column 'x3'"), std::string::npos);
  const SignedProblem few(data, {1, 0});
  EXPECT_THROW(best_supports(*few), Error);
  const SignedProblem none(data, {0, 0, 0, 0});  // are no signs
  EXPECT_NO_THROW(fit(*none, prove));
  EXPECT_NO_THROW(fit(*none, paper));
}

}  // namespace
}  // namespace lass0::testing
