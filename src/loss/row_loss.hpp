// Losses in which every row has a term of its own, l(y, eta): all of Loss that is a loop over rows,
// from five functions of one row. `Row` has, each with the weight first, so that it can keep the
// products in range:
//
//   static double value(double w, double y, double eta);       w l
//   static double residual(double w, double y, double eta);    -w l'
//   static double curvature(double w, double y, double eta);   w l''
//   static double deviance(double w, double y, double eta);    2 w (l - the lowest l at any eta)
//   static double dual(double w, double y, double u);          the lowest w l + u eta at any eta
#pragma once

#include <limits>

#include "loss/loss.hpp"

namespace lass0 {

class DiagonalCurvature final : public Curvature {
 public:
  explicit DiagonalCurvature(Vector diagonal) : diagonal_(std::move(diagonal)) {}
  Vector times(const ConstVec& v) const override { return diagonal_.cwiseProduct(v); }
  const Vector* diagonal() const override { return &diagonal_; }

 private:
  Vector diagonal_;
};

template <class Row>
class RowLoss : public Loss {
 public:
  Vector values(const Response& response, const ConstVec& eta) const override {
    return each(response, eta, Row::value);
  }
  double value(const Response& response, const ConstVec& eta) const override {
    return values(response, eta).sum();
  }
  Vector residual(const Response& response, const ConstVec& eta) const override {
    return each(response, eta, Row::residual);
  }
  std::unique_ptr<Curvature> curvature(const Response& response,
                                       const ConstVec& eta) const override {
    return std::make_unique<DiagonalCurvature>(each(response, eta, Row::curvature));
  }
  double dual(const Response& response, const ConstVec& u) const override {
    double sum = 0;
    for (Index i = 0; i < u.size(); ++i) {
      const double w = response.weight(i);
      if (w > 0)
        sum += Row::dual(w, response.y[static_cast<std::size_t>(i)], u[i]);
      else if (u[i] != 0)
        return -std::numeric_limits<double>::infinity();
    }
    return sum;
  }
  Vector deviances(const Response& response, const ConstVec& eta) const override {
    return each(response, eta, Row::deviance);
  }
  double deviance(const Response& response, const ConstVec& eta) const override {
    return deviances(response, eta).sum();
  }

 private:
  template <class Term>
  static Vector each(const Response& response, const ConstVec& eta, const Term& term) {
    Vector terms(eta.size());
    for (Index i = 0; i < eta.size(); ++i) {
      const double w = response.weight(i);
      // A row that does not count may have any value.
      terms[i] = w == 0 ? 0 : term(w, response.y[static_cast<std::size_t>(i)], eta[i]);
    }
    return terms;
  }
};

}  // namespace lass0
