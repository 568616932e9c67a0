#include "model/table_for_goal.hpp"

#include <algorithm>

#include "glm/separation.hpp"
#include "search/table/table_sizes.hpp"

namespace lass0 {
namespace {

constexpr Index kMostForLambda = 4;  // times the default number of sizes: they cost ever more

// Of few rows a few sizes are more than half of them. They cost next to nothing, and among supports
// that nearly fit, Algorithm 1 alone often ends far above the best. (Few rows of two classes are
// soon separated.)
constexpr Index kFewSizes = 8;

Index few_sizes(const Solver& solver) {
  return solver.problem().family == Family::gaussian ? kFewSizes : 0;
}

// Beyond half of the rows of the data nearly every support fits.
Index most_sizes(const Solver& solver) {
  const Index standard = solver.default_max_k();
  const Moments& moments = solver.moments();
  const Index half =
      static_cast<Index>(std::max(static_cast<double>(moments.rows()), moments.weight()) / 2);
  return std::max({standard, std::min(kMostForLambda * standard, half),
                   std::min(few_sizes(solver), moments.cols())});
}

// How many columns Algorithm 1 ends with when it starts from the table's answer: a first guess of
// how many lambda selects. 0 if it was stopped, or if such a model has no finite coefficients.
Index size_from_last_row(const Solver& solver, const SupportTable& table, const Penalty& penalty,
                         const Budget& budget) try {
  const SearchResult further =
      solver.search(table.at_lambda(penalty.lambda).support, penalty, budget.remaining());
  return stopped(further.status) ? 0 : std::ssize(further.support);
} catch (const SeparationError&) {
  return 0;
}

}  // namespace

bool selects_last_row(const SupportTable& table, double lambda) {
  return std::ssize(table.at_lambda(lambda).support) == table.max_k();
}

SupportTable table_for_goal(const Solver& solver, const FitGoal& goal, Effort effort, Index sizes,
                            const Budget& budget) {
  const auto with_sizes = [&](Index max_k) {
    return solver.best_supports({.max_k = max_k, .effort = effort, .control = budget.remaining()});
  };
  if (const auto* size = std::get_if<OfSize>(&goal)) return with_sizes(std::max(size->k, sizes));
  const Penalty& penalty = std::get<AtLambda>(goal).penalty;
  SupportTable table = with_sizes(std::max(sizes, solver.default_max_k()));
  if (penalty.power > 0) return table;  // the table is a start for it, no answer
  const Index most = most_sizes(solver);
  while (!stopped(table.status) && table.max_k() < most &&
         selects_last_row(table, penalty.lambda)) {
    const Index before = table.max_k();
    // Where Algorithm 1 adds nothing, two columns together may: the next step of the table tells.
    const Index wanted = std::max({next_table_size(before), few_sizes(solver),
                                   size_from_last_row(solver, table, penalty, budget)});
    SupportTable longer = with_sizes(std::min(most, wanted));
    if (stopped(longer.status) || longer.max_k() <= before) break;
    table = std::move(longer);
  }
  return table;
}

}  // namespace lass0
