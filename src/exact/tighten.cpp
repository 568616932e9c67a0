#include "exact/tighten.hpp"

#include <algorithm>
#include <numeric>

#include "exact/relaxation.hpp"

namespace lass0 {
namespace {

// With fewer free columns the tree is faster than the relaxation.
constexpr Index kWorthRelaxing = 24;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kFirstRounds = 60, kLaterRounds = 15;

void raise(std::vector<double>& lower, const std::vector<double>& other) {
  for (std::size_t t = 0; t < lower.size(); ++t) lower[t] = std::max(lower[t], other[t]);
}

// What dropping each free column costs.
Vector elimination_costs(const Reduced& reduced) {
  return reduced.b.cwiseAbs2().cwiseQuotient(reduced.H.diagonal());
}

// The loss of all plus the m-th smallest l_i, for supports that lack m.
std::vector<double> elimination_bounds(const Reduced& reduced, const Vector& l) {
  std::vector<double> sorted(l.begin(), l.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  std::vector<double> lower(sorted.size() + 1, reduced.loss_all);
  for (std::size_t t = 0; t < sorted.size(); ++t) lower[t] += sorted[t];
  return lower;
}

RelaxationGoal relaxation_goal(const Goal& goal, const Subproblem& sub) {
  RelaxationGoal relaxed;
  relaxed.price = goal.lambda();
  const Index in = std::ssize(sub.in);
  double most = 0;
  for (std::size_t t = 0; t < sub.lower.size(); ++t) {
    const double u = goal.threshold(in + static_cast<Index>(t));
    const bool open = sub.lower[t] < u;
    relaxed.thresholds.push_back(open ? u : -kInfinity);
    if (open && u - sub.lower[t] > most) {
      most = u - sub.lower[t];
      relaxed.keep = static_cast<Index>(t);
    }
  }
  return relaxed;
}

// Bounds when one column is decided, for every number of free columns kept that is still open.
class Decider {
 public:
  Decider(const Reduced& reduced, const Vector& l, const Subproblem& sub, const Goal& goal,
          const Relaxation* relaxation)
      : reduced_(reduced), l_(l), sub_(sub), goal_(goal), relaxation_(relaxation) {
    if (!relaxation) return;
    order_.resize(static_cast<std::size_t>(relaxation->value.size()));
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](Index i, Index j) { return relaxation->value[i] > relaxation->value[j]; });
    rank_.resize(order_.size());
    prefix_.assign(order_.size() + 1, 0.0);
    for (std::size_t a = 0; a < order_.size(); ++a) {
      rank_[static_cast<std::size_t>(order_[a])] = static_cast<Index>(a);
      prefix_[a + 1] = prefix_[a] + relaxation->value[order_[a]];
    }
  }

  // Of the supports that keep t free columns, column i among them or not.
  double lower(Index i, bool in, Index t) const {
    const double known = sub_.lower[static_cast<std::size_t>(t)];
    const double dropped = in ? known : std::max(known, reduced_.loss_all + l_[i]);
    return relaxation_ ? std::max(dropped, relaxed(i, in, t)) : dropped;
  }

  bool must_stay(Index i) const { return ruled_out(i, false); }
  bool must_leave(Index i) const { return ruled_out(i, true); }

 private:
  // No support with column i in (out) matters.
  bool ruled_out(Index i, bool in) const {
    const Index f = l_.size();
    for (Index t = in ? 1 : 0; t <= (in ? f : f - 1); ++t) {
      const double u = goal_.threshold(std::ssize(sub_.in) + t);
      if (lower(i, in, t) < u) return false;
    }
    return true;
  }

  double relaxed(Index i, bool in, Index t) const {
    const double v = relaxation_->value[i];
    const bool among_largest = rank_[static_cast<std::size_t>(i)] < t;
    double sum = prefix_[static_cast<std::size_t>(t)];
    if (in && !among_largest) sum = prefix_[static_cast<std::size_t>(t) - 1] + v;
    if (!in && among_largest) sum = prefix_[static_cast<std::size_t>(t) + 1] - v;
    return 2 * (relaxation_->base - sum);
  }

  const Reduced& reduced_;
  const Vector& l_;
  const Subproblem& sub_;
  const Goal& goal_;
  const Relaxation* relaxation_;
  std::vector<Index> order_, rank_;
  std::vector<double> prefix_;  // sums of the largest values
};

}  // namespace

bool tighten(Reduced& reduced, const Goal& goal, const Budget& budget, Subproblem& sub) {
  const Index f = std::ssize(reduced.free);
  const Vector l = elimination_costs(reduced);
  raise(sub.lower, elimination_bounds(reduced, l));
  std::optional<Relaxation> relaxation;
  const RelaxationGoal aim = relaxation_goal(goal, sub);
  const bool closed = std::all_of(aim.thresholds.begin(), aim.thresholds.end(),
                                  [](double u) { return std::isinf(u); });
  if (closed) return false;
  if (f >= kWorthRelaxing) {
    relaxation = relax(reduced, aim, sub.delta.empty() ? kFirstRounds : kLaterRounds, budget);
    raise(sub.lower, relaxation->lower());
    reduced.delta = relaxation->delta;
  }

  const Decider decider(reduced, l, sub, goal, relaxation ? &*relaxation : nullptr);
  Subproblem rest{sub.in, {}, {}, {}, sub.offered};
  for (Index i = 0; i < f; ++i) {
    const Index column = reduced.free[static_cast<std::size_t>(i)];
    if (decider.must_stay(i)) {
      rest.in.push_back(column);
    } else if (!decider.must_leave(i)) {
      rest.free.push_back(column);
      rest.delta.push_back(reduced.delta[i]);
    }
  }
  if (std::ssize(rest.free) == f) return false;
  const auto stayed = static_cast<std::ptrdiff_t>(rest.in.size() - sub.in.size());
  const auto first = sub.lower.begin() + stayed;
  rest.lower.assign(first, first + std::ssize(rest.free) + 1);
  sub = std::move(rest);
  return true;
}

std::vector<OneSidedBounds> one_sided_bounds(const Reduced& reduced, const Goal& goal,
                                             const Budget& budget, Subproblem sub) {
  const Index f = std::ssize(reduced.free);
  const Vector l = elimination_costs(reduced);
  raise(sub.lower, elimination_bounds(reduced, l));
  const Relaxation relaxation = relax(reduced, relaxation_goal(goal, sub), kFirstRounds, budget);
  raise(sub.lower, relaxation.lower());
  const Decider decider(reduced, l, sub, goal, &relaxation);
  std::vector<OneSidedBounds> bounds(static_cast<std::size_t>(f));
  for (Index i = 0; i < f; ++i) {
    OneSidedBounds& one = bounds[static_cast<std::size_t>(i)];
    for (Index t = 0; t <= f; ++t) {
      one.with.push_back(t > 0 ? decider.lower(i, true, t) : kInfinity);
      one.without.push_back(t < f ? decider.lower(i, false, t) : kInfinity);
    }
  }
  return bounds;
}

}  // namespace lass0
