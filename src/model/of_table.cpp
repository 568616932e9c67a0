#include "model/of_table.hpp"

#include <lass0/io.hpp>
#include <lass0/path.hpp>

namespace lass0 {

Problem problem_of(const Table& table, const ProblemChoices& choices) {
  Problem problem = table.problem(choices.intercept, choices.standardize);
  problem.ridge = choices.ridge;
  problem.family = choices.family;
  return problem;
}

namespace {

void keep_reading(const Table& table, Model& model) {
  model.target = table.target;
  model.one_hot = table.one_hot;
  model.imputed = table.imputed;
  model.classes = table.classes;
  model.offset = table.offset_name;
}

}  // namespace

void keep_reading(const Table& table, Fit& fit) {
  fit.problem.names = table.names();
  keep_reading(table, fit.model);
}

Fit fit(const Table& table, const FitOptions& options, const ProblemChoices& choices) {
  Fit result = fit(problem_of(table, choices), options);
  keep_reading(table, result);
  return result;
}

Path path(const Table& table, const PathOptions& options, const ProblemChoices& choices) {
  Path result = path(problem_of(table, choices), options);
  result.problem.names = table.names();
  keep_reading(table, result.reading);
  return result;
}

}  // namespace lass0
