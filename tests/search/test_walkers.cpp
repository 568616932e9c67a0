// All walkers of a table, by the same tests: each step against every support that it could have led
// to, refitted by QR, and the tables that the filler makes with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "moments/independent.hpp"
#include "search/signed/signed_walker.hpp"
#include "search/table/free_walker.hpp"
#include "search/table/table_filler.hpp"
#include "support/oracles.hpp"
#include "support/signs.hpp"

namespace lass0::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

static_assert(Walker<FreeWalker<FewColumns>>);
static_assert(Walker<FreeWalker<ManyColumns>>);
static_assert(Walker<SignedWalker>);

// Losses by definition, in the internal units of Moments.
class Oracle {
 public:
  Oracle(const OwnedProblem& owned, const Moments& moments)
      : centred_(owned.data()),
        moments_(moments),
        unit_(moments.target_scale() * moments.target_scale()) {}

  // Infinite where the columns are dependent on each other or on the included ones.
  double loss(Support support) const {
    std::sort(support.begin(), support.end());
    for (const Index j : support) {
      Support others = support;
      std::erase(others, j);
      if (aliased(centred_, others, j)) return kInfinity;
    }
    const Real loss = least_squares(centred_, model_columns(centred_, support)).loss;
    return static_cast<double>(loss) / unit_;
  }

  double least_after_add(const Support& support) const {
    double least = kInfinity;
    for (const Index j : outside(support)) least = std::min(least, loss(with(support, j)));
    return least;
  }
  double least_after_swap(const Support& support) const {
    double least = kInfinity;
    for (const Index i : support) {
      for (const Index j : outside(support))
        least = std::min(least, loss(with(without(support, i), j)));
    }
    return least;
  }
  double least_after_remove(const Support& support) const {
    double least = kInfinity;
    for (const Index i : support) least = std::min(least, loss(without(support, i)));
    return least;
  }

 private:
  std::vector<Index> outside(const Support& support) const {
    std::vector<Index> columns;
    for (Index j = 0; j < moments_.cols(); ++j) {
      if (moments_.eligible(j) && std::find(support.begin(), support.end(), j) == support.end())
        columns.push_back(j);
    }
    return columns;
  }
  static Support with(Support support, Index j) {
    support.push_back(j);
    return support;
  }
  static Support without(Support support, Index i) {
    std::erase(support, i);
    return support;
  }

  Centred centred_;
  const Moments& moments_;
  double unit_;
};

template <class W>
class Walkers : public ::testing::Test {};
using Kinds = ::testing::Types<FreeWalker<FewColumns>, FreeWalker<ManyColumns>, SignedWalker>;
TYPED_TEST_SUITE(Walkers, Kinds);

// Where a step leads is what it says, and what the data say.
template <class W>
void expect_leads_to(const W& walker, const typename W::Step& step, double want,
                     const Oracle& oracle, double close) {
  const FittedSupport fit = walker.fit_after(step);
  ASSERT_TRUE(fit.independent);
  EXPECT_EQ(std::ssize(fit.support), walker.size_after(step));
  EXPECT_NEAR(walker.loss_after(step), want, close);
  EXPECT_NEAR(fit.loss, want, close);
  EXPECT_NEAR(fit.loss, oracle.loss(fit.support), close);
}

TYPED_TEST(Walkers, TheirStepsAreTheBestOfAll) {
  const Budget unlimited{Control{}};
  int adds = 0, swaps = 0, removes = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed + 40);
    const OwnedProblem owned(random_general_data(seed, 9));
    const Moments moments(owned);
    const Oracle oracle(owned, moments);
    const double total = moments.target_square(), close = 1e-8 * total;
    TypeParam walker(moments, unlimited);
    // From columns drawn at random: swaps find better ones.
    const auto drawn = rng.subset(moments.cols(), rng.below(std::min<Index>(5, moments.cols())));
    Support support = independent_columns(moments, drawn, 1e-4).kept;
    walker.walk_to(support, oracle.loss(support));
    for (int moves = 0; moves < 12; ++moves) {
      ASSERT_EQ(walker.size(), std::ssize(support));
      EXPECT_NEAR(walker.loss(), oracle.loss(support), close);
      for (const Index j : support) EXPECT_TRUE(walker.contains(j));
      const auto expect = [&](const typename TypeParam::Step& step, double best) {
        if (step) {
          expect_leads_to(walker, step, best, oracle, close);
        } else {
          EXPECT_GE(best, walker.loss() - close);
        }
        return static_cast<bool>(step);
      };
      const auto add = walker.best_add();
      adds += expect(add, oracle.least_after_add(support)) ? 1 : 0;
      typename TypeParam::Step swap{}, remove{};
      if (!support.empty()) {
        swap = walker.best_swap();
        swaps += expect(swap, oracle.least_after_swap(support)) ? 1 : 0;
        remove = walker.best_remove();
        ASSERT_TRUE(static_cast<bool>(remove));
        expect_leads_to(walker, remove, oracle.least_after_remove(support), oracle, close);
        ++removes;
      }
      const auto& step = swap ? swap : add && rng.chance(0.8) ? add : remove;
      if (!step) break;
      support = walker.fit_after(step).support;
      ASSERT_TRUE(walker.make(step));
    }
  }
  EXPECT_GT(adds, 200);
  EXPECT_GT(swaps, 25);
  EXPECT_GT(removes, 300);
}

TYPED_TEST(Walkers, WalkFromAnySupportToAnyOther) {
  const Budget unlimited{Control{}};
  int walks = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed + 70);
    const OwnedProblem owned(random_general_data(seed, 12));
    const Moments moments(owned);
    const Oracle oracle(owned, moments);
    TypeParam walker(moments, unlimited);
    for (int walk = 0; walk < 6; ++walk) {
      const auto support =
          rng.subset(moments.cols(), rng.below(std::min<Index>(6, moments.cols())));
      const bool can =
          std::all_of(support.begin(), support.end(), [&](Index j) { return moments.eligible(j); });
      const double loss = oracle.loss(support);
      if (!can || !std::isfinite(loss)) continue;
      walker.walk_to(support, loss);
      EXPECT_EQ(walker.size(), std::ssize(support));
      EXPECT_NEAR(walker.loss(), loss, 1e-8 * moments.target_square());
      EXPECT_NEAR(oracle.loss(walker.canonical()), loss, 1e-8 * moments.target_square());
      // Its steps begin there.
      const auto add = walker.best_add();
      if (!add) continue;
      ++walks;
      EXPECT_NEAR(walker.loss_after(add), oracle.least_after_add(support),
                  1e-8 * moments.target_square());
    }
  }
  EXPECT_GT(walks, 150);
}

// A row that no swap improves, all sizes, whatever the walker.
TYPED_TEST(Walkers, FillTablesThatNoSwapImproves) {
  const Budget unlimited{Control{}};
  int rows = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem owned(random_general_data(seed + 200, 8));
    const Moments moments(owned);
    const Oracle oracle(owned, moments);
    const double total = moments.target_square();
    TableFiller<TypeParam> filler(moments, default_max_k(moments), kEscapeWork, unlimited);
    filler.fill();
    for (const Row& row : filler.rows()) {
      if (row.support.empty()) continue;
      EXPECT_TRUE(row.settled);
      EXPECT_TRUE(row.swap_optimal);
      EXPECT_NEAR(row.loss, oracle.loss(row.support), 1e-8 * total);
      EXPECT_GE(oracle.least_after_swap(row.support), row.loss - 1e-8 * total);
      ++rows;
    }
  }
  EXPECT_GT(rows, 60);
}

template <class W>
std::vector<Row> filled(const Moments& moments) {
  const Budget unlimited{Control{}};
  TableFiller<W> filler(moments, default_max_k(moments), kEscapeWork, unlimited);
  filler.fill();
  return filler.rows();
}

void expect_same_rows(const std::vector<Row>& got, const std::vector<Row>& want, double close) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < want.size(); ++k) {
    EXPECT_EQ(got[k].support, want[k].support);
    EXPECT_NEAR(got[k].loss, want[k].loss, close);
    EXPECT_EQ(got[k].swap_optimal, want[k].swap_optimal);
  }
}

// Signs that are all 0, and those of the coefficients that the best models have anyway.
TEST(AllWalkers, FillTheSameTable) {
  int bound = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    // Enough rows that no two supports fit equally well.
    const OwnedProblem owned(with_random_extras(
        seed, random_data(seed, ProblemSpec{.n = 50, .p = 11, .k = 5, .rho = 0.6, .snr = 3})));
    const Moments moments(owned);
    const double close = 1e-8 * moments.target_square();
    const std::vector<Row> want = filled<FreeWalker<FewColumns>>(moments);
    expect_same_rows(filled<FreeWalker<ManyColumns>>(moments), want, close);
    expect_same_rows(filled<SignedWalker>(moments), want, close);

    const Centred centred(owned.data());
    std::vector<int> signs(static_cast<std::size_t>(moments.cols()), 0);
    bool agree = true;
    for (const Row& row : want) {
      const Support columns = model_columns(centred, row.support);
      const LeastSquares fit = least_squares(centred, columns);
      for (const Index j : row.support) {
        const auto place = std::lower_bound(columns.begin(), columns.end(), j) - columns.begin();
        const int sign = fit.beta[place] > 0 ? 1 : -1;
        int& known = signs[static_cast<std::size_t>(j)];
        agree = agree && (known == 0 || known == sign);
        known = sign;
      }
    }
    if (!agree) continue;
    const SignedProblem held(owned.data(), signs);
    expect_same_rows(filled<SignedWalker>(Moments(held)), want, close);
    ++bound;
  }
  EXPECT_GT(bound, 25);
}

}  // namespace
}  // namespace lass0::testing
