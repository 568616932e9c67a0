// Products by panels: columns are packed a few rows at a time, centred and as doubles, with the
// rows sorted by group, and the sums are left to gemm. What a storage has to know is how to pack.
#pragma once

#include <algorithm>
#include <lass0/design.hpp>
#include <vector>

#include "util/blas.hpp"

namespace lass0 {

// A packed panel of kPanelColumns x kChunkRows doubles stays in the second-level cache.
inline constexpr Index kPanelColumns = 64;
inline constexpr Index kChunkRows = 1024;

// Design::products. pack(j, width, row, order, depth, panel) writes `depth` values of each of the
// columns j .. j + width - 1 (of those asked for), centred, one column after the other: of the rows
// order[0] .. order[depth - 1], or of row .. row + depth - 1 where order is null.
template <class Pack>
void panel_products(Index rows, Index count, const RowGroups& groups, const ConstRowMat& V,
                    MutMat out, const Pack& pack) {
  const Index m = V.cols();
  out.setZero();
  std::vector<double> panel(static_cast<std::size_t>(kChunkRows * std::min(kPanelColumns, count)));
  const bool sorted = groups.count > 1;
  RowMatrix sorted_v(sorted ? kChunkRows : 0, sorted ? m : 0);
  for (Index g = 0; g < groups.count; ++g) {
    const Index begin = sorted ? groups.start[static_cast<std::size_t>(g)] : 0;
    const Index end = sorted ? groups.start[static_cast<std::size_t>(g) + 1] : rows;
    for (Index chunk = begin; chunk < end; chunk += kChunkRows) {
      const Index depth = std::min(kChunkRows, end - chunk);
      const Index* order = sorted ? groups.order.data() + chunk : nullptr;
      if (sorted) {
        for (Index r = 0; r < depth; ++r) sorted_v.row(r) = V.row(order[r]);
      }
      const double* v = sorted ? sorted_v.data() : V.data() + chunk * V.outerStride();
      const Index v_stride = sorted ? m : V.outerStride();
      for (Index j = 0; j < count; j += kPanelColumns) {
        const Index width = std::min(kPanelColumns, count - j);
        pack(j, width, chunk, order, depth, panel.data());
        blas::add_transposed_product(width, m, depth, panel.data(), depth, v, v_stride,
                                     &out(j, g * m), out.outerStride());
      }
    }
  }
}

}  // namespace lass0
