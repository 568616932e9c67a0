// Every method against its definition: slow versions that refit every candidate from the raw data.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/fit.hpp>
#include <lass0/lasso.hpp>

#include "compare/method.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

Data plain_data(std::uint64_t seed, Index n = 60, Index p = 10) {
  return random_data(seed, {.n = n, .p = p, .k = 4, .rho = 0.5, .snr = 2});
}

Support with(Support support, Index j) {
  support.insert(std::upper_bound(support.begin(), support.end(), j), j);
  return support;
}

Support without(Support support, Index j) {
  std::erase(support, j);
  return support;
}

std::vector<Support> supports(const MethodCurve& curve) {
  std::vector<Support> list;
  for (const Iterate& model : curve.models) list.push_back(model.support);
  return list;
}

Real loss(const Centred& data, const Support& support) { return least_squares(data, support).loss; }

std::vector<Support> naive_forward(const Centred& data, Index max_k) {
  std::vector<Support> path = {{}};
  while (std::ssize(path) <= max_k) {
    Support best;
    for (Index j = 0; j < data.p(); ++j) {
      if (std::binary_search(path.back().begin(), path.back().end(), j)) continue;
      const Support candidate = with(path.back(), j);
      if (best.empty() || loss(data, candidate) < loss(data, best)) best = candidate;
    }
    path.push_back(best);
  }
  return path;
}

// ||y - X beta||^2 for coefficients on a support, columns and target as least squares sees them.
Real rss_at(const Centred& data, const Support& support, const RealVector& beta) {
  RealVector residual = data.y;
  for (Index i = 0; i < beta.size(); ++i)
    residual -= beta[i] * data.X.col(support[static_cast<std::size_t>(i)]);
  return residual.squaredNorm();
}

// Zhang's listing, with Q evaluated for every candidate.
std::vector<Support> naive_foba(const Centred& data, Index max_k) {
  std::vector<Support> last = {{}};
  std::vector<Real> delta(static_cast<std::size_t>(max_k) + 2, 0);
  Support F;
  const auto keep = [&] {
    last.resize(std::max(last.size(), F.size() + 1));
    last[F.size()] = F;
  };
  while (std::ssize(F) < max_k) {
    const LeastSquares now = least_squares(data, F);
    const RealVector residual = [&] {
      RealVector r = data.y;
      for (std::size_t i = 0; i < F.size(); ++i)
        r -= now.beta[static_cast<Index>(i)] * data.X.col(F[i]);
      return r;
    }();
    Index enters = -1;
    Real least = 0;
    for (Index j = 0; j < data.p(); ++j) {
      if (std::binary_search(F.begin(), F.end(), j)) continue;
      const Real alpha = data.X.col(j).dot(residual) / data.X.col(j).squaredNorm();
      const Real q = (residual - alpha * data.X.col(j)).squaredNorm();
      if (enters >= 0 && !(q < least)) continue;
      enters = j;
      least = q;
    }
    F = with(F, enters);
    delta[F.size()] = now.loss - loss(data, F);
    keep();
    while (!F.empty()) {
      const LeastSquares at = least_squares(data, F);
      Index leaves = -1;
      Real rise = 0;
      for (std::size_t i = 0; i < F.size(); ++i) {
        RealVector beta = at.beta;
        beta[static_cast<Index>(i)] = 0;
        const Real rises = rss_at(data, F, beta) - at.loss;
        if (leaves >= 0 && !(rises < rise)) continue;
        leaves = F[i];
        rise = rises;
      }
      if (rise > delta[F.size()] / 2) break;
      F = without(F, leaves);
      keep();
    }
  }
  return last;
}

TEST(Forward, IsTheGreedyLoopThatRefitsEveryCandidate) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Data data = plain_data(seed);
    const OwnedProblem problem(data);
    const auto found = supports(method_curve(problem, "forward"));
    EXPECT_EQ(found, naive_forward(Centred(data), std::ssize(found) - 1)) << seed;
    EXPECT_EQ(found.size(), 11u);
  }
}

TEST(Foba, IsZhangsListingWithEveryCandidateEvaluated) {
  int backward = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    // Column 3 is the sum of two that matter: it comes first, and leaves when both are there.
    Data data = random_data(seed, {.n = 50, .p = 12, .k = 5, .rho = 0.2, .snr = 3});
    Rng rng(seed);
    for (Index i = 0; i < data.n(); ++i) {
      data.X(i, 3) = data.X(i, 7) + data.X(i, 9) + 0.7 * rng.normal();
      data.y[i] += 3 * (data.X(i, 7) + data.X(i, 9));
    }
    const OwnedProblem problem(data);
    const auto found = supports(method_curve(problem, "foba"));
    EXPECT_EQ(found, naive_foba(Centred(data), std::ssize(found) - 1)) << seed;
    for (std::size_t k = 1; k < found.size(); ++k) {
      if (!std::includes(found[k].begin(), found[k].end(), found[k - 1].begin(),
                         found[k - 1].end()))
        ++backward;
    }
  }
  EXPECT_GT(backward, 10);  // or else nothing was tested
}

TEST(Foba, TakesNothingBackOnOrthogonalColumns) {
  Data data = plain_data(3, 64, 6);
  const Eigen::HouseholderQR<Matrix> qr(data.X.rowwise() - data.X.colwise().mean());
  data.X = qr.householderQ() * Matrix::Identity(64, 6);
  const OwnedProblem problem(data);
  EXPECT_EQ(supports(method_curve(problem, "foba")), supports(method_curve(problem, "forward")));
}

TEST(RelaxedLasso, IsTheMixtureOfTheLassoAndLeastSquaresOnItsColumns) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Data data = plain_data(seed);
    const OwnedProblem problem(data);
    const Centred centred(data);
    const MethodCurve curve = method_curve(problem, "relaxed");
    ASSERT_EQ(curve.models.size(), 500u);
    for (std::size_t i = 0; i < curve.models.size(); i += 7) {
      const double lambda = curve.tunings[i].lambda * static_cast<double>(data.n());
      const LassoPoint lasso = lass0::lasso(Moments(problem), lambda, {.tolerance = 1e-12});
      const LeastSquares fit = least_squares(centred, lasso.at.support);
      const double relax = curve.tunings[i].relax;
      ASSERT_EQ(curve.models[i].support, lasso.at.support);
      for (Index l = 0; l < fit.beta.size(); ++l) {
        const double expected =
            relax * lasso.at.coefficients[l] + (1 - relax) * static_cast<double>(fit.beta[l]);
        EXPECT_NEAR(curve.models[i].coefficients[l], expected, 1e-4 * (1 + std::abs(expected)));
      }
    }
    // Without relaxation it is the Lasso.
    const MethodCurve lasso = method_curve(problem, "lasso");
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(curve.tunings[400 + i].relax, 1);
      EXPECT_EQ(curve.models[400 + i].coefficients, lasso.models[i].coefficients);
      EXPECT_EQ(curve.tunings[400 + i].lambda, lasso.tunings[i].lambda);
    }
  }
}

// The slow version: the Lasso at 4000 lambdas, so that no support lies between two of them.
TEST(LassoCriterion, ChoosesTheLeastObjectiveAmongTheSupportsOfTheLasso) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Data data = plain_data(seed, 60, 25);
    const OwnedProblem problem(data);
    const Centred centred(data);
    const Moments moments(problem);
    std::vector<Tuning> fine(4000);
    for (std::size_t l = 0; l < fine.size(); ++l)
      fine[l].lambda = lasso_lambda_max(moments) / static_cast<double>(data.n()) *
                       std::pow(1e-4, static_cast<double>(l) / 3999);
    std::vector<Support> candidates;
    for (const Candidate& one : lasso_candidates(*solver_by_sums(moments), fine, Budget({}))) {
      if (candidates.empty() || one.support != candidates.back()) candidates.push_back(one.support);
    }
    const MethodCurve curve = method_curve(problem, "lasso-l0");
    for (std::size_t i = 0; i < curve.models.size(); i += 9) {
      const auto value = [&](const Support& support) {
        return refitted_objective(centred, {curve.tunings[i].lambda, 0}, support);
      };
      Real least = value({});
      for (const Support& candidate : candidates) least = std::min(least, value(candidate));
      const Real found = value(curve.models[i].support);
      EXPECT_NEAR(static_cast<double>(found), static_cast<double>(least), 1e-10 * found);
      EXPECT_NE(std::find(candidates.begin(), candidates.end(), curve.models[i].support),
                candidates.end());
    }
    EXPECT_TRUE(curve.models.front().support.empty());
    EXPECT_GT(std::ssize(curve.models.back().support), 5);
  }
}

TEST(Lass0, IsWhatFitGivesAtEveryLambda) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const OwnedProblem problem(plain_data(seed));
    for (const bool paper : {true, false}) {
      const MethodCurve curve = method_curve(problem, paper ? "lass0-paper" : "lass0");
      for (std::size_t i = 0; i < curve.models.size(); i += 6) {
        const Fit expected = lass0::fit(
            problem, {.goal = AtLambda{.penalty = {curve.tunings[i].lambda},
                                       .start = paper ? Start::paper() : Start::table()}});
        EXPECT_EQ(curve.models[i].support, expected.model.at.support);
        EXPECT_EQ(curve.models[i].coefficients, expected.model.at.coefficients);
      }
    }
  }
}

TEST(Lass0Ridge, IsWhatFitGivesWithThatRidge) {
  Data data = plain_data(2);
  const MethodCurve curve = method_curve(OwnedProblem(data), "lass0-ridge");
  std::vector<double> ridges;
  for (std::size_t i = 0; i < curve.models.size(); i += 13) {
    data.ridge = curve.tunings[i].ridge;
    if (ridges.empty() || ridges.back() != data.ridge) ridges.push_back(data.ridge);
    const Fit expected =
        lass0::fit(OwnedProblem(data), {.goal = AtLambda{curve.tunings[i].lambda}});
    EXPECT_EQ(curve.models[i].support, expected.model.at.support);
    EXPECT_LT((curve.models[i].coefficients - expected.model.at.coefficients).norm(), 1e-12);
  }
  EXPECT_EQ(ridges.size(), 7u);
}

TEST(Exact, HasTheLeastObjectiveOfAllSupports) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Data data = random_data(seed, {.n = 40, .p = 9, .k = 4, .rho = 0.9, .snr = 1});
    const OwnedProblem problem(data);
    const Centred centred(data);
    const MethodCurve curve = method_curve(problem, "exact");
    for (std::size_t i = 0; i < curve.models.size(); i += 20) {
      const Penalty penalty{curve.tunings[i].lambda, 0};
      const auto best = static_cast<double>(brute_force_objective(centred, penalty));
      EXPECT_NEAR(
          static_cast<double>(refitted_objective(centred, penalty, curve.models[i].support)), best,
          1e-9 * best);
    }
  }
}

TEST(Methods, CopeWithConstantAliasedAndIncludedColumns) {
  Data data = plain_data(5);
  data.append(scaled_copy(data, 2, -3));
  data.append(Vector::Constant(data.n(), 4));
  data.include = {1};
  const OwnedProblem problem(data);
  for (const MethodName& method : compare_methods()) {
    const MethodCurve curve = method_curve(problem, method.name);
    EXPECT_GT(curve.models.size(), 5u) << method.name;
    for (const Iterate& model : curve.models) {
      EXPECT_TRUE(model.coefficients.allFinite()) << method.name;
      EXPECT_TRUE(std::isfinite(model.intercept)) << method.name;
      const Support& support = model.support;
      EXPECT_TRUE(std::binary_search(support.begin(), support.end(), 1)) << method.name;
      EXPECT_FALSE(std::binary_search(support.begin(), support.end(), data.p() - 1));
    }
  }
}

TEST(Methods, AreKnownByTheirNames) {
  EXPECT_EQ(make_methods({}, Family::gaussian).size() + 1, compare_methods().size());
  EXPECT_EQ(make_methods({"foba", "exact"}, Family::gaussian).back().name.name, "exact");
  EXPECT_THROW(make_methods({"lass"}, Family::gaussian), UsageError);
  EXPECT_THROW(make_methods({"foba", "foba"}, Family::gaussian), UsageError);
  const OwnedProblem problem(plain_data(1));
  EXPECT_THROW(method_curve(problem, "lasso", {.time_limit = 0}), Error);
}

}  // namespace
}  // namespace lass0::testing
