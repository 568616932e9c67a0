#include "search/tableau.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/search.hpp>
#include <numeric>

#include "util/blas.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

// s of what can't come in: no finite correlation gains anything from it.
constexpr double kNever = 1e300;
constexpr Index kLanes = 8;  // rows are filled up to a multiple of as many, with zeros

// T_ij -= T_ia T_ja / T_aa for all i and j but a. v: column a.
LASS0_TARGET_CLONES
void take_out(Index lanes, Index m, Index a, const double* v, double inverse, double* T) {
  for (Index c = 0; c < m; ++c) {
    const double factor = v[c] * inverse;
    if (c == a || factor == 0) continue;
    double* column = T + c * lanes * kLanes;
    for (Index l = 0; l < lanes; ++l) {
#pragma omp simd
      for (Index i = 0; i < kLanes; ++i) column[l * kLanes + i] -= factor * v[l * kLanes + i];
    }
  }
}

// The largest (r_j + B_j beta)^2 - threshold (s_j + B_j^2 / h): above 0 where a swap gains more
// than the threshold asks for. No division.
LASS0_TARGET_CLONES
double most_above(Index lanes, const double* r, const double* s, const double* B, double beta,
                  double inverse_h, double threshold) {
  double most = -kNever;
#pragma omp simd reduction(max : most)
  for (Index j = 0; j < lanes * kLanes; ++j) {
    const double unexplained = s[j] + B[j] * B[j] * inverse_h, correlation = r[j] + B[j] * beta;
    most = std::max(most, correlation * correlation - threshold * unexplained);
  }
  return most;
}

}  // namespace

Tableau::Tableau(const Moments& moments, std::vector<Index> support, const Budget& budget)
    : moments_(&moments),
      budget_(&budget),
      p_(moments.cols()),
      lanes_((p_ + kLanes) / kLanes),
      T_(Matrix::Zero(lanes_ * kLanes, p_ + 1)),
      s_(lanes_ * kLanes) {
  std::vector<Index> all(static_cast<std::size_t>(p_));
  std::iota(all.begin(), all.end(), Index{0});
  Matrix G(p_, p_);
  moments.gram_block(all, all, G);
  G_ = std::make_shared<const Matrix>(0.5 * (G + G.transpose()));
  move_to(std::move(support));
}

bool Tableau::addable(Index j) const {
  return !contains(j) && s_[j] > kAliasTolerance * moments_->squares()[j];
}

double Tableau::add_gain(Index j) const { return std::min(T_(j, p_) * T_(j, p_) / s_[j], loss()); }

double Tableau::add_gain_rounding(Index j) const {
  double norm = 1;
  for (const Index i : support_) norm += std::abs(T_(i, j));
  return add_gain(j) * kLastDigits * norm * norm * moments_->squares()[j] / s_[j];
}

double Tableau::remove_loss(Index i) const {
  const Index j = support_[static_cast<std::size_t>(i)];
  return T_(j, p_) * T_(j, p_) / -T_(j, j);
}

void Tableau::add(Index j) {
  position_[static_cast<std::size_t>(j)] = size();
  support_.push_back(j);
  T_(j, j) = std::max(T_(j, j), kAliasTolerance * moments_->squares()[j]);
  sweep(j, 1);
  after_move();
}

void Tableau::remove(Index j) {
  const Index i = position(j), moved = support_.back();
  support_[static_cast<std::size_t>(i)] = moved;
  position_[static_cast<std::size_t>(moved)] = i;
  support_.pop_back();
  position_[static_cast<std::size_t>(j)] = -1;
  sweep(j, -1);
  after_move();
}

void Tableau::sweep(Index a, double sign) {
  const Vector v = T_.col(a);
  const double inverse = 1 / v[a];
  take_out(lanes_, p_ + 1, a, v.data(), inverse, T_.data());
  T_.col(a) = sign * inverse * v;
  T_.row(a) = T_.col(a).head(p_ + 1).transpose();
  T_(a, a) = -inverse;
  T_(p_, p_) = std::max(0.0, T_(p_, p_));
}

void Tableau::after_move() {
  set_unexplained();
  drift_ += condition_;
  update_condition();
  drift_ += condition_;
  if (drift_ > kFewDigitsLeft) rebuild();
}

void Tableau::set_unexplained() {
  s_.setConstant(kNever);
  for (Index j = 0; j < p_; ++j) {
    if (!contains(j)) s_[j] = T_(j, j);
  }
}

void Tableau::update_condition() {
  condition_ = 1;
  for (const Index j : support_)
    condition_ = std::max(condition_, -T_(j, j) * moments_->squares()[j]);
}

void Tableau::move_to(std::vector<Index> support) {
  support_ = std::move(support);
  position_.assign(static_cast<std::size_t>(p_), -1);
  for (Index i = 0; i < size(); ++i)
    position_[static_cast<std::size_t>(support_[static_cast<std::size_t>(i)])] = i;
  rebuild();
}

void Tableau::walk_to(const std::vector<Index>& support) {
  std::vector<char> wanted(position_.size(), 0);
  for (const Index j : support) wanted[static_cast<std::size_t>(j)] = 1;
  std::vector<Index> leaving, coming;
  std::copy_if(support_.begin(), support_.end(), std::back_inserter(leaving),
               [&](Index j) { return !wanted[static_cast<std::size_t>(j)]; });
  std::copy_if(support.begin(), support.end(), std::back_inserter(coming),
               [&](Index j) { return !contains(j); });
  if (leaving.size() + coming.size() >= support.size()) return move_to(support);
  for (const Index j : leaving) remove(j);
  for (const Index j : coming) add(j);
}

// Through the factor of G_SS, as SupportState does it: sweeping one after the other would lose
// digits where members are nearly dependent.
void Tableau::rebuild() {
  const SupportState state(*moments_, support_, SupportState::Detail::swaps, *budget_);
  const Index k = size();
  T_.topLeftCorner(p_, p_) = *G_;
  if (k > 0) {
    const Matrix members = (*G_)(Eigen::all, support_);
    blas::add_product_transposed(p_, p_, k, -1.0, members.data(), p_, state.B(0), p_, T_.data(),
                                 T_.rows());
  }
  T_.col(p_).head(p_) = state.r();
  T_.diagonal().head(p_) = state.s();
  for (Index i = 0; i < k; ++i) {
    const Index member = support_[static_cast<std::size_t>(i)];
    T_.col(member).head(p_) = Eigen::Map<const Vector>(state.B(i), p_);
    T_(member, p_) = state.b()[i];
  }
  for (Index i = 0; i < k; ++i) {
    const Index member = support_[static_cast<std::size_t>(i)];
    T_.row(member).head(p_) = T_.col(member).head(p_).transpose();
  }
  for (Index i = 0; i < k; ++i) {
    const Vector H = state.H_column(i);
    for (Index l = 0; l < k; ++l)
      T_(support_[static_cast<std::size_t>(l)], support_[static_cast<std::size_t>(i)]) = -H[l];
  }
  T_.row(p_).head(p_) = T_.col(p_).head(p_).transpose();
  T_(p_, p_) = state.loss();
  drift_ = 0;
  set_unexplained();
  update_condition();
}

TableauScan::TableauScan(const Moments& moments) : least_(kAliasTolerance * moments.squares()) {}

ScannedSwap TableauScan::best(const Tableau& tableau, Index kept_out) {
  ScannedSwap best;
  const Index p = least_.size();
  s_ = tableau.s();
  for (Index j = 0; j < p; ++j) {
    if (least_[j] == 0 || j == kept_out) s_[j] = kNever;
  }
  const double* r = tableau.r().data();
  for (const Index removed : tableau.support()) {
    const double* B = tableau.column(removed);
    const double inverse_h = -1 / B[removed], beta = r[removed] * inverse_h;
    const double worth = r[removed] * beta;
    const double most =
        most_above(s_.size() / kLanes, r, s_.data(), B, beta, inverse_h, worth + best.gain);
    if (!(most >= 0)) continue;
    for (Index j = 0; j < p; ++j) {
      const double unexplained = s_[j] + B[j] * B[j] * inverse_h;
      if (!(unexplained > least_[j]) || unexplained >= kNever) continue;
      const double correlation = r[j] + B[j] * beta;
      const double gain = std::min(correlation * correlation / unexplained - worth, tableau.loss());
      const bool tie = gain == best.gain && best.remove >= 0;
      const bool lower = removed < best.remove || (removed == best.remove && j < best.add);
      if (gain > best.gain || (tie && lower)) best = {removed, j, gain};
    }
  }
  return best;
}

}  // namespace lass0
