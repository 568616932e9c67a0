// What a table is built with: all it needs of a support, and what finds its best swap.
#pragma once

#include <vector>

#include "search/state/support_state.hpp"
#include "search/state/swap_scan.hpp"
#include "search/tableau/tableau.hpp"
#include "search/tableau/trial.hpp"

namespace lass0 {

// Where the search stands, and what finds its best swap: p x p numbers where columns are few, or
// else what they are in the Gram matrix of the support.
struct ManyColumns {
  using State = SupportState;
  using Scan = SwapScan;
  static State at(const Moments& moments, std::vector<Index> support, const Budget& budget) {
    return SupportState(moments, std::move(support), SupportState::Detail::gains, budget,
                        SupportState::Rebuild::on_demand);
  }
  // Every trial in a state of its own.
  struct Trials {
    explicit Trials(const Moments&) {}
  };
};

struct FewColumns {
  using State = Tableau;
  using Scan = TableauScan;
  static State at(const Moments& moments, std::vector<Index> support, const Budget& budget) {
    return Tableau(moments, std::move(support), budget);
  }
  using Trials = Trial;
};

}  // namespace lass0
