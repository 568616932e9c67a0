#include "search/tableau/trial.hpp"

#include <algorithm>
#include <limits>

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

bool Trial::without(Index kept_out, const Tableau& tableau, const Budget& budget) {
  start(tableau, kept_out);
  const Step instead = best_add();
  if (!instead) return false;
  add(instead.add);
  descend(
      [&] {
        budget.check();
        return sure() ? strict(best_swap(), loss(), moments_.target_square()) : Step{};
      },
      [&](const Step& swap) {
        const double before = loss();
        remove(swap.remove);
        add(swap.add);
        if (!(loss() < before)) drift_ = std::numeric_limits<double>::infinity();
        return true;
      });
  return true;
}

Step Trial::best_add() const {
  Step best{-1, -1, slack(loss(), moments_.target_square())};
  for (Index j = 0; j < p_; ++j) {
    // Most are far from the best: no division for those.
    if (r_[j] * r_[j] <= best.gain * s_[j] || !(s_[j] > least_[j])) continue;
    const double gain = add_gain(j);
    if (gain > best.gain) best = {-1, j, gain};
  }
  return best;
}

double Trial::remove_loss(std::size_t place) const {
  const double b = r_[support_[place]];
  return b * b / -h_[place];
}

Step Trial::best_remove() const {
  Step best{support_[0], -1, -remove_loss(0)};
  for (std::size_t i = 1; i < support_.size(); ++i) {
    const double gain = -remove_loss(i);
    if (gain > best.gain) best = {support_[i], -1, gain};
  }
  return best;
}

// Mostly nothing is left to swap after the first two moves, whose own columns can't come in: then
// no column need be written.
Step Trial::best_swap() {
  const auto column_of = [&](Index i) {
    const Index j = support_[static_cast<std::size_t>(i)];
    pending_.write_column(j, tableau_->column(j), scratch_.data());
    return scratch_.data();
  };
  const auto most_above = [&](Index i, const Replaced& member, double enough) {
    const Index j = support_[static_cast<std::size_t>(i)];
    if (!pending_.two_moves_of_others(j))
      return lass0::most_above(lanes_, r_.data(), s_.data(), column_of(i), member, enough);
    return lass0::most_above(lanes_, r_.data(), s_.data(), tableau_->column(j),
                             pending_.two_moves(j), member, enough);
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
  pending_.make(j, -1, {support_, h_, p_, r_.data(), s_.data()});
  s_[j] = -pending_.inverse();
  update_drift();
}

void Trial::add(Index j) {
  Vector& v = pending_.next();
  pending_.write_column(j, tableau_->column(j), v.data());
  v[j] = std::max(v[j], least_[j]);
  pending_.make(j, 1, {support_, h_, p_, r_.data(), s_.data()});
  support_.push_back(j);
  h_.push_back(-pending_.inverse());
  s_[j] = kNever;
  update_drift();
}

void Trial::update_drift() {
  drift_ += condition_;
  condition_ = 1;
  for (std::size_t i = 0; i < support_.size(); ++i)
    condition_ = std::max(condition_, -h_[i] * moments_.squares()[support_[i]]);
  drift_ += condition_;
}

}  // namespace lass0
