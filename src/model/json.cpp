// Fits and paths as JSON: the output of `lass0 fit`, which is also the file a model is kept in, and
// of `lass0 path`.
#include "model/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <lass0/error.hpp>
#include <lass0/path.hpp>
#include <lass0/version.hpp>

namespace lass0 {

std::string Names::operator()(Index j) const {
  return names_.empty() ? fmt::format("x{}", j + 1) : names_[static_cast<std::size_t>(j)];
}

Json Names::operator()(Columns columns) const {
  Json list = Json::array();
  for (const Index j : columns) list.push_back((*this)(j));
  return list;
}

double finite(double value, std::string_view what) {
  if (!std::isfinite(value))
    throw Error(
        fmt::format("{} is too large for a double: rescale the target or the columns", what));
  return value;
}

std::string text_of(const Json& json) {
  try {
    return json.dump(2) + "\n";
  } catch (const Json::type_error&) {
    throw Error(
        "a column name is not valid UTF-8, which JSON needs: convert the data, for instance with "
        "iconv -f latin1 -t utf-8");
  }
}

namespace {

Json coefficients_json(const Iterate& at, const Names& name) {
  Json coefficients = Json::object();
  for (std::size_t i = 0; i < at.support.size(); ++i) {
    const std::string column = name(at.support[i]);
    const double value = at.coefficients[static_cast<Index>(i)];
    coefficients[column] = finite(value, fmt::format("the coefficient of '{}'", column));
  }
  return coefficients;
}

// An end of the lambdas at which a row of the table is best; null: there are none, or no end.
Json bound_json(const std::optional<double>& lambda) {
  return lambda && std::isfinite(*lambda) ? Json(*lambda) : Json();
}

Json start_json(const Fit& fit, const Names& name) {
  Json start;
  start["method"] = to_string(fit.trace.start);
  start["lambda1"] = fit.trace.lasso ? Json(finite(fit.trace.lasso->lambda, "lambda1")) : Json();
  start["support"] = name(fit.trace.start_support);
  return start;
}

Json lasso_json(const LassoPoint& lasso) {
  Json json;
  json["objective"] = finite(lasso.objective, "the objective of the Lasso");
  json["relative_gap"] = finite(lasso.relative_gap, "the duality gap of the Lasso");
  json["converged"] = lasso.converged;
  return json;
}

Json trace_json(std::span<const Move> moves, const Names& name) {
  Json trace = Json::array();
  for (const Move& move : moves) {
    Json step;
    step["column"] = name(move.column);
    step["move"] = move.kind == Move::Kind::add ? "add" : "remove";
    step["gain"] = finite(move.gain, "the gain of a move");
    step["objective"] = finite(move.objective, "the objective after a move");
    trace.push_back(std::move(step));
  }
  return trace;
}

// The share of the folds of cross-validation that chose each column.
Json frequencies_json(const Fit& fit, const Names& name) {
  Json json = Json::object();
  const std::vector<Index>& support = fit.model.at.support;
  for (std::size_t i = 0; i < support.size(); ++i)
    json[name(support[i])] = fit.chosen_in_folds->share(i);
  return json;
}

Json swap_json(const std::optional<Swap>& swap, const Names& name) {
  if (!swap) return nullptr;
  Json json;
  json["remove"] = name(swap->remove);
  json["add"] = name(swap->add);
  json["gain"] = finite(swap->gain, "the gain of a swap");
  return json;
}

// Relative to the loss of the model; null: infinitely much, as any increase is for a perfect fit.
Json share_json(double increase, double loss) {
  if (increase == 0) return 0.0;
  const bool perfect = loss == 0 || !std::isfinite(increase / loss);
  return perfect ? Json() : Json(increase / loss);
}

Json without_json(const Fit& fit, const Names& name) {
  if (!fit.alternatives) return nullptr;
  Json json = Json::object();
  for (const Removal& one : fit.without)
    json[name(one.member)] = share_json(one.loss_increase, fit.loss());
  return json;
}

Json alternatives_json(const Fit& fit, const Names& name) {
  if (!fit.alternatives) return nullptr;
  Json list = Json::array();
  for (const Alternative& one : *fit.alternatives) {
    const double loss = fit.loss(), increase = one.loss_increase;
    Json json;
    json["column"] = name(one.member);
    json["stand_in"] = name(one.stand_in);
    const bool squares = fit.problem.family == Family::gaussian;
    json[squares && fit.problem.ridge == 0 ? "rss" : "loss"] =
        finite((loss + increase) / (squares ? 1 : 2), "the loss of a stand-in");
    json["increase"] = share_json(increase, loss);
    json["near_tie"] = fit.near_tie(one);
    list.push_back(std::move(json));
  }
  return list;
}

// null: there is no model without the column, or with it.
Json price_json(const std::optional<double>& price) {
  return price ? Json(finite(*price, "the price of a column")) : Json();
}

Json near_optimal_json(const NearOptimal& near, const Names& name) {
  Json models = Json::array(), columns = Json::array();
  for (const NearOptimalModel& model : near.models) {
    models.push_back({{"support", name(model.support)},
                      {"objective", finite(model.objective, "the objective of a model")}});
  }
  for (const ColumnPrice& one : near.columns) {
    columns.push_back({{"name", name(one.column)},
                       {"price_out", price_json(one.out)},
                       {"price_in", price_json(one.in)},
                       {"exact", one.exact},
                       {"class", to_string(one.kind)}});
  }
  Json json;
  json["within"] = finite(near.within, "the distance of near-optimal models");
  json["count"] = near.count;
  json["complete"] = near.complete;
  json["best_listed"] = near.best_listed;
  json["exact"] = near.exact();
  json["models"] = std::move(models);
  json["columns"] = std::move(columns);
  return json;
}

// What the coefficients of a logistic model do to the odds; null: too large for a double.
Json odds_ratios_json(const Iterate& at, const Names& name) {
  Json json = Json::object();
  for (std::size_t i = 0; i < at.support.size(); ++i) {
    const double ratio = std::exp(at.coefficients[static_cast<Index>(i)]);
    json[name(at.support[i])] = std::isfinite(ratio) ? Json(ratio) : Json();
  }
  return json;
}

Json confusion_json(const Confusion& seen) {
  return {{"true_negative", seen.true_negative},
          {"false_positive", seen.false_positive},
          {"false_negative", seen.false_negative},
          {"true_positive", seen.true_positive}};
}

// What a prediction must know of the target besides its name.
void write_target(const Model& model, Json& json) {
  json["family"] = to_string(model.family);
  if (!model.classes.empty()) json["classes"] = model.classes;
  if (!model.offset.empty()) json["offset"] = model.offset;
}

// The columns that are in every model, and those whose coefficients have a sign.
void write_columns(const ProblemInfo& problem, const Names& name, Json& json) {
  if (!problem.include.empty()) json["include"] = name(problem.include);
  if (!problem.positive.empty()) json["positive"] = name(problem.positive);
  if (!problem.negative.empty()) json["negative"] = name(problem.negative);
}

std::string checksum_json(const Model& model) {
  return fmt::format("{:016x}", model.target_checksum);
}

// How to read a later table in the same way.
void write_reading(const Model& model, Json& json) {
  if (!model.one_hot.empty()) json["one_hot"] = model.one_hot;
  for (const auto& [column, mean] : model.imputed)
    json["imputed"][column] = finite(mean, fmt::format("the mean of '{}'", column));
  if (!model.alleles.empty()) json["alleles"] = model.alleles;
}

Json intervals_json(std::span<const FoldModel> folds, const Names& name) {
  Json list = Json::array();
  for (const FoldModel& fold : folds) {
    Json one;
    one["intercept"] = finite(fold.at.intercept, "the intercept of a fold");
    one["coefficients"] = coefficients_json(fold.at, name);
    one["residuals"] = Json::array();
    for (const double residual : fold.residuals)
      one["residuals"].push_back(finite(residual, "a residual"));
    list.push_back(std::move(one));
  }
  return {{"method", "cv+"}, {"folds", std::move(list)}};
}

}  // namespace

void write_loss(Family family, double rss, Json& json) {
  if (family == Family::gaussian) {
    json["rss"] = finite(rss, "the residual sum of squares");
  } else {
    json["loss"] = finite(rss / 2, "the negative log-likelihood");
    json["deviance"] = finite(rss, "the deviance");
  }
}

Json steps_json(const SupportTable& table, const TableModels& models, const ProblemInfo& problem,
                bool proof, const Names& name) {
  Json steps = Json::array();
  for (Index k = 0; k <= table.max_k(); ++k) {
    const TableRow& row = table.at_k(k);
    const Iterate& at = models.models[static_cast<std::size_t>(k)];
    Json step;
    step["k"] = k;
    write_loss(problem.family, models.rss[static_cast<std::size_t>(k)], step);
    if (problem.ridge > 0 && problem.family == Family::gaussian)
      step["loss"] = finite(row.loss, "the loss");
    else if (problem.ridge > 0)
      step["penalized_loss"] = finite(row.loss / 2, "the loss");
    step["lambda_min"] = bound_json(row.lambda_min);
    step["lambda_max"] = bound_json(row.lambda_max);
    step["swap_optimal"] = row.swap_optimal;
    if (proof) {
      step["proven"] = row.proven;
      step["lower_bound"] = finite(row.lower_bound.value_or(0), "a lower bound");
    }
    step["support"] = name(at.support);
    step["coefficients"] = coefficients_json(at, name);
    step["intercept"] = finite(at.intercept, "the intercept");
    steps.push_back(std::move(step));
  }
  return steps;
}

std::string to_json(const Path& path, std::span<const std::string> names) {
  const Names name(names, path.problem.names);
  const bool proof = path.proof.has_value();
  Json steps = steps_json(path.table, {path.models, path.rss}, path.problem, proof, name);
  Json json;
  json["version"] = version();
  if (!path.reading.target.empty()) json["target"] = path.reading.target;
  write_target(path.reading, json);
  json["target_checksum"] = checksum_json(path.reading);
  json["n"] = path.problem.n;
  json["p"] = path.problem.p;
  json["status"] = to_string(path.table.status);
  if (path.problem.ridge > 0) json["ridge"] = path.problem.ridge;
  if (path.problem.family != Family::gaussian)
    json["null_deviance"] = finite(path.problem.tss, "the deviance of the model with no column");
  write_columns(path.problem, name, json);
  json["steps"] = std::move(steps);
  if (!path.table.separated_by.empty()) json["separated_by"] = name(path.table.separated_by);
  json["larger_moves"] = {{"sizes", path.table.larger_moves.sizes},
                          {"improved", path.table.larger_moves.improved}};
  json["constant"] = name(path.problem.constant);
  write_reading(path.reading, json);
  if (path.proof) json["nodes"] = path.proof->nodes;
  json["seconds"] = path.seconds;
  return text_of(json);
}

Json fit_json(const Fit& fit, std::span<const std::string> names) {
  const Names name(names, fit.problem.names);
  const Model& model = fit.model;
  Json json;
  json["version"] = version();
  json["target"] = model.target;
  write_target(model, json);
  json["lambda"] = fit.of_size() ? Json() : Json(finite(fit.penalty().lambda, "lambda"));
  if (fit.row) {
    json["lambda_min"] = bound_json(fit.row->lambda_min);
    json["lambda_max"] = bound_json(fit.row->lambda_max);
  }
  if (fit.penalty().power > 0) json["power"] = fit.penalty().power;
  if (fit.problem.ridge > 0) json["ridge"] = fit.problem.ridge;
  json["k"] = fit.k();
  write_columns(fit.problem, name, json);
  json["objective"] = finite(fit.objective, "the objective");
  write_loss(fit.problem.family, fit.rss, json);
  if (fit.problem.family == Family::gaussian) {
    json["r_squared"] = finite(fit.r_squared(), "R^2");
  } else {
    json["null_deviance"] = finite(fit.problem.tss, "the deviance of the model with no column");
    json["deviance_explained"] = finite(fit.r_squared(), "the share of the deviance explained");
  }
  json["n"] = fit.problem.n;
  json["p"] = fit.problem.p;
  json["target_checksum"] = checksum_json(model);
  json["status"] = to_string(fit.status);
  if (fit.proof) {
    json["lower_bound"] = finite(fit.lower_bound, "the lower bound");
    json["gap"] = finite(fit.gap(), "the gap");
    json["nodes"] = fit.proof->nodes;
  }
  if (fit.near_optimal) json["near_optimal"] = near_optimal_json(*fit.near_optimal, name);
  json["intercept"] = finite(model.at.intercept, "the intercept");
  json["coefficients"] = coefficients_json(fit.model.at, name);
  if (fit.problem.family == Family::binomial)
    json["odds_ratios"] = odds_ratios_json(model.at, name);
  if (fit.confusion) json["confusion"] = confusion_json(*fit.confusion);
  json["support"] = name(model.at.support);
  if (fit.chosen_in_folds) json["frequencies"] = frequencies_json(fit, name);
  json["start"] = start_json(fit, name);
  if (fit.trace.lasso) json["lasso"] = lasso_json(*fit.trace.lasso);
  json["moves"] = fit.trace.moves.size();
  json["trace"] = trace_json(fit.trace.moves, name);
  json["improving_swap"] = swap_json(fit.improving_swap, name);
  json["alternatives"] = alternatives_json(fit, name);
  json["without"] = without_json(fit, name);
  json["cancelling"] = Json::array();
  for (const std::size_t i : fit.cancelling())
    json["cancelling"].push_back(name(model.at.support[i]));
  json["aliased"] = name(fit.aliased);
  json["constant"] = name(fit.problem.constant);
  write_reading(model, json);
  if (!model.folds.empty()) json["intervals"] = intervals_json(model.folds, name);
  json["seconds"] = finite(fit.seconds, "the time taken");
  return json;
}

std::string to_json(const Fit& fit, std::span<const std::string> names) {
  return text_of(fit_json(fit, names));
}

}  // namespace lass0
