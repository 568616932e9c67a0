#include "model/included.hpp"

#include <algorithm>
#include <iterator>

namespace lass0 {

std::vector<Index> include_list(const Problem& problem) {
  std::vector<Index> columns(problem.include.begin(), problem.include.end());
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::vector<Index> with_included(const Moments& moments, Columns chosen) {
  std::vector<Index> columns;
  std::merge(chosen.begin(), chosen.end(), moments.included().begin(), moments.included().end(),
             std::back_inserter(columns));
  return columns;
}

std::vector<Index> without_included(const Problem& problem, Columns columns) {
  std::vector<Index> rest;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(rest), [&](Index j) {
    return std::find(problem.include.begin(), problem.include.end(), j) == problem.include.end();
  });
  return rest;
}

}  // namespace lass0
