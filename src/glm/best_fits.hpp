// The rows of a table while it is searched: the best exact fit of every size so far, and which
// supports were tried.
#pragma once

#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "glm/fit_together.hpp"
#include "util/tolerances.hpp"

namespace lass0 {

class BestFits {
 public:
  // Fits the row without columns. `settled`: as for Newton.
  BestFits(Panel& panel, Index max_k, double settled, const Budget& budget);

  GlmFit& operator[](Index k) { return fits_[static_cast<std::size_t>(k)]; }
  const GlmFit& operator[](Index k) const { return fits_[static_cast<std::size_t>(k)]; }
  Index last() const { return last_; }  // the largest size that can be filled
  void end_at(Index k) { last_ = k; }
  bool reached(Index k) const;
  double slack(double loss) const { return lass0::slack(loss, total_); }

  // Nothing but separated supports, or better ones of them than any other; and the best of those.
  bool separated(Index k) const;
  const std::vector<Index>& separated_by(Index k) const {
    return separated_by_[static_cast<std::size_t>(k)];
  }

  // Adds a support to `wanted` that was not fitted before, from start().
  template <class Start>
  void want(std::vector<WantedFit>& wanted, std::vector<Index> support, const Start& start) {
    if (!tried_.insert(support).second) return;
    const double limit = (*this)[std::ssize(support)].loss;
    wanted.push_back({std::move(support), start(), limit});
  }
  // The same, and one that was given up because another was better: that was judged by its way
  // there.
  template <class Start>
  void want_to_the_end(std::vector<WantedFit>& wanted, std::vector<Index> support,
                       const Start& start) {
    if (tried_.insert(support).second || beaten_.erase(support) > 0)
      wanted.push_back({std::move(support), start()});
  }
  // True: some row got better.
  bool fit(std::vector<WantedFit> wanted, FitsToKeep keep = FitsToKeep::best_of_each_size);

  // The sizes that got better since this was last asked.
  std::set<Index> take_unsettled() { return std::exchange(unsettled_, {}); }
  bool settled() const { return unsettled_.empty(); }
  std::set<Index> take_changed() { return std::exchange(changed_, {}); }
  bool changed() const { return !changed_.empty(); }

 private:
  bool offer(GlmFit fit);

  Panel& panel_;
  const double settled_;
  const Budget& budget_;
  Index last_;
  double total_ = 0;
  std::vector<GlmFit> fits_;
  std::vector<double> separated_;  // the lowest loss seen of a separated support of each size
  std::vector<std::vector<Index>> separated_by_;
  std::set<std::vector<Index>> tried_, beaten_;
  std::set<Index> unsettled_, changed_;  // the same sizes, for two who ask
};

}  // namespace lass0
