#include "moments.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <lass0/arrow.hpp>
#include <lass0/error.hpp>
#include <numeric>

#include "arrays.hpp"
#include "results.hpp"
#include "run.hpp"
#include "text/moments_text.hpp"

namespace nb = nanobind;

namespace lass0::python {
namespace {

template <class Work>
auto without_gil(const Work& work) {
  const nb::gil_scoped_release no_gil;
  return work();
}

MomentsBuilder from_bytes(const nb::bytes& bytes) {
  const std::string_view view(bytes.c_str(), bytes.size());
  return without_gil([&] { return MomentsBuilder::from_bytes(view); });
}

nb::bytes to_bytes(MomentsBuilder& builder) {
  const std::string bytes = without_gil([&] { return builder.to_bytes(); });
  return nb::bytes(bytes.data(), bytes.size());
}

// Takes in sums by their bytes, so that the object they come from keeps its own.
void merge(MomentsBuilder& builder, const nb::bytes& bytes) {
  const std::string_view view(bytes.c_str(), bytes.size());
  without_gil([&] { builder.merge(MomentsBuilder::from_bytes(view)); });
}

// Rows with the same sums, as a fit takes them.
nb::dict rows_of(MomentsBuilder& builder) {
  auto owned = std::make_unique<Table>(without_gil([&] { return builder.table(); }));
  const Table& table = *owned;
  const auto& X = dynamic_cast<const DenseDesign&>(table.design());
  const nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<Table*>(p); });
  const auto size = [](Index count) { return static_cast<std::size_t>(count); };
  nb::dict dict;
  dict["X"] = nb::cast(nb::ndarray<nb::numpy, const double, nb::ndim<2>>(
      X.data(), {size(X.rows()), size(X.cols())}, owner, {1, X.stride()}));
  dict["y"] = to_python(table.y());
  dict["weights"] = to_python(table.weights());
  dict["summed"] = nb::cast(std::make_shared<SummedRows>(*table.summed));
  return dict;
}

ArrowSumOptions sum_options(const nb::dict& given) {
  const auto text = [&](const char* name) { return nb::cast<std::string>(given[name]); };
  ArrowSumOptions options;
  options.target = text("target");
  options.weights = text("weights");
  options.fold_column = text("fold_column");
  options.id_column = text("id_column");
  options.numbered = nb::cast<bool>(given["numbered"]);
  options.folds = nb::cast<Index>(given["folds"]);
  options.seed = nb::cast<std::uint64_t>(given["seed"]);
  options.first_row = nb::cast<Index>(given["first_row"]);
  options.exclude = nb::cast<std::vector<std::string>>(given["exclude"]);
  options.one_hot = nb::cast<std::map<std::string, std::vector<std::string>>>(given["levels"]);
  options.drop_missing = nb::cast<bool>(given["drop_missing"]);
  options.threads = nb::cast<int>(given["threads"]);
  return options;
}

// `stream` is the capsule of __arrow_c_stream__.
void add_stream(MomentsOfArrow& sums, const nb::capsule& stream, const nb::dict& options,
                const std::vector<std::string>& left_out) {
  auto* arrow =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(stream.ptr(), "arrow_array_stream"));
  if (!arrow) throw nb::python_error();
  run_beside(run_options(options),
             [&](const Control& control) { sums.add(*arrow, control, left_out); });
}

// Of arrays in memory. The first row is that of all data, from 1.
// `row_weights` may be None.
MomentsBuilder moments_of_arrays(nb::handle X, nb::handle y, nb::handle row_weights,
                                 const nb::dict& options) {
  constexpr Index block_doubles = Index{1} << 20, fewest_rows = 64;
  const Matrix view(X);
  const Buffer target(y);
  const std::span<const double> all_y = target.values<double>();
  std::optional<Buffer> weights;
  if (!row_weights.is_none()) weights.emplace(row_weights);
  MomentsSchema schema;
  if (weights) schema.weights = "weights";
  schema.names = nb::cast<std::vector<std::string>>(options["names"]);
  schema.target = nb::cast<std::string>(options["target"]);
  schema.folds = nb::cast<Index>(options["folds"]);
  schema.seed = nb::cast<std::uint64_t>(options["seed"]);
  std::optional<MomentsBuilder> builder;
  builder.emplace(std::move(schema), nb::cast<Index>(options["first_row"]),
                  nb::cast<int>(options["threads"]));
  const Design& design = view.design();
  const Index n = design.rows(), p = design.cols();
  const Index most = std::max(fewest_rows, block_doubles / std::max<Index>(1, p));
  run_beside(run_options(options), [&](const Control& control) {
    lass0::Matrix block(std::min(most, n), p);
    for (Index first = 0; first < n; first += most) {
      std::vector<Index> rows(static_cast<std::size_t>(std::min(most, n - first)));
      std::iota(rows.begin(), rows.end(), first);
      const Index count = std::ssize(rows);
      design.gather(rows, block.topRows(count));
      std::span<const double> some;
      if (weights)
        some = weights->values<double>().subspan(static_cast<std::size_t>(first),
                                                 static_cast<std::size_t>(count));
      builder->add(block.topRows(count), Eigen::Map<const Vector>(all_y.data() + first, count),
                   some);
      if (!control.keep_going()) throw Error("interrupted before all rows were summed");
    }
  });
  without_gil(
      [&] { return builder->to_bytes(); });  // no rows wait: threads that share it only read
  return std::move(*builder);
}

}  // namespace

void define_moments(nb::module_& module) {
  nb::class_<SummedRows>(module, "SummedRows");  // what rows of sums stand for
  nb::class_<MomentsBuilder>(module, "Moments")
      .def_static("from_bytes", &from_bytes, nb::arg("content"))
      .def_static("load", &MomentsBuilder::load, nb::arg("path"))
      .def("to_bytes", &to_bytes)
      .def("save", &MomentsBuilder::save, nb::arg("path"))
      .def("merge", &merge, nb::arg("content"))
      .def("rows", &rows_of)
      .def(
          "text",
          [](const MomentsBuilder& m, const std::string& output) {
            return app::moments_text(m, output);
          },
          nb::arg("output"))
      .def("to_json", [](const MomentsBuilder& m) { return to_json(m); })
      .def_prop_ro("n", &MomentsBuilder::rows)
      .def_prop_ro("folds", &MomentsBuilder::folds)
      .def_prop_ro("next_row", &MomentsBuilder::next_row)
      .def_prop_ro("names", [](const MomentsBuilder& m) { return m.schema().names; })
      .def_prop_ro("target", [](const MomentsBuilder& m) { return m.schema().target; })
      .def_prop_ro("weights", [](const MomentsBuilder& m) { return m.schema().weights; })
      .def_prop_ro("fold_column", [](const MomentsBuilder& m) { return m.schema().fold_column; })
      .def_prop_ro("seed", [](const MomentsBuilder& m) { return m.schema().seed; })
      .def_prop_ro("levels", [](const MomentsBuilder& m) { return m.schema().one_hot; });
  module.def("moments_of_arrays", &moments_of_arrays, nb::arg("X"), nb::arg("y"),
             nb::arg("weights").none(), nb::arg("options"));
  nb::class_<MomentsOfArrow>(module, "MomentsOfArrow")
      .def(
          "__init__",
          [](MomentsOfArrow* self, const nb::dict& options) {
            new (self) MomentsOfArrow(sum_options(options));
          },
          nb::arg("options"))
      .def("add", &add_stream, nb::arg("stream"), nb::arg("options"), nb::arg("left_out"))
      .def("take", &MomentsOfArrow::take);
}

}  // namespace lass0::python
