// Algorithm 1 for logistic regression against itself by definition: every move refitted.
#include <gtest/gtest.h>

#include <lass0/error.hpp>

#include "glm/glm_search.hpp"
#include "support/logistic.hpp"

namespace lass0::testing {
namespace {

struct Run {
  SearchResult result;
  Iterate at;  // the exact fit on the support found
};

Run run(const LogisticData& logistic, Columns start, const Penalty& penalty, Index stand_ins = 1,
        const Control& control = {}) {
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  Problem squares = problem;
  squares.family = Family::gaussian;
  squares.offset = {};
  const Moments base(squares);
  const GlmRows rows(problem, base);
  Panel panel(rows);
  KnownFits known;
  Run run{glm_search(panel, start, penalty, known, control, stand_ins), {}};
  const Newton newton(panel);
  run.at = newton.model(newton.fit(run.result.support));
  EXPECT_NEAR(run.result.objective, objective(problem, penalty, run.at),
              1e-9 * run.result.objective);
  return run;
}

std::vector<Index> with_included(const LogisticData& logistic, std::vector<Index> support) {
  support.insert(support.end(), logistic.data.include.begin(), logistic.data.include.end());
  std::sort(support.begin(), support.end());
  return support;
}

// F of a support; infinite without a finite fit.
double F(const LogisticData& logistic, const std::vector<Index>& support, double lambda) {
  const auto fit = logistic_by_definition(logistic, with_included(logistic, support));
  return fit ? 0.5 * fit->loss + lambda * static_cast<double>(support.size())
             : std::numeric_limits<double>::infinity();
}

std::vector<Index> toggled(std::vector<Index> support, Index j) {
  const auto at = std::lower_bound(support.begin(), support.end(), j);
  if (at != support.end() && *at == j)
    support.erase(at);
  else
    support.insert(at, j);
  return support;
}

struct ByDefinition {
  std::vector<Index> support;
  std::vector<Index> moves;
};

ByDefinition algorithm_1(const LogisticData& logistic, std::vector<Index> support, double lambda) {
  const auto& include = logistic.data.include;
  ByDefinition walk{std::move(support), {}};
  for (;;) {
    const double now = F(logistic, walk.support, lambda);
    double lowest = now;
    Index best = -1;
    for (Index j = 0; j < logistic.data.p(); ++j) {
      if (std::count(include.begin(), include.end(), j) > 0) continue;
      const double there = F(logistic, toggled(walk.support, j), lambda);
      if (there < lowest - 1e-9 * now) {
        lowest = there;
        best = j;
      }
    }
    if (best < 0) return walk;
    walk.support = toggled(walk.support, best);
    walk.moves.push_back(best);
  }
}

LogisticData random_kind(int kind, Rng& rng) {
  LogisticSpec spec;
  spec.n = rng.between(80, 140);
  spec.p = rng.between(6, 11);
  spec.k = 3;
  spec.rho = rng.uniform(0.3, 0.97);
  spec.weights = kind % 2 == 1;
  spec.offset = kind % 3 == 1;
  spec.intercept = kind % 5 != 4;
  spec.standardize = kind % 4 != 3;
  if (kind % 4 == 2) spec.ridge = rng.uniform(0.1, 5);
  LogisticData logistic = random_logistic(spec, rng);
  if (kind % 6 == 0) logistic.data.include = rng.subset(spec.p, 1);
  return logistic;
}

std::vector<Index> random_start(const LogisticData& logistic, Rng& rng) {
  std::vector<Index> start = rng.subset(logistic.data.p(), rng.between(0, 4));
  for (const Index j : logistic.data.include) std::erase(start, j);
  return start;
}

TEST(GlmSearch, IsAlgorithm1ByDefinition) {
  Rng rng(1);
  int swaps = 0;
  for (int kind = 0; kind < 40; ++kind) {
    SCOPED_TRACE(kind);
    const LogisticData logistic = random_kind(kind, rng);
    const std::vector<Index> start = random_start(logistic, rng);
    const double lambda = rng.uniform(0.5, 8);
    const ByDefinition expected = algorithm_1(logistic, start, lambda);
    const SearchResult found = run(logistic, start, {lambda}).result;
    ASSERT_EQ(found.support, expected.support);
    ASSERT_EQ(found.moves.size(), expected.moves.size());
    EXPECT_EQ(found.start, start);
    EXPECT_TRUE(found.dropped.empty());
    double last = F(logistic, start, lambda);
    for (std::size_t l = 0; l < found.moves.size(); ++l) {
      EXPECT_EQ(found.moves[l].column, expected.moves[l]);
      EXPECT_NEAR(found.moves[l].objective, last - found.moves[l].gain, 1e-8 * last);
      EXPECT_LT(found.moves[l].objective, last);
      last = found.moves[l].objective;
    }
    EXPECT_NEAR(found.objective, last, 1e-9 * last);
    // The best swap, if one improves.
    double lowest = last;
    for (const Index i : found.support) {
      for (Index j = 0; j < logistic.data.p(); ++j) {
        if (std::count(found.support.begin(), found.support.end(), j) > 0 ||
            std::count(logistic.data.include.begin(), logistic.data.include.end(), j) > 0)
          continue;
        lowest = std::min(lowest, F(logistic, toggled(toggled(found.support, i), j), lambda));
      }
    }
    if (lowest < last * (1 - 1e-8)) {
      ++swaps;
      EXPECT_EQ(found.status, Status::add_remove_optimum);
      ASSERT_TRUE(found.improving_swap);
      EXPECT_NEAR(last - found.improving_swap->gain, lowest, 1e-8 * last);
    } else {
      EXPECT_EQ(found.status, Status::local_optimum);
      EXPECT_FALSE(found.improving_swap);
    }
  }
  EXPECT_GT(swaps, 0);
}

TEST(GlmSearch, FitsOfEarlierSearchesChangeNothing) {
  Rng rng(11);
  for (int kind = 0; kind < 6; ++kind) {
    SCOPED_TRACE(kind);
    const LogisticData logistic = random_kind(kind, rng);
    const DenseDesign design(logistic.data.X);
    const Problem problem = problem_of(logistic, design);
    Problem squares = problem;
    squares.family = Family::gaussian;
    squares.offset = {};
    const Moments base(squares);
    const GlmRows rows(problem, base);
    Panel panel(rows);
    KnownFits known;
    for (const double lambda : {8.0, 4.0, 2.0, 1.0, 0.5}) {
      const std::vector<Index> start = random_start(logistic, rng);
      const SearchResult later = glm_search(panel, start, {lambda}, known);
      const SearchResult alone = run(logistic, start, {lambda}).result;
      EXPECT_EQ(later.support, alone.support);
      EXPECT_EQ(later.status, alone.status);
      EXPECT_EQ(later.moves.size(), alone.moves.size());
      EXPECT_NEAR(later.objective, alone.objective, 1e-9 * alone.objective);
    }
    for (const auto& [support, fit] : known) {
      const double half = F(logistic, support, 0);
      EXPECT_EQ(fit.state == GlmFit::State::fitted, std::isfinite(half));
      if (std::isfinite(half)) {
        EXPECT_NEAR(0.5 * fit.loss, half, 1e-9 * half);
      }
    }
  }
}

TEST(GlmSearch, StandInsCostWhatTheirFitsSay) {
  Rng rng(2);
  for (int kind = 0; kind < 8; ++kind) {
    SCOPED_TRACE(kind);
    const LogisticData logistic = random_kind(kind, rng);
    const SearchResult found = run(logistic, {}, {1.0}, 2).result;
    ASSERT_TRUE(found.stand_ins);
    ASSERT_EQ(found.stand_ins->without.size(), found.support.size());
    const double loss = 2 * F(logistic, found.support, 0);
    for (const Removal& removal : found.stand_ins->without) {
      const double without = 2 * F(logistic, toggled(found.support, removal.member), 0);
      EXPECT_NEAR(removal.loss_increase, without - loss, 1e-7 * loss);
    }
    for (const Alternative& other : found.stand_ins->alternatives) {
      const double swapped =
          2 * F(logistic, toggled(toggled(found.support, other.member), other.stand_in), 0);
      EXPECT_NEAR(other.loss_increase, swapped - loss, 1e-7 * loss);
    }
  }
}

// Too many columns to refit all of them.
TEST(GlmSearch, FallsFromItsStartAmongManyColumns) {
  Rng rng(3);
  LogisticSpec spec;
  spec.n = 300;
  spec.p = 4000;
  spec.rho = 0.2;
  const LogisticData logistic = random_logistic(spec, rng);
  const std::vector<Index> start = {5, 77, 1200};
  const SearchResult found = run(logistic, start, {12.0}).result;
  EXPECT_LT(found.objective, F(logistic, start, 12));
  EXPECT_NE(found.status, Status::local_optimum);
  EXPECT_EQ(found.status == Status::add_remove_optimum, found.improving_swap.has_value());
  double last = F(logistic, start, 12);
  for (const Move& move : found.moves) {
    EXPECT_LT(move.objective, last);
    last = move.objective;
  }
}

TEST(GlmSearch, DropsDependentMembersOfTheStart) {
  Rng rng(4);
  LogisticData logistic = random_logistic({.n = 100, .p = 6, .k = 2}, rng);
  logistic.data.append(scaled_copy(logistic.data, 2, -2));
  logistic.data.append(Vector::Constant(100, 3.0));
  const SearchResult found = run(logistic, std::vector<Index>{2, 6, 7}, {1e-3}).result;
  EXPECT_EQ(found.start, (std::vector<Index>{2}));
  EXPECT_EQ(found.dropped, (std::vector<Index>{6, 7}));
  EXPECT_EQ(found.aliased, (std::vector<Index>{6}));
}

void expect_error(const LogisticData& logistic, Columns start, const Penalty& penalty,
                  const std::string& words) {
  try {
    (void)run(logistic, start, penalty);
    ADD_FAILURE() << "no error: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(GlmSearch, NamesColumnsThatSeparateTheClasses) {
  Rng rng(5);
  LogisticData logistic = random_logistic({.n = 80, .p = 5, .k = 2}, rng);
  for (Index i = 0; i < 80; ++i)
    logistic.data.X(i, 3) = logistic.data.y[i] * (1 + rng.uniform()) - logistic.data.X(i, 1);
  const std::string words =
      "columns x2, x4 separate the two classes, so the model has no finite coefficients: add a "
      "ridge (for instance a ridge of 1) or ask for fewer columns";
  expect_error(logistic, std::vector<Index>{1, 3}, {1.0}, words);  // at the start
  expect_error(logistic, std::vector<Index>{3}, {0.1}, words);     // by the best move
  logistic.data.ridge = 1;
  EXPECT_EQ(run(logistic, std::vector<Index>{1, 3}, {1.0}).result.start,
            (std::vector<Index>{1, 3}));
}

TEST(GlmSearch, RefusesWhatItCannotDo) {
  Rng rng(6);
  const LogisticData logistic = random_logistic({}, rng);
  expect_error(logistic, {}, {1.0, 0.5}, "family gaussian only");
  expect_error(logistic, {}, {-1.0}, "lambda must be a finite number");
}

TEST(GlmSearch, StopsWithTheBestSoFar) {
  Rng rng(7);
  const LogisticData logistic = random_logistic({}, rng);
  const std::vector<Index> start = {0, 4};
  int all_calls = 0;
  Control control;
  control.keep_going = [&] { return ++all_calls > 0; };
  const double full = run(logistic, start, {0.1}, 1, control).result.objective;
  ASSERT_GT(all_calls, 10);
  for (int most = 1; most < all_calls; most += 4) {
    int calls = 0;
    control.keep_going = [&] { return ++calls < most; };
    const SearchResult found = run(logistic, start, {0.1}, 1, control).result;
    EXPECT_EQ(found.status, Status::interrupted);
    EXPECT_GE(found.objective, full - 1e-9);
    EXPECT_LE(found.objective, F(logistic, {}, 0.1) + 1e-9);
  }
}

}  // namespace
}  // namespace lass0::testing
