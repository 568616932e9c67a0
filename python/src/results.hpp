// Results as Python sees them: dictionaries of numbers, texts and NumPy arrays, which the package's
// classes take their attributes from. Columns are 0-based.
#pragma once

#include <nanobind/nanobind.h>

#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/fit.hpp>
#include <lass0/path.hpp>

namespace lass0::python {

nanobind::dict to_python(const Fit& fit);
nanobind::dict to_python(const SupportTable& table);
nanobind::dict to_python(const CriterionSelection& selection);
nanobind::dict to_python(const CrossValidation& cv);
nanobind::dict to_python(const Path& path);
nanobind::dict to_python(const LassoPath& path);

}  // namespace lass0::python
