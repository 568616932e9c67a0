// A method that `compare` looks at: what it tunes, and its model at each tuning value on any
// training set. To add one, derive from Method in a file of its own and name its maker below and in
// the list of methods.cpp.
#pragma once

#include <lass0/compare.hpp>
#include <lass0/support_table.hpp>
#include <memory>

#include "select/fold_curve.hpp"
#include "util/budget.hpp"

namespace lass0 {

struct Candidate {
  std::vector<Index> support;  // the columns chosen, ascending; included ones are not among them
  // Coefficients in the internal units of the training set's moments. Empty: those of the
  // least-squares fit (with the ridge of the tuning value) on these columns, which are independent.
  std::optional<Vector> b = {};
};

class Method {
 public:
  virtual ~Method() = default;
  virtual MethodName name() const = 0;

  // The values to try, found on a whole training set: for each ridge and relaxation, from the
  // sparsest model to the densest.
  virtual std::vector<Tuning> grid(const Moments& training, const Budget& budget) const = 0;

  // One candidate for each of them, on the training set or on a part of it. Throws Stop.
  virtual std::vector<Candidate> fit(const Moments& rows, std::span<const Tuning> grid,
                                     const Budget& budget) const = 0;
};

std::unique_ptr<Method> make_lasso();
std::unique_ptr<Method> make_relaxed_lasso();
std::unique_ptr<Method> make_forward();
std::unique_ptr<Method> make_foba();
std::unique_ptr<Method> make_lasso_criterion();
std::unique_ptr<Method> make_lass0_paper();
std::unique_ptr<Method> make_lass0();
std::unique_ptr<Method> make_lass0_ridge();
std::unique_ptr<Method> make_exact();

// Those of these names, in their order; all but "exact" where there are none. Throws UsageError.
std::vector<std::unique_ptr<Method>> make_methods(const std::vector<std::string>& names);

// What several methods share.

inline constexpr int kGridLambdas = 100;

// The Lasso at lambda * (sum of the weights) for every lambda of the grid, which is descending.
std::vector<Candidate> lasso_candidates(const Moments& rows, std::span<const Tuning> grid,
                                        const Budget& budget);
std::vector<Tuning> lasso_grid(const Moments& training);

// Sizes 0 .. default_max_k; a part of the rows may end earlier, then its last model stands for the
// rest.
std::vector<Tuning> size_grid(const Moments& training);
std::vector<Candidate> by_size(std::vector<std::vector<Index>> supports,
                               std::span<const Tuning> grid);

// Lambdas of the L0 penalty: down to where a part of the rows, too, has every column that is worth
// more than noise, or where models would be larger than the table.
std::vector<Tuning> lambda_grid_of(const Moments& training, const SupportTable& table,
                                   double ridge);
double lowest_lambda(double highest, double least_loss, const Moments& training);
std::vector<Tuning> lambda_grid_in(const LambdaRange& range, double ridge);

// best_supports, or Stop.
SupportTable whole_table(const Moments& rows, const Budget& budget);

}  // namespace lass0
