#include "model/solver.hpp"

#include "model/included.hpp"
#include "moments/access.hpp"

namespace lass0 {

// A matter of X alone, whatever the family.
std::vector<Index> Solver::aliased(Columns support, const Control& control) const {
  return aliased_columns(moments(), support, control);
}

Problem least_squares_of(const Problem& problem) {
  Problem squares = problem;
  squares.family = Family::gaussian;
  squares.offset = {};
  return squares;
}

namespace {

std::unique_ptr<Solver> solver_of(const Problem& problem, Moments moments) {
  return problem.family == Family::gaussian ? solver_by_sums(std::move(moments))
                                            : solver_by_rows(problem, std::move(moments));
}

// What sums can't do is left to them to say.
Problem summed(const Problem& problem) {
  return problem.family == Family::gaussian ? problem : least_squares_of(problem);
}

}  // namespace

std::unique_ptr<Solver> make_solver(const Problem& problem, std::span<const int> folds,
                                    const Control& control) {
  return solver_of(problem, Moments(summed(problem), {.folds = folds, .control = control}));
}

std::unique_ptr<Solver> solver_within(const Problem& problem, std::span<const int> folds,
                                      const Budget& budget) {
  return solver_of(problem, moments_within(summed(problem), folds, budget));
}

ProblemInfo problem_info(const Solver& solver) {
  ProblemInfo info = problem_info(solver.moments());
  info.ridge = solver.problem().ridge;
  info.family = solver.problem().family;
  info.tss = solver.null_loss();
  return info;
}

}  // namespace lass0
