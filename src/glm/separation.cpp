#include "glm/separation.hpp"

namespace lass0 {
namespace {

constexpr std::size_t kNamed = 10;

}  // namespace

std::string separation_message(const Problem& problem, Columns columns) {
  std::string names;
  for (std::size_t l = 0; l < columns.size() && l < kNamed; ++l)
    names += (l > 0 ? ", " : " ") + column_name(problem, columns[l]);
  if (columns.size() > kNamed) names += " and " + std::to_string(columns.size() - kNamed) + " more";
  if (columns.empty() && problem.include.empty() && !problem.offset.empty())
    return "the offset separates the two classes, so the intercept has no finite best value: check "
           "the offset, which is on the scale of log odds";
  const std::string who = columns.empty()       ? "the included columns separate"
                          : columns.size() == 1 ? "column" + names + " separates"
                                                : "columns" + names + " separate";
  return who +
         " the two classes, so the model has no finite coefficients: add a ridge (for instance a "
         "ridge of 1) or ask for fewer columns";
}

void throw_separated(const Problem& problem, Columns columns) {
  throw SeparationError(separation_message(problem, columns));
}

}  // namespace lass0
