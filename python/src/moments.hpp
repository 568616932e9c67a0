// Sums of squares and products for the package: made of Arrow data, merged, kept in bytes and
// files, and turned into rows that a fit takes.
#pragma once

#include <nanobind/nanobind.h>

namespace lass0::python {

void define_moments(nanobind::module_& module);

}  // namespace lass0::python
