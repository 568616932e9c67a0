// Problems whose coefficients have signs, and the best supports under signs by definition.
#pragma once

#include <limits>

#include "support/oracles.hpp"

namespace lass0::testing {

// Owns all that its Problem views.
class SignedProblem {
 public:
  SignedProblem(Data data, std::vector<int> signs, Storage storage = Storage::dense)
      : owned_(std::move(data), storage), signs_(std::move(signs)), problem_(*owned_) {
    problem_.signs = signs_;
  }
  operator const Problem&() const { return problem_; }
  const Problem& operator*() const { return problem_; }
  const OwnedProblem& without_signs() const { return owned_; }
  const Data& data() const { return owned_.data(); }
  const std::vector<int>& signs() const { return signs_; }

 private:
  OwnedProblem owned_;
  std::vector<int> signs_;
  Problem problem_;
};

// Of about two columns in three; included ones have none.
inline std::vector<int> random_signs(Rng& rng, const Data& data) {
  std::vector<int> signs;
  for (Index j = 0; j < data.p(); ++j) signs.push_back(static_cast<int>(rng.below(3)) - 1);
  if (rng.chance(0.3)) signs.assign(signs.size(), 1);
  for (const Index j : data.include) signs[static_cast<std::size_t>(j)] = 0;
  return signs;
}

// The least-squares coefficients of the support have the right signs, and its columns are
// independent of each other and of the included ones.
inline bool keeps_signs(const Centred& centred, const Support& support,
                        const std::vector<int>& signs) {
  const Support columns = model_columns(centred, support), included = model_columns(centred, {});
  const LeastSquares fit = least_squares(centred, columns);
  if (fit.rank - least_squares(centred, included).rank < std::ssize(support)) return false;
  for (std::size_t l = 0; l < columns.size(); ++l) {
    const int sign = signs[static_cast<std::size_t>(columns[l])];
    if (sign != 0 && !(sign * fit.beta[static_cast<Index>(l)] > 0)) return false;
  }
  return true;
}

// The least loss of at most k columns under signs, for k = 0 .. p: over all supports (p <= 10 or
// so).
inline std::vector<Real> least_signed_losses(const Data& data, const std::vector<int>& signs) {
  const Centred centred(data);
  std::vector<Real> least(static_cast<std::size_t>(data.p()) + 1,
                          std::numeric_limits<Real>::infinity());
  for (unsigned bits = 0; bits < 1u << data.p(); ++bits) {
    Support support;
    for (Index j = 0; j < data.p(); ++j) {
      if (bits >> j & 1u) support.push_back(j);
    }
    if (without_included(data, support) != support) continue;
    const Real loss = least_squares(centred, model_columns(centred, support)).loss;
    Real& best = least[support.size()];
    if (loss < best && (support.empty() || keeps_signs(centred, support, signs))) best = loss;
  }
  for (std::size_t k = 1; k < least.size(); ++k) least[k] = std::min(least[k], least[k - 1]);
  return least;
}

}  // namespace lass0::testing
