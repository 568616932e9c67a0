// How much a support says for itself: the log-likelihood of normal noise of unknown variance, less
// log p for every column (about what the best of p columns that mean nothing brings). Rows that fit
// noise are far below the best one, however low their loss is.
#pragma once

#include <algorithm>
#include <cmath>
#include <lass0/moments.hpp>

namespace lass0 {

class Evidence {
 public:
  explicit Evidence(const Moments& moments)
      : half_n_(0.5 * static_cast<double>(moments.rows())),
        column_(
            std::log(static_cast<double>(std::max<Index>(2, moments.problem().design->cols())))) {}

  double column() const { return column_; }  // what a column costs
  // What the log-likelihood rises by.
  double rise(double from_loss, double to_loss) const {
    return half_n_ * std::log(from_loss / to_loss);
  }
  double of(double loss, Index k) const {
    return -half_n_ * std::log(loss) - column_ * static_cast<double>(k);
  }
  // Whether a support may matter beside the best one.
  bool near(double evidence, double best) const { return evidence >= best - kNear * column_; }

 private:
  static constexpr double kNear = 5;  // columns

  double half_n_, column_;
};

}  // namespace lass0
