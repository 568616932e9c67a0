#include "search/tableau/tableau.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "util/blas.hpp"

namespace lass0 {
namespace {

constexpr Index kMostPending = 512;  // moves: their columns stay in the second cache, or nearly

}  // namespace

Tableau::Tableau(const Moments& moments, std::vector<Index> support, const Budget& budget)
    : moments_(&moments),
      budget_(&budget),
      p_(moments.cols()),
      lanes_(lanes(p_)),
      T_(Matrix::Zero(lanes_ * kLanes, p_ + 1)),
      pending_(lanes_),
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
  const double* B = column(j);  // T is symmetric
  for (const Index i : support_) norm += std::abs(B[i]);
  return add_gain(j) * kLastDigits * norm * norm * moments_->squares()[j] / s_[j];
}

double Tableau::remove_loss(Index i) const {
  const Index j = support_[static_cast<std::size_t>(i)];
  return T_(j, p_) * T_(j, p_) / -h_[static_cast<std::size_t>(i)];
}

const double* Tableau::column(Index j) const {
  double* column = T_.col(j).data();
  if (j == p_) return column;
  Index& age = age_[static_cast<std::size_t>(j)];
  pending_.apply(age, j, column);
  age = pending_.count();
  return column;
}

void Tableau::add(Index j) {
  Vector& v = pending_.next();
  v = Eigen::Map<const Vector>(column(j), v.size());
  v[j] = std::max(v[j], kAliasTolerance * moments_->squares()[j]);
  sweep(j, 1);
  position_[static_cast<std::size_t>(j)] = size();
  support_.push_back(j);
  h_.push_back(-pending_.inverse());
  s_[j] = kNever;
  after_move();
}

void Tableau::remove(Index j) {
  Vector& v = pending_.next();
  v = Eigen::Map<const Vector>(column(j), v.size());
  const Index i = position(j), moved = support_.back();
  support_[static_cast<std::size_t>(i)] = moved;
  h_[static_cast<std::size_t>(i)] = h_.back();
  position_[static_cast<std::size_t>(moved)] = i;
  support_.pop_back();
  h_.pop_back();
  position_[static_cast<std::size_t>(j)] = -1;
  sweep(j, -1);
  s_[j] = T_(j, j);
  after_move();
}

void Tableau::sweep(Index a, double sign) {
  pending_.make(a, sign, {support_, h_, p_, T_.col(p_).data(), s_.data()});
  pending_.write_pivot_column(T_.col(a).data());
  age_[static_cast<std::size_t>(a)] = pending_.count();
}

void Tableau::after_move() {
  drift_ += condition_;
  update_condition();
  drift_ += condition_;
  if (drift_ > kFewDigitsLeft) return rebuild();
  if (pending_.count() < kMostPending) return;
  for (Index j = 0; j < p_; ++j) column(j);
  clear_pending();
}

void Tableau::clear_pending() {
  pending_.clear();
  age_.assign(static_cast<std::size_t>(p_), 0);
}

void Tableau::set_unexplained() {
  s_.setConstant(kNever);
  for (Index j = 0; j < p_; ++j) {
    if (!contains(j)) s_[j] = T_(j, j);
  }
}

void Tableau::update_condition() {
  condition_ = 1;
  for (std::size_t i = 0; i < support_.size(); ++i)
    condition_ = std::max(condition_, -h_[i] * moments_->squares()[support_[i]]);
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
  h_.clear();
  for (const Index member : support_) h_.push_back(T_(member, member));
  T_.row(p_).head(p_) = T_.col(p_).head(p_).transpose();
  T_(p_, p_) = state.loss();
  drift_ = 0;
  clear_pending();
  set_unexplained();
  update_condition();
}

TableauScan::TableauScan(const Moments& moments)
    : least_(kAliasTolerance * moments.squares()),
      diagonal_(padded(moments.diagonal(), Tableau::lanes(moments.cols()))) {}

Step TableauScan::best(const Tableau& tableau, Index kept_out) {
  s_ = tableau.s();
  for (Index j = 0; j < least_.size(); ++j) {
    if (least_[j] == 0 || j == kept_out) s_[j] = kNever;
  }
  const std::vector<Index>& support = tableau.support();
  r_ = Eigen::Map<const Vector>(tableau.column(least_.size()), s_.size());
  const auto column_of = [&](Index i) {
    return tableau.column(support[static_cast<std::size_t>(i)]);
  };
  const auto most_above = [&](Index i, const Replaced& member, double enough) {
    return lass0::most_above(s_.size() / kLanes, r_.data(), s_.data(), column_of(i), member,
                             enough);
  };
  return best_swap({support, tableau.h(), r_, s_, diagonal_, least_, tableau.loss()}, column_of,
                   most_above);
}

}  // namespace lass0
