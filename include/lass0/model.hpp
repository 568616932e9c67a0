// A fitted sparse linear model, in the user's units, for predictions and files.
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
  std::string target;              // the name of y, if it has one

  // How to read a later table in the same way (both empty for most models):
  std::map<std::string, std::vector<std::string>>
      one_hot;                            // text column -> its levels; the first has no column
  std::map<std::string, double> imputed;  // column -> the mean that replaced missing values

  // checksum() of the target of the fit; 0: not known.
  std::uint64_t target_checksum = 0;

  Vector predict(const Design& design) const;  // with the same columns as in the fit
  Vector predict(
      const Table& table) const;  // columns are found by name; Error lists the missing ones
};

// The exact least-squares fit on the given columns, which must contain the included ones, by QR on
// the centred and weighted raw columns (with a ridge, plus one row per column). Dependent columns
// get the coefficient 0, and so do those that get the wrong sign (by rounding, for supports of a
// table with sign constraints).
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

// The same for the same values in the same order, and never 0.
std::uint64_t checksum(std::span<const double> values);

// Any JSON that `lass0 fit` or `to_json` wrote. Numbers round-trip to the last bit.
Model model_from_json(std::string_view text);
Model load_model(const std::string& path);

}  // namespace lass0
