// What Moments keep to themselves: for src/moments alone.
#pragma once

#include <lass0/moments.hpp>
#include <memory>
#include <vector>

#include "moments/access.hpp"
#include "moments/all_rows.hpp"
#include "moments/gram_source.hpp"

namespace lass0 {

// Weights are those of the user over weight_root()^2 (problem/weights.hpp), and so are all sums of
// them; d_j and e are over weight_root().
struct Moments::Parts {
  std::shared_ptr<GramPlan> plan;        // shared by all training sets
  std::shared_ptr<const GramView> view;  // of these rows
  std::shared_ptr<GramSource> gram;
  bool subset = false;  // of among(): the plan is that of all columns
  Index rows_used = 0;
  bool lost_digits = false;
  std::shared_ptr<const Vector> scale, centre;
  std::vector<Index> included;
  Matrix included_factor;   // L
  Vector explained_target;  // z

  const AllRows& rows() const { return plan->rows(); }
  Vector included_coefficients(Columns support, const ConstVec& b) const;
};

class MomentsMaker {
 public:
  static const Moments::Parts& parts(const Moments& moments) { return *moments.parts_; }

  // The rows of all folds but these (ascending). Throws Stop where a budget is given.
  static Moments view(const Problem& problem, const Control& control,
                      std::shared_ptr<GramPlan> plan, std::vector<Index> held_out,
                      const Budget* budget = nullptr);

 private:
  MomentsMaker(Moments& moments, Moments::Parts& parts) : moments_(moments), parts_(parts) {}
  GramView centre_sums(std::vector<Index> held_out);
  bool varies(Index j, const std::vector<Index>& held_out) const;
  void add_ridge();
  void take_out_included(const Budget* budget);
  void look_with(GramView view);

  Moments& moments_;
  Moments::Parts& parts_;
};

}  // namespace lass0
