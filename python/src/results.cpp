#include "results.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <lass0/error.hpp>
#include <memory>
#include <tuple>

namespace nb = nanobind;

namespace lass0::python {
namespace {

template <class T>
nb::object array(std::vector<T> values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const std::size_t size = owned->size();
  const nb::capsule owner(owned.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner));
}

nb::object columns(const std::vector<Index>& list) {
  return array(std::vector<std::int64_t>(list.begin(), list.end()));
}

nb::object array(const Vector& values) {
  return array(std::vector<double>(values.begin(), values.end()));
}

void check_finite(const Iterate& at, double value) {
  if (at.coefficients.allFinite() && std::isfinite(at.intercept) && std::isfinite(value)) return;
  throw Error(
      "the model is not finite: X, y or the weights were changed during the call, or their values "
      "are too large for sums; do not change them until the call returns, or rescale them");
}

void add_model(const Iterate& at, nb::dict& dict) {
  dict["support"] = columns(at.support);
  dict["coefficients"] = array(at.coefficients);
  dict["intercept"] = at.intercept;
}

nb::object lasso_to_python(const LassoPoint& point) {
  check_finite(point.at, point.objective);
  nb::dict dict;
  add_model(point.at, dict);
  dict["lambda1"] = point.lambda;
  dict["objective"] = point.objective;
  dict["relative_gap"] = point.relative_gap;
  dict["converged"] = point.converged;
  return dict;
}

nb::object alternatives(const Fit& fit) {
  if (!fit.alternatives) return nb::none();
  std::vector<std::tuple<Index, Index, double, bool>> list;
  for (const Alternative& one : *fit.alternatives)
    list.emplace_back(one.member, one.stand_in, one.loss_increase, fit.near_tie(one));
  return nb::cast(list);
}

// With the keys of the JSON, and columns by number.
nb::object near_optimal(const Fit& fit) {
  if (!fit.near_optimal) return nb::none();
  const NearOptimal& near = *fit.near_optimal;
  nb::list models, prices;
  for (const NearOptimalModel& model : near.models) {
    nb::dict dict;
    dict["support"] = columns(model.support);
    dict["objective"] = model.objective;
    models.append(dict);
  }
  for (const ColumnPrice& one : near.columns) {
    nb::dict dict;
    dict["column"] = one.column;
    dict["price_out"] = nb::cast(one.out);
    dict["price_in"] = nb::cast(one.in);
    dict["exact"] = one.exact;
    dict["class"] = to_string(one.kind);
    prices.append(dict);
  }
  nb::dict dict;
  dict["within"] = near.within;
  dict["count"] = near.count;
  dict["complete"] = near.complete;
  dict["best_listed"] = near.best_listed;
  dict["exact"] = near.exact();
  dict["models"] = models;
  dict["columns"] = prices;
  return dict;
}

void add_evidence(const CrossValidation& cv, nb::dict& dict) {
  dict["p_values"] = dict["selected"] = dict["not_tested"] = nb::none();
  if (cv.split_tests) {
    dict["p_values"] = array(cv.split_tests->p_values);
    dict["selected"] = array(cv.split_tests->selected);
    dict["not_tested"] = columns(cv.split_tests->included);
  }
  nb::list folds;
  for (const FoldModel& fold : cv.model().folds)
    folds.append(nb::make_tuple(columns(fold.at.support), array(fold.at.coefficients),
                                fold.at.intercept, array(fold.residuals)));
  dict["fold_models"] = folds;
}

}  // namespace

nb::dict to_python(const Fit& fit, std::span<const std::string> names) {
  check_finite(fit.model.at, fit.objective);
  nb::dict dict;
  add_model(fit.model.at, dict);
  dict["lambda0"] = fit.of_size() ? nb::none() : nb::cast(fit.penalty().lambda);
  dict["k"] = fit.k();
  dict["objective"] = fit.objective;
  dict["rss"] = fit.rss;
  dict["null_rss"] = fit.problem.tss;
  dict["explained"] = fit.r_squared();
  dict["loss"] = fit.loss();
  dict["status"] = to_string(fit.status);
  dict["moves"] = fit.trace.moves.size();
  dict["aliased"] = columns(fit.aliased);
  dict["constant"] = columns(fit.problem.constant);
  dict["alternatives"] = alternatives(fit);
  dict["lambda_min"] = fit.row ? nb::cast(fit.row->lambda_min) : nb::none();
  dict["lambda_max"] = fit.row ? nb::cast(fit.row->lambda_max) : nb::none();
  dict["lower_bound"] = fit.proof ? nb::cast(fit.lower_bound) : nb::none();
  dict["gap"] = fit.proof ? nb::cast(fit.gap()) : nb::none();
  dict["near_optimal"] = near_optimal(fit);
  dict["effects"] = array(fit.effects);
  if (fit.chosen_in_folds) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < fit.chosen_in_folds->times.size(); ++i)
      shares.push_back(fit.chosen_in_folds->share(i));
    dict["frequencies"] = array(shares);
  }
  dict["seconds"] = fit.seconds;
  dict["json"] = to_json(fit, names);
  return dict;
}

nb::dict to_python(const SupportTable& table, const TableModels& models) {
  nb::list rows;
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const TableRow& row = table.rows[k];
    check_finite(models.models[k], models.rss[k]);
    nb::dict dict, model;
    add_model(models.models[k], model);
    dict["model"] = model;
    dict["support"] = columns(row.support);
    dict["rss"] = models.rss[k];
    dict["loss"] = row.loss;
    dict["lambda_min"] = nb::cast(row.lambda_min);
    dict["lambda_max"] = nb::cast(row.lambda_max);
    dict["swap_optimal"] = row.swap_optimal;
    dict["proven"] = row.proven;
    dict["lower_bound"] = nb::cast(row.lower_bound);
    rows.append(dict);
  }
  nb::dict dict;
  dict["rows"] = rows;
  dict["separated_by"] = columns(table.separated_by);
  dict["status"] = to_string(table.status);
  dict["seconds"] = table.seconds;
  return dict;
}

nb::dict to_python(const CriterionSelection& selection) {
  std::vector<double> rss, value;
  for (const CriterionPoint& point : selection.curve) {
    rss.push_back(point.rss);
    value.push_back(point.value);
  }
  nb::dict dict;
  dict["criterion"] = to_string(selection.criterion);
  dict["rss"] = array(rss);
  dict["value"] = array(value);
  return dict;
}

nb::dict to_python(const CrossValidation& cv, std::span<const std::string> names) {
  std::vector<double> lambdas, ridges, errors, se, sizes;
  std::vector<Index> k;
  for (const CurvePoint& point : cv.curve) {
    lambdas.push_back(point.lambda);
    k.push_back(point.k.value_or(-1));
    ridges.push_back(point.ridge);
    errors.push_back(point.mean_error);
    se.push_back(point.se);
    sizes.push_back(point.mean_size);
  }
  nb::list fold_errors;
  for (Index f = 0; f < cv.fold_errors.rows(); ++f)
    fold_errors.append(array(Vector(cv.fold_errors.row(f))));
  nb::dict dict;
  dict["lambda0"] = array(lambdas);
  dict["k"] = columns(k);
  dict["ridge"] = array(ridges);
  dict["mean_error"] = array(errors);
  dict["se"] = array(se);
  dict["mean_size"] = array(sizes);
  dict["fold_errors"] = fold_errors;
  dict["fold_rows"] = columns(cv.fold_rows);
  dict["fold_weights"] = array(cv.fold_weights);
  dict["chosen"] = cv.chosen;
  dict["held_out_r_squared"] = cv.held_out_r_squared();
  dict["held_out_links"] = array(cv.held_out_links);
  nb::dict by_rule;
  for (const RuleInfo& rule : rules()) by_rule[nb::cast(rule.name)] = cv.points[rule.rule];
  dict["by_rule"] = by_rule;
  dict["fold_supports"] = nb::list();
  for (const std::vector<Index>& support : cv.fold_supports)
    nb::cast<nb::list>(dict["fold_supports"]).append(columns(support));
  dict["folds"] = cv.folds;
  dict["status"] = to_string(cv.status);
  dict["table"] = to_python(cv.table, cv.models);
  dict["fit"] = to_python(cv.fit, names);
  dict["fit"]["json"] = model_to_json(cv, names);
  add_evidence(cv, dict);
  dict["seconds"] = cv.seconds;
  return dict;
}

nb::object to_python(const Vector& values) { return array(values); }

nb::tuple to_python(const IntervalEnds& ends) {
  return nb::make_tuple(array(ends.lower), array(ends.upper));
}

nb::dict to_python(const Path& path) {
  nb::dict dict;
  dict["table"] = to_python(path.table, {path.models, path.rss});
  dict["constant"] = columns(path.problem.constant);
  dict["n"] = path.problem.n;
  dict["p"] = path.problem.p;
  dict["seconds"] = path.seconds;
  return dict;
}

nb::dict to_python(const Stability& stability, std::span<const std::string> names) {
  std::vector<Index> order;
  std::vector<double> frequencies;
  for (const ColumnFrequency& one : stability.columns) {
    order.push_back(one.column);
    frequencies.push_back(one.frequency);
  }
  nb::dict dict;
  dict["columns"] = columns(order);
  dict["frequencies"] = array(std::move(frequencies));
  dict["stable"] = stability.stable;
  dict["threshold"] = stability.threshold;
  dict["k"] = stability.k;
  dict["lambda0"] = stability.lambda;
  dict["by_cross_validation"] = stability.by_cross_validation;
  dict["ridge"] = stability.ridge;
  dict["pairs"] = stability.pairs;
  dict["pairs_done"] = stability.pairs_done;
  dict["mean_size"] = stability.mean_size;
  dict["candidates"] = stability.candidates;
  dict["low_probability"] = stability.low_probability;
  dict["expected_low_probability"] = stability.expected_low_probability;
  dict["expected_low_probability_r_concave"] = stability.expected_low_probability_r_concave;
  dict["seed"] = stability.seed;
  dict["status"] = to_string(stability.status);
  dict["seconds"] = stability.seconds;
  dict["json"] = to_json(stability, names);
  return dict;
}

nb::dict to_python(const LassoPath& path) {
  nb::list points;
  for (const LassoPoint& point : path.points) points.append(lasso_to_python(point));
  nb::dict dict;
  dict["lambda_max"] = path.lambda_max;
  dict["points"] = points;
  dict["complete"] = path.complete;
  return dict;
}

}  // namespace lass0::python
