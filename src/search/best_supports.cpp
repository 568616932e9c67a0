// The best support of every size, with or without sign constraints.
#include <lass0/error.hpp>
#include <lass0/support_table.hpp>
#include <string>

#include "search/signed/signed_table.hpp"
#include "search/table/table.hpp"
#include "util/budget.hpp"

namespace lass0 {

std::string_view to_string(Effort effort) { return effort == Effort::quick ? "quick" : "full"; }

SupportTable best_supports(const Moments& moments, const TableOptions& options) {
  if (options.max_k && *options.max_k < 0)
    throw UsageError("max_k is " + std::to_string(*options.max_k) + ", but must be 0 or more");
  return has_signs(moments.problem()) ? best_signed_supports(moments, options)
                                      : best_free_supports(moments, options);
}

SupportTable best_supports(const Problem& problem, const TableOptions& options) {
  const Budget budget(options.control);
  const Moments moments(problem, {.control = budget.remaining()});
  TableOptions rest = options;
  rest.control = budget.remaining();
  return best_supports(moments, rest);
}

}  // namespace lass0
