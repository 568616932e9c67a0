// Every Gram source gives the Gram matrix by its definition, X'WX about the means of the rows, with
// the ridge and without what the included columns explain: whole columns, blocks, products with
// vectors, and what columns have in common with residuals. Of all rows and of training sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/error.hpp>

#include "moments/after_included.hpp"
#include "moments/parts.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

enum class Kind { full, cached, recomputed, sparse, subset };

std::string name_of(Kind kind) {
  const char* names[] = {"full", "cached", "recomputed", "sparse", "subset"};
  return names[static_cast<int>(kind)];
}

constexpr int kFolds = 4;
constexpr double kTolerance = 1e-11;

// A problem, one of its training sets or all rows, and the columns that are not all zeros, in which
// everything is checked.
struct Case {
  Case(std::uint64_t seed, std::vector<Index> folds)
      : problem(sparse_data(seed, 14), Storage::sparse), held_out(std::move(folds)) {
    const Data& data = problem.data();
    std::vector<Index> kept;
    for (Index i = 0; i < data.n(); ++i) {
      labels.push_back(static_cast<int>(i < kFolds ? i : (i * i + i / 2) % kFolds));
      if (std::count(held_out.begin(), held_out.end(), labels.back()) == 0) kept.push_back(i);
    }
    for (Index j = 0; j < data.p(); ++j)
      if (data.X.col(j).any()) columns.push_back(j);
    const Data small = data.rows(kept).columns(columns);
    const Centred centred(small);
    left = after_included(centred);
    norm = centred.augmented_norm;
    for (Index l = 0; l < norm.size(); ++l)
      if (centred.norm[l] == 0) norm[l] = 0;
  }

  Moments moments(Kind kind) const {
    const Budget budget({.memory = kind == Kind::recomputed ? 5000.0 : 0.0});
    const auto rows = std::make_shared<AllRows>(*problem, RowGroups::from_labels(labels), budget);
    std::shared_ptr<GramPlan> plan;
    if (kind == Kind::full) plan = full_gram(rows, budget);
    if (kind == Kind::sparse) plan = sparse_gram(rows);
    if (!plan) plan = cached_gram(rows);
    Moments all = MomentsMaker::view(problem, {}, plan, held_out);
    if (kind == Kind::subset) return all.among(columns);
    return all;
  }

  OwnedProblem problem;
  std::vector<Index> held_out;
  std::vector<int> labels;
  std::vector<Index> columns;  // of the data
  RealMatrix left;             // these columns, and y last
  RealVector norm;             // of them before included ones were taken out; 0: constant
};

// The columns of a case as one source numbers them, and its numbers in units of the columns' norms.
struct Numbers {
  const Case& one;
  const Moments& moments;
  bool subset;

  Index place(Index l) const { return subset ? l : one.columns[static_cast<std::size_t>(l)]; }
  std::vector<Index> places(const std::vector<Index>& some) const {
    std::vector<Index> all;
    for (const Index l : some) all.push_back(place(l));
    return all;
  }
  Real unit(Index l) const {
    return one.norm[l] == 0 ? 0 : Real(moments.column_scale(place(l))) / one.norm[l];
  }
  Real expected(Index i, Index l) const {
    if (one.norm[i] == 0 || one.norm[l] == 0) return 0;
    return (one.left.col(i) / one.norm[i]).dot(one.left.col(l) / one.norm[l]);
  }
  void expect_entry(double found, Index i, Index l) const {
    EXPECT_NEAR(static_cast<double>(found * unit(i) * unit(l)), static_cast<double>(expected(i, l)),
                kTolerance)
        << i << ", " << l;
  }
};

class EveryGramSource : public ::testing::TestWithParam<Kind> {
 protected:
  // Calls check(numbers, rng) for many problems, with all their rows and without one, two or three
  // of the folds.
  template <class Check>
  void for_each_case(const Check& check) {
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
      const Case one(seed, Rng(seed).subset(kFolds, static_cast<Index>(seed % kFolds)));
      SCOPED_TRACE(describe(one.problem.data()) + ", seed " + std::to_string(seed));
      const Moments moments = one.moments(GetParam());
      if (moments.lost_digits()) continue;
      Rng rng(seed);
      check(Numbers{one, moments, GetParam() == Kind::subset}, rng);
      ++checked;
    }
    EXPECT_GE(checked, 15);
  }
  int checked = 0;
};
INSTANTIATE_TEST_SUITE_P(Moments, EveryGramSource,
                         ::testing::Values(Kind::full, Kind::cached, Kind::recomputed, Kind::sparse,
                                           Kind::subset),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(EveryGramSource, IsTheOneAskedFor) {
  const Case one(1, {0});
  const Moments moments = one.moments(GetParam());
  EXPECT_EQ(sparse_products(moments) != nullptr, GetParam() == Kind::sparse);
  if (GetParam() == Kind::full) {
    EXPECT_EQ(moments.gram_use().plan, GramUse::Plan::full);
  }
}

TEST_P(EveryGramSource, GivesColumns) {
  for_each_case([](const Numbers& numbers, Rng& rng) {
    const Index m = std::ssize(numbers.one.columns);
    const std::vector<Index> some = rng.subset(m, rng.between(1, m));
    Matrix G(numbers.moments.cols(), std::ssize(some));
    numbers.moments.gram_columns(numbers.places(some), G);
    for (Index c = 0; c < G.cols(); ++c)
      for (Index i = 0; i < m; ++i)
        numbers.expect_entry(G(numbers.place(i), c), i, some[static_cast<std::size_t>(c)]);
  });
}

TEST_P(EveryGramSource, GivesBlocksFetchedBeforeOrNot) {
  for_each_case([](const Numbers& numbers, Rng& rng) {
    const Index m = std::ssize(numbers.one.columns);
    for (int ask = 0; ask < 4; ++ask) {
      const std::vector<Index> I = rng.subset(m, rng.between(1, m)),
                               J = rng.subset(m, rng.between(1, m));
      if (ask > 1) numbers.moments.prefetch_block(numbers.places(I));
      if (ask > 2) numbers.moments.prefetch_block(numbers.places(J));
      Matrix G(std::ssize(I), std::ssize(J));
      numbers.moments.gram_block(numbers.places(I), numbers.places(J), G);
      for (Index c = 0; c < G.cols(); ++c)
        for (Index r = 0; r < G.rows(); ++r)
          numbers.expect_entry(G(r, c), I[static_cast<std::size_t>(r)],
                               J[static_cast<std::size_t>(c)]);
    }
  });
}

TEST_P(EveryGramSource, MultipliesWithVectors) {
  for_each_case([](const Numbers& numbers, Rng& rng) {
    const Index m = std::ssize(numbers.one.columns);
    const std::vector<Index> some = rng.subset(m, rng.between(1, m));
    const Index vectors = rng.between(1, 9);  // few, one after the other, or many together
    Matrix V(std::ssize(some), vectors), out(numbers.moments.cols(), vectors);
    for (double& v : V.reshaped()) v = rng.normal();
    numbers.moments.gram_times(numbers.places(some), V, out);
    for (Index c = 0; c < V.cols(); ++c) {
      for (Index i = 0; i < m; ++i) {
        Real sum = 0, size = 1;
        for (Index l = 0; l < V.rows(); ++l) {
          const Index j = some[static_cast<std::size_t>(l)];
          if (numbers.unit(j) == 0) continue;
          const Real term = V(l, c) * numbers.expected(i, j) / numbers.unit(j);
          sum += term;
          size += std::abs(V(l, c) / numbers.unit(j));
        }
        EXPECT_NEAR(static_cast<double>(out(numbers.place(i), c) * numbers.unit(i)),
                    static_cast<double>(sum), static_cast<double>(kTolerance * size));
      }
    }
  });
}

TEST_P(EveryGramSource, CorrelatesColumnsWithResiduals) {
  for_each_case([](const Numbers& numbers, Rng& rng) {
    const Moments& moments = numbers.moments;
    const Index m = std::ssize(numbers.one.columns);
    std::vector<Index> support;
    for (const Index l : rng.subset(m, rng.between(0, std::min<Index>(m, 5))))
      if (moments.eligible(numbers.place(l))) support.push_back(l);
    Moments::Coefficients model{numbers.places(support), Vector(std::ssize(support))};
    for (double& b : model.b) b = rng.normal();
    Matrix r(moments.cols(), 1);
    if (numbers.subset) {
      EXPECT_THROW(moments.residual_correlations(std::span(&model, 1), r), Error);
      return;
    }
    moments.residual_correlations(std::span(&model, 1), r);
    // The residual in the user's units.
    RealVector residual = numbers.one.left.col(m);
    for (std::size_t l = 0; l < support.size(); ++l) {
      const Real beta = Real(model.b[static_cast<Index>(l)]) *
                        moments.coefficient_unit(numbers.place(support[l]));
      residual -= beta * numbers.one.left.col(support[l]);
    }
    const Real e = moments.target_scale();
    for (Index i = 0; i < m; ++i) {
      const Index j = numbers.place(i);
      if (!moments.eligible(j)) {
        EXPECT_EQ(r(j, 0), 0.0);
        continue;
      }
      EXPECT_NEAR(
          static_cast<double>(r(j, 0) * numbers.unit(i)),
          static_cast<double>(numbers.one.left.col(i).dot(residual) / (numbers.one.norm[i] * e)),
          kTolerance * (1 + model.b.norm()));
    }
  });
}

}  // namespace
}  // namespace lass0::testing
