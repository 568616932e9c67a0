// Lass0 at one lambda or of one size: start, Algorithm 1 and exact refit.
#pragma once

#include <algorithm>
#include <lass0/lasso.hpp>
#include <lass0/model.hpp>
#include <lass0/near_optimal.hpp>
#include <lass0/problem_info.hpp>
#include <lass0/prove.hpp>
#include <lass0/search.hpp>
#include <lass0/support_table.hpp>
#include <variant>

namespace lass0 {

// Where the search starts.
struct Start {
  enum class Method {
    table,    // the best support of the table of all sizes at this lambda, or of this size
    paper,    // the support of the Lasso at the same lambda, as in the paper
    empty,    // no column
    support,  // given columns
  };
  Method method = Method::table;
  std::vector<Index> columns = {};  // for Method::support

  static Start table() { return {}; }
  static Start paper() { return {Method::paper, {}}; }
  static Start empty() { return {Method::empty, {}}; }
  static Start support(std::vector<Index> columns) { return {Method::support, std::move(columns)}; }
  static Start coefficients(const ConstVec& beta);  // the non-zeros of any coefficient vector
};

std::string_view to_string(Start::Method method);

// At most this many stand-ins are listed for each member of a model.
inline constexpr Index kAlternatives = 5;

// What is asked for: the best model at one lambda ...
struct AtLambda {
  Penalty penalty = {};  // AtLambda{2.5} is lambda 2.5, in the units of Eq. 1
  Start start = {};
  double l1_tolerance = 1e-7;  // LassoOptions::tolerance of the paper's start
};

// ... or the best one with exactly k columns, which is that of the table.
struct OfSize {
  Index k = 0;
};

using FitGoal = std::variant<AtLambda, OfSize>;

struct FitOptions {
  FitGoal goal = AtLambda{};
  bool prove = false;  // prove that no other support is better (power 0)
  std::optional<NearOptimalOptions> near_optimal = {};  // with a proof: all models nearly as good
  const SupportTable* table = nullptr;  // of the same moments, if the caller has it already
  // Of the search for the table, if none is given. A quick one is what cross-validation uses in its
  // folds (Status::unchecked if it used a short list).
  Effort effort = Effort::full;
  Control control = {};
};

// How the search went.
struct SearchTrace {
  Start::Method start = Start::Method::table;
  // Without included columns, but with aliased members that the search drops.
  std::vector<Index> start_support;
  std::optional<LassoPoint> lasso;  // the paper's start: the Lasso solution itself
  std::vector<Move> moves;
};

// Effects that must cancel. A single column can't have an effect larger than the standard deviation
// of the target. If an effect is larger than this many standard deviations, other columns cancel
// most of it: they are nearly collinear, and a single coefficient means little. Returns positions,
// the largest effect first.
inline constexpr double kLargestEffect = 3;
std::vector<std::size_t> cancelling_effects(std::span<const double> effects,
                                            double target_deviation);

// How many folds of the cross-validation that chose a model also chose each of its columns.
struct ChosenInFolds {
  Index folds = 0;
  std::vector<Index>
      times;  // one per column of the model's support; included ones are in all folds

  double share(std::size_t member) const {
    return static_cast<double>(times[member]) / static_cast<double>(folds);
  }
};

// How often each of two classes is predicted (the second where its probability is at least 1/2) and
// seen, by weight.
struct Confusion {
  double true_negative = 0, false_positive = 0, false_negative = 0, true_positive = 0;

  double errors() const { return false_positive + false_negative; }
};

// A family other than gaussian has twice the negative log-likelihood where squares have the RSS.
struct Fit {
  Model model;  // its support has the chosen and the included columns
  FitGoal goal;
  ProblemInfo problem;
  SearchTrace trace;
  Status status = Status::add_remove_optimum;
  double objective = 0;  // F at the model; 1/2 loss where a size was asked for
  double rss = 0;
  double ridge_penalty = 0;    // ridge * sum_j (s_j beta_j)^2; F contains half of it
  std::vector<Index> aliased;  // columns that the model explains entirely, ascending
  std::optional<Swap> improving_swap;
  // The nearest stand-ins of each chosen column, by member and then by cost, in the user's units.
  // Empty optional: the run was stopped before they were computed.
  std::optional<std::vector<Alternative>> alternatives;
  std::vector<Removal> without;  // the cost of removing each chosen column, ascending by column
  std::optional<TableRow> row;   // of the table, if the model is one of its rows
  std::optional<Proof> proof;    // if one was asked for, and there was time to begin it
  double lower_bound = 0;        // with a proof: no support has an objective below this
  std::optional<NearOptimal> near_optimal;  // if asked for; supports with the included columns
  GramUse gram_use;                         // of the moments of the fit, so far
  std::vector<double> effects;              // coefficient times standard deviation, one per member
  std::optional<ChosenInFolds> chosen_in_folds;  // where cross-validation chose the model
  std::optional<Confusion> confusion;  // on the rows of the fit, of a target of two classes
  double seconds = 0;

  bool of_size() const { return std::holds_alternative<OfSize>(goal); }
  Penalty penalty() const;  // lambda 0 where a size was asked for
  double loss() const { return rss + ridge_penalty; }
  double gap() const { return objective > 0 ? 1 - lower_bound / objective : 0; }
  // The data hardly distinguish the stand-in from its member: search.hpp.
  bool near_tie(const Alternative& one) const;
  std::vector<std::size_t> cancelling() const;  // positions of effects that cancel
  Index k() const;  // the number of chosen columns, without included ones
  // Of other families: the share of the deviance that is explained.
  double r_squared() const { return rss < problem.tss ? 1 - rss / problem.tss : 0; }
};

Fit fit(const Problem& problem, const FitOptions& options);
Fit fit(const Moments& moments, const FitOptions& options);  // uses what the moments have cached

// Of all columns of a table. The model keeps what a later table needs to be read the same way: the
// levels of text columns and the means that stood in for missing values.
Fit fit(const Table& table, const FitOptions& options, const ProblemChoices& choices = {});

// The JSON of `lass0 fit`; load_model reads it back. `names` are those of all columns (empty: those
// of the table; without one x1, x2, ...).
std::string to_json(const Fit& fit, std::span<const std::string> names = {});

}  // namespace lass0
