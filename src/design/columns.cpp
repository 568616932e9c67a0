#include <cstring>
#include <lass0/design.hpp>
#include <lass0/error.hpp>

#include "design/panels.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

// Columns that don't lie one after the other in memory are read this many rows at a time: their
// cache lines are then still there for the next column.
constexpr Index kTileRows = 16;
constexpr Index kRowsAhead = 8;
constexpr Index kCacheLine = 64;

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

PanelOrder order_of_panels(const std::vector<Index>& runs) {
  return runs.empty() ? PanelOrder::columns : PanelOrder::rows;
}

// Values that lie one after the other, as doubles: less one number, or each less a number of its
// own.
template <class T>
[[gnu::always_inline]] inline void convert_as(const char* from, Index count, double shift,
                                              double* to) {
  for (Index i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * static_cast<Index>(sizeof value), sizeof value);
    to[i] = static_cast<double>(value) - shift;
  }
}

template <class T>
[[gnu::always_inline]] inline void convert_as(const char* from, Index count, const double* shifts,
                                              double* to) {
  for (Index i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * static_cast<Index>(sizeof value), sizeof value);
    to[i] = static_cast<double>(value) - shifts[i];
  }
}

template <class Shift>
[[gnu::always_inline]] inline void convert_any(NumberType type, const char* from, Index count,
                                               Shift shift, double* to) {
  switch (type) {
    case NumberType::float64:
      return convert_as<double>(from, count, shift, to);
    case NumberType::float32:
      return convert_as<float>(from, count, shift, to);
    case NumberType::int64:
      return convert_as<std::int64_t>(from, count, shift, to);
    case NumberType::int32:
      return convert_as<std::int32_t>(from, count, shift, to);
    case NumberType::int16:
      return convert_as<std::int16_t>(from, count, shift, to);
    case NumberType::int8:
      return convert_as<std::int8_t>(from, count, shift, to);
    case NumberType::uint64:
      return convert_as<std::uint64_t>(from, count, shift, to);
    case NumberType::uint32:
      return convert_as<std::uint32_t>(from, count, shift, to);
    case NumberType::uint16:
      return convert_as<std::uint16_t>(from, count, shift, to);
    case NumberType::uint8:
      return convert_as<std::uint8_t>(from, count, shift, to);
  }
}

LASS0_TARGET_CLONES
void convert_column(NumberType type, const char* from, Index count, double shift, double* to) {
  convert_any(type, from, count, shift, to);
}

LASS0_TARGET_CLONES
void convert_row(NumberType type, const char* from, Index count, const double* shifts, double* to) {
  convert_any(type, from, count, shifts, to);
}

// ColumnsDesign::runs_ of the columns of a row-major matrix, of which some may be left out.
std::vector<Index> runs_of_rows(const std::vector<ColumnView>& columns) {
  constexpr Index kShortRun = 8;  // shorter ones are not worth it
  std::vector<Index> runs;
  const char* next = nullptr;
  for (Index j = 0; j < std::ssize(columns); ++j) {
    const ColumnView& column = columns[static_cast<std::size_t>(j)];
    if (column.type != columns.front().type || column.step != columns.front().step ||
        contiguous(column))
      return {};
    if (column.data != next) runs.push_back(j);
    next = static_cast<const char*>(column.data) + bytes(column.type);
  }
  if (std::ssize(runs) * kShortRun > std::ssize(columns) + kShortRun) return {};
  runs.push_back(std::ssize(columns));
  return runs;
}

}  // namespace

ColumnsDesign::ColumnsDesign(Index rows, std::vector<ColumnView> columns)
    : rows_(rows), columns_(std::move(columns)), runs_(runs_of_rows(columns_)) {
  if (rows < 0) throw Error("a design needs rows >= 0");
}

// The columns first, first + 1, ... of the rows order[0], order[1], ... or row, row + 1, ...
void ColumnsDesign::pack(Index first, Index width, Index row_of_panel, const Index* order,
                         Index depth, const double* centre, double* values) const {
  const Panel panel(values, order_of_panels(runs_), width, depth);
  if (panel.order == PanelOrder::rows) {
    const auto run = std::upper_bound(runs_.begin(), runs_.end(), first);
    const auto row = [&](Index r) { return order ? order[r] : row_of_panel + r; };
    const Index bytes_of_row = width * static_cast<Index>(bytes(column(first).type));
    for (Index r = 0; r < panel.depth; ++r) {
      // The rows lie far apart: no processor sees them coming.
      if (r + kRowsAhead < panel.depth) {
        const char* ahead = at(row(r + kRowsAhead), first);
        for (Index b = 0; b < bytes_of_row; b += kCacheLine) __builtin_prefetch(ahead + b);
      }
      const Index i = row(r);
      double* packed = panel.data + r * panel.row_step;
      auto next_run = run;
      for (Index j = 0; j < width; ++next_run) {
        const Index end = std::min(width, *next_run - first);
        convert_row(column(first).type, at(i, first + j), end - j, centre + j, packed + j);
        j = end;
      }
    }
    return;
  }
  const auto begin_of_columns = columns_.begin() + first;
  const bool apart = !std::all_of(begin_of_columns, begin_of_columns + panel.width, contiguous);
  const Index tile = apart ? kTileRows : panel.depth;
  for (Index begin = 0; begin < panel.depth; begin += tile) {
    const Index end = std::min(begin + tile, panel.depth);
    for (Index j = 0; j < panel.width; ++j) {
      double* packed = panel.data + j * panel.column_step;
      const double shift = centre[j];
      if (!order && contiguous(column(first + j))) {
        convert_column(column(first + j).type, at(row_of_panel + begin, first + j), end - begin,
                       shift, packed + begin);
        continue;
      }
      with_reader(column(first + j), [&](const auto& read) {
        if (order) {
          for (Index r = begin; r < end; ++r) packed[r] = read(order[r]) - shift;
        } else {
          for (Index r = begin; r < end; ++r) packed[r] = read(row_of_panel + r) - shift;
        }
      });
    }
  }
}

void ColumnsDesign::products(Index first, Index count, const ConstVec& centre,
                             const RowGroups& groups, const ConstRowMat& V, MutMat out) const {
  panel_products(rows_, count, groups, V, out, order_of_panels(runs_),
                 [&](Index j, Index row, const Index* order, const Panel& panel) {
                   pack(first + j, panel.width, row, order, panel.depth, centre.data() + j,
                        panel.data);
                 });
}

void ColumnsDesign::squares(Index first, Index count, const ConstVec& centre,
                            const RowGroups& groups, const ConstVec& weights, MutMat out) const {
  panel_squares(rows_, count, groups, weights, out, order_of_panels(runs_),
                [&](Index j, Index row, const Index* order, const Panel& panel) {
                  pack(first + j, panel.width, row, order, panel.depth, centre.data() + j,
                       panel.data);
                });
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
  const Index count = std::ssize(rows);
  if (runs_.empty()) {
    for (Index j = 0; j < cols(); ++j) {
      with_reader(column(j), [&](const auto& read) {
        for (Index r = 0; r < count; ++r) out(r, j) = read(rows[static_cast<std::size_t>(r)]);
      });
    }
    return true;
  }
  const Index most_columns = Panel::most_columns(PanelOrder::rows);
  const Vector none = Vector::Zero(std::min(most_columns, cols()));
  std::vector<double> tile = Panel::room(PanelOrder::rows, cols());
  for (Index first = 0; first < cols(); first += most_columns) {
    for (Index begin = 0; begin < count; begin += kTileRows) {
      const Panel panel(tile.data(), PanelOrder::rows, std::min(most_columns, cols() - first),
                        std::min(kTileRows, count - begin));
      pack(first, panel.width, 0, rows.data() + begin, panel.depth, none.data(), panel.data);
      for (Index j = 0; j < panel.width; ++j) {
        double* to = &out(begin, first + j);
        for (Index r = 0; r < panel.depth; ++r) to[r] = panel.data[r * panel.row_step + j];
      }
    }
  }
  return true;
}

}  // namespace lass0
