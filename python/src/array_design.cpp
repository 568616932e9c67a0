#include "array_design.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace lass0::python {
namespace {

constexpr double kKeptBytes = 512.0 * 1024 * 1024;
constexpr double kFewestKept = 64;  // columns

// Views of the library's own memory, for the length of a call. Array libraries warn of views that
// can't be written to, so none is, though only `out` is.
template <class T>
nb::object view(const T* data, std::initializer_list<std::size_t> shape,
                std::initializer_list<std::int64_t> steps) {
  auto* values = const_cast<T*>(data);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return nb::cast(
      nb::ndarray<nb::numpy, T>(values, shape.size(), shape.begin(), nb::handle(), steps.begin()),
      nb::rv_policy::reference);
}

template <class Values>
nb::object vector(const Values& values) {
  return view(std::data(values), {std::size(values)}, {1});
}

nb::object matrix(const ConstRowMat& values) {
  return view(values.data(),
              {static_cast<std::size_t>(values.rows()), static_cast<std::size_t>(values.cols())},
              {values.outerStride(), 1});
}

nb::object matrix(const MutMat& values) {
  return view(values.data(),
              {static_cast<std::size_t>(values.rows()), static_cast<std::size_t>(values.cols())},
              {1, values.outerStride()});
}

// None where there is nothing to subtract, or no group but one.
nb::object centres(const ConstVec& centre) {
  return (centre.array() == 0).all() ? nb::none() : vector(centre);
}

nb::object order_of(const RowGroups& groups) {
  return groups.count == 1 ? nb::none() : vector(groups.order);
}

nb::object start_of(const RowGroups& groups) {
  return groups.count == 1 ? nb::none() : vector(groups.start);
}

}  // namespace

bool ArrayDesign::takes(nb::handle X) { return nb::hasattr(X, "columns_per_call"); }

ArrayDesign::ArrayDesign(nb::object array)
    : array_(std::move(array)),
      rows_(nb::cast<Index>(array_.attr("rows"))),
      cols_(nb::cast<Index>(array_.attr("cols"))),
      columns_per_call_(nb::cast<Index>(array_.attr("columns_per_call"))),
      most_kept_(static_cast<std::size_t>(
          std::max(kFewestKept, kKeptBytes / (sizeof(double) * static_cast<double>(rows_ + 1))))) {}

void ArrayDesign::products(Index first, Index count, const ConstVec& centre,
                           const RowGroups& groups, const ConstRowMat& V, MutMat out) const {
  if (count == 1 && groups.count == 1) {  // the last digits of a model's coefficients
    out.row(0) = (column(first)->array() - centre[0]).matrix().transpose() * V;
    return;
  }
  const nb::gil_scoped_acquire gil;
  array_.attr("products")(first, count, centres(centre), order_of(groups), start_of(groups),
                          matrix(V), matrix(out));
}

void ArrayDesign::squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                          const ConstVec& weights, MutMat out) const {
  const nb::gil_scoped_acquire gil;
  array_.attr("squares")(first, count, centres(centre), order_of(groups), start_of(groups),
                         vector(weights), matrix(out));
}

void ArrayDesign::add_column(Index j, double a, MutVec out) const { out += a * *column(j); }

double ArrayDesign::value(Index i, Index j) const { return (*column(j))[i]; }

void ArrayDesign::row(Index i, Index first, MutVec out) const {
  const nb::gil_scoped_acquire gil;
  array_.attr("row")(i, first, vector(out));
}

ArrayDesign::Column ArrayDesign::find(Index j) const {
  const std::lock_guard lock(mutex_);
  const auto at = kept_.find(j);
  return at == kept_.end() ? nullptr : at->second;
}

ArrayDesign::Column ArrayDesign::column(Index j) const {
  for (;;) {  // another thread's columns may have taken the room of this one
    if (Column kept = find(j)) return kept;
    fetch({&j, 1});
  }
}

void ArrayDesign::fetch(Columns columns) const {
  std::vector<Index> missing;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(missing),
               [&](Index j) { return !find(j); });
  if (missing.empty()) return;
  ::lass0::Matrix values(rows_, std::ssize(missing));
  {
    const nb::gil_scoped_acquire gil;
    array_.attr("columns")(vector(missing), matrix(MutMat(values)));
  }
  const std::lock_guard lock(mutex_);
  if (kept_.size() + missing.size() > most_kept_) kept_.clear();
  for (std::size_t l = 0; l < missing.size(); ++l)
    kept_[missing[l]] = std::make_shared<const Vector>(values.col(static_cast<Index>(l)));
}

}  // namespace lass0::python
