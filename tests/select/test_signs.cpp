// Choosing among models whose coefficients have signs.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>

#include "support/errors.hpp"
#include "support/signs.hpp"

namespace lass0::testing {
namespace {

class SignedSelection : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  SignedSelection() {
    Rng rng(GetParam());
    const Data data = random_data(
        GetParam(), ProblemSpec{.n = 60, .p = 8, .k = 4, .rho = 0.5, .snr = 2, .mean = 2});
    problem_ = std::make_unique<SignedProblem>(data, random_signs(rng, data));
    for (Index i = 0; i < data.n(); ++i) labels_.push_back(static_cast<int>(i % 4));
  }
  const Data& data() const { return problem_->data(); }

  std::unique_ptr<SignedProblem> problem_;
  std::vector<int> labels_;
};
INSTANTIATE_TEST_SUITE_P(Seeds, SignedSelection, ::testing::Range<std::uint64_t>(1, 16));

// By hand: the best support of every training set under signs, over all supports, and its errors.
TEST_P(SignedSelection, ErrorsAreThoseOfTheDefinition) {
  for (const Tune tune : {Tune::lambda, Tune::k}) {
    const CrossValidation cv = cross_validate(**problem_, {.fold_labels = labels_,
                                                           .tune = tune,
                                                           .rule = Rule::min,
                                                           .lambdas = 15,
                                                           .tune_ridge = false});
    for (int f = 0; f < 4; ++f) {
      const Split parts = split(data(), labels_, f);
      const SignedProblem training(parts.training, problem_->signs());
      const SupportTable table = best_supports(*training);
      const std::vector<Real> least = least_signed_losses(parts.training, problem_->signs());
      for (const TableRow& row : table.rows)
        ASSERT_NEAR(row.loss, static_cast<double>(least[row.support.size()]), 1e-9 * row.loss);
      for (std::size_t i = 0; i < cv.curve.size(); ++i) {
        const TableRow& row = tune == Tune::k ? table.at_k(std::min(*cv.curve[i].k, table.max_k()))
                                              : table.at_lambda(cv.curve[i].lambda);
        const double expected = error_by_definition(parts, row.support);
        EXPECT_NEAR(cv.fold_errors(f, static_cast<Index>(i)), expected, 1e-9 * expected);
      }
    }
    const Support support = cv.model().at.support;
    EXPECT_TRUE(support.empty() || keeps_signs(Centred(data()), support, problem_->signs()));
  }
}

TEST_P(SignedSelection, ARidgeIsChosenUnderSigns) {
  const CrossValidation cv =
      cross_validate(**problem_, {.fold_labels = labels_, .rule = Rule::min, .tune_ridge = true});
  for (std::size_t l = 0; l < cv.model().at.support.size(); ++l) {
    const int sign = problem_->signs()[static_cast<std::size_t>(cv.model().at.support[l])];
    EXPECT_GE(sign * cv.model().at.coefficients[static_cast<Index>(l)], 0);
  }
}

TEST_P(SignedSelection, ACriterionTakesARowOfTheTable) {
  const SupportTable table = best_supports(**problem_);
  for (const Criterion criterion :
       {Criterion::aic, Criterion::bic, Criterion::ebic, Criterion::gic, Criterion::cp}) {
    const CriterionSelection found = select_by_criterion(**problem_, {.criterion = criterion});
    EXPECT_EQ(found.model().at.support, table.at_k(found.chosen).support);
    EXPECT_EQ(std::ssize(found.curve), table.max_k() + 1);
  }
}

}  // namespace
}  // namespace lass0::testing
