// The methods that `compare` looks at, and what several of them share. To add one, derive from
// Method in a file of its own, name its maker below, and list it in methods.cpp.
#pragma once

#include <lass0/compare.hpp>
#include <memory>

#include "select/method.hpp"

namespace lass0 {

std::unique_ptr<Method> make_lasso();
std::unique_ptr<Method> make_relaxed_lasso();
std::unique_ptr<Method> make_forward();
std::unique_ptr<Method> make_foba();
std::unique_ptr<Method> make_lasso_criterion();

struct NamedMethod {
  MethodName name;
  std::unique_ptr<Method> method;
};

// Those of these names, in their order; where there are none, all that work with the family, but
// "exact". Throws UsageError.
std::vector<NamedMethod> make_methods(const std::vector<std::string>& names, Family family);

inline constexpr int kGridLambdas = 100;

// The Lasso at lambda * (sum of the weights) for every lambda of the grid, which is descending.
std::vector<Candidate> lasso_candidates(const Solver& rows, std::span<const Tuning> grid,
                                        const Budget& budget);
std::vector<Tuning> lasso_grid(const Solver& training);

// Sizes 0 .. default_max_k; a part of the rows may end earlier, then its last model stands for the
// rest.
std::vector<Tuning> size_grid(const Solver& training);
Models by_size(std::vector<std::vector<Index>> supports);

}  // namespace lass0
