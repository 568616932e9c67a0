// The exact fit on a support: Newton's method with line search, from a start that is usually the
// solution of a second-order model and hence nearly there. A curvature that is known already, of
// the same columns at a fit nearby, is used until it does not do: a step then costs O(n k) instead
// of O(n k^2).
#pragma once

#include "glm/glm_rows.hpp"
#include "util/budget.hpp"

namespace lass0 {

struct GlmFit {
  std::vector<Index> support;  // the chosen columns, ascending; included ones are not among them
  double intercept = 0;        // of the standardised columns
  Vector b;                    // of the included columns, then of the support
  Vector eta;                  // one per row, with the offset; empty: not computed
  Matrix H;                    // the second derivatives at a point nearby, as in GlmStart
  double loss = 0;             // twice the negative log-likelihood, plus the ridge term
  enum class State {
    fitted,
    separated,  // there is no finite fit: some combination of the columns tells the classes apart
    dependent,  // the columns are dependent, or nearly
    beaten,     // not finished: another fit is better (fit_together.hpp)
  };
  State state = State::fitted;

  bool fitted() const { return state == State::fitted; }
};

// Where a fit starts.
struct GlmStart {
  double intercept = 0;
  Vector b;  // as in GlmFit
  // The second derivatives of F (of the intercept first, if there is one, with the ridge) at some
  // point nearby; its lower triangle is read. Empty: unknown.
  Matrix H = {};
};

// Of F, what a fit may leave to gain, about twice: far below what counts as an improvement
// (kStrictImprovement); and where fits are only compared with each other on held-out rows.
inline constexpr double kSettledFit = 2e-12, kNearlySettledFit = 1e-9;

// Where the most certain of the predictions is this large, what a separated row would still change
// of F is less than `settled` of it: a fit may look finished that has no end. With second
// derivatives of another point, where that row was not certain, this happens at half of it.
bool may_hide_separation(double largest, bool fresh, double settled, double value);

class Newton {
 public:
  explicit Newton(Panel& panel, double settled = kSettledFit) : panel_(panel), settled_(settled) {}

  // Columns that are not in the panel are added to it. No start: no effects.
  GlmFit fit(std::vector<Index> support, const GlmStart* start = nullptr) const;

  // What is known of a fit, in the user's units.
  Iterate model(const GlmFit& fit) const;
  // The coefficients of a model in these units: 0 for columns of the support that it lacks. Columns
  // that the support lacks are at their means.
  GlmStart start(const Iterate& near, const std::vector<Index>& support) const;

 private:
  Panel& panel_;
  double settled_;
};

}  // namespace lass0
