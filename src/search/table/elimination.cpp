#include "search/table/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/state/support_state.hpp"
#include "search/table/small_inverse.hpp"
#include "util/blas.hpp"
#include "util/cholesky.hpp"

namespace lass0 {
namespace {

// Members that leave before H itself is changed, by one product of matrices for all of them.
constexpr Index kLeaveTogether = 32;

// H = inv(G_SS) and b of a shrinking support S. Without member i, H falls by v v' and b by b_i / d
// v with v = H_.i / d, d = sqrt(H_ii): at once for b and the diagonal alone, which say who leaves
// next; the column of H of one who leaves is brought up to date by the earlier v.
class ShrinkingInverse {
 public:
  ShrinkingInverse(Matrix H, Vector b)
      : H_(std::move(H)),
        b_(std::move(b)),
        diagonal_(H_.diagonal()),
        V_(H_.rows(), kLeaveTogether) {
    restart();
  }

  // Who leaves next, by place: the first of those that raise the loss least; and by how much.
  std::pair<Index, double> least() const {
    Index least = 0;
    for (Index i = 1; i < cost_.size(); ++i) {
      if (cost_[i] < cost_[least]) least = i;
    }
    return {least, cost_[least]};
  }

  void remove(Index i) {
    const Index m = b_.size();
    auto v = V_.col(gone_).head(m);
    v = H_.col(i);
    if (gone_ > 0) {
      const Vector earlier = V_.row(i).head(gone_).transpose();
      blas::add_times(m, gone_, -1.0, V_.data(), V_.rows(), earlier.data(), v.data());
    }
    const double d = std::sqrt(diagonal_[i]);
    v /= d;
    b_ -= (b_[i] / d) * v;
    diagonal_ -= v.cwiseAbs2();
    left_[static_cast<std::size_t>(i)] = 1;
    ++gone_;
    update_costs();
  }

  // True: those that left are gone from the places too. kept: the places that stay, in order.
  bool compact(std::vector<Index>& kept) {
    if (gone_ < kLeaveTogether) return false;
    kept.clear();
    for (Index i = 0; i < b_.size(); ++i) {
      if (!left_[static_cast<std::size_t>(i)]) kept.push_back(i);
    }
    const Index m = std::ssize(kept);
    Matrix H = H_(kept, kept), V = V_(kept, Eigen::all);
    if (m > 0)
      blas::add_product_transposed(m, m, gone_, -1.0, V.data(), m, V.data(), m, H.data(), m);
    H_ = std::move(H);
    V_ = std::move(V);
    b_ = Vector(b_(kept));
    diagonal_ = Vector(diagonal_(kept));
    restart();
    return true;
  }

 private:
  void restart() {
    gone_ = 0;
    left_.assign(static_cast<std::size_t>(b_.size()), 0);
    cost_.resize(b_.size());
    update_costs();
  }

  void update_costs() {
    for (Index i = 0; i < b_.size(); ++i) {
      cost_[i] = left_[static_cast<std::size_t>(i)] ? std::numeric_limits<double>::infinity()
                                                    : b_[i] * b_[i] / diagonal_[i];
    }
  }

  Matrix H_;  // before the last `gone_` left
  Vector b_, diagonal_, cost_;
  Matrix V_;
  Index gone_ = 0;
  std::vector<char> left_;
};

}  // namespace

bool eliminate(const Moments& moments, std::vector<Index> support, const Visit& visit) {
  const Index k = std::ssize(support);
  Matrix G(k, k);
  Vector c(k);
  moments.gram_block(support, support, G);
  for (Index i = 0; i < k; ++i) c[i] = moments.xty()[support[static_cast<std::size_t>(i)]];
  const Cholesky factor(std::move(G));
  const Vector squares = moments.squares()(support);
  if (!factor.positive_definite()) return false;
  Matrix H = factor.inverse();
  const auto inflation = H.diagonal().array() * squares.array();
  if (!(inflation < 1 / kAliasTolerance).all()) return false;
  const bool sure = (inflation < kIllConditioned).all();
  Vector b = factor.solve(c);
  double loss = std::max(0.0, moments.yty() - c.dot(b));
  if (k <= SmallInverse::kMost) {
    SmallInverse small(H, b, loss);
    while (visit(support, small.loss, sure) && small.size > 0) {
      const Index place = small.least();
      small.remove(place);
      support[static_cast<std::size_t>(place)] = support.back();
      support.pop_back();
    }
    return true;
  }
  ShrinkingInverse inverse(std::move(H), std::move(b));
  std::vector<Index> columns = support, kept;  // by place
  while (visit(support, loss, sure) && !support.empty()) {
    const auto [place, cost] = inverse.least();
    loss += cost;
    std::erase(support, columns[static_cast<std::size_t>(place)]);
    inverse.remove(place);
    if (inverse.compact(kept)) columns = support;
  }
  return true;
}

std::optional<SupportTable> eliminated_table(const Moments& moments) {
  std::vector<Index> all;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (moments.eligible(j)) all.push_back(j);
  }
  if (std::ssize(all) >= moments.rows()) return {};
  const double unit = moments.target_scale() * moments.target_scale();
  SupportTable table;
  const bool independent =
      eliminate(moments, all, [&](std::vector<Index> support, double loss, bool sure) {
        std::sort(support.begin(), support.end());
        if (!sure) loss = fit_support(moments, support).loss;
        table.rows.push_back({.support = std::move(support), .loss = loss * unit});
        return true;
      });
  if (!independent) return {};
  std::reverse(table.rows.begin(), table.rows.end());
  // To where the fit is perfect, to the last digits.
  const double total = moments.target_square() * unit;
  const auto end = std::find_if(table.rows.begin() + 1, table.rows.end(), [&](const TableRow& row) {
    return (&row - 1)->loss - row.loss <= slack(row.loss, total);
  });
  if (end != table.rows.end()) return {};
  return table;
}

}  // namespace lass0
