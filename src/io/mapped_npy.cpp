// NumPy arrays that are not copied: X is a view of the file, in whichever order and of whichever
// number type it is. A file may then be larger than the memory.
#include <cmath>

#include "io/formats.hpp"
#include "io/mapped_design.hpp"

namespace lass0::io {
namespace {

// Columns of doubles that follow each other, as most files have them, have a design of their own,
// which is the fastest.
std::shared_ptr<const Design> view_of(const NpyArray& array, std::vector<ColumnView> columns) {
  const auto value = static_cast<std::ptrdiff_t>(sizeof(double));
  const auto* data = static_cast<const char*>(columns.front().data);
  bool dense = reinterpret_cast<std::uintptr_t>(data) % alignof(double) == 0;
  for (std::size_t j = 0; j < columns.size() && dense; ++j) {
    const auto from = data + static_cast<std::ptrdiff_t>(j) * array.rows() * value;
    dense = columns[j].type == NumberType::float64 && columns[j].step == value &&
            columns[j].data == from;
  }
  if (dense) {
    return std::make_shared<DenseDesign>(reinterpret_cast<const double*>(data), array.rows(),
                                         std::ssize(columns), array.rows());
  }
  return std::make_shared<ColumnsDesign>(array.rows(), std::move(columns));
}

// A value that is not finite leaves its trace in a sum of multiples of 0.
bool all_finite(const Design& X, ReadProgress& progress) {
  constexpr Index kTogether = 64;
  const RowMatrix zeros = RowMatrix::Zero(X.rows(), 1);
  const Vector no_centre = Vector::Zero(kTogether);
  Matrix out(kTogether, 1);
  for (Index first = 0; first < X.cols(); first += kTogether) {
    progress.at_fraction(static_cast<double>(first) / static_cast<double>(X.cols()));
    const Index count = std::min(kTogether, X.cols() - first);
    X.products(first, count, no_centre.head(count), RowGroups::single(), zeros, out.topRows(count));
    if (!out.topRows(count).allFinite()) return false;
  }
  return true;
}

}  // namespace

std::optional<RawTable> npy_in_place(const Input& input, const NpyArray& array) {
  if (input.options.only_columns || !array.column(0)) return {};
  const ColumnNames names = ColumnNames::numbered(input.source, array.cols());
  Plan plan = plan_columns(names, input.options, {});
  std::vector<ColumnView> columns;
  std::vector<std::string> column_names;
  for (const Plan::Feature& feature : plan.features) {
    if (feature.text) return {};
    columns.push_back(*array.column(feature.column));
    column_names.push_back(names.name(feature.column));
  }
  const auto view = view_of(array, std::move(columns));
  if (!array.whole_numbers() && !all_finite(*view, input.progress)) return {};

  const auto design = std::make_shared<const MappedDesign>(input.file, input.source, view);
  RawTable raw(input, names, std::move(plan), array.rows(),
               {.columns = array.cols(),
                .names = std::move(column_names),
                .design = [design](const auto&, const auto&, Table&) { return design; }});
  for (Index j = 0; j < array.cols(); ++j) {
    const auto column = static_cast<std::size_t>(j);
    if (raw.plan.number_slot[column] < 0 && raw.plan.text_slot[column] < 0) continue;
    for (Index i = 0; i < array.rows(); ++i) raw.put(j, array.value(i, j), i);
  }
  for (const ColumnNotes& notes : raw.notes)
    if (notes.missing.count > 0) return {};
  for (const TextColumn& text : raw.texts)
    if (text.missing.count > 0) return {};
  return raw;
}

}  // namespace lass0::io
