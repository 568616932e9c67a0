#include "search/signed/signed_lasso.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "moments/fetch.hpp"
#include "search/signed/signed_fit.hpp"

namespace lass0 {
namespace {

constexpr int kPoints = 40;
constexpr double kRatio = 1e-3;        // smallest / largest lambda
constexpr Index kStepsForAColumn = 4;  // to come in, and now and then to leave and come again

// The path by active sets: with the signs of the active columns known, the L1 norm is linear, so
// that a point of the path is a fit under signs with c_j - lambda w_j sign_j in the place of c_j. A
// column without a sign of its own has that with which it came in.
class SignedLasso {
 public:
  SignedLasso(const Moments& moments, const Budget& budget)
      : moments_(moments), budget_(budget), r_(moments.xty()) {}

  double largest_lambda() const { return best_entry({}).ratio; }

  void solve(double lambda, Index max_steps) {
    std::vector<Index> refused;
    descend(lambda);
    for (Index step = 0; step < max_steps; ++step) {
      budget_.check();
      const Entry entry = best_entry(refused);
      if (!(entry.ratio > lambda * (1 + kSignedLassoAccuracy))) return;
      if (!independent(entry.column)) {
        refused.push_back(entry.column);
        continue;
      }
      columns_.push_back(entry.column);
      signs_.push_back(entry.sign);
      x_.conservativeResize(std::ssize(columns_));
      x_[x_.size() - 1] = 0;
      descend(lambda);
      if (!contains(columns_, entry.column)) refused.push_back(entry.column);  // it was rounding
    }
  }

  std::vector<Index> support() const {
    std::vector<Index> support = columns_;
    std::sort(support.begin(), support.end());
    return support;
  }

 private:
  struct Entry {
    Index column = -1;
    int sign = 0;
    double ratio = 0;
  };

  // The column outside with the largest correlation of the right sign, to its weight.
  Entry best_entry(const std::vector<Index>& refused) const {
    Entry best;
    for (Index j = 0; j < moments_.cols(); ++j) {
      if (!moments_.eligible(j)) continue;
      const int own = moments_.problem().sign(j), sign = own != 0 ? own : r_[j] > 0 ? 1 : -1;
      const double ratio = sign * r_[j] / moments_.l1_weights()[j];
      if (!(ratio > best.ratio) || contains(columns_, j) || contains(refused, j)) continue;
      best = {j, sign, ratio};
    }
    return best;
  }

  static bool contains(const std::vector<Index>& columns, Index j) {
    return std::find(columns.begin(), columns.end(), j) != columns.end();
  }

  bool independent(Index j) const {
    if (columns_.empty()) return true;
    Matrix G(x_.size(), x_.size()), G_j(1, x_.size());
    moments_.gram_block(columns_, columns_, G);
    moments_.gram_block(Columns(&j, 1), columns_, G_j);
    const Vector explained = Eigen::LLT<Matrix>(G).matrixL().solve(G_j.transpose());
    return moments_.diagonal()[j] - explained.squaredNorm() >
           kAliasTolerance * moments_.squares()[j];
  }

  // To the minimum on the active columns; those that become 0 leave.
  void descend(double lambda) {
    if (columns_.empty()) return;
    fetch_within_budget(moments_, columns_, budget_);
    const Index k = x_.size();
    Matrix G(k, k);
    moments_.gram_block(columns_, columns_, G);
    Vector q = moments_.xty()(columns_);
    for (Index i = 0; i < k; ++i)
      q[i] -= lambda * signs_[static_cast<std::size_t>(i)] *
              moments_.l1_weights()[columns_[static_cast<std::size_t>(i)]];
    std::vector<Index> places(columns_.size());
    std::iota(places.begin(), places.end(), 0);
    descend_on_places(G, q, signs_, places, x_);
    std::vector<Index> columns;
    std::vector<int> signs;
    for (const Index i : places) {
      columns.push_back(columns_[static_cast<std::size_t>(i)]);
      signs.push_back(signs_[static_cast<std::size_t>(i)]);
    }
    x_ = Vector(x_(places));
    columns_ = std::move(columns);
    signs_ = std::move(signs);
    Vector explained = Vector::Zero(moments_.cols());
    if (!columns_.empty()) moments_.gram_times(columns_, x_, explained);
    r_ = moments_.xty() - explained;
  }

  const Moments& moments_;
  const Budget& budget_;
  std::vector<Index> columns_;
  std::vector<int> signs_;
  Vector x_, r_;
};

}  // namespace

std::vector<std::vector<Index>> signed_lasso_supports(const Moments& moments, Index max_support,
                                                      const Budget& budget) {
  SignedLasso lasso(moments, budget);
  const double first = lasso.largest_lambda();
  std::vector<std::vector<Index>> supports;
  if (!(first > 0)) return supports;
  std::set<std::vector<Index>> seen;
  for (int l = 1; l < kPoints; ++l) {
    const double lambda = first * std::pow(kRatio, static_cast<double>(l) / (kPoints - 1));
    lasso.solve(lambda, kStepsForAColumn * (max_support + 1));
    std::vector<Index> support = lasso.support();
    const bool last = std::ssize(support) > max_support;
    if (!support.empty() && seen.insert(support).second) supports.push_back(std::move(support));
    if (last) break;
  }
  return supports;
}

}  // namespace lass0
