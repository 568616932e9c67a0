// The likelihood: what fits, held-out errors and criteria must know of it. Nothing here knows X:
// all is a function of the response and of the linear predictor eta = offset + beta0 + x'beta, one
// value per row, and what is minimised is
//
//   F = sum_i w_i l(y_i, eta_i) + penalties,   l the negative log-likelihood.
//
// To add a loss, derive from Loss in a file of its own (from RowLoss, row_loss.hpp, where every row
// has a term of its own), name it at the end of this file and in families.cpp, and list it in
// tests/loss/.
//
// Least squares rarely asks: sums of products (moments.hpp) hold all that squares need, so its
// solvers, refits and most held-out errors never look at rows, and pay nothing for this interface.
#pragma once

#include <lass0/family.hpp>
#include <lass0/types.hpp>
#include <memory>
#include <span>
#include <string_view>

namespace lass0 {

// What is to be explained. A view: the caller keeps everything alive. (A survival time will have
// its event beside it.)
struct Response {
  std::span<const double> y;
  std::span<const double> weights =
      {};                               // of the cases; empty: all 1. Rows of weight 0 do not count
  std::span<const double> offset = {};  // one per row; empty: 0. eta has it already: it is here for
                                        // the model with no column, which has it too

  double weight(Index i) const {
    return weights.empty() ? 1 : weights[static_cast<std::size_t>(i)];
  }
  double offset_of(Index i) const {
    return offset.empty() ? 0 : offset[static_cast<std::size_t>(i)];
  }
  // Rows begin .. begin + count - 1 of these.
  Response rows(Index begin, Index count) const {
    const auto of = [&](std::span<const double> all) {
      return all.empty()
                 ? all
                 : all.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    };
    return {.y = of(y), .weights = of(weights), .offset = of(offset)};
  }
};

// M, the second derivatives of sum_i w_i l(y_i, eta_i) by eta, positive semidefinite: an operator,
// since Cox's is not diagonal.
class Curvature {
 public:
  virtual ~Curvature() = default;
  virtual Vector times(const ConstVec& v) const = 0;  // M v, O(n)
  // Where M is diagonal, the diagonal: weighted sums of products then do for M. Null otherwise.
  virtual const Vector* diagonal() const { return nullptr; }
};

class Loss {
 public:
  virtual ~Loss() = default;
  virtual std::string_view name() const = 0;

  // l depends on y - eta alone. Then it may be evaluated at (y - eta, 0) instead of (y, eta), where
  // the difference was built up from y and has more digits.
  virtual bool of_difference() const { return false; }

  // Throws Error, naming the row, where y has a value that this loss cannot have.
  virtual void check(const Response& response) const = 0;

  // w_i l(y_i, eta_i) of every row, up to what depends on y alone, and their sum.
  virtual Vector values(const Response& response, const ConstVec& eta) const = 0;
  virtual double value(const Response& response, const ConstVec& eta) const = 0;
  virtual Vector residual(const Response& response, const ConstVec& eta) const = 0;  // -dF/d eta
  virtual std::unique_ptr<Curvature> curvature(const Response& response,
                                               const ConstVec& eta) const = 0;
  // Where the curvature is diagonal: the value, the residual and the curvature by one look at the
  // rows. What solvers spend their time with.
  virtual double evaluate(const Response& response, const ConstVec& eta, MutVec residuals,
                          MutVec curvatures) const {
    residuals = residual(response, eta);
    curvatures = *curvature(response, eta)->diagonal();
    return value(response, eta);
  }

  // The lowest value of sum_i w_i l(y_i, eta_i) + u'eta over all eta (minus the convex conjugate at
  // -u), -infinity where there is none. So for every u and eta
  //
  //   sum_i w_i l(y_i, eta_i) >= dual(u) - u'eta,
  //
  // with equality where u is the residual at eta: what lower bounds and duality gaps are made of.
  virtual double dual(const Response& response, const ConstVec& u) const = 0;

  // The error of predictions. w_i times twice what l is above its lowest at any eta, of every row,
  // and the sum: for the squared loss w_i (y_i - eta_i)^2.
  virtual Vector deviances(const Response& response, const ConstVec& eta) const = 0;
  virtual double deviance(const Response& response, const ConstVec& eta) const = 0;

  // l(y, eta + t change) does not rise as t grows, however far. Where that holds of all rows, along
  // a direction that changes some eta, there is no finite fit: the classes are separated.
  virtual bool never_rises(double /*y*/, double change) const { return change == 0; }

  virtual double mean(double eta) const = 0;  // of y: what is predicted (the inverse link)

  // The model with no column at all: the best intercept, beside the offset.
  virtual double null_intercept(const Response& response) const = 0;

  // What criteria are made of: -2 log-likelihood of a model with this deviance on rows of this
  // weight in all, up to what all models of these rows have in common.
  virtual double minus_twice_log_likelihood(double deviance, double weight) const = 0;
};

const Loss& gaussian();
const Loss& binomial();

const Loss& loss_of(Family family);

}  // namespace lass0
