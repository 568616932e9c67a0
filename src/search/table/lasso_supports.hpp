// Supports for a table to begin with: each distinct one on the Lasso path, and what backward
// elimination makes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <lass0/moments.hpp>
#include <unordered_set>
#include <vector>

#include "search/table/elimination.hpp"
#include "util/budget.hpp"

namespace lass0 {

// Of the columns, in whatever order.
std::uint64_t set_hash(Columns columns);

class LassoSupports {
 public:
  LassoSupports(const Moments& moments, const Budget& budget)
      : moments_(moments), budget_(budget) {}

  // Follows the path until it has more than `longest` columns. Calls visit(support, loss, sure), as
  // eliminate() does, for those of up to max_k columns that no earlier call has visited.
  void visit(Index longest, Index max_k,
             const std::function<void(const std::vector<Index>&, double, bool)>& visit);

 private:
  const Moments& moments_;
  const Budget& budget_;
  // What is left of two supports is often the same, and then stays the same.
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace lass0
