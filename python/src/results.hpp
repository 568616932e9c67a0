// Results as Python sees them: dictionaries of numbers, texts and NumPy arrays, which the package's
// classes take their attributes from. Columns are 0-based. Models are finite, or else Error is
// thrown: X and y were finite when they were read, so that somebody changed them during the run (or
// sums overflowed).
#pragma once

#include <nanobind/nanobind.h>

#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/fit.hpp>
#include <lass0/path.hpp>
#include <lass0/stability.hpp>

namespace lass0::python {

// `names`: of all columns, as the JSON of the fit is to have them.
nanobind::dict to_python(const Fit& fit, std::span<const std::string> names);
nanobind::dict to_python(const SupportTable& table, const TableModels& models);
nanobind::dict to_python(const CriterionSelection& selection);
nanobind::dict to_python(const CrossValidation& cv, std::span<const std::string> names);
nanobind::tuple to_python(const IntervalEnds& ends);  // lower, upper
nanobind::object to_python(const Vector& values);
nanobind::dict to_python(const Path& path);
nanobind::dict to_python(const Stability& stability, std::span<const std::string> names);
nanobind::dict to_python(const LassoPath& path);

}  // namespace lass0::python
