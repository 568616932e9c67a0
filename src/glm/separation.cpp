#include "glm/separation.hpp"

#include <lass0/error.hpp>

namespace lass0 {
namespace {

constexpr std::size_t kMostNamed = 10;

}  // namespace

void throw_separated(const Problem& problem, Columns columns) {
  std::string names;
  for (std::size_t l = 0; l < columns.size() && l < kMostNamed; ++l)
    names += (l == 0 ? "" : ", ") + column_name(problem, columns[l]);
  if (columns.size() > kMostNamed)
    names += " and " + std::to_string(columns.size() - kMostNamed) + " more";
  if (columns.empty()) names = "the included columns";
  throw Error((columns.size() > 1 ? "the columns "
               : columns.empty()  ? ""
                                  : "the column ") +
              names + (columns.size() == 1 ? " separates" : " separate") +
              " the two classes without an error, so there are no finite coefficients: add a ridge "
              "(a ridge of 1, for instance), or ask for fewer columns");
}

}  // namespace lass0
