// The paper's Lass0 along a grid of lambdas: one Lasso path, and at each lambda the answer of a fit
// at that lambda alone.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/cross_validate.hpp>

#include "select/fold_error.hpp"
#include "select/lass0_method.hpp"
#include "select/paper_supports.hpp"
#include "support/checks.hpp"

namespace lass0::testing {
namespace {

std::vector<double> grid_of(const Data& data, int count) {
  const double largest = 0.5 * static_cast<double>(Centred(data).y.squaredNorm());
  std::vector<double> lambdas;
  for (int l = 0; l < count; ++l) lambdas.push_back(largest * std::pow(0.6, l));
  return lambdas;
}

TEST(PaperSupports, AreThoseOfAFitAtEachLambda) {
  int columns = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Data data = random_general_data(seed, 15);
    const OwnedProblem problem(data);
    const Moments moments(problem);
    const std::vector<double> lambdas = grid_of(data, 20);
    const auto supports = paper_supports(*solver_by_sums(moments), lambdas, 1e-10, Budget({}));
    ASSERT_EQ(supports.size(), lambdas.size());
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      SCOPED_TRACE(::testing::Message() << describe(data) << ", lambda " << lambdas[l]);
      const Fit alone = fit(
          moments, {.goal = AtLambda{
                        .penalty = {lambdas[l]}, .start = Start::paper(), .l1_tolerance = 1e-10}});
      EXPECT_EQ(supports[l], chosen(alone));
      columns += static_cast<int>(supports[l].size());
    }
  }
  EXPECT_GT(columns, 1000);
}

// Lassos that were solved on the way, by what the progress says.
int lassos_of(const Moments& moments, std::span<const double> lambdas) {
  int lassos = 0;
  Control control;
  control.progress = [&](std::string_view what, double) { lassos += what == "Lasso path" ? 1 : 0; };
  paper_supports(*solver_by_sums(moments), lambdas, 1e-7, Budget(control));
  return lassos;
}

TEST(PaperSupports, SolveOneLassoForEachLambdaAfterTheFirst) {
  const Data data = random_data(3, ProblemSpec{.n = 80, .p = 20, .k = 5});
  const OwnedProblem problem(data);
  const Moments moments(problem);
  std::vector<double> lambdas = grid_of(data, 40);
  lambdas.erase(lambdas.begin(), lambdas.begin() + 20);  // far below lambda_max of the Lasso
  const int of_first = lassos_of(moments, std::span(lambdas).first(1));
  EXPECT_GT(of_first, 1);
  EXPECT_EQ(lassos_of(moments, lambdas), of_first + 19);
}

TEST(PaperSupports, OfAFoldComeFromOneLassoPath) {
  const Data data = random_data(4, ProblemSpec{.n = 80, .p = 20, .k = 5});
  const OwnedProblem problem(data);
  std::vector<int> labels(80);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i) % 4;
  const auto fold = solver_by_sums(Moments(problem, {.folds = labels}).without_fold(0));
  const std::vector<double> lambdas = grid_of(data, 40);
  int lassos = 0;
  Control control;
  control.progress = [&](std::string_view what, double) { lassos += what == "Lasso path" ? 1 : 0; };
  std::vector<Tuning> values;
  for (const double lambda : lambdas) values.push_back({.lambda = lambda});
  const Models models = make_lass0_paper({})->fit(*fold, values, Budget(control));
  EXPECT_EQ(models.candidates.size(), lambdas.size());
  EXPECT_EQ(lassos, lassos_of(fold->moments(), lambdas));
  EXPECT_LT(lassos, 100);
}

TEST(PaperSupports, CanBeStopped) {
  const Data data = random_data(5, ProblemSpec{.n = 80, .p = 20, .k = 5});
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const std::vector<double> lambdas = grid_of(data, 20);
  for (int patience = 0; patience < 200; patience += 7) {
    int asked = 0;
    Control control;
    control.keep_going = [&] { return asked++ < patience; };
    try {
      const auto supports =
          paper_supports(*solver_by_sums(moments), lambdas, 1e-7, Budget(control));
      EXPECT_EQ(supports.size(), lambdas.size());
      EXPECT_LE(asked, patience);
    } catch (const Stop& stop) {
      EXPECT_EQ(stop.status, Status::interrupted);
    }
  }
}

}  // namespace
}  // namespace lass0::testing
