// A fitted sparse linear model, in the user's units: what predicts, and what is saved.
#pragma once

#include <cstdint>
#include <lass0/problem.hpp>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lass0 {

class Table;
class Moments;
struct SupportTable;

struct Model {
  Iterate at;                      // at.support: columns of the design it was fitted on
  std::vector<std::string> names;  // of those columns, in the same order
  std::string target;              // the name of y, where it has one

  // What a later table needs to be read the same way (both empty for most models):
  std::map<std::string, std::vector<std::string>>
      one_hot;                            // text column -> its levels; the first has no column
  std::map<std::string, double> imputed;  // column -> the mean that stood in for missing values

  // checksum() of the target that it was fitted to; 0: not known.
  std::uint64_t target_checksum = 0;

  Vector predict(const Design& design) const;  // the columns as they were at the fit
  Vector predict(
      const Table& table) const;  // columns are found by name; Error lists the missing ones
};

// The exact least-squares fit on the given columns (and no others: included ones are to be among
// them), by QR on the centred raw columns with weights, and with one more row a column where the
// problem has a ridge. Columns that are dependent get coefficient 0, and so do those to which
// rounding would give the wrong sign (supports of a table under signs have no others).
Iterate refit(const Problem& problem, Columns support);

// The exact fit on every row of a table, and on the included columns.
struct TableModels {
  std::vector<Iterate> models;  // models[k] is that of rows[k]
  std::vector<double> rss;      // of the models, without the ridge term
};

TableModels refit_table(const Moments& moments, const SupportTable& table);

// What a model of a table is to be: see Problem, where they have these names.
struct ProblemChoices {
  bool intercept = true;
  bool standardize = true;
  double ridge = 0;
};

Problem problem_of(const Table& table, const ProblemChoices& choices);

// Tells rows apart: the same for the same values in the same order, and never 0.
std::uint64_t checksum(std::span<const double> values);

// Any JSON that `lass0 fit` or `to_json` wrote. Numbers round-trip to the last bit.
Model model_from_json(std::string_view text);
Model load_model(const std::string& path);

}  // namespace lass0
