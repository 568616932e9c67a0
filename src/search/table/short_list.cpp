#include "search/table/short_list.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/lasso.hpp>
#include <optional>

#include "search/table/larger_moves.hpp"
#include "search/tableau/tableau.hpp"
#include "util/blas.hpp"
#include "util/cholesky.hpp"

namespace lass0 {
namespace {

constexpr Index kFirst = 64;           // columns, of those nearest to y
constexpr Index kModels = kGramBatch;  // looked at together in one pass over X
constexpr Index kNearest = 3;          // columns that join for each model
// With a ridge of at least this part of a column's sum of squares, models are shrunk and their
// residuals alike: a list made in half as many passes over X is as good. Cross-validation makes a
// list for every ridge.
constexpr double kStrongRidge = 0.07;
constexpr Index kNearestWithRidge = 6;
constexpr double kLargestShare = 0.4;  // of the list is the largest model: more is fitting noise

constexpr Index kLongList = 512;      // room for models of 100 columns and three times as many more
constexpr Index kNearestToLasso = 6;  // columns that join for each Lasso solution
constexpr int kLassoPoints = 40;      // of a path, from which the solutions are taken
constexpr Index kLassoColumns = 4;    // times the largest size: where the path ends
constexpr double kShareOfRows = 0.85;  // or here: beyond it a fit is all but perfect

constexpr Index kListAround = 768;

constexpr Index kMostMembers = 200;  // of rows, in a list of what is near them
constexpr double kSpread = 1.15;     // between the sizes of those rows

class ColumnList {
 public:
  ColumnList(const Moments& moments, Index max_k, const std::vector<Index>& columns)
      : moments_(moments), max_k_(max_k), listed_(static_cast<std::size_t>(moments.cols()), 0) {
    for (const Index j : columns) add(j);
  }

  Index size() const { return std::ssize(columns_); }
  Index size_with(const std::vector<Index>& more) const {
    return size() + std::count_if(more.begin(), more.end(),
                                  [&](Index j) { return !listed_[static_cast<std::size_t>(j)]; });
  }

  std::vector<Index> ascending() const {
    std::vector<Index> columns = columns_;
    std::sort(columns.begin(), columns.end());
    return columns;
  }

  void add(Index j) {
    if (listed_[static_cast<std::size_t>(j)]) return;
    columns_.push_back(j);
    listed_[static_cast<std::size_t>(j)] = 1;
  }

  void add_nearest_to_target(Index count) { add_nearest(moments_.xty(), count); }

  // Each of these is false where no column is left to join.

  bool grow_by_forward_models(Index nearest, const Budget& budget) {
    budget.check();
    moments_.prefetch_block(columns_);
    return add_nearest_to(forward_models(), kModels * nearest, budget);
  }

  // What joins are the columns that keep Lasso solutions among the list from being solutions among
  // all columns.
  bool grow_by_lasso(const Budget& budget) {
    budget.check();
    return add_nearest_to(lasso_models(budget), kModels * kNearestToLasso, budget);
  }

  bool grow_by_supports(const std::vector<std::vector<Index>>& supports, Index count,
                        const Budget& budget) {
    std::vector<Moments::Coefficients> models;
    for (const std::vector<Index>& support : supports) {
      moments_.prefetch_block(support);
      Matrix G(std::ssize(support), std::ssize(support));
      moments_.gram_block(support, support, G);
      const Cholesky factor(std::move(G));
      if (factor.positive_definite())
        models.push_back({support, factor.solve(moments_.xty()(support))});
    }
    return add_nearest_to(models, count, budget);
  }

 private:
  // `count` columns in all, as many for each model.
  bool add_nearest_to(const std::vector<Moments::Coefficients>& models, Index count,
                      const Budget& budget) {
    // Where the list holds little but duplicates of a few columns, models are few.
    const Index each = models.empty() ? 0 : count / std::ssize(models);
    if (each < 1) return false;
    budget.check();
    Matrix r(moments_.cols(), std::ssize(models));
    moments_.residual_correlations(models, r);
    const Index before = size();
    for (Index l = 0; l < r.cols(); ++l) add_nearest(r.col(l), each);
    return size() > before;
  }

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
    for (const auto& [score, j] : nearest) add(j);
  }

  // Forward selection among the list; the models of sizes that are evenly spread. With Q the
  // orthonormal basis that the members make of themselves one after the other, q_j'x_i for all i
  // listed, what is left of r and s follows from one column of Q a step.
  std::vector<Moments::Coefficients> forward_models() const {
    const Index m = std::ssize(columns_);
    // With more columns, little more than rounding would be left of y.
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
      if (loss < kPerfectFit * moments_.yty()) break;
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

  // Solutions of sizes that are evenly spread.
  std::vector<Moments::Coefficients> lasso_models(const Budget& budget) const {
    const Moments few = moments_.among(columns_);
    const auto share = static_cast<Index>(kShareOfRows * static_cast<double>(moments_.rows()));
    LassoOptions options;
    options.tolerance = kRoughLasso;
    options.count = kLassoPoints;
    options.max_support = std::min(kLassoColumns * max_k_, share);
    options.control = budget.remaining();
    const LassoPath path = lasso_path(few, options);
    std::vector<Moments::Coefficients> models;
    if (path.points.empty()) return models;
    const Index largest = std::ssize(path.points.back().at.support);
    for (const LassoPoint& point : path.points) {
      const std::vector<Index>& places = point.at.support;
      const Index next = std::ssize(models) + 1;
      if (places.empty() || std::ssize(places) * kModels < next * largest) continue;
      Moments::Coefficients model;
      model.b.resize(std::ssize(places));
      for (Index i = 0; i < std::ssize(places); ++i) {
        const Index place = places[static_cast<std::size_t>(i)];
        model.support.push_back(columns_[static_cast<std::size_t>(place)]);
        model.b[i] = point.at.coefficients[i] / few.coefficient_unit(place);
      }
      models.push_back(std::move(model));
      if (next == kModels) break;
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

// On average over the columns.
bool has_strong_ridge(const Moments& moments) {
  double ridges = 0, squares = 0;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (!moments.eligible(j)) continue;
    ridges += moments.ridge(j);
    squares += moments.squares()[j] - moments.ridge(j);
  }
  return ridges > 0 && ridges >= kStrongRidge * squares;
}

}  // namespace

std::vector<Index> short_list(const Moments& moments, Index max_k, const Budget& budget) {
  ColumnList list(moments, max_k, {});
  moments.prefetch_block(moments.included());  // they are part of every model
  list.add_nearest_to_target(kFirst);
  const Index nearest = has_strong_ridge(moments) ? kNearestWithRidge : kNearest;
  const Index rounds = (kTableauColumns - kFirst) / (kModels * nearest);
  for (Index round = 0; round < rounds; ++round) {
    if (!list.grow_by_forward_models(nearest, budget)) break;
  }
  return list.ascending();
}

std::vector<Index> long_list(const Moments& moments, const std::vector<Index>& first, Index max_k,
                             const Budget& budget) {
  ColumnList list(moments, max_k, first);
  while (list.size() + kModels * kNearestToLasso <= kLongList) {
    if (!list.grow_by_lasso(budget)) break;
  }
  return list.ascending();
}

std::vector<Index> list_near(const Moments& moments, const SupportTable& table, Index max_k,
                             const Budget& budget) {
  const std::vector<Index> sizes = hard_sizes(moments, 1, std::min(max_k, table.max_k()), kSpread);
  const Index some = std::min<Index>(kModels, std::ssize(sizes));
  ColumnList list(moments, max_k, {});
  std::vector<std::vector<Index>> supports;
  for (Index i = 0; i < some; ++i) {
    const Index k = sizes[static_cast<std::size_t>(i * std::ssize(sizes) / some)];
    const std::vector<Index>& support = table.at_k(k).support;
    supports.push_back(support);
    if (list.size_with(support) > kMostMembers) continue;
    for (const Index j : support) list.add(j);
  }
  list.grow_by_supports(supports, kTableauColumns - list.size(), budget);
  return list.ascending();
}

std::vector<Index> list_around(const Moments& moments, const SupportTable& table,
                               const Budget& budget) {
  ColumnList list(moments, table.max_k(), {});
  for (const TableRow& row : table.rows)
    for (const Index j : row.support) list.add(j);
  const Index models = std::min(kModels, table.max_k());
  std::vector<std::vector<Index>> supports;
  for (Index i = 1; i <= models; ++i)
    supports.push_back(table.at_k(i * table.max_k() / models).support);
  list.grow_by_supports(supports, std::max<Index>(0, kListAround - list.size()), budget);
  return list.ascending();
}

}  // namespace lass0
