// Products of the columns of a sparse X from its non-zeros. Two columns seldom have a row in
// common, so that a Gram column is mostly what centring leaves, and computing it takes less time
// than keeping it: nothing is kept.
//
// With W = diag(w), d the scales, and m the means over these rows (0 without an intercept), a
// column is z_j = x_j / d_j - mu_j, mu_j = m_j / d_j, and sum_i w_i z_ij = 0 gives
//
//   z_i'W z_j = x_i'W x_j / (d_i d_j) - mu_i mu_j sum(w)
//
// which loses no more digits than mu_j^2 sum(w) has: the means must be small.
#pragma once

#include <cstdint>
#include <lass0/design.hpp>
#include <memory>
#include <vector>

namespace lass0 {

// X / d once more by rows: from a row to the columns that it touches.
struct SparseRows {
  // Null: X is not sparse, or its columns have so much in common that products are better kept.
  static std::shared_ptr<const SparseRows> of(const Design& X, const Vector& unit, double most);

  double bytes() const {
    return static_cast<double>(value.size()) * (sizeof(double) + sizeof(std::int32_t));
  }

  std::vector<std::int64_t> start;  // row i is start[i] .. start[i + 1] - 1
  std::vector<std::int32_t> column;
  std::vector<double> value;
};

// The products over one set of rows. Thread-safe; the bits depend on what is asked for alone.
class SparseProducts {
 public:
  // `unit`: 1 / d_j, and 0 for a constant column. `mu` is empty without an intercept. Held-out rows
  // have weight 0.
  SparseProducts(const Design& X, std::shared_ptr<const SparseRows> rows, Vector unit, Vector mu,
                 Vector weights, Vector target);

  void block(Columns I, Columns J, MutMat out) const;                       // Z_I'W Z_J
  void times(Columns J, const ConstMat& V, int threads, MutMat out) const;  // Z'W Z_J V

  SparseColumn column(Index j) const { return *X_.sparse_column(j); }  // of X itself
  double unit(Index j) const { return unit_[j]; }
  double mu(Index j) const { return mu_.size() > 0 ? mu_[j] : 0.0; }
  const Vector& weights() const { return weights_; }
  double weight() const { return weight_; }         // their sum
  const Vector& target() const { return target_; }  // u, centred like the columns

 private:
  // X'v / d: the columns that have a row in common with v, or all.
  void by_rows(const Vector& v, MutVec out) const;
  void by_columns(const Vector& v, int threads, MutVec out) const;

  const Design& X_;
  std::shared_ptr<const SparseRows> rows_;
  Vector unit_, mu_, weights_, target_;
  double weight_;
};

}  // namespace lass0
