// How low a support without a given column can get, from the model of all columns.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

namespace lass0 {

// A support of k columns without column j leaves out j and d more. Leaving out the d costs at least
// as much as leaving out the dearest of them alone, so at least the d-th least of what single ones
// cost.
class LossBounds {
 public:
  explicit LossBounds(const Moments& moments);

  // No support of k columns without column j has a lower loss. 0 where nothing is known: columns
  // are too many, or dependent.
  double at(Index k, Index j);
  // Whether a support of k columns without column j may have a loss below that: at(k, j) < loss,
  // mostly without looking that up.
  bool reached(Index k, Index j, double loss);

 private:
  const std::vector<double>& costs(Index i);

  std::vector<Index> position_;  // of each column among those that can be chosen, or -1
  Matrix half_;                  // inv(G) = half half'; empty where nothing is known
  Vector b_, h_;                 // the coefficients of the model of all, the diagonal of inv(G)
  double loss_ = 0;              // of that model
  std::vector<std::vector<double>> costs_;  // of single ones once a member is out, ascending
};

}  // namespace lass0
