// What the Lasso minimises beside the L1 norm, 1/2 b'Gb - c'b: for least squares from the moments,
// for another loss from its second-order model at a fit.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "moments/fetch.hpp"
#include "util/budget.hpp"

namespace lass0 {

class Quadratic {
 public:
  virtual ~Quadratic() = default;

  virtual const Vector& diagonal() const = 0;  // G_jj
  virtual const Vector& linear() const = 0;    // c
  // G_jj before the columns without a penalty were projected out: rounding is relative to it.
  virtual const Vector& squares() const = 0;
  virtual double target_square() const = 0;  // u'u: twice the size of what is minimised

  // G_Wj for the column j of W at this place: where it lies already, or else in `room`. Where
  // `cached` says no it should be fetched first, together with columns that are `likely` to be
  // asked for soon, the one of the highest `score` first.
  virtual const double* column(Columns W, Index place, Vector& room) const = 0;
  virtual bool cached(Index /*j*/) const { return true; }
  virtual void fetch(Index /*j*/, const std::vector<Index>& /*likely*/, const Vector& /*score*/,
                     const Budget& /*budget*/) const {}
};

class QuadraticOfMoments : public Quadratic {
 public:
  explicit QuadraticOfMoments(const Moments& moments) : moments_(moments) {}

  const Vector& diagonal() const override { return moments_.diagonal(); }
  const Vector& linear() const override { return moments_.xty(); }
  const Vector& squares() const override { return moments_.squares(); }
  double target_square() const override { return moments_.yty(); }
  const double* column(Columns W, Index place, Vector& room) const override {
    room.resize(std::ssize(W));
    moments_.gram_block(W, W.subspan(static_cast<std::size_t>(place), 1), MutMat(room));
    return room.data();
  }
  bool cached(Index j) const override { return moments_.cached(j); }
  void fetch(Index j, const std::vector<Index>& likely, const Vector& score,
             const Budget& budget) const override {
    fetch_with_likely(
        moments_, j, likely, [&](Index i) { return score[i]; }, budget);
  }

 private:
  const Moments& moments_;
};

}  // namespace lass0
