// The columns of one design, and after them those of another with the same rows.
#pragma once

#include <lass0/design.hpp>
#include <memory>

namespace lass0 {

class SideBySide final : public Design {
 public:
  // Throws Error where the rows differ in number.
  SideBySide(std::shared_ptr<const Design> left, std::shared_ptr<const Design> right);

  Index rows() const override { return left_->rows(); }
  Index cols() const override { return left_->cols() + right_->cols(); }
  Index values_per_column() const override { return left_->values_per_column(); }
  Index columns_together() const override { return left_->columns_together(); }
  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override;
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override;
  void add_column(Index j, double a, MutVec out) const override;
  double value(Index i, Index j) const override;
  bool gather(std::span<const Index> rows, MutMat out) const override;

 private:
  template <class Use>
  void split(Index first, Index count, const Use& use) const;

  std::shared_ptr<const Design> left_, right_;
};

}  // namespace lass0
