// The engine behind `cv` and `compare`, with methods that are as simple as can be.
#include <gtest/gtest.h>

#include <lass0/error.hpp>

#include "select/fold_engine.hpp"
#include "support/errors.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// Always the first k columns.
class FirstColumns final : public Method {
 public:
  enum class Asks { for_values, for_none };
  explicit FirstColumns(Asks asks, std::vector<double> ridges = {0})
      : asks_(asks), ridges_(std::move(ridges)) {}

  std::vector<double> ridges(const Solver&) const override { return ridges_; }

  Grid grid(const Solver& all, const Budget&) const override {
    return asks_ == Asks::for_values ? Grid{sizes(all.moments().cols())} : Grid{};
  }

  Models fit(const Solver& rows, std::span<const Tuning> values, const Budget&) const override {
    EXPECT_EQ(values.empty(), asks_ == Asks::for_none);
    Models models;
    models.by = asks_ == Asks::for_values ? Models::By::place : Models::By::size;
    for (Index k = 0; k <= rows.moments().cols(); ++k) models.add({first(k)});
    return models;
  }

  std::vector<Tuning> values(const Models& all, std::span<const Models* const> training,
                             int) const override {
    for (const Models* part : training) EXPECT_EQ(part->sizes, all.sizes);
    return sizes(std::ssize(all.sizes) - 1);
  }

  static Support first(Index k) {
    Support support;
    for (Index j = 0; j < k; ++j) support.push_back(j);
    return support;
  }

 private:
  static std::vector<Tuning> sizes(Index last) {
    std::vector<Tuning> values;
    for (Index k = 0; k <= last; ++k) values.push_back({.k = k});
    return values;
  }

  Asks asks_;
  std::vector<double> ridges_;
};

struct Case {
  Data data = random_data(3, {.n = 40, .p = 5, .k = 3, .rho = 0.4, .snr = 2, .mean = 1});
  OwnedProblem problem{data};
  std::vector<int> labels = [] {
    std::vector<int> folds;
    for (int i = 0; i < 40; ++i) folds.push_back(i % 4);
    return folds;
  }();
  std::vector<Batch> batches = {{labels, 4, 0}};
  Budget budget{{}};
  std::unique_ptr<Solver> solver = make_solver(problem, labels, {});
  const Solver& all = *solver;
};

TEST(FoldEngine, ErrorsAreThoseOfFitsOnTheOtherRows) {
  const Case at;
  const FirstColumns method(FirstColumns::Asks::for_values);
  FoldEngine engine(method, at.all, at.batches, at.budget);
  engine.run();
  EXPECT_EQ(engine.status(), Status::local_optimum);
  ASSERT_EQ(engine.folds(), 4);
  const ErrorCurve curve = engine.curve();
  ASSERT_EQ(curve.values.size(), 6u);
  for (int f = 0; f < 4; ++f) {
    const Split parts = split(at.data, at.labels, f);
    for (Index k = 0; k <= 5; ++k) {
      const double expected = error_by_definition(parts, FirstColumns::first(k));
      EXPECT_NEAR(curve.fold_errors(f, k), expected, 1e-9 * expected);
    }
  }
  for (Index k = 0; k <= 5; ++k) {
    const auto i = static_cast<std::size_t>(k);
    EXPECT_EQ(curve.mean_sizes[i], static_cast<double>(k));
    EXPECT_NEAR(curve.errors[i].mean, curve.fold_errors.col(k).mean(), 1e-12);
    EXPECT_EQ(engine.candidate(curve, k).support, FirstColumns::first(k));
  }
}

TEST(FoldEngine, ValuesThatAreFoundAfterTheFitsGiveTheSameCurve) {
  const Case at;
  for (const std::vector<double>& ridges : {std::vector<double>{0}, {0, 4, 40}}) {
    const FirstColumns before(FirstColumns::Asks::for_values, ridges),
        after(FirstColumns::Asks::for_none, ridges);
    FoldEngine one(before, at.all, at.batches, at.budget);
    FoldEngine other(after, at.all, at.batches, at.budget);
    one.run();
    other.run();
    const ErrorCurve a = one.curve(), b = other.curve();
    ASSERT_EQ(a.values.size(), 6 * ridges.size());
    EXPECT_EQ(a.fold_errors, b.fold_errors);
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      EXPECT_EQ(a.values[i].ridge, ridges[i / 6]);
      EXPECT_EQ(a.values[i].ridge, b.values[i].ridge);
      EXPECT_EQ(a.values[i].k, b.values[i].k);
      const auto value = static_cast<Index>(i);
      EXPECT_EQ(one.candidate(a, value).support, other.candidate(b, value).support);
    }
  }
}

TEST(FoldEngine, ARidgeIsThatOfTheFits) {
  Case at;
  const FirstColumns both(FirstColumns::Asks::for_values, {0, 7});
  FoldEngine engine(both, at.all, at.batches, at.budget);
  engine.run();
  const ErrorCurve curve = engine.curve();
  at.data.ridge = 7;
  for (int f = 0; f < 4; ++f) {
    const Split parts = split(at.data, at.labels, f);
    const double expected = error_by_definition(parts, FirstColumns::first(3));
    EXPECT_NEAR(curve.fold_errors(f, 6 + 3), expected, 1e-9 * expected);
  }
}

TEST(FoldEngine, ThreadsAndBatchesChangeNoChoice) {
  Case at;
  const FirstColumns method(FirstColumns::Asks::for_none);
  FoldEngine one(method, at.all, at.batches, at.budget);
  const Budget three({.threads = 3});
  FoldEngine other(method, at.all, at.batches, three);
  one.run();
  other.run();
  EXPECT_EQ(one.curve().fold_errors, other.curve().fold_errors);

  // The same folds again, as a second partition.
  std::vector<Batch> twice = at.batches;
  twice.push_back({at.labels, 4, 4});
  FoldEngine repeated(method, at.all, twice, at.budget);
  repeated.run();
  const Matrix errors = repeated.curve().fold_errors;
  ASSERT_EQ(errors.rows(), 8);
  EXPECT_LT((errors.topRows(4) - errors.bottomRows(4)).cwiseAbs().maxCoeff(),
            1e-10 * errors.maxCoeff());
}

TEST(FoldEngine, StoppedKeepsTheFoldsThatWereFinished) {
  const Case at;
  const FirstColumns method(FirstColumns::Asks::for_values);
  for (int patience = 0; patience < 60; patience += 3) {
    int asked = 0;
    const Budget budget({.threads = 1, .keep_going = [&] { return asked++ < patience; }});
    FoldEngine engine(method, at.all, at.batches, budget);
    engine.run();
    EXPECT_EQ(stopped(engine.status()), asked > patience);
    EXPECT_EQ(std::ssize(engine.held_out()), engine.folds());
    if (engine.folds() < 2) {
      EXPECT_THROW(engine.curve(), Error);
    } else {
      EXPECT_EQ(engine.curve().fold_errors.rows(), engine.folds());
    }
  }
}

}  // namespace
}  // namespace lass0::testing
