// The JSON that a report's page reads. report/src/payload.ts has its shape.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "model/confusion.hpp"
#include "model/included.hpp"
#include "problem/likelihood.hpp"
#include "report/classes_json.hpp"
#include "report/curve.hpp"
#include "report/intervals.hpp"
#include "report/models.hpp"
#include "report/neighbours.hpp"
#include "report/rows.hpp"
#include "report/run.hpp"

namespace lass0 {
namespace {

using report::dump;
using report::Json;
using report::number;
using report::plotted;
using report::timings_json;

constexpr std::size_t kNamesListed = 50;  // of constant, aliased and imputed columns
constexpr Index kStandInsListed = 3;      // of each column of a model
constexpr std::size_t kNearOptimalModels = 200, kNearOptimalColumns = 60;
constexpr double kSecondsForTable = 60;
constexpr double kSameWeight = 1e-9;  // of the sum of weights

// Columns by their place in the page's own list, which has only those that are shown somewhere.
class ShownColumns {
 public:
  Json operator()(Index j) {
    const auto [place, is_new] = ids_.try_emplace(j, columns_.size());
    if (is_new) columns_.push_back(j);
    return place->second;
  }
  Json operator()(Columns columns) {
    Json list = Json::array();
    for (const Index j : columns) list.push_back((*this)(j));
    return list;
  }
  const std::vector<Index>& columns() const { return columns_; }

 private:
  std::map<Index, std::size_t> ids_;
  std::vector<Index> columns_;
};

Json names_json(const Problem& problem, Columns columns) {
  Json names = Json::array();
  for (const Index j : columns.first(std::min(kNamesListed, columns.size())))
    names.push_back(column_name(problem, j));
  return {{"count", columns.size()}, {"names", std::move(names)}};
}

Json names_json(std::span<const std::string> names) {
  Json list = Json::array();
  for (const std::string& name : names.first(std::min(kNamesListed, names.size())))
    list.push_back(name);
  return {{"count", names.size()}, {"names", std::move(list)}};
}

std::unique_ptr<Solver> report_solver(const Problem& problem, const ReportContext& context) {
  return make_solver(problem, {},
                     {.threads = context.control.threads, .memory = context.control.memory});
}

// What is the same for all kinds of results.
class Payload {
 public:
  Payload(const ReportSubject& subject, const ReportContext& context)
      : subject_(subject),
        context_(context),
        solver_(report_solver(subject_.problem, context)),
        moments_(solver_->moments()),
        plain_(plain_moments(moments_)),
        models_(report_models(subject_, *solver_)),
        rows_(report_rows(subject_.problem, models_)) {}

  Json json(std::string_view kind) {
    const Problem& problem = subject_.problem;
    Json json = report::run_json(kind, context_, rows_.total, moments_.cols());
    json["tss"] = number(solver_->null_loss());
    if (!gaussian()) {
      json["family"] = to_string(problem.family);
      json["classes"] = report::classes_json(problem, subject_.classes);
    }
    json["ridge"] = number(problem.ridge);
    json["intercept"] = problem.intercept;
    json["weighted"] = weighted();
    json["include"] = shown_(moments_.included());
    json["models"] = models_json();
    json["shown"] = models_.shown;
    json["largest_size"] = subject_.table->max_k();
    json["rows"] = rows_json();
    json["neighbours"] = neighbours_json();
    json["notes"] = notes_json();
    if (subject_.chosen) json["fit"] = fit_json(*subject_.chosen);
    if (subject_.chosen && subject_.chosen->near_optimal)
      json["near_optimal"] = near_optimal_json(*subject_.chosen->near_optimal);
    if (subject_.chosen) add_intervals(subject_.chosen->model, json["rows"]);
    json["columns"] = columns_json();  // the last: it lists those that the others have named
    return json;
  }

 private:
  // The rows of a file of moments have weights in any case, which are 1 per row of the data there
  // where these had none.
  bool weighted() const {
    const double rows = static_cast<double>(moments_.rows());
    return !subject_.problem.weights.empty() &&
           !(subject_.problem.summed && std::abs(moments_.weight() - rows) <= kSameWeight * rows);
  }
  bool gaussian() const { return subject_.problem.family == Family::gaussian; }

  Json model_json(std::size_t i) {
    const ReportModel& model = models_.models[i];
    Json json;
    json["k"] = model.k;
    json["of_table"] = model.of_table;
    json["rss"] = number(model.rss);
    json["loss"] = number(model.row.loss);
    json["lambda_min"] = number(model.row.lambda_min);
    json["lambda_max"] = number(model.row.lambda_max);
    json["on_envelope"] = model.row.lambda_min.has_value();
    json["swap_optimal"] = model.row.swap_optimal;
    json["proven"] = model.row.proven;
    json["support"] = shown_(model.at.support);
    json["coefficients"] = Json::array();
    for (const double b : model.at.coefficients) json["coefficients"].push_back(number(b));
    json["intercept"] = number(model.at.intercept);
    json["cancelling"] = Json::array();
    for (const std::size_t l : cancelling(model.at))
      json["cancelling"].push_back(shown_(model.at.support[l]));
    json["residuals"] = Json::array();
    for (const double r : rows_.residuals[i]) json["residuals"].push_back(plotted(r));
    json["stand_ins"] = model.alternatives ? stand_ins_json(model) : Json();
    json["without"] = Json::array();
    for (const Removal& one : model.without)
      json["without"].push_back({shown_(one.member), share(one.loss_increase, model)});
    if (!gaussian())
      json["confusion"] = report::confusion_json(
          confusion_of(subject_.problem, linear_predictor(subject_.problem, model.at)));
    return json;
  }

  std::vector<std::size_t> cancelling(const Iterate& at) const {
    if (!gaussian()) return {};  // log-odds have no standard deviation
    std::vector<double> effects;
    for (std::size_t l = 0; l < at.support.size(); ++l)
      effects.push_back(at.coefficients[static_cast<Index>(l)] * moments_.deviation(at.support[l]));
    return cancelling_effects(effects, std::sqrt(solver_->null_loss() / moments_.weight()));
  }

  static Json share(double increase, const ReportModel& model) {
    return plotted(increase == 0 ? 0 : increase / model.row.loss);
  }

  bool is_near_tie(const ReportModel& model, const Alternative& one) const {
    if (!gaussian()) return 0.5 * one.loss_increase <= kNearTie;
    return near_tie(model.row.loss, one.loss_increase,
                    std::max(moments_.weight(), static_cast<double>(moments_.rows())));
  }

  // Of each member the first few that the data hardly tell from it.
  Json stand_ins_json(const ReportModel& model) {
    Json list = Json::array();
    Index member = -1, listed = 0;
    for (const Alternative& one : *model.alternatives) {
      listed = one.member == member ? listed + 1 : 0;
      member = one.member;
      if (listed >= kStandInsListed || !is_near_tie(model, one)) continue;
      list.push_back({shown_(one.member), shown_(one.stand_in), share(one.loss_increase, model)});
    }
    return list;
  }

  Json models_json() {
    Json list = Json::array();
    for (std::size_t i = 0; i < models_.models.size(); ++i) list.push_back(model_json(i));
    return list;
  }

  Json rows_json() const {
    Json json;
    json["total"] = rows_.total;
    json["farthest"] = rows_.farthest;
    json["number"] = Json::array();
    for (const Index i : rows_.rows) json["number"].push_back(i + 1);
    json["observed"] = Json::array();
    for (const double y : rows_.observed) json["observed"].push_back(number(y));
    return json;
  }

  void add_intervals(const Model& model, Json& rows) const {
    const auto intervals = report_intervals(subject_.problem, model, rows_);
    if (!intervals) return;
    Json json{{"coverage", intervals->coverage}, {"width", number(intervals->width)}};
    json["lower"] = Json::array();
    for (const double y : intervals->lower) json["lower"].push_back(plotted(y));
    json["upper"] = Json::array();
    for (const double y : intervals->upper) json["upper"].push_back(plotted(y));
    rows["intervals"] = std::move(json);
  }

  Json neighbours_json() {
    Json list = Json::array();
    const auto all = neighbours(plain_, models_.close_up);
    for (std::size_t i = 0; i < all.size(); ++i) {
      Json nearest = Json::array();
      for (const Neighbour& one : all[i])
        nearest.push_back({{"column", shown_(one.column)}, {"r", plotted(one.correlation)}});
      list.push_back({{"column", shown_(models_.close_up[i])}, {"nearest", std::move(nearest)}});
    }
    return list;
  }

  Json notes_json() const {
    const Problem& problem = subject_.problem;
    std::vector<Index> constant;
    for (Index j = 0; j < moments_.cols(); ++j) {
      if (moments_.constant(j)) constant.push_back(j);
    }
    const std::vector<Index> aliased =
        subject_.chosen ? subject_.chosen->aliased : solver_->aliased(models_.first().row.support);
    Json json;
    json["constant"] = names_json(problem, constant);
    json["aliased"] = names_json(problem, aliased);
    json["imputed"] = names_json(context_.imputed);
    json["one_hot"] = names_json(context_.one_hot);
    json["rows_dropped"] = context_.rows_dropped;
    json["zero_weights"] = problem.summed ? 0 : problem.design->rows() - rows_.total;
    if (!subject_.table->separated_by.empty())
      json["separated"] = names_json(problem, subject_.table->separated_by);
    return json;
  }

  Json fit_json(const Fit& fit) {
    Json json;
    json["status"] = to_string(fit.status);
    json["explanation"] = fit.of_size() ? explanation_at_a_size(fit.status, "loss")
                                        : std::string(explanation(fit.status));
    json["lambda"] = fit.of_size() ? Json() : number(fit.penalty().lambda);
    json["objective"] = number(fit.objective);
    json["r_squared"] = number(fit.r_squared());
    json["start"] = to_string(fit.trace.start);
    if (fit.chosen_in_folds) {
      Json times = Json::array();
      for (std::size_t i = 0; i < fit.chosen_in_folds->times.size(); ++i)
        times.push_back({shown_(fit.model.at.support[i]), fit.chosen_in_folds->times[i]});
      json["chosen_in_folds"] = {{"folds", fit.chosen_in_folds->folds},
                                 {"times", std::move(times)}};
    }
    return json;
  }

  // The columns that some near-optimal model has: those in all of them first, then by price.
  static std::vector<ColumnPrice> columns_of_map(const NearOptimal& near) {
    using Class = ColumnPrice::Class;
    constexpr double kNone = std::numeric_limits<double>::infinity();
    std::vector<ColumnPrice> columns;
    for (const ColumnPrice& one : near.columns)
      if (one.kind == Class::always || one.kind == Class::interchangeable) columns.push_back(one);
    const auto order = [&](const ColumnPrice& one) {
      return std::tuple(one.kind != Class::always, -one.out.value_or(kNone),
                        one.in.value_or(kNone));
    };
    std::stable_sort(
        columns.begin(), columns.end(),
        [&](const ColumnPrice& a, const ColumnPrice& b) { return order(a) < order(b); });
    columns.resize(std::min(columns.size(), kNearOptimalColumns));
    return columns;
  }

  Json near_optimal_json(const NearOptimal& near) {
    Json json;
    json["within"] = number(near.within);
    json["count"] = near.count;
    json["complete"] = near.complete;
    json["best_listed"] = near.best_listed;
    json["exact"] = near.exact();
    json["classes"] = {{"always", 0}, {"interchangeable", 0}, {"never", 0}, {"undecided", 0}};
    for (const ColumnPrice& one : near.columns) {
      Json& total = json["classes"][std::string(to_string(one.kind))];
      total = total.get<Index>() + 1;
    }
    json["columns"] = Json::array();
    for (const ColumnPrice& one : columns_of_map(near))
      json["columns"].push_back({{"column", shown_(one.column)},
                                 {"price_out", number(one.out)},
                                 {"price_in", number(one.in)},
                                 {"exact", one.exact},
                                 {"class", to_string(one.kind)}});
    json["models"] = Json::array();
    for (std::size_t i = 0; i < std::min(kNearOptimalModels, near.models.size()); ++i)
      json["models"].push_back({{"support", shown_(near.models[i].support)},
                                {"objective", number(near.models[i].objective)}});
    return json;
  }

  Json columns_json() const {
    Json list = Json::array();
    for (const Index j : shown_.columns()) {
      Json column;
      column["name"] = column_name(subject_.problem, j);
      column["number"] = j + 1;
      column["mean"] = number(plain_.mean(j));
      column["sd"] = number(moments_.deviation(j));
      column["target_r"] = plain_.eligible(j) ? plotted(plain_.xty()[j]) : Json();
      list.push_back(std::move(column));
    }
    return list;
  }

  ReportSubject subject_;
  const ReportContext& context_;
  std::unique_ptr<Solver> solver_;
  const Moments& moments_;
  Moments plain_;
  ReportModels models_;
  ReportRows rows_;
  ShownColumns shown_;
};

}  // namespace

std::string report_json(const Problem& problem, const Fit& fit, const ReportContext& context) {
  const Effort effort = fit.status == Status::unchecked ? Effort::quick : Effort::full;
  const auto solver = report_solver(problem, context);
  const SupportTable table =
      solver->best_supports({.max_k = std::max(fit.k(), solver->default_max_k()),
                             .effort = effort,
                             .control = {.threads = context.control.threads,
                                         .time_limit = kSecondsForTable,
                                         .memory = context.control.memory}});
  Json json =
      Payload({.problem = problem, .table = &table, .chosen = &fit, .classes = fit.model.classes},
              context)
          .json("fit");
  json["timings"] = timings_json(context, "search and fit", fit.seconds);
  return dump(json);
}

std::string report_json(const Problem& problem, const CrossValidation& cv,
                        const ReportContext& context) {
  ReportSubject subject{
      .problem = problem, .table = &cv.table, .chosen = &cv.fit, .classes = cv.fit.model.classes};
  subject.problem.ridge = cv.fit.problem.ridge;
  subject.row_models = cv.models.models;
  Json json = Payload(subject, context).json("cv");
  json["curve"] = report::curve_json(cv, problem.family);
  if (problem.family == Family::binomial) {
    if (const auto judged = judge_classes(problem, cv.held_out_links))
      json["held_out"] = report::held_out_json(*judged);
  }
  if (cv.split_tests) json["inference"] = report::inference_json(problem, cv);
  json["timings"] = timings_json(context, "cross-validation and fit", cv.seconds);
  return dump(json);
}

std::string report_json(const Problem& problem, const CriterionSelection& selection,
                        const ReportContext& context) {
  Json json = Payload({.problem = problem,
                       .table = &selection.table,
                       .chosen = &selection.fit,
                       .classes = selection.fit.model.classes},
                      context)
                  .json("criterion");
  Json points = Json::array();
  for (const CriterionPoint& at : selection.curve)
    points.push_back({{"k", at.k}, {"value", number(at.value)}});
  json["criterion"] = {{"name", to_string(selection.criterion)},
                       {"points", std::move(points)},
                       {"chosen", selection.chosen}};
  json["timings"] = timings_json(context, "search and fit", selection.seconds);
  return dump(json);
}

std::string report_json(const Problem& problem, const Path& path, const ReportContext& context) {
  Json json = Payload({.problem = problem,
                       .table = &path.table,
                       .row_models = path.models,
                       .classes = path.reading.classes},
                      context)
                  .json("path");
  json["status"] = to_string(path.table.status);
  json["timings"] = timings_json(context, "search", path.seconds);
  return dump(json);
}

}  // namespace lass0
