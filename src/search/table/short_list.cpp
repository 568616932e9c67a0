#include "search/table/short_list.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "search/tableau/tableau.hpp"
#include "util/blas.hpp"
#include "util/cholesky.hpp"

namespace lass0 {
namespace {

constexpr Index kFirst = 64;           // columns, of those nearest to y
constexpr Index kModels = kGramBatch;  // looked at together in one pass over X
constexpr Index kNearest = 3;          // columns that join for each model
constexpr Index kRounds = (kTableauColumns - kFirst) / (kModels * kNearest);
constexpr double kPerfect = 1e-9;      // of y'y is left: a perfect fit, and no residual to look at
constexpr double kLargestShare = 0.4;  // of the list is the largest model: more is fitting noise

class ShortList {
 public:
  ShortList(const Moments& moments, Index max_k)
      : moments_(moments), max_k_(max_k), listed_(static_cast<std::size_t>(moments.cols()), 0) {
    moments.prefetch_block(moments.included());  // they are part of every model
    add_nearest(moments.xty(), kFirst);
  }

  const std::vector<Index>& columns() const { return columns_; }

  // False: no column was left to join.
  bool grow(const Budget& budget) {
    budget.check();
    moments_.prefetch_block(columns_);
    const std::vector<Moments::Coefficients> models = forward_models();
    if (models.empty()) return false;
    budget.check();
    Matrix r(moments_.cols(), std::ssize(models));
    moments_.residual_correlations(models, r);
    const auto before = columns_.size();
    // Where the list holds little but duplicates of a few columns, models are few.
    const Index each = kModels * kNearest / std::ssize(models);
    for (Index l = 0; l < r.cols(); ++l) add_nearest(r.col(l), each);
    return columns_.size() > before;
  }

 private:
  // Of those not listed yet the `count` with the largest r_j^2 / G_jj, of equal ones the first.
  void add_nearest(const ConstVec& r, Index count) {
    using Scored = std::pair<double, Index>;
    const auto nearer = [](const Scored& a, const Scored& b) {
      return a.first > b.first || (a.first == b.first && a.second < b.second);
    };
    std::vector<Scored> nearest;  // once there are enough, a heap with the farthest on top
    for (Index j = 0; j < r.size(); ++j) {
      const double G_jj = moments_.diagonal()[j];
      const bool full = std::ssize(nearest) == count;
      const double least = full ? nearest.front().first : 0.0;
      // Most are far from being the nearest: no division for those.
      if (!(r[j] * r[j] > least * G_jj) || listed_[static_cast<std::size_t>(j)]) continue;
      if (full) {
        std::pop_heap(nearest.begin(), nearest.end(), nearer);
        nearest.pop_back();
      }
      nearest.emplace_back(r[j] * r[j] / G_jj, j);
      std::push_heap(nearest.begin(), nearest.end(), nearer);
    }
    for (const auto& [score, j] : nearest) {
      columns_.push_back(j);
      listed_[static_cast<std::size_t>(j)] = 1;
    }
  }

  // Forward selection among the list; the models of sizes that are evenly spread. With Q the
  // orthonormal basis that the members make of themselves one after the other, q_j'x_i for all i
  // listed, what is left of r and s follows from one column of Q a step.
  std::vector<Moments::Coefficients> forward_models() const {
    const Index m = std::ssize(columns_);
    // Not so many that hardly more than rounding is left of y.
    const auto share = static_cast<Index>(std::ceil(kLargestShare * static_cast<double>(m)));
    const Index largest = std::min({max_k_, std::max<Index>(1, moments_.rows() / 2), share});
    Matrix G(m, m), Q(m, largest);
    moments_.gram_block(columns_, columns_, G);
    Vector r = moments_.xty()(columns_), s = moments_.diagonal()(columns_);
    const Vector least = kAliasTolerance * moments_.squares()(columns_);
    std::vector<Moments::Coefficients> models;
    std::vector<Index> places;
    double loss = moments_.yty();
    Index next = 1;  // of the models
    for (Index k = 0; k < largest; ++k) {
      const Index best = best_add(r, s, least);
      if (best < 0) break;
      loss -= r[best] * r[best] / s[best];
      if (loss < kPerfect * moments_.yty()) break;
      const double root = std::sqrt(s[best]);
      const Vector earlier = Q.row(best).head(k).transpose();
      auto q = Q.col(k);
      q = G.col(best);
      if (k > 0) blas::add_times(m, k, -1.0, Q.data(), m, earlier.data(), q.data());
      q /= root;
      r -= (r[best] / root) * q;
      s -= q.cwiseAbs2();
      s[best] = 0;
      places.push_back(best);
      if ((k + 1) * kModels < next * largest) continue;
      ++next;
      if (auto model = fitted(G, places)) models.push_back(std::move(*model));
    }
    if (models.empty() && !places.empty()) {  // no column is left, or nothing of y
      if (auto model = fitted(G, places)) models.push_back(std::move(*model));
    }
    return models;
  }

  static Index best_add(const Vector& r, const Vector& s, const Vector& least) {
    Index best = -1;
    double most = 0;
    for (Index i = 0; i < r.size(); ++i) {
      if (!(s[i] > least[i]) || r[i] * r[i] <= most * s[i]) continue;
      most = r[i] * r[i] / s[i];
      best = i;
    }
    return best;
  }

  // Empty: members are too nearly dependent.
  std::optional<Moments::Coefficients> fitted(const Matrix& G,
                                              const std::vector<Index>& places) const {
    const Cholesky factor(G(places, places));
    if (!factor.positive_definite()) return {};
    Moments::Coefficients model;
    for (const Index i : places) model.support.push_back(columns_[static_cast<std::size_t>(i)]);
    model.b = factor.solve(moments_.xty()(model.support));
    return model;
  }

  const Moments& moments_;
  const Index max_k_;
  std::vector<Index> columns_;
  std::vector<char> listed_;  // each column of X
};

}  // namespace

std::vector<Index> short_list(const Moments& moments, Index max_k, const Budget& budget) {
  ShortList list(moments, max_k);
  for (Index round = 0; round < kRounds; ++round) {
    if (!list.grow(budget)) break;
  }
  std::vector<Index> columns = list.columns();
  std::sort(columns.begin(), columns.end());
  return columns;
}

}  // namespace lass0
