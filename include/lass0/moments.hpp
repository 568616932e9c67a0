// All that the solvers see of the data. For the squared loss the Lasso path, Algorithm 1 and every
// score need only the Gram matrix G = X'X, c = X'y, y'y and the means. Columns of G are computed a
// few at a time, when they are first needed, and cached.
//
// Internal units. Columns and target are centred (with an intercept) and scaled to unit norm over
// all rows,
//   z_j = (x_j - m_j) / d_j,   u = (y - m_y) / e,   G = Z'WZ,   c = Z'Wu,
// by arithmetic on sums, never by copying X. So G_jj = 1 (0 for a constant column) and u'u = 1 in
// any units, and columns with scales of 1e-150 and 1e150 can be combined. A coefficient b_j of z_j
// is b_j * e / d_j for x_j.
//
// A ridge (Problem::ridge) is added to the diagonal of G, which is equivalent to one more row for
// every column that varies, with target 0. Then u'u - c'b is the loss, RSS and ridge together, and
// solvers need not know about the ridge.
//
// Included columns I (Problem::include) are projected out of all other columns and of the target,
// like the intercept: with G_II = L L' and U = G_.I inv(L'), G, c and u'u become G - U U', c - U z
// and u'u - z'z, z = inv(L) c_I. A fit on these is the fit on S and I together (Frisch-Waugh-Lovell
// theorem), so solvers need not know about I. Columns that I explains entirely, and those of I
// itself, have G_jj = 0 and c_j = 0 and can't be chosen.
//
// If folds are given, moments are kept per fold. `without_fold(f)` is the training set of fold f:
// the sums of the other folds, centred with the means of that training set. `without_folds(F)`
// holds out several folds, so that many small folds give the moments of any union of them (random
// halves, for example) without another look at the rows. All training sets share one cache of Gram
// columns; one pass over X fills it for all folds.
#pragma once

#include <lass0/control.hpp>
#include <lass0/problem.hpp>
#include <memory>
#include <vector>

namespace lass0 {

// Computing this many Gram columns together costs about as much as one.
inline constexpr Index kGramBatch = 8;

// How the Gram columns were computed.
struct GramUse {
  enum class Plan {
    full,        // few columns: the whole Gram matrix at once; no later step reads the rows
    cached,      // columns that are needed, a few at a time, each once
    recomputed,  // the same, but some were evicted for lack of memory, and recomputed
    sparse,      // entries that are needed, from the non-zeros of a sparse X; none is cached
  };
  Plan plan = Plan::full;
  Index columns = 0;  // cached Gram columns over all rows
  double bytes = 0;   // the most that was cached at a time, including training sets
  Index passes = 0;   // over X

  void add(const GramUse& other);  // that of other moments of the same run
};

std::string description(const GramUse& use);  // one line for the user

struct MomentsOptions {
  std::span<const int> folds = {};  // the fold (0 .. K-1) of each row; empty: no folds
  Control control = {};
};

class Moments {
 public:
  // Makes one pass over X, which for few columns also computes the whole Gram matrix. The problem's
  // data must outlive the moments. Throws Error if a value is not finite, and names it, or if the
  // control stops the run during the pass. (A pass of a few milliseconds is never stopped.)
  explicit Moments(const Problem& problem, const MomentsOptions& options = {});

  Moments without_fold(Index fold) const;
  // The rows of all folds but these: each at most once, in any order, not all of them. None: all
  // rows. Everything that holds of without_fold holds of it too: lost_digits() says where the sums
  // must be computed from the rows themselves, held_out_error() has the error on the rows of these
  // folds together.
  Moments without_folds(std::span<const Index> folds) const;
  Index folds() const;
  // The same rows with another ridge; shares the cached Gram columns.
  Moments with_ridge(double ridge) const;

  const Problem& problem() const { return problem_; }
  const Control& control() const { return control_; }
  Index cols() const { return xty_.size(); }
  double weight() const;  // sum of the weights of these rows
  // Of a training set: the held-out rows contain nearly all of the sum of squares of some column or
  // of the target, so the sums over the other rows, which are differences, have lost digits.
  bool lost_digits() const;
  Index rows() const;                                          // those of positive weight
  const Vector& xty() const { return xty_; }                   // c
  double yty() const { return yty_; }                          // u'u
  const Vector& diagonal() const { return diagonal_; }         // G_jj; exactly 0 where not eligible
  bool constant(Index j) const { return squares_[j] == 0.0; }  // without variation
  bool eligible(Index j) const { return diagonal_[j] != 0.0; }  // a solver may choose it
  double ridge(Index j) const { return ridge_.size() > 0 ? ridge_[j] : 0.0; }  // its part of G_jj
  // G_jj and u'u before the included columns were projected out: tolerances are relative to them.
  const Vector& squares() const { return squares_; }
  double target_square() const { return target_square_; }
  // The included columns that are neither constant nor explained by the others of them, ascending.
  const std::vector<Index>& included() const;

  // Gram columns are computed when first needed, all missing ones of a call in one block, and
  // cached. Thread-safe.
  void prefetch(Columns columns) const;
  void gram_columns(Columns columns, MutMat out) const;                   // out = G_.J, p x |J|
  void gram_block(Columns rows, Columns columns, MutMat out) const;       // out = G_IJ
  void gram_times(Columns columns, const ConstMat& V, MutMat out) const;  // out = G_.J V
  // The Gram matrix of these columns only: gram_block of them then computes no whole column of G.
  // For a search among a few of many columns.
  void prefetch_block(Columns columns) const;
  // The products of all columns with the residual, c - G_.S b, of models with coefficients b_m on
  // supports S_m, one per column of out. One pass over X serves eight models; no Gram columns are
  // needed.
  struct Coefficients {
    std::vector<Index> support;
    Vector b;
  };
  void residual_correlations(std::span<const Coefficients> models, MutMat out) const;
  // The moments of these columns only, with their Gram matrix: column l of them is columns[l].
  // Included columns are projected out, and models on these moments do not contain them. They have
  // no folds.
  Moments among(Columns columns) const;
  Index cached_columns() const;
  GramUse gram_use() const;                  // so far, of all moments that share the cache
  bool cached(Index j) const;                // column j of G is cached
  bool cached_over_all_rows(Index j) const;  // a training set then needs no pass over X for it

  // Units of the user.
  double column_scale(Index j) const;      // d_j
  double target_scale() const;             // e
  double deviation(Index j) const;         // d_j / sqrt(weight): the standard deviation of column j
  double coefficient_unit(Index j) const;  // b_j of z_j -> of x_j
  // sum_j l1_weights(j) * |b_j| * e is the L1 norm that the Lasso penalises: that of the
  // coefficients of standardised columns, or of the user's columns if the problem is not
  // standardised.
  const Vector& l1_weights() const { return l1_weights_; }
  // The model with internal coefficients b on an ascending support, with its included columns and
  // intercept, in the user's units.
  Iterate model(Columns support, const ConstVec& b) const;
  double intercept(Columns support, const ConstVec& b) const;
  double mean(Index j) const;  // of column j over these rows, in the user's units

  // Of a training set made by without_fold or without_folds: the error of that model on the
  // held-out rows, from their sums, O(k^2).
  struct HeldOutError {
    double squares = 0;  // sum of w (u - prediction)^2 over the held-out rows, at least 0
    double magnitude =
        0;  // of the terms that cancel in it: rounding affects the last digits of this
  };
  HeldOutError held_out_error(Columns support, const ConstVec& b) const;
  double held_out_weight() const;  // the sum of their weights

 private:
  // All that is not looked up in inner loops: src/moments/parts.hpp, for the library itself.
  struct Parts;
  friend class MomentsMaker;
  Moments() = default;

  Problem problem_;
  Control control_;
  double yty_ = 0;
  double target_square_ = 0;
  Vector xty_, diagonal_, squares_, l1_weights_;
  Vector ridge_;  // what the ridge adds to G_jj; empty: none
  std::shared_ptr<const Parts> parts_;
};

}  // namespace lass0
