#include "search/tableau/trial.hpp"

#include <algorithm>

namespace lass0 {

Trial::Trial(const Moments& moments)
    : moments_(moments),
      least_(kAliasTolerance * moments.squares()),
      p_(moments.cols()),
      lanes_(Tableau::lanes(p_)),
      diagonal_(padded(moments.diagonal(), lanes_)),
      pending_(lanes_),
      scratch_(lanes_ * kLanes) {
  for (Index j = 0; j < p_; ++j) {
    if (least_[j] == 0) never_.push_back(j);
  }
}

void Trial::start(const Tableau& tableau, Index kept_out) {
  tableau_ = &tableau;
  support_ = tableau.support();
  h_ = tableau.h();
  r_ = Eigen::Map<const Vector>(tableau.column(p_), lanes_ * kLanes);
  s_ = tableau.s();
  for (const Index j : never_) s_[j] = kNever;
  pending_.clear();
  condition_ = tableau.condition();
  drift_ = tableau.drift();
  remove(kept_out);
  s_[kept_out] = kNever;
}

Index Trial::best_add(double most) const {
  Index best = -1;
  for (Index j = 0; j < p_; ++j) {
    // Most are far from the best: no division for those.
    if (r_[j] * r_[j] <= most * s_[j] || !(s_[j] > least_[j])) continue;
    const double gain = add_gain(j);
    if (!(gain > most)) continue;
    most = gain;
    best = j;
  }
  return best;
}

double Trial::remove_loss(Index place) const {
  const double b = r_[support_[static_cast<std::size_t>(place)]];
  return b * b / -h_[static_cast<std::size_t>(place)];
}

Index Trial::least_place() const {
  Index least = 0;
  double smallest = remove_loss(0);
  for (Index i = 1; i < std::ssize(support_); ++i) {
    const double loss = remove_loss(i);
    if (!(loss < smallest)) continue;
    smallest = loss;
    least = i;
  }
  return least;
}

// Mostly nothing is left to swap after the first two moves, whose own columns can't come in: then
// no column need be written.
ScannedSwap Trial::best_swap() {
  const auto column_of = [&](Index i) {
    const Index j = support_[static_cast<std::size_t>(i)];
    pending_.write_column(j, tableau_->column(j), scratch_.data());
    return scratch_.data();
  };
  const auto most_above = [&](Index i, double beta, double inverse_h, double threshold) {
    const Index j = support_[static_cast<std::size_t>(i)];
    if (!pending_.two_moves_of_others(j))
      return lass0::most_above(lanes_, r_.data(), s_.data(), column_of(i), beta, inverse_h,
                               threshold);
    return lass0::most_above(lanes_, r_.data(), s_.data(), tableau_->column(j),
                             pending_.two_moves(j), beta, inverse_h, threshold);
  };
  return lass0::best_swap({support_, h_, r_, s_, diagonal_, least_, loss()}, column_of, most_above);
}

void Trial::remove(Index j) {
  const auto i =
      static_cast<std::size_t>(std::find(support_.begin(), support_.end(), j) - support_.begin());
  pending_.write_column(j, tableau_->column(j), pending_.next().data());
  support_[i] = support_.back();
  h_[i] = h_.back();
  support_.pop_back();
  h_.pop_back();
  sweep(j, -1);
  s_[j] = -pending_.inverse();
  update_drift();
}

void Trial::add(Index j) {
  Vector& v = pending_.next();
  pending_.write_column(j, tableau_->column(j), v.data());
  v[j] = std::max(v[j], least_[j]);
  sweep(j, 1);
  support_.push_back(j);
  h_.push_back(-pending_.inverse());
  s_[j] = kNever;
  update_drift();
}

// What Tableau::sweep does, for y's column and the diagonal alone.
void Trial::sweep(Index j, double sign) {
  pending_.push(j, sign);
  const Vector& v = pending_.pivot_column();
  const double inverse = pending_.inverse(), of_y = v[p_] * inverse;
  for (std::size_t i = 0; i < support_.size(); ++i)
    h_[i] -= inverse * v[support_[i]] * v[support_[i]];
  sweep_vectors(lanes_, v.data(), of_y, inverse, r_.data(), s_.data());
  r_[j] = sign * of_y;
  r_[p_] = std::max(0.0, r_[p_]);
}

void Trial::update_drift() {
  drift_ += condition_;
  condition_ = 1;
  for (std::size_t i = 0; i < support_.size(); ++i)
    condition_ = std::max(condition_, -h_[i] * moments_.squares()[support_[i]]);
  drift_ += condition_;
}

}  // namespace lass0
