// Supports that trials came by, the best of each size: rows of the table may learn from them once
// nothing else is left to try, so that they never lead away from what the trials themselves find.
#pragma once

#include <lass0/types.hpp>
#include <limits>
#include <vector>

namespace lass0 {

class Aside {
 public:
  void resize(std::size_t sizes) { best_.resize(sizes); }

  // The best of its size so far?
  bool promises(Index k, double loss) const {
    return loss < best_[static_cast<std::size_t>(k)].loss;
  }
  void keep(std::vector<Index> support, double loss) {
    Best& best = best_[support.size()];
    best = {std::move(support), loss};
  }

  // Calls offer(support, loss) for all of them, which are then forgotten. True: one was taken.
  template <class Offer>
  bool offer_all(const Offer& offer) {
    bool taken = false;
    for (Best& best : best_) {
      if (!best.support.empty()) taken = offer(best.support, best.loss) || taken;
      best = {};
    }
    return taken;
  }

 private:
  struct Best {
    std::vector<Index> support = {};
    double loss = std::numeric_limits<double>::infinity();
  };
  std::vector<Best> best_;  // by size
};

}  // namespace lass0
