// The data of a comparison's report. report/src/payload.ts has their shape.
#include <algorithm>
#include <map>

#include "report/run.hpp"

namespace lass0 {
namespace {

using report::Json;

constexpr std::size_t kColumnsListed = 300;  // the most chosen ones, so that a page stays small

// The columns that any method chose, the most chosen first, and the truth.
std::vector<Index> listed_columns(const Comparison& comparison) {
  std::map<Index, Index> chosen;
  for (const ComparedMethod& method : comparison.methods) {
    for (const ComparedFold& fold : method.folds) {
      for (const ComparedModel& model : fold.by.all) {
        for (const Index j : model.at.support) ++chosen[j];
      }
    }
  }
  std::vector<Index> columns;
  if (comparison.truth) columns = *comparison.truth;
  for (const Index j : columns) chosen.erase(j);
  std::vector<std::pair<Index, Index>> order;
  order.reserve(chosen.size());
  for (const auto& [j, times] : chosen) order.emplace_back(-times, j);
  std::sort(order.begin(), order.end());
  for (const auto& [times, j] : order) {
    if (columns.size() >= kColumnsListed) break;
    columns.push_back(j);
  }
  return columns;
}

Json method_json(std::size_t m, Rule rule, const Comparison& comparison,
                 const std::map<Index, std::size_t>& ids) {
  const ComparedMethod& method = comparison.methods[m];
  const Difference to_best = differences(comparison, rule)[m];
  Json nrmse = Json::array(), size = Json::array(), hamming = Json::array();
  std::map<std::size_t, Index> times;
  for (const ComparedFold& fold : method.folds) {
    const ComparedModel& model = fold.by[rule];
    nrmse.push_back(report::plotted(model.nrmse));
    size.push_back(model.size);
    if (model.hamming) hamming.push_back(*model.hamming);
    for (const Index j : model.at.support) {
      if (const auto id = ids.find(j); id != ids.end()) ++times[id->second];
    }
  }
  Json chosen = Json::array();
  for (const auto& [id, folds] : times) chosen.push_back({id, folds});
  return {{"nrmse", std::move(nrmse)},
          {"to_best",
           {{"mean", report::number(to_best.mean)},
            {"se", report::number(to_best.se)},
            {"distinct", to_best.distinct}}},
          {"size", std::move(size)},
          {"hamming", comparison.truth ? std::move(hamming) : Json()},
          {"chosen", std::move(chosen)}};
}

}  // namespace

std::string report_json(const Problem& problem, const Comparison& comparison,
                        const ReportContext& context) {
  Json json = report::run_json("compare", context, comparison.n, comparison.p);
  json["seed"] = comparison.seed;
  json["outer"] = comparison.outer;
  json["outer_done"] = comparison.fold_rows.size();
  json["inner"] = comparison.inner;
  std::map<Index, std::size_t> ids;
  json["columns"] = Json::array();
  for (const Index j : listed_columns(comparison)) {
    ids.emplace(j, ids.size());
    json["columns"].push_back({{"name", column_name(problem, j)}, {"number", j + 1}});
  }
  json["truth"] = Json();
  if (comparison.truth) {
    json["truth"] = Json::array();
    for (const Index j : *comparison.truth) json["truth"].push_back(ids.at(j));
  }
  json["rules"] = report::rules_json();
  json["rule"] = static_cast<int>(CrossValidateOptions{}.rule);
  json["methods"] = Json::array();
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    const ComparedMethod& method = comparison.methods[m];
    Json one;
    one["name"] = method.name;
    one["description"] = method.description;
    one["seconds"] = Json::array();
    for (const ComparedFold& fold : method.folds)
      one["seconds"].push_back(report::plotted(fold.seconds));
    for (const RuleInfo& rule : rules())
      one["by_rule"].push_back(method_json(m, rule.rule, comparison, ids));
    json["methods"].push_back(std::move(one));
  }
  json["timings"] = report::timings_json(context, "nested cross-validation", comparison.seconds);
  return report::dump(json);
}

}  // namespace lass0
