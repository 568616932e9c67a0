// Selections as JSON: the output of `lass0 cv`.
#include "model/json.hpp"

#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/version.hpp>

namespace lass0 {
namespace {

Json point_json(const CrossValidation& cv, Index i) {
  const CurvePoint& point = cv.curve[static_cast<std::size_t>(i)];
  Json json;
  if (cv.tune == Tune::k)
    json["k"] = *point.k;
  else
    json["lambda"] = point.lambda;
  if (cv.ridges.size() > 1) json["ridge"] = point.ridge;
  json["mean_error"] = point.mean_error;
  json["se"] = point.se;
  json["mean_size"] = point.mean_size;
  return json;
}

// The columns of the model and all others that have a p-value below 1.
Json inference_json(const CrossValidation& cv, std::span<const std::string> names) {
  const SplitTests& tests = *cv.split_tests;
  const Names name(names, cv.fit.problem.names);
  Json columns = Json::array();
  for (const Index j : tests.listed(cv.fit.model.at.support)) {
    const auto at = static_cast<std::size_t>(j);
    Json one;
    one["name"] = name(j);
    one["p_value"] = tests.p_values[at];
    one["selected"] = tests.selected[at];
    columns.push_back(std::move(one));
  }
  Json json;
  json["method"] = to_string(Inference::splits);
  json["splits"] = tests.asked;
  json["splits_done"] = tests.splits;
  json["size"] = tests.size;
  json["columns"] = std::move(columns);
  return json;
}

// The chosen model, with those of all sizes where they were kept.
Json model_json(const Fit& fit, const SupportTable& table, const TableModels& models,
                std::span<const std::string> names) {
  Json json = fit_json(fit, names);
  if (!models.models.empty())
    json["steps"] = steps_json(table, models, fit.problem, false, Names(names, fit.problem.names));
  return json;
}

}  // namespace

std::string to_json(const CrossValidation& cv, std::span<const std::string> names) {
  Json curve = Json::array();
  for (Index i = 0; i < std::ssize(cv.curve); ++i) curve.push_back(point_json(cv, i));
  Json json;
  json["version"] = version();
  json["tune"] = to_string(cv.tune);
  json["rule"] = to_string(cv.rule);
  // Squares have one measure, whatever it is called.
  const Family family = cv.fit.problem.family;
  json["measure"] = to_string(family == Family::gaussian ? Measure::mse : cv.measure);
  json["folds"] = cv.folds;
  json["folds_done"] = cv.fold_rows.size();
  json["repeats"] = cv.repeats;
  json["effort"] = to_string(cv.effort);
  json["status"] = to_string(cv.status);
  json["fold_sizes"] = cv.fold_rows;
  json["curve"] = std::move(curve);
  json["chosen"] = point_json(cv, cv.chosen);
  json["chosen"]["size"] = cv.fit.k();
  if (family == Family::gaussian) {
    json["r_squared_held_out"] = cv.held_out_r_squared();
    json["r_squared_fit"] = cv.fit.r_squared();
  } else {
    if (cv.measure == Measure::deviance)
      json["deviance_explained_held_out"] = cv.held_out_r_squared();
    json["deviance_explained_fit"] = cv.fit.r_squared();
  }
  json["null_error"] = cv.null_model.mean_error;
  for (const RuleInfo& rule : rules())
    json[std::string(rule.key)] = point_json(cv, cv.points[rule.rule]);
  if (cv.without_ridge) json["without_ridge"] = point_json(cv, *cv.without_ridge);
  if (!cv.table.separated_by.empty())
    json["separated_by"] = Names(names, cv.fit.problem.names)(cv.table.separated_by);
  json["model"] = fit_json(cv.fit, names);
  json["model"].erase("intervals");  // a number per row: for the file of the model alone
  if (cv.split_tests) json["inference"] = inference_json(cv, names);
  json["seconds"] = cv.seconds;
  return text_of(json);
}

std::string model_to_json(const CrossValidation& cv, std::span<const std::string> names) {
  return text_of(model_json(cv.fit, cv.table, cv.models, names));
}

std::string model_to_json(const CriterionSelection& selection, std::span<const std::string> names) {
  return text_of(model_json(selection.fit, selection.table, selection.models, names));
}

std::string to_json(const CriterionSelection& selection, std::span<const std::string> names) {
  const auto point_json = [&](const CriterionPoint& point) {
    Json json;
    json["k"] = point.k;
    write_loss(selection.fit.problem.family, point.rss, json);
    json["value"] = point.value;
    return json;
  };
  Json curve = Json::array();
  for (const CriterionPoint& point : selection.curve) curve.push_back(point_json(point));
  Json json;
  json["version"] = version();
  json["criterion"] = to_string(selection.criterion);
  json["status"] = to_string(selection.table.status);
  json["n"] = selection.n;
  json["p"] = selection.p;
  if (selection.criterion == Criterion::cp) json["variance"] = selection.variance;
  json["curve"] = std::move(curve);
  json["chosen"] = point_json(selection.curve[static_cast<std::size_t>(selection.chosen)]);
  json["model"] = fit_json(selection.fit, names);
  json["seconds"] = selection.seconds;
  return text_of(json);
}

}  // namespace lass0
