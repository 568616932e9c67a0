// A target of two classes that some combination of columns tells apart without an error: the
// likelihood then has no maximum, and coefficients would grow without an end.
#pragma once

#include <lass0/problem.hpp>
#include <lass0/separation_error.hpp>

namespace lass0 {

// What is wrong, where, and what to do. `columns`: of the model without a finite fit, included ones
// not among them.
std::string separation_message(const Problem& problem, Columns columns);
[[noreturn]] void throw_separated(const Problem& problem, Columns columns);

}  // namespace lass0
