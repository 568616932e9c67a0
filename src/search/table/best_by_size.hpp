// Of each size the best support that was seen: what a table may learn from later, or what a search
// may begin with.
#pragma once

#include <lass0/types.hpp>
#include <limits>
#include <vector>

namespace lass0 {

class BestBySize {
 public:
  struct Support {
    std::vector<Index> columns = {};  // empty: none was seen
    double loss = std::numeric_limits<double>::infinity();
  };

  void resize(std::size_t sizes) { best_.resize(sizes); }
  Index sizes() const { return std::ssize(best_); }
  const Support& at(Index k) const { return best_[static_cast<std::size_t>(k)]; }

  // The best of its size so far?
  bool promises(Index k, double loss) const { return loss < at(k).loss; }
  void keep(std::vector<Index> columns, double loss) {
    Support& best = best_[columns.size()];
    best = {std::move(columns), loss};
  }

  // Calls offer(columns, loss) for all of them, which are then forgotten. True: one was taken.
  template <class Offer>
  bool offer_all(const Offer& offer) {
    bool taken = false;
    for (Support& best : best_) {
      if (!best.columns.empty()) taken = offer(best.columns, best.loss) || taken;
      best = {};
    }
    return taken;
  }

 private:
  std::vector<Support> best_;  // by size
};

}  // namespace lass0
