// Many members of a support leave and others come at once: as so many moves, but each Gram column
// of S is looked at once for all of them.
#include <algorithm>

#include "moments/fetch.hpp"
#include "search/state/support_state.hpp"
#include "util/blas.hpp"
#include "util/cholesky.hpp"

namespace lass0 {
namespace {

// So many leave, and so many come, at a time; fewer where that would be too many numbers for all
// columns of X.
constexpr Index kExchangedAtOnce = 8;
constexpr Index kExchangedNumbers = Index{1} << 22;

// H (its first k rows and columns) += a U U'
void add_square(double a, const Matrix& U, Matrix& H) {
  const Index k = U.rows();
  blas::add_product_transposed(k, k, U.cols(), a, U.data(), k, U.data(), k, H.data(), H.rows());
}

}  // namespace

bool SupportState::exchange(Columns leaving, Columns coming) {
  const auto at_once = static_cast<std::size_t>(
      std::clamp<Index>(kExchangedNumbers / moments_.cols(), 1, kExchangedAtOnce));
  while (!leaving.empty() || !coming.empty()) {
    const std::size_t out = std::min(at_once, leaving.size());
    const std::size_t in = std::min(at_once, coming.size());
    if (!exchange_some(leaving.first(out), coming.first(in))) return false;
    leaving = leaving.subspan(out);
    coming = coming.subspan(in);
  }
  return true;
}

// With L those that leave, h = H_LL = M M', U = H_.L inv(M'), W = G_.S U and t = inv(M) b_L, what
// is left without L:
//
//   H - U U'    b - U t    r + W t    s + (squares of the rows of W)    loss + t't
//
// and with A that come, E = G_.A - G_.S H G_SA (what the others leave of A), C = E_A. = M M',
// U = H G_SA inv(M'), W = E inv(M') and t = inv(M) r_A:
//
//   H + U U'    b - U t    r - W t    s - (squares of the rows of W)    loss - t't
//
// and new rows of H: inv(C) on A itself, -inv(C) G_AS H beside it.
bool SupportState::exchange_some(Columns leaving, Columns coming) {
  const Index k = size(), p = moments_.cols();
  const Index out = std::ssize(leaving), in = std::ssize(coming);
  fetch_within_budget(moments_, coming, budget_);
  reserve(std::max(k, k - out + in));
  std::vector<Index> places;  // of those that leave
  for (const Index j : leaving) places.push_back(position(j));

  Matrix U = H_(Eigen::seqN(0, k), places);
  const Cholesky leave(H_(places, places));
  if (!leave.positive_definite()) return false;
  if (out > 0) {
    blas::solve_lower_transposed_right(k, out, leave.L().data(), out, U.data(), k);
    add_square(-1, U, H_);
  }
  Matrix G_SA(k, in);
  moments_.gram_block(support_, coming, G_SA);
  Matrix V(k, out + in), W(p, out + in);
  V.leftCols(out) = U;
  V.rightCols(in) = H_.topLeftCorner(k, k) * G_SA;
  V(places, Eigen::lastN(in)).setZero();
  moments_.gram_times(support_, V, W);
  if (out > 0) {
    Vector t = b_(places);
    leave.solve_lower_in_place(t);
    b_.head(k) -= U * t;
    r_ += W.leftCols(out) * t;
    s_ += W.leftCols(out).rowwise().squaredNorm();
    loss_ += t.squaredNorm();
  }
  if (in > 0 && !add_all(coming, places, V.rightCols(in), W.rightCols(in))) return false;
  leave_all(leaving, places, in);
  ++moves_since_rebuild_;  // and one more: a move for each half
  rebuild_if_drifted();
  return true;
}

// Those that come take the places of those that leave, as far as there are any, and then the next
// ones. explained: G_.S H G_SA.
bool SupportState::add_all(Columns coming, std::vector<Index> places, Matrix U,
                           const ConstMat& explained) {
  const Index k = size(), p = moments_.cols(), in = std::ssize(coming);
  Matrix W(p, in);
  moments_.gram_columns(coming, W);
  W -= explained;
  const Cholesky come(W(coming, Eigen::all));
  const Vector squares = moments_.squares()(coming);
  if (!come.positive_definite() || (come.pivots() <= kAliasTolerance * squares.array()).any())
    return false;
  const double* M = come.L().data();
  Vector t = r_(coming);
  come.solve_lower_in_place(t);
  blas::solve_lower_transposed_right(p, in, M, in, W.data(), p);
  r_ -= W * t;
  s_ -= W.rowwise().squaredNorm();
  loss_ = std::max(0.0, loss_ - t.squaredNorm());
  blas::solve_lower_transposed_right(k, in, M, in, U.data(), k);
  b_.head(k) -= U * t;
  add_square(1, U, H_);
  blas::solve_lower_right(k, in, M, in, U.data(), k);  // inv(C) G_AS H, transposed
  blas::lower_transposed_solve(in, M, in, t.data());   // b_A

  const Index replaced = std::min<Index>(in, std::ssize(places));
  places.resize(static_cast<std::size_t>(replaced));
  for (Index place = k; std::ssize(places) < in; ++place) places.push_back(place);
  H_(Eigen::seqN(0, k), places) = -U;
  H_(places, Eigen::seqN(0, k)) = -U.transpose();
  H_(places, places) = come.inverse();
  b_(places) = t;
  support_.resize(static_cast<std::size_t>(k + in - replaced));
  for (std::size_t i = 0; i < places.size(); ++i) {
    support_[static_cast<std::size_t>(places[i])] = coming[i];
    position_[static_cast<std::size_t>(coming[i])] = places[i];
  }
  return true;
}

// The last members take the places that nobody took: those after the first `taken`.
void SupportState::leave_all(Columns leaving, std::vector<Index> places, Index taken) {
  for (const Index j : leaving) position_[static_cast<std::size_t>(j)] = kPositionNone;
  places.erase(places.begin(), places.begin() + std::min<Index>(taken, std::ssize(places)));
  std::sort(places.rbegin(), places.rend());
  for (const Index place : places) {
    const Index last = size() - 1, moved = support_.back();
    support_.pop_back();
    if (place == last) continue;
    const Index k = size();
    support_[static_cast<std::size_t>(place)] = moved;
    position_[static_cast<std::size_t>(moved)] = place;
    b_[place] = b_[last];
    const double h = H_(last, last);
    H_.col(place).head(k) = H_.col(last).head(k);
    H_.row(place).head(k) = H_.row(last).head(k);
    H_(place, place) = h;
  }
}

}  // namespace lass0
