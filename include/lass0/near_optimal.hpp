// All models that are nearly as good as the best one, and what each column is worth: by the same
// branch and bound as a proof (docs/proof.md), pruned at the best objective plus a distance. The
// objective is 1/2 loss + lambda * size; for a given size, 1/2 loss.
#pragma once

#include <cstdint>
#include <lass0/prove.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace lass0 {

// How far above the best objective a model may be.
struct Within {
  enum class Kind {
    automatic,  // lambda, the price of one column; for a given size, what lowers the gaussian
                // log-likelihood by kWithinLogLikelihood
    objective,  // `value`, in units of the objective
    share,      // `value` times the best objective
  };
  Kind kind = Kind::automatic;
  double value = 0;
};
inline constexpr double kWithinLogLikelihood = 2;  // n/2 log(loss / best loss)

struct NearOptimalOptions {
  Within within = {};
  Index max_models = 1000;  // listed; all are counted
};

struct NearOptimalModel {
  std::vector<Index> support;  // the chosen columns, ascending, without included ones
  double objective = 0;
};

// What a column is worth: how much the best objective rises if the column must not be in the model,
// and if it must be. One of the two is 0.
struct ColumnPrice {
  enum class Class {
    always,           // in all near-optimal models
    interchangeable,  // in some of them, but not in all
    never,            // in none of them
    undecided,        // the run was stopped before this was known
  };
  Index column = 0;
  std::optional<double> out = 0, in = 0;  // none: there is no such model
  bool exact = false;  // false: the run was stopped, and the prices are lower bounds
  Class kind = Class::undecided;
};

std::string_view to_string(ColumnPrice::Class kind);

struct NearOptimal {
  double within = 0;  // the distance, in units of the objective
  // The number of near-optimal models, each choice among duplicate columns counted. Only a lower
  // bound if not complete: the run was stopped, or there are more than a million.
  std::int64_t count = 0;
  bool complete = false;
  std::vector<NearOptimalModel> models;  // by objective; the first is the best model itself
  bool best_listed = false;  // no other near-optimal model is better than one of those listed
  std::vector<ColumnPrice> columns;  // those that can be chosen, ascending; none without a search
  bool exact() const;                // all prices are exact
  std::int64_t nodes = 0;            // of the search trees
  double seconds = 0;
};

// `best` must be proven: prove_at_lambda, prove_at_size. If the time is not enough, the result says
// so and everything in it is still valid. Half of the time is for the models, the rest for prices.
NearOptimal near_optimal_at_lambda(const Moments& moments, Columns best, double lambda,
                                   const NearOptimalOptions& options = {},
                                   const Control& control = {});
NearOptimal near_optimal_of_size(const Moments& moments, Columns best,
                                 const NearOptimalOptions& options = {},
                                 const Control& control = {});

// What can be said without a proof of `best`: nothing but that it exists.
NearOptimal near_optimal_unproven(const Moments& moments, Columns best, double objective,
                                  double within);

// The distance that `within` asks for. lambda: none for a given size. `loss` is that of the best
// model, n the number of rows.
double distance_within(const Within& within, double objective, std::optional<double> lambda,
                       double loss, double n);

}  // namespace lass0
