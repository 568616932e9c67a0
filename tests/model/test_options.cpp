// The options that all front ends share: names, ranges, and what does not work together.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/options.hpp>
#include <limits>
#include <set>

namespace lass0::testing {
namespace {

// What the call throws; empty: nothing.
template <class Call>
std::string message_of(const Call& call) try {
  call();
  return "";
} catch (const UsageError& error) {
  return error.what();
}

constexpr FrontEnd kFrontEnds[] = {FrontEnd::library, FrontEnd::program, FrontEnd::python};

TEST(Options, StandInTheOrderOfTheirEnum) {
  std::size_t place = 0;
  for (const OptionInfo& info : all_options())
    EXPECT_EQ(static_cast<std::size_t>(info.option), place++) << info.name;
  EXPECT_EQ(static_cast<std::size_t>(Option::memory), all_options().size() - 1);
}

TEST(Options, HaveANameOfTheirOwnInEveryFrontEnd) {
  for (const FrontEnd names : kFrontEnds) {
    std::set<std::string_view> seen;
    for (const OptionInfo& info : all_options()) {
      const std::string_view name = name_of(info.option, names);
      EXPECT_TRUE(seen.insert(name).second) << name;
      EXPECT_EQ(name.starts_with("--"), names == FrontEnd::program) << name;
    }
  }
}

TEST(Options, DefaultsAreAllowed) {
  for (const OptionInfo& info : all_options()) {
    if (info.fallback.empty()) continue;
    if (!info.words.empty()) {
      EXPECT_NE(std::find(info.words.begin(), info.words.end(), info.fallback), info.words.end())
          << info.name;
    } else if (!info.allowed.empty()) {
      EXPECT_NO_THROW(check_value(info.option, std::stod(info.fallback))) << info.name;
    }
  }
  EXPECT_EQ(option_info(Option::folds).fallback, "10");
  EXPECT_EQ(std::stod(option_info(Option::l1_tolerance).fallback), AtLambda{}.l1_tolerance);
}

TEST(Options, ValuesBeyondTheirRangeAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto message = [](Option option, double value, FrontEnd names) {
    return message_of([&] { check_value(option, value, names); });
  };
  EXPECT_EQ(message(Option::max_k, -3, FrontEnd::program), "--max-k is -3, but must be 0 or more");
  EXPECT_EQ(message(Option::lambda, -1, FrontEnd::python),
            "lambda0 is -1, but must be 0 or more, and finite");
  EXPECT_EQ(message(Option::lambdas, 1, FrontEnd::library),
            "lambdas is 1, but must be from 2 to " + std::to_string(kMostLambdas));
  for (const OptionInfo& info : all_options()) {
    if (info.allowed.empty()) continue;
    EXPECT_NE(message(info.option, nan, FrontEnd::library), "") << info.name;
    EXPECT_NE(message(info.option, -1, FrontEnd::library), "") << info.name;
    EXPECT_EQ(message(info.option, infinity, FrontEnd::library) == "",
              info.option == Option::time_limit);
    EXPECT_EQ(message(info.option, info.least, FrontEnd::library), "") << info.name;
  }
  EXPECT_NE(message(Option::power, 1, FrontEnd::library), "");
  EXPECT_NE(message(Option::l1_tolerance, 0, FrontEnd::library), "");
}

TEST(Options, WhatDoesNotWorkTogetherIsSaidInTheNamesOfTheFrontEnd) {
  const auto message = [](const auto& options, bool flag, FrontEnd names) {
    return message_of([&] { check(options, flag, names); });
  };
  const FitOptions quick_proof{.goal = OfSize{2}, .prove = true, .effort = Effort::quick};
  EXPECT_EQ(message(quick_proof, false, FrontEnd::program),
            "--prove works with --effort full only: a proof considers all columns");
  EXPECT_EQ(message(quick_proof, false, FrontEnd::python),
            "prove works with effort='full' only: a proof considers all columns");
  const FitOptions paper{.goal = AtLambda{.penalty = {1}, .start = Start::paper()}};
  EXPECT_EQ(message(paper, false, FrontEnd::library), "");
  EXPECT_EQ(message(paper, true, FrontEnd::program),
            "--positive and --negative do not work with --start paper");
  EXPECT_EQ(message(paper, true, FrontEnd::python), "signs do not work with start='paper'");
  const FitOptions power{.goal = AtLambda{.penalty = {1, 0.5}}, .prove = true};
  EXPECT_EQ(message(power, false, FrontEnd::program), "--prove does not work with --power");
  EXPECT_EQ(message(FitOptions{.goal = OfSize{-1}}, false, FrontEnd::program),
            "--k is -1, but must be 0 or more");
  EXPECT_EQ(message(PathOptions{.prove = true}, true, FrontEnd::python),
            "signs do not work with prove");
  EXPECT_EQ(message(CrossValidateOptions{.tune = Tune::k, .start = Start::Method::paper}, false,
                    FrontEnd::program),
            "--start paper works with --tune lambda only");
  EXPECT_EQ(message(CriterionOptions{}, false, FrontEnd::library), "");
  EXPECT_EQ(message(CriterionOptions{}, true, FrontEnd::program),
            "--criterion does not work with --ridge: the size is then not the number of free "
            "coefficients; leave out --criterion to cross-validate");
  EXPECT_EQ(message(CriterionOptions{}, true, FrontEnd::python),
            "criterion does not work with ridge: the size is then not the number of free "
            "coefficients; give k or lambda0, or use Lass0CV");
}

TEST(Options, ADistanceIsANumberAShareOrAutomatic) {
  for (const char* text : {"", "auto"})
    EXPECT_EQ(parse_within(text).kind, Within::Kind::automatic) << text;
  EXPECT_EQ(parse_within("2.5").kind, Within::Kind::objective);
  EXPECT_EQ(parse_within("2.5").value, 2.5);
  EXPECT_EQ(parse_within("0").value, 0);
  EXPECT_EQ(parse_within("1%").kind, Within::Kind::share);
  EXPECT_DOUBLE_EQ(parse_within("1%").value, 0.01);
  const auto message = [](const char* text) {
    return message_of([&] { parse_within(text, FrontEnd::program); });
  };
  for (const char* text : {"%", "1 %", "x", "nan", "inf", "1e999", "1%%"}) {
    EXPECT_EQ(message(text), std::string("--within is '") + text +
                                 "', but must be a distance in units of the objective such as 2.5, "
                                 "a share such as 1%, or auto");
  }
  EXPECT_EQ(message("-1"), "--within is -1, but must be 0 or more, and finite");
  EXPECT_EQ(message("-1%"), "--within is -1, but must be 0 or more, and finite");
}

TEST(Options, NearOptimalModelsNeedAProof) {
  FitOptions options{.goal = OfSize{2}};
  options.near_optimal.emplace();
  const auto message = [&](FrontEnd names) {
    return message_of([&] { check(options, false, names); });
  };
  EXPECT_EQ(message(FrontEnd::program),
            "--within works with --prove only: models are near-optimal relative to the proven "
            "optimum");
  options.prove = true;
  EXPECT_EQ(message(FrontEnd::python), "");
  options.near_optimal->max_models = 0;
  EXPECT_EQ(message(FrontEnd::python), "max_models is 0, but must be 1 or more");
}

}  // namespace
}  // namespace lass0::testing
