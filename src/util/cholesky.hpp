// G = L L' for the small symmetric matrices of supports, as fast as the CPU at hand allows: a
// library for any x86-64 has Eigen's own factorisation at the speed of the oldest of them.
#pragma once

#include <lass0/types.hpp>

namespace lass0 {

class Cholesky {
 public:
  explicit Cholesky(Matrix G);  // its lower triangle

  bool positive_definite() const { return positive_definite_; }  // all else needs this
  Index size() const { return L_.rows(); }
  const Matrix& L() const { return L_; }  // zero above the diagonal
  auto pivots() const { return L_.diagonal().array().square(); }

  void solve_in_place(MutVec b) const;        // b := inv(G) b
  void solve_lower_in_place(MutMat A) const;  // A := inv(L) A
  Vector solve(Vector b) const {
    solve_in_place(b);
    return b;
  }
  Matrix half() const;  // inv(L)', zero below the diagonal: inv(G) = half half'
  Matrix inverse() const;
  Vector inverse_diagonal() const { return half().rowwise().squaredNorm(); }

 private:
  Matrix L_;
  bool positive_definite_ = true;
};

}  // namespace lass0
