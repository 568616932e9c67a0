#include "select/lass0_method.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/prove.hpp>

#include "problem/weights.hpp"
#include "select/paper_supports.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// To estimate a coefficient costs a deviance of about 1 on as many new rows, and a ridge saves a
// part of that. Where all of it, for the largest model, is at most this share of the deviance
// without columns, no ridge is worth the tables by rows that it takes.
constexpr double kWorthARidge = 0.002;

// What both have in common: the table of all rows says which lambdas matter.
class Lass0 : public Method {
 public:
  explicit Lass0(const Lass0Options& options) : options_(options) {}

  std::vector<double> ridges(const Solver& rows) const override {
    const Moments& all = rows.moments();
    // Shrinkage only harms what the included columns explain without an error.
    const bool explained = all.yty() <= slack(0, all.target_square());
    if (!options_.tune_ridge || explained) return Method::ridges(rows);
    std::vector<double> ridges = ridge_grid(all);
    // Tables by rows cost far more: four of the seven, or one.
    if (rows.problem().family != Family::gaussian) {
      if (largest_saving_of_a_ridge(rows) <= kWorthARidge) return Method::ridges(rows);
      ridges = {ridges[0], ridges[1], ridges[3], ridges[5]};
    }
    for (double& ridge : ridges) ridge *= rows.curvature();
    return ridges;
  }

 protected:
  // By any ridge, of the deviance without columns. Weights count as so many equal ones: their scale
  // says nothing about how many rows there are.
  double largest_saving_of_a_ridge(const Solver& rows) const {
    const Moments& all = rows.moments();
    Index columns = 0;
    for (Index j = 0; j < all.cols(); ++j) columns += all.eligible(j) ? 1 : 0;
    columns = std::min(columns, options_.max_k.value_or(rows.default_max_k()));
    columns += std::ssize(all.included());
    const Vector weights = row_weights(rows.problem());
    const double of_a_row = weights.squaredNorm() / weights.sum();
    return static_cast<double>(columns) * of_a_row / rows.null_loss();
  }

  std::optional<Index> table_rows() const {
    return options_.tune == Tune::k ? options_.max_k : std::nullopt;
  }

  SupportTable table_of(const Solver& rows, Effort effort, const Budget& budget) const {
    SupportTable table = rows.best_supports(
        {.max_k = table_rows(), .effort = effort, .control = budget.remaining()});
    if (stopped(table.status)) throw Stop{table.status};
    return table;
  }

  LambdaRange range_of(const Solver& rows, const SupportTable& table) const {
    LambdaRange range = lambda_range(rows, table, options_.max_k);
    if (options_.lambdas_of_all_rows && !range.capped)
      range.lowest = lowest_for_parts(rows, range.highest, table.rows.back().loss);
    return range;
  }

  std::vector<Tuning> lambdas(const LambdaRange& all, std::span<const LambdaRange> training,
                              int most) const {
    std::vector<Tuning> values;
    for (const double lambda : lambda_grid(all, training, std::min(options_.lambdas, most)))
      values.push_back({.lambda = lambda});
    return values;
  }

  const Lass0Options options_;
};

class Lass0Table final : public Lass0 {
 public:
  using Lass0::Lass0;

  Models fit(const Solver& rows, std::span<const Tuning>, const Budget& budget) const override {
    return models_of(rows, table_of(rows, options_.effort, budget), budget);
  }

  std::vector<Tuning> values(const Models& all, std::span<const Models* const> training,
                             int most) const override {
    return options_.tune == Tune::k ? sizes(all, training) : lambdas(all, training, most);
  }

 private:
  using Lass0::lambdas;

  Models models_of(const Solver& rows, SupportTable table, const Budget& budget) const {
    Models models;
    models.by = options_.tune == Tune::k ? Models::By::size : Models::By::lambda;
    models.short_list = table.status == Status::unchecked && rows.makes_lists();
    models.range = range_of(rows, table);
    // Under signs, more columns may all be 0.
    models.no_larger =
        has_signs(rows.problem()) && table.max_k() < table_rows().value_or(rows.default_max_k());
    if (options_.prove) prove(rows, table, budget);
    for (const TableRow& row : table.rows) {
      if (options_.tune == Tune::lambda && !row.lambda_max) continue;
      models.losses.push_back(row.loss);
      models.add({row.support});
    }
    models.table = std::move(table);
    return models;
  }

  // As far as all tables go.
  static std::vector<Tuning> sizes(const Models& all, std::span<const Models* const> training) {
    Index max_k = all.table->max_k();
    for (const Models* part : training) {
      if (!part->no_larger) max_k = std::min(max_k, std::ssize(part->sizes) - 1);
    }
    std::vector<Tuning> values;
    for (Index k = 0; k <= max_k; ++k) values.push_back({.k = k});
    return values;
  }

  std::vector<Tuning> lambdas(const Models& all, std::span<const Models* const> training,
                              int most) const {
    std::vector<LambdaRange> ranges;
    if (!options_.lambdas_of_all_rows) {
      for (const Models* part : training) ranges.push_back(part->range);
    }
    return lambdas(all.range, ranges, most);
  }

  static void prove(const Solver& rows, SupportTable& table, const Budget& budget) {
    const Proof proof = rows.prove_table(table, {}, budget.remaining());
    if (proof.status == Status::gap) throw Stop{Status::time_limit};
    if (proof.status == Status::interrupted) throw Stop{proof.status};
  }
};

class Lass0Paper final : public Lass0 {
 public:
  using Lass0::Lass0;

  Grid grid(const Solver& all, const Budget& budget) const override {
    SupportTable table = table_of(all, options_.effort, budget);
    std::vector<Tuning> values = lambdas(range_of(all, table), {}, kAllValues);
    return {std::move(values), std::move(table)};
  }

  Models fit(const Solver& rows, std::span<const Tuning> values,
             const Budget& budget) const override {
    std::vector<double> lambdas;
    for (const Tuning& value : values) lambdas.push_back(value.lambda);
    Models models;
    for (auto& support : paper_supports(rows, lambdas, options_.l1_tolerance, budget))
      models.add({std::move(support)});
    return models;
  }
};

}  // namespace

std::unique_ptr<Method> make_lass0_table(const Lass0Options& options) {
  return std::make_unique<Lass0Table>(options);
}

std::unique_ptr<Method> make_lass0_paper(const Lass0Options& options) {
  return std::make_unique<Lass0Paper>(options);
}

std::vector<double> ridge_grid(const Moments& moments) {
  double unit = moments.weight();
  if (!moments.problem().standardize) {
    double squares = 0;
    Index columns = 0;
    for (Index j = 0; j < moments.cols(); ++j) {
      if (moments.constant(j)) continue;
      squares += moments.deviation(j) * moments.deviation(j);
      ++columns;
    }
    unit *= columns > 0 ? squares / static_cast<double>(columns) : 1;
  }
  std::vector<double> ridges;
  for (const double share : {0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0}) ridges.push_back(share * unit);
  return ridges;
}

}  // namespace lass0
