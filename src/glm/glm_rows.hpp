// The rows of a problem as Newton's method sees them, for any loss. Rows of weight 0 are dropped,
// so a training set of cross-validation is a problem with such weights. Columns are centred (with
// an intercept), and divided by their standard deviation where the problem is standardised:
//
//   z_j = (x_j - m_j) / s_j
//
// so that the ridge and the L1 norm are those of the coefficients b_j of z_j. Means and deviations
// are those of the least-squares moments of the same rows, which also say which columns vary and
// which included ones are independent.
#pragma once

#include <lass0/moments.hpp>
#include <memory>
#include <utility>

#include "loss/loss.hpp"

namespace lass0 {

class GlmRows {
 public:
  // `base`: moments of the same columns and weights with family gaussian. Both must outlive this.
  GlmRows(const Problem& problem, const Moments& base);

  const Problem& problem() const { return problem_; }
  const Loss& loss() const { return loss_; }
  const Moments& base() const { return base_; }
  Response response() const;                // of the rows that are here
  Index rows() const { return y_.size(); }  // those of positive weight
  Index cols() const { return base_.cols(); }
  double weight() const { return weights_.sum(); }
  const Vector& case_weights() const { return weights_; }
  const Vector& offset() const { return offset_; }

  const std::vector<Index>& included() const { return base_.included(); }
  bool eligible(Index j) const { return base_.eligible(j) && base_.deviation(j) > 0; }

  void columns(Columns list, MutMat Z) const;       // z_j of each
  double mean(Index j) const { return means_[j]; }  // m_j
  double unit(Index j) const { return units_[j]; }  // 1 / s_j, 0 for a constant column
  double ridge() const { return problem_.ridge; }
  double square(Index j) const {  // the sum of w_i z_ij^2, as far as it is known without a look
    const double size = units_[j] > 0 ? units_[j] * base_.column_scale(j) : 0;
    return (base_.squares()[j] - base_.ridge(j)) * size * size;
  }

  // Z'V for all columns, p x m, and the sums of v_i z_ij^2. One pass over X each.
  Matrix products(const RowMatrix& V) const;
  Vector squares(const Vector& v) const;

  // In the user's units: coefficients b of z_j for an ascending list of columns.
  Iterate model(double intercept, Columns columns, const ConstVec& b) const;

 private:
  template <class Body>
  void for_each_block_of_columns(const Body& body) const;
  RowMatrix over_all_rows(const RowMatrix& V) const;

  const Problem& problem_;
  const Loss& loss_;
  const Moments& base_;
  std::vector<Index> used_;  // rows of positive weight; empty: all
  bool weighted_ = false;    // by other numbers than 1
  Vector y_, weights_, offset_;
  Vector means_, units_;  // m_j, and 1 / s_j (0 for a constant column)
};

// Up to this many columns, all of them are in the panel: no list is made.
inline constexpr Index kAllInPanel = 256;

// The standardised columns that a search works with, in one matrix. Included columns come first.
class Panel {
 public:
  explicit Panel(const GlmRows& rows);
  // Of the same rows at another ridge, which does not change the columns: both share the matrix
  // until one of them adds to it.
  Panel(const GlmRows& rows, const Panel& at_other_ridge);

  const GlmRows& rows() const { return rows_; }
  // It began with the columns that a search at another ridge worked with.
  bool inherited() const { return inherited_; }
  void add(Columns columns);  // those that are not there yet
  Index size() const { return std::ssize(columns_); }
  const std::vector<Index>& columns() const { return columns_; }
  Index place(Index j) const { return place_[static_cast<std::size_t>(j)]; }  // -1: not there
  auto matrix() const { return std::as_const(*Z_).leftCols(size()); }
  const double* column(Index j) const { return Z_->col(place(j)).data(); }
  double largest(Index j) const { return largest_[static_cast<std::size_t>(place(j))]; }  // |z_ij|

 private:
  const GlmRows& rows_;
  std::vector<Index> columns_, place_;
  std::vector<double> largest_;
  bool inherited_ = false;
  std::shared_ptr<Matrix> Z_;
};

}  // namespace lass0
