// The columns of a model: those that were chosen and the problem's included ones.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

namespace lass0 {

std::vector<Index> include_list(const Problem& problem);                   // ascending, each once
std::vector<Index> with_included(const Moments& moments, Columns chosen);  // ascending
std::vector<Index> without_included(const Problem& problem, Columns columns);

}  // namespace lass0
