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

// Of genotypes, of which there may be millions, what predictions with these columns need.
void keep_genotypes(const Table& table, Columns columns, Model& model) {
  for (const Index j : columns) {
    const std::string& allele = table.alleles[static_cast<std::size_t>(j)];
    if (allele.empty()) continue;
    const std::string& name = table.names()[static_cast<std::size_t>(j)];
    model.alleles[name] = allele;
    model.imputed[name] = table.genotypes->mean(j);
  }
}

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
  if (!table.genotypes) return;
  keep_genotypes(table, fit.model.at.support, fit.model);
  for (const FoldModel& fold : fit.model.folds) keep_genotypes(table, fold.at.support, fit.model);
}

void keep_reading(const Table& table, const SupportTable& sizes, Model& model) {
  if (!table.genotypes) return;
  keep_genotypes(table, table.include, model);
  for (Index k = 0; k <= sizes.max_k(); ++k) keep_genotypes(table, sizes.at_k(k).support, model);
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
  keep_reading(table, result.table, result.reading);
  return result;
}

}  // namespace lass0
