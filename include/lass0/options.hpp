// The options that the library, the program and the Python package share, declared once: what each
// of them calls an option, its value where none is given, the values it may have, and which options
// do not work together. A front end takes names and defaults from here and asks for the check
// before it reads the data, with messages in its own names.
#pragma once

#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/path.hpp>
#include <lass0/stability.hpp>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lass0 {

enum class Option {
  lambda,
  k,
  power,
  start,
  l1_tolerance,
  prove,
  within,
  max_models,
  effort,
  max_k,
  ridge,
  include,
  exclude,
  signs,
  weights,
  family,
  offset,
  folds,
  repeats,
  seed,
  tune,
  rule,
  inference,
  measure,
  lambdas,
  criterion,
  outer,
  inner,
  pairs,
  threshold,
  threads,
  time_limit,
  memory,
};

enum class FrontEnd { library, program, python };  // whose names a message uses

struct OptionInfo {
  Option option;
  std::string_view name;       // in the library, and as a key of JSON
  std::string_view flag;       // of the program
  std::string_view parameter;  // of the Python package
  std::string fallback = {};  // the value where none is given; empty: none, or not the same for all
  // Of numbers: those that are allowed, and how a message says it.
  std::string_view allowed = {};
  double least = 0;
  double most = std::numeric_limits<double>::max();
  std::vector<std::string_view> words = {};  // of a choice: those that are allowed
};

std::span<const OptionInfo> all_options();  // in the order of Option
const OptionInfo& option_info(Option option);
std::string_view name_of(Option option, FrontEnd names);

// Throws UsageError, "NAME is VALUE, but must be ...", unless the value is allowed.
void check_value(Option option, double value, FrontEnd names = FrontEnd::library);

// Throws UsageError, "NAME is 'GIVEN', but must be one of ...": a word that is none of a few.
[[noreturn]] void throw_unknown_word(std::string_view name, std::string_view given,
                                     std::span<const std::string_view> words);

// How far above the best objective models are near-optimal: 'auto' or nothing, a number in units of
// the objective, or a share such as '1%'. UsageError if it is none of these.
Within parse_within(std::string_view text, FrontEnd names = FrontEnd::library);

// Both were asked for.
[[noreturn]] void throw_lambda_and_k(FrontEnd names);
// A size, and an option of the search at a lambda: a start or a power.
[[noreturn]] void throw_k_with_search(FrontEnd names);

// Throw UsageError for values that are not allowed, and for options that do not work together.
// `signs`: coefficients have signs. The library checks what it is given, with its own names.
void check(const FitOptions& options, bool signs, FrontEnd names = FrontEnd::library);
void check(const PathOptions& options, bool signs, FrontEnd names = FrontEnd::library);
void check(const CrossValidateOptions& options, bool signs, FrontEnd names = FrontEnd::library);
// `ridge`: the problem has one, or one is to be chosen.
void check(const CriterionOptions& options, bool ridge, FrontEnd names = FrontEnd::library);
void check(const StabilityOptions& options, FrontEnd names = FrontEnd::library);
void check(const ProblemChoices& choices, FrontEnd names = FrontEnd::library);

}  // namespace lass0
