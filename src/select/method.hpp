// A way to choose columns: what it tunes, and its models on any training set. FoldEngine
// cross-validates any of them; `cv` runs it with Lass0, `compare` with every method in turn.
#pragma once

#include <lass0/model.hpp>
#include <lass0/tuning.hpp>
#include <limits>
#include <optional>

#include "model/solver.hpp"
#include "select/lambda_grid.hpp"
#include "util/budget.hpp"

namespace lass0 {

struct Candidate {
  std::vector<Index> support;  // the columns chosen, ascending; included ones are not among them
  // Coefficients, where they are not those of the fit (with the ridge of the tuning value) on these
  // columns, which are then independent: of least squares in the internal units of the moments, of
  // other families as a model in the user's units.
  std::optional<Vector> b = {};
  std::optional<Iterate> model = {};

  bool is_fit() const { return !b && !model; }
};

// What a method finds on some rows: every model that may be its answer, and which of them is the
// answer at a tuning value.
struct Models {
  enum class By {
    place,   // one model per tuning value, in the same order
    size,    // candidates[k] has at most k columns; the last one is the answer of larger sizes too
    lambda,  // the one with the lowest 1/2 loss + lambda * size, the first of two
  };
  By by = By::place;
  std::vector<Candidate> candidates = {};
  std::vector<Index> sizes = {};           // columns of each candidate
  std::vector<double> losses = {};         // By::lambda: of each candidate
  LambdaRange range = {};                  // By::lambda: where they are the answers
  bool no_larger = false;                  // By::size: no other tuning value has a larger model
  bool short_list = false;                 // only some of the columns were looked at
  std::optional<SupportTable> table = {};  // that they come from, if any

  void add(Candidate candidate);
  // Which candidate; `place` is that of the tuning value among those of the same ridge.
  std::size_t at(const Tuning& tuning, std::size_t place) const;
  // Two fits on the same columns, as neighbours on a curve often are.
  bool same(std::size_t one, std::size_t other) const;
};

struct Grid {
  std::vector<Tuning> values = {};         // for each relaxation from the sparsest to the densest
  std::optional<SupportTable> table = {};  // that they come from, if any
};

// All functions but the first are about one ridge, which is that of the solver they are given.
class Method {
 public:
  virtual ~Method() = default;

  // By default that of the problem alone.
  virtual std::vector<double> ridges(const Solver& all) const;

  // The tuning values to try, found on all rows. By default none: then fit() finds the models of
  // all values at once, and values() says which of them to try. Throws Stop.
  virtual Grid grid(const Solver& all, const Budget& budget) const;

  // The models on all rows, or on a part of them. Throws Stop.
  virtual Models fit(const Solver& rows, std::span<const Tuning> values,
                     const Budget& budget) const = 0;

  // From what fit() has found on all rows and on the training sets; about `most` values, where more
  // of them would only be a finer grid.
  virtual std::vector<Tuning> values(const Models& all, std::span<const Models* const> training,
                                     int most) const;
};

inline constexpr int kAllValues = std::numeric_limits<int>::max();

// The model of a candidate in the user's units, exactly fitted where it is a fit. `rows`: of the
// problem itself, at any ridge.
Iterate model_of(const Solver& rows, const Candidate& candidate, double ridge);

}  // namespace lass0
