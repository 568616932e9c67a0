#include "report/models.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

#include "model/included.hpp"
#include "problem/likelihood.hpp"

namespace lass0 {
namespace {

constexpr Index kCloseUpColumns = 64;  // a report asks for at most this many columns of G
// Of families other than gaussian, every stand-in is a fit on the rows: for the shown model and two
// sizes on either side.
constexpr std::size_t kCloseUpModelsByRows = 5;

// The table's rows, up to the largest size shown.
std::vector<ReportModel> row_models(const ReportSubject& subject, const Solver& solver) {
  SupportTable table;
  table.rows = subject.table->rows;
  table.rows.resize(std::min(table.rows.size(), static_cast<std::size_t>(kLargestReportSize) + 1));
  TableModels exact;
  if (subject.row_models.size() < table.rows.size()) exact = solver.refit_table(table);
  std::vector<ReportModel> models;
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    ReportModel model;
    model.k = static_cast<Index>(k);
    model.row = table.rows[k];
    const bool known = exact.models.empty();
    model.at = known ? subject.row_models[k] : exact.models[k];
    model.rss = known ? deviance(subject.problem, model.at) : exact.rss[k];
    models.push_back(std::move(model));
  }
  return models;
}

ReportModel chosen_model(const ReportSubject& subject) {
  const Fit& fit = *subject.chosen;
  ReportModel model;
  model.k = fit.k();
  model.of_table = false;
  model.row.support = without_included(subject.problem, fit.model.at.support);
  model.row.loss = fit.loss();
  model.at = fit.model.at;
  model.rss = fit.rss;
  model.alternatives = fit.alternatives;
  model.without = fit.without;
  return model;
}

// Of a table that nobody chose from: the size that is best over the widest range of lambdas, as a
// ratio.
std::size_t most_stable(const std::vector<ReportModel>& models) {
  std::size_t best = 0;
  double widest = 0;
  for (std::size_t i = 1; i < models.size(); ++i) {
    const TableRow& row = models[i].row;
    if (!row.lambda_min || !(*row.lambda_min > 0)) continue;
    const double ratio = *row.lambda_max / *row.lambda_min;
    if (ratio <= widest) continue;
    widest = ratio;
    best = i;
  }
  return best == 0 ? models.size() - 1 : best;
}

// By distance from the model that is shown first.
std::vector<std::size_t> from_shown(const ReportModels& all) {
  std::vector<std::size_t> order(all.models.size());
  std::iota(order.begin(), order.end(), 0);
  const Index k = all.first().k;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(all.models[a].k - k) < std::abs(all.models[b].k - k);
  });
  return order;
}

// The columns of a model with the largest effects.
std::set<Index> largest_effects(const Moments& moments, const Iterate& at, Index count) {
  std::vector<Index> order(at.support.size());
  std::iota(order.begin(), order.end(), 0);
  const auto effect = [&](Index i) {
    return std::abs(at.coefficients[i]) *
           moments.column_scale(at.support[static_cast<std::size_t>(i)]);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return effect(a) > effect(b); });
  order.resize(static_cast<std::size_t>(std::min(count, std::ssize(order))));
  std::set<Index> columns;
  for (const Index i : order) columns.insert(at.support[static_cast<std::size_t>(i)]);
  return columns;
}

// Neighbours and stand-ins cost a pass over X for each few columns, so they are for the models
// about the one that is shown first.
void look_closer(const Solver& solver, ReportModels& all) {
  const Moments& moments = solver.moments();
  std::set<Index> columns = largest_effects(moments, all.first().at, kCloseUpColumns);
  std::vector<std::size_t> affordable;
  for (const std::size_t i : from_shown(all)) {
    std::set<Index> with = columns;
    with.insert(all.models[i].at.support.begin(), all.models[i].at.support.end());
    if (std::ssize(with) > kCloseUpColumns) continue;
    columns = std::move(with);
    affordable.push_back(i);
  }
  all.close_up.assign(columns.begin(), columns.end());
  moments.prefetch(all.close_up);
  if (solver.problem().family != Family::gaussian)
    affordable.resize(std::min(kCloseUpModelsByRows, affordable.size()));
  for (const std::size_t i : affordable) {
    ReportModel& model = all.models[i];
    if (model.alternatives) continue;
    StandIns nearest = solver.stand_ins(model.row.support, kAlternatives, Budget({}));
    model.alternatives = std::move(nearest.alternatives);
    model.without = std::move(nearest.without);
  }
}

}  // namespace

ReportModels report_models(const ReportSubject& subject, const Solver& solver) {
  ReportModels all;
  all.models = row_models(subject, solver);
  if (subject.chosen) {
    ReportModel chosen = chosen_model(subject);
    const auto k = static_cast<std::size_t>(chosen.k);
    all.shown = k;
    if (k < all.models.size() && all.models[k].row.support == chosen.row.support) {
      all.models[k].alternatives = std::move(chosen.alternatives);
      all.models[k].without = std::move(chosen.without);
    } else {
      all.shown = all.models.size();
      all.models.push_back(std::move(chosen));
    }
  } else {
    all.shown = most_stable(all.models);
  }
  std::set<Index> columns;
  for (const ReportModel& model : all.models)
    columns.insert(model.at.support.begin(), model.at.support.end());
  all.columns.assign(columns.begin(), columns.end());
  look_closer(solver, all);
  return all;
}

}  // namespace lass0
