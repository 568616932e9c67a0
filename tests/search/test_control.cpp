// A run that is stopped returns a valid model and says how it ended.
#include <gtest/gtest.h>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

ProblemSpec many_moves() { return {.n = 120, .p = 60, .k = 40, .rho = 0.3, .snr = 50}; }

double small_lambda(const Data& data) {
  return static_cast<double>(Centred(data).y.squaredNorm()) * 1e-5;
}

TEST(Control, AnInterruptedSearchReturnsItsBestSoFar) {
  const OwnedProblem problem(random_data(1, many_moves()));
  const double lambda = small_lambda(problem.data());
  const Fit whole = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = Start::empty()}});
  bool stopped_half_way = false;
  for (const int asks : {0, 1, 2, 3, 5, 8, 13, 21, 34, 55}) {
    int left = asks;
    FitOptions options{.goal = AtLambda{.penalty = {lambda}, .start = Start::empty()}};
    options.control.keep_going = [&left] { return left-- > 0; };
    const Fit result = fit(problem, options);
    SCOPED_TRACE(::testing::Message() << "stopped after " << asks << " questions");
    expect_sound(problem, result, {lambda});
    EXPECT_GE(result.objective, whole.objective * (1 - 1e-9));
    EXPECT_LE(result.trace.moves.size(), whole.trace.moves.size());
    for (std::size_t i = 0; i < result.trace.moves.size(); ++i)
      EXPECT_EQ(result.trace.moves[i].column, whole.trace.moves[i].column);
    if (result.trace.moves.size() < whole.trace.moves.size()) {
      EXPECT_EQ(result.status, Status::interrupted);
      stopped_half_way = true;
    }
  }
  EXPECT_TRUE(stopped_half_way);
}

TEST(Control, AnInterruptedStartStillGivesAModel) {
  const OwnedProblem problem(random_data(2, many_moves()));
  const double lambda = small_lambda(problem.data());
  for (const Start& start : {Start::paper(), Start::table()}) {
    FitOptions options{.goal = AtLambda{.penalty = {lambda}, .start = start}};
    options.control.keep_going = [] { return false; };
    const Fit result = fit(problem, options);
    expect_sound(problem, result, {lambda});
    EXPECT_EQ(result.status, Status::interrupted);
  }
}

TEST(Control, NoTimeAtAllStillGivesAModel) {
  const OwnedProblem problem(random_data(3, many_moves()));
  const double lambda = small_lambda(problem.data());
  for (const Start& start :
       {Start::paper(), Start::table(), Start::empty(), Start::support({3, 5})}) {
    FitOptions options{.goal = AtLambda{.penalty = {lambda}, .start = start}};
    options.control.time_limit = 0;
    const Fit result = fit(problem, options);
    expect_sound(problem, result, {lambda});
    EXPECT_EQ(result.status, Status::time_limit);
  }
}

TEST(Control, AmpleTimeChangesNothing) {
  const OwnedProblem problem(random_data(4, many_moves()));
  FitOptions options{
      .goal = AtLambda{.penalty = {small_lambda(problem.data())}, .start = Start::paper()}};
  const Fit plain = fit(problem, options);
  options.control.time_limit = 1e6;
  options.control.keep_going = [] { return true; };
  int told = 0;
  options.control.progress = [&told](std::string_view what, double fraction) {
    EXPECT_FALSE(what.empty());
    EXPECT_LE(fraction, 1.0);
    ++told;
  };
  const Fit controlled = fit(problem, options);
  EXPECT_EQ(plain.model.at.support, controlled.model.at.support);
  EXPECT_EQ(plain.model.at.coefficients, controlled.model.at.coefficients);
  EXPECT_EQ(plain.status, controlled.status);
}

TEST(Control, ExceptionsOfTheCallerPassThrough) {
  const OwnedProblem problem(random_data(5, many_moves()));
  FitOptions options{
      .goal = AtLambda{.penalty = {small_lambda(problem.data())}, .start = Start::paper()}};
  struct Stop {};
  options.control.keep_going = []() -> bool { throw Stop{}; };
  for (const int threads : {1, 2}) {
    options.control.threads = threads;
    EXPECT_THROW(fit(problem, options), Stop);
  }
}

}  // namespace
}  // namespace lass0::testing
