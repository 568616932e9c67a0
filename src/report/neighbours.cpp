#include "report/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lass0 {
namespace {

constexpr Index kNeighbours = 8;  // of each column
constexpr double kWeakest = 0.1;  // a correlation below this is not worth a mark

std::vector<Neighbour> strongest(const ConstVec& correlations, Index self) {
  std::vector<Index> order(static_cast<std::size_t>(correlations.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto last = order.begin() + std::min<Index>(kNeighbours + 1, std::ssize(order));
  std::partial_sort(order.begin(), last, order.end(), [&](Index a, Index b) {
    const double at_a = std::abs(correlations[a]), at_b = std::abs(correlations[b]);
    return at_a != at_b ? at_a > at_b : a < b;
  });
  std::vector<Neighbour> nearest;
  for (auto j = order.begin(); j != last && std::ssize(nearest) < kNeighbours; ++j) {
    if (*j != self && std::abs(correlations[*j]) >= kWeakest)
      nearest.push_back({*j, std::clamp(correlations[*j], -1.0, 1.0)});
  }
  return nearest;
}

}  // namespace

Moments plain_moments(const Moments& moments) {
  Problem problem = moments.problem();
  if (problem.include.empty() && problem.intercept) return moments.with_ridge(0);
  problem.include = {};
  problem.intercept = true;
  problem.ridge = 0;
  return Moments(problem, {.control = moments.control()});
}

std::vector<std::vector<Neighbour>> neighbours(const Moments& moments, Columns columns) {
  std::vector<std::vector<Neighbour>> all;
  for (std::size_t from = 0; from < columns.size(); from += kGramBatch) {
    const Columns batch =
        columns.subspan(from, std::min<std::size_t>(kGramBatch, columns.size() - from));
    Matrix gram(moments.cols(), std::ssize(batch));
    moments.gram_columns(batch, gram);
    for (std::size_t l = 0; l < batch.size(); ++l)
      all.push_back(strongest(gram.col(static_cast<Index>(l)), batch[l]));
  }
  return all;
}

}  // namespace lass0
