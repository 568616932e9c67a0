#include <cstring>
#include <lass0/design.hpp>
#include <lass0/error.hpp>

#include "design/panels.hpp"

namespace lass0 {
namespace {

// Rows of a row-major matrix are read this many at a time: their cache lines are then still there
// for the next column.
constexpr Index kTileRows = 16;

std::size_t bytes(NumberType type) {
  switch (type) {
    case NumberType::float64:
    case NumberType::int64:
    case NumberType::uint64:
      return 8;
    case NumberType::float32:
    case NumberType::int32:
    case NumberType::uint32:
      return 4;
    case NumberType::int16:
    case NumberType::uint16:
      return 2;
    case NumberType::int8:
    case NumberType::uint8:
      break;
  }
  return 1;
}

bool contiguous(const ColumnView& column) {
  return column.step == static_cast<std::ptrdiff_t>(bytes(column.type));
}

// Calls use(read) with read(i) the value of row i, for the type that the column has.
template <class Use>
void with_reader(const ColumnView& column, const Use& use) {
  const auto* data = static_cast<const char*>(column.data);
  const auto as = [&]<class T>(T) {
    use([data, step = column.step](Index i) {
      T value;
      std::memcpy(&value, data + i * step, sizeof value);
      return static_cast<double>(value);
    });
  };
  switch (column.type) {
    case NumberType::float64:
      return as(double{});
    case NumberType::float32:
      return as(float{});
    case NumberType::int64:
      return as(std::int64_t{});
    case NumberType::int32:
      return as(std::int32_t{});
    case NumberType::int16:
      return as(std::int16_t{});
    case NumberType::int8:
      return as(std::int8_t{});
    case NumberType::uint64:
      return as(std::uint64_t{});
    case NumberType::uint32:
      return as(std::uint32_t{});
    case NumberType::uint16:
      return as(std::uint16_t{});
    case NumberType::uint8:
      return as(std::uint8_t{});
  }
}

}  // namespace

ColumnsDesign::ColumnsDesign(Index rows, std::vector<ColumnView> columns)
    : rows_(rows), columns_(std::move(columns)) {
  if (rows < 0) throw Error("a design needs rows >= 0");
}

void ColumnsDesign::pack(Index first, Index width, Index row, const Index* order, Index depth,
                         const double* centre, double* panel) const {
  const bool rowwise = !std::all_of(columns_.begin() + first, columns_.begin() + first + width,
                                    [](const ColumnView& column) { return contiguous(column); });
  const Index tile = rowwise ? kTileRows : depth;
  for (Index begin = 0; begin < depth; begin += tile) {
    const Index end = std::min(begin + tile, depth);
    for (Index j = 0; j < width; ++j) {
      double* packed = panel + j * depth;
      const double shift = centre[j];
      with_reader(column(first + j), [&](const auto& read) {
        if (order) {
          for (Index r = begin; r < end; ++r) packed[r] = read(order[r]) - shift;
        } else {
          for (Index r = begin; r < end; ++r) packed[r] = read(row + r) - shift;
        }
      });
    }
  }
}

void ColumnsDesign::products(Index first, Index count, const ConstVec& centre,
                             const RowGroups& groups, const ConstRowMat& V, MutMat out) const {
  panel_products(
      rows_, count, groups, V, out,
      [&](Index j, Index width, Index row, const Index* order, Index depth, double* panel) {
        pack(first + j, width, row, order, depth, centre.data() + j, panel);
      });
}

void ColumnsDesign::squares(Index first, Index count, const ConstVec& centre,
                            const RowGroups& groups, const ConstVec& weights, MutMat out) const {
  out.setZero();
  std::vector<double> panel(static_cast<std::size_t>(kChunkRows * std::min(kPanelColumns, count)));
  for (Index chunk = 0; chunk < rows_; chunk += kChunkRows) {
    const Index depth = std::min(kChunkRows, rows_ - chunk);
    for (Index from = 0; from < count; from += kPanelColumns) {
      const Index width = std::min(kPanelColumns, count - from);
      pack(first + from, width, chunk, nullptr, depth, centre.data() + from, panel.data());
      for (Index j = 0; j < width; ++j) {
        const double* deviation = panel.data() + j * depth;
        for (Index r = 0; r < depth; ++r) {
          const Index group =
              groups.count == 1 ? 0 : groups.of_row[static_cast<std::size_t>(chunk + r)];
          out(from + j, group) += weights[chunk + r] * deviation[r] * deviation[r];
        }
      }
    }
  }
}

void ColumnsDesign::add_column(Index j, double a, MutVec out) const {
  with_reader(column(j), [&](const auto& read) {
    for (Index i = 0; i < rows_; ++i) out[i] += a * read(i);
  });
}

double ColumnsDesign::value(Index i, Index j) const {
  double value = 0;
  with_reader(column(j), [&](const auto& read) { value = read(i); });
  return value;
}

bool ColumnsDesign::gather(std::span<const Index> rows, MutMat out) const {
  for (Index j = 0; j < cols(); ++j) {
    with_reader(column(j), [&](const auto& read) {
      for (Index r = 0; r < std::ssize(rows); ++r)
        out(r, j) = read(rows[static_cast<std::size_t>(r)]);
    });
  }
  return true;
}

}  // namespace lass0
