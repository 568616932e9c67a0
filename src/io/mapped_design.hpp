// X where it is in a file, which other programs may change meanwhile.
#pragma once

#include <lass0/design.hpp>
#include <memory>
#include <string>

#include "io/bytes.hpp"

namespace lass0::io {

// A view of the bytes of a file, and the file. Every operation that solvers rely on asks afterwards
// whether the file is still what it was, and throws Error where it is not.
class MappedDesign final : public Design {
 public:
  MappedDesign(std::shared_ptr<const Bytes> file, std::string source,
               std::shared_ptr<const Design> view)
      : file_(std::move(file)), source_(std::move(source)), view_(std::move(view)) {
    file_->expect_many_reads();
  }

  Index rows() const override { return view_->rows(); }
  Index cols() const override { return view_->cols(); }
  Index values_per_column() const override { return view_->values_per_column(); }
  Index columns_together() const override { return view_->columns_together(); }
  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override {
    view_->products(first, count, centre, groups, V, out);
    file_->check(source_);
  }
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override {
    view_->squares(first, count, centre, groups, weights, out);
    file_->check(source_);
  }
  void add_column(Index j, double a, MutVec out) const override {
    view_->add_column(j, a, out);
    file_->check(source_);
  }
  bool gather(std::span<const Index> rows, MutMat out) const override {
    const bool done = view_->gather(rows, out);
    file_->check(source_);
    return done;
  }
  // One value is a provisional centre, and products follow: they check.
  double value(Index i, Index j) const override { return view_->value(i, j); }

 private:
  std::shared_ptr<const Bytes> file_;
  std::string source_;
  std::shared_ptr<const Design> view_;
};

}  // namespace lass0::io
