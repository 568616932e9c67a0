#include "design/side_by_side.hpp"

#include <lass0/error.hpp>

namespace lass0 {

SideBySide::SideBySide(std::shared_ptr<const Design> left, std::shared_ptr<const Design> right)
    : left_(std::move(left)), right_(std::move(right)) {
  if (left_->rows() != right_->rows())
    throw Error("designs side by side need the same rows: " + std::to_string(left_->rows()) +
                " and " + std::to_string(right_->rows()));
}

// Calls use(design, its first column, number of columns, how many of those asked for come before).
template <class Use>
void SideBySide::split(Index first, Index count, const Use& use) const {
  const Index of_left = std::clamp<Index>(left_->cols() - first, 0, count);
  if (of_left > 0) use(*left_, first, of_left, Index{0});
  if (of_left < count) use(*right_, first + of_left - left_->cols(), count - of_left, of_left);
}

void SideBySide::products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                          const ConstRowMat& V, MutMat out) const {
  split(first, count, [&](const Design& part, Index from, Index some, Index before) {
    part.products(from, some, centre.segment(before, some), groups, V,
                  out.middleRows(before, some));
  });
}

void SideBySide::squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                         const ConstVec& weights, MutMat out) const {
  split(first, count, [&](const Design& part, Index from, Index some, Index before) {
    part.squares(from, some, centre.segment(before, some), groups, weights,
                 out.middleRows(before, some));
  });
}

void SideBySide::add_column(Index j, double a, MutVec out) const {
  split(j, 1, [&](const Design& part, Index own, Index, Index) { part.add_column(own, a, out); });
}

double SideBySide::value(Index i, Index j) const {
  return j < left_->cols() ? left_->value(i, j) : right_->value(i, j - left_->cols());
}

bool SideBySide::gather(std::span<const Index> rows, MutMat out) const {
  const Index left = left_->cols();
  return left_->gather(rows, out.leftCols(left)) &&
         right_->gather(rows, out.rightCols(right_->cols()));
}

}  // namespace lass0
