// What every add, remove and swap at a fit would do to the loss, to second order. With Z the
// intercept, the included columns and the support, M the curvature and u the residual at the fit:
//
//   H = inv(Z'MZ),  r_j = z_j'u,  B_j = H Z'M z_j,  s_j = z_j'M z_j - (Z'M z_j)'B_j
//
// (with the ridge on the diagonals), and the gains are those of least squares
// (search/state/support_state.hpp). They are where to look, never what to believe: every move is
// judged by its exact fit.
#pragma once

#include <vector>

#include "glm/newton.hpp"
#include "glm/panel_curvature.hpp"
#include "glm/shared_curvature.hpp"
#include "search/state/step.hpp"

namespace lass0 {

class MoveScores {
 public:
  // Of all columns of the panel, or of all columns there are (a pass over X).
  enum class Among { panel, all };
  MoveScores(const Panel& panel, const GlmFit& fit, Among among);
  // Of all columns of the panel, with second derivatives and products z_j'u that are known: no look
  // at the rows.
  MoveScores(const Panel& panel, const GlmFit& fit, const PanelCurvature& nearby, Vector products);
  // At fit s of those nearby: of the columns of the panel, or of all outside it.
  MoveScores(const Panel& panel, const GlmFit& fit, const SharedCurvature& nearby, std::size_t s);

  // False: the columns of the fit are dependent, and there are no scores and no steps.
  bool valid() const { return valid_; }

  // The best ones by their gain, best first; ties by column.
  std::vector<Step> adds(Index count) const;
  std::vector<Step> removes(Index count) const;
  std::vector<Step> swaps(Index count) const { return swaps(count, fit_.support); }
  std::vector<Step> swaps(Index count, Columns members) const;  // of these members alone

  // What removing the member of a swap would raise the loss by.
  double worth_of(const Step& step) const { return worth(position(step.remove)); }

  // Where the exact fit after a step should start.
  GlmStart start(const Step& step) const;

 private:
  void use_rows(Among among);
  // ZMZ_, P_, r_ and squares_ are there, without the ridge.
  void score();
  Index dimension() const { return first_ + fit_.b.size(); }
  bool candidate(Index place) const;
  Index position(Index column) const;  // of a member among the coefficients
  double worth(Index position) const;

  const Panel& panel_;
  const bool of_panel_;
  const bool outside_ = false;  // columns of the panel are no candidates
  const GlmFit& fit_;
  const Index first_;           // 1 with an intercept
  std::vector<Index> columns_;  // whose scores these are
  bool valid_ = true;
  Vector b_;        // with the intercept
  Matrix ZMZ_, H_;  // d x d
  Matrix P_, B_;    // columns x d: Z_j'MZ, and with H
  Vector r_, s_, squares_;
};

}  // namespace lass0
