// Products by panels: columns are packed a few rows at a time, centred and as doubles, with the
// rows sorted by group, and the sums are left to gemm or, for the shapes that searches ask for
// most, to kernels of our own. What a storage has to know is how to pack.
#pragma once

#include <algorithm>
#include <lass0/design.hpp>
#include <vector>

#include "util/blas.hpp"
#include "util/eight.hpp"

namespace lass0 {

// In which order the values of a panel lie: one column after the other, or one row after the other,
// whichever the storage can write faster. Rows of a file are read in longer pieces, and fewer of
// them, so that a column of the panel stays in the first-level cache. A panel stays in the second.
enum class PanelOrder { columns, rows };

// A packed panel: value r of column j is data[r * row_step + j * column_step].
struct Panel {
  Panel(double* values, PanelOrder order_of_values, Index columns, Index rows)
      : data(values),
        order(order_of_values),
        width(columns),
        depth(rows),
        row_step(order == PanelOrder::rows ? step_of_rows(columns) : 1),
        column_step(order == PanelOrder::rows ? 1 : rows) {}

  static Index most_columns(PanelOrder order) { return order == PanelOrder::rows ? 256 : 64; }
  static Index most_rows(PanelOrder order) { return order == PanelOrder::rows ? 256 : 1024; }
  static std::vector<double> room(PanelOrder order, Index columns) {
    const Index width = std::min(columns, most_columns(order));
    return std::vector<double>(static_cast<std::size_t>(
        most_rows(order) * (order == PanelOrder::rows ? step_of_rows(width) : width)));
  }

  double* data;
  PanelOrder order;
  Index width, depth, row_step, column_step;

 private:
  // An odd number of cache lines: the values of a column would otherwise share few places in the
  // cache.
  static Index step_of_rows(Index columns) {
    return kEight * ((columns + kEight - 1) / kEight | 1);
  }
};

// out(j) += sum over r of panel(r, j) * v[r], and out(j, l) += sum over r of panel(r, j) * V[r][l]
// for the eight columns of a row-major V.
void add_products_of_one(const Panel& panel, const double* v, double* out);
void add_products_of_eight(const Panel& panel, const double* V, MutMat out);
// out(j) += sum over r of weights[r] * panel(r, j)^2
void add_squares(const Panel& panel, const double* weights, double* out);

inline void add_products(const Panel& panel, const double* V, Index m, Index V_stride, MutMat out) {
  if (m == 1 && V_stride == 1) {
    add_products_of_one(panel, V, out.data());
  } else if (m == kEight && V_stride == kEight) {
    add_products_of_eight(panel, V, out);
  } else if (panel.order == PanelOrder::columns) {
    blas::add_transposed_product(panel.width, m, panel.depth, panel.data, panel.depth, V, V_stride,
                                 out.data(), out.outerStride());
  } else {
    blas::add_product_transposed(panel.width, m, panel.depth, 1.0, panel.data, panel.row_step, V,
                                 V_stride, out.data(), out.outerStride());
  }
}

// Design::products. pack(j, row, order, panel) fills a panel with the columns j, j + 1, ... (of
// those asked for), centred: of the rows order[0], order[1], ..., or of row, row + 1, ... where
// `order` is null.
template <class Pack>
void panel_products(Index rows, Index count, const RowGroups& groups, const ConstRowMat& V,
                    MutMat out, PanelOrder panel_order, const Pack& pack) {
  const Index m = V.cols();
  out.setZero();
  const Index most_columns = Panel::most_columns(panel_order);
  const Index most_rows = Panel::most_rows(panel_order);
  std::vector<double> values = Panel::room(panel_order, count);
  const bool sorted = groups.count > 1;
  RowMatrix sorted_v(sorted ? most_rows : 0, sorted ? m : 0);
  for (Index g = 0; g < groups.count; ++g) {
    const Index begin = sorted ? groups.start[static_cast<std::size_t>(g)] : 0;
    const Index end = sorted ? groups.start[static_cast<std::size_t>(g) + 1] : rows;
    for (Index chunk = begin; chunk < end; chunk += most_rows) {
      const Index depth = std::min(most_rows, end - chunk);
      const Index* order = sorted ? groups.order.data() + chunk : nullptr;
      if (sorted) {
        for (Index r = 0; r < depth; ++r) sorted_v.row(r) = V.row(order[r]);
      }
      const double* v = sorted ? sorted_v.data() : V.data() + chunk * V.outerStride();
      const Index v_stride = sorted ? m : V.outerStride();
      for (Index j = 0; j < count; j += most_columns) {
        const Panel panel(values.data(), panel_order, std::min(most_columns, count - j), depth);
        pack(j, chunk, order, panel);
        add_products(panel, v, m, v_stride, out.block(j, g * m, panel.width, m));
      }
    }
  }
}

// Design::squares, likewise.
template <class Pack>
void panel_squares(Index rows, Index count, const RowGroups& groups, const ConstVec& weights,
                   MutMat out, PanelOrder panel_order, const Pack& pack) {
  out.setZero();
  const Index most_columns = Panel::most_columns(panel_order);
  const Index most_rows = Panel::most_rows(panel_order);
  std::vector<double> values = Panel::room(panel_order, count);
  for (Index chunk = 0; chunk < rows; chunk += most_rows) {
    const Index depth = std::min(most_rows, rows - chunk);
    for (Index from = 0; from < count; from += most_columns) {
      const Panel panel(values.data(), panel_order, std::min(most_columns, count - from), depth);
      pack(from, chunk, nullptr, panel);
      if (groups.count == 1) {
        add_squares(panel, weights.data() + chunk, &out(from, 0));
        continue;
      }
      for (Index j = 0; j < panel.width; ++j) {
        const double* deviation = panel.data + j * panel.column_step;
        for (Index r = 0; r < depth; ++r) {
          const double d = deviation[r * panel.row_step];
          out(from + j, groups.of_row[static_cast<std::size_t>(chunk + r)]) +=
              weights[chunk + r] * d * d;
        }
      }
    }
  }
}

}  // namespace lass0
