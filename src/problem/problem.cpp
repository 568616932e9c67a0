#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/problem.hpp>
#include <limits>

#include "problem/likelihood.hpp"
#include "problem/standardise.hpp"
#include "problem/weights.hpp"

namespace lass0 {
namespace {

void check_size(std::size_t got, Index expected, const char* what, const char* unit) {
  if (static_cast<Index>(got) != expected) {
    throw Error(std::string(what) + " has " + std::to_string(got) + " values but X has " +
                std::to_string(expected) + " " + unit);
  }
}

void check_signs(const Problem& problem) {
  if (problem.signs.empty()) return;
  check_size(problem.signs.size(), problem.design->cols(), "the list of signs", "columns");
  for (Index j = 0; j < problem.design->cols(); ++j) {
    if (std::abs(problem.sign(j)) > 1)
      throw UsageError("the sign of column '" + column_name(problem, j) + "' is " +
                       std::to_string(problem.sign(j)) + ", but must be 1, -1 or 0");
  }
  for (const Index j : problem.include) {
    if (problem.sign(j) != 0)
      throw UsageError("column '" + column_name(problem, j) +
                       "' is included and has a sign constraint, but an included column is in "
                       "every model whatever its sign: remove one of the two");
  }
}

void check_summed(const Problem& problem) {
  if (!problem.summed) return;
  const Index n = problem.design->rows();
  check_size(problem.summed->count.size(), n, "the list of row counts", "rows");
  check_size(problem.summed->fold.size(), n, "the list of folds", "rows");
  if (problem.family != Family::gaussian)
    require_rows(problem, "the family " + std::string(to_string(problem.family)));
  if (!problem.offset.empty()) require_rows(problem, "an offset");
}

}  // namespace

bool has_signs(const Problem& problem) {
  return std::any_of(problem.signs.begin(), problem.signs.end(), [](int s) { return s != 0; });
}

std::vector<Index> columns_of_sign(const Problem& problem, int sign) {
  std::vector<Index> columns;
  for (Index j = 0; j < problem.design->cols(); ++j) {
    if (problem.sign(j) == sign) columns.push_back(j);
  }
  return columns;
}

void validate(const Problem& problem) {
  if (!problem.design) throw Error("a problem needs a design");
  const Index n = problem.design->rows();
  if (n == 0) throw Error("there are no rows");
  if (std::max(n, problem.design->cols()) > std::numeric_limits<int>::max()) {
    throw Error("more than 2147483647 rows or columns are not supported");
  }
  check_size(problem.y.size(), n, "y", "rows");
  if (!problem.weights.empty()) check_size(problem.weights.size(), n, "the weights vector", "rows");
  if (!problem.offset.empty()) {
    check_size(problem.offset.size(), n, "the offset", "rows");
    for (Index i = 0; i < n; ++i) {
      if (!std::isfinite(problem.offset[static_cast<std::size_t>(i)]))
        throw Error("row " + std::to_string(i + 1) + ": the offset is not a finite number");
    }
  }
  if (!problem.names.empty())
    check_size(problem.names.size(), problem.design->cols(), "the list of names", "columns");
  check_summed(problem);
  loss_of(problem).check(response_of(problem));
  if (!std::isfinite(problem.ridge) || problem.ridge < 0)
    throw UsageError("the ridge must be a finite number, 0 or more");
  for (const Index j : problem.include) {
    if (j >= 0 && j < problem.design->cols()) continue;
    throw Error("column " + std::to_string(j + 1) + " is included, but there are " +
                std::to_string(problem.design->cols()) + " columns");
  }
  check_signs(problem);
  check_weights(problem);
}

Index rows_used(const Problem& problem) {
  Index rows = 0;
  for (Index i = 0; i < problem.design->rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!problem.weights.empty() && problem.weights[at] == 0) continue;
    rows += problem.summed ? problem.summed->count[at] : 1;
  }
  return rows;
}

void require_rows(const Problem& problem, std::string_view what) {
  if (problem.summed)
    throw UsageError(std::string(what) +
                     " needs the rows of the data, but a file of moments has their sums only: use "
                     "the data instead");
}

std::string column_name(const Problem& problem, Index j) {
  if (problem.names.empty()) return "x" + std::to_string(j + 1);
  return problem.names[static_cast<std::size_t>(j)];
}

double penalty_value(const Penalty& penalty, const ConstVec& coefficients) {
  if (penalty.power == 0) return penalty.lambda * static_cast<double>(coefficients.size());
  return penalty.lambda * coefficients.array().abs().pow(penalty.power).sum();
}

double penalty_value(const Problem& problem, const Penalty& penalty, const Iterate& at) {
  Vector penalised(at.coefficients.size());
  Index count = 0;
  for (std::size_t l = 0; l < at.support.size(); ++l) {
    const auto included = std::find(problem.include.begin(), problem.include.end(), at.support[l]);
    if (included == problem.include.end())
      penalised[count++] = at.coefficients[static_cast<Index>(l)];
  }
  return penalty_value(penalty, penalised.head(count));
}

void check_support(const Problem& problem, Columns support) {
  const Index p = problem.design->cols();
  for (const Index j : support) {
    if (j < 0 || j >= p) {
      throw UsageError("the support names column " + std::to_string(j + 1) + ", but there are " +
                       std::to_string(p) + " columns");
    }
  }
}

double residual_sum_of_squares(const Problem& problem, const Iterate& at) {
  return deviance(problem, at);
}

double ridge_penalty(const Problem& problem, const Iterate& at) {
  if (problem.ridge == 0) return 0;
  const Vector w = scaled_weights(problem).values;  // the deviation does not depend on the scale
  Vector x(w.size());
  double sum = 0;
  for (Index l = 0; l < std::ssize(at.support); ++l) {
    if (at.coefficients[l] == 0) continue;
    x.setZero();
    problem.design->add_column(at.support[static_cast<std::size_t>(l)], 1.0, x);
    const Standardised column = standardise(problem, w, x);
    const double size = relative_deviation(problem, w, column) * (column.norm * at.coefficients[l]);
    sum += problem.ridge * size * size;
  }
  return sum;
}

double objective(const Problem& problem, const Penalty& penalty, const Iterate& at) {
  return loss_value(problem, at) + 0.5 * ridge_penalty(problem, at) +
         penalty_value(problem, penalty, at);
}

}  // namespace lass0
