#include "report/curve.hpp"

#include <algorithm>

#include "report/models.hpp"

namespace lass0::report {
namespace {

constexpr double kSignificant = 0.05;  // columns outside the model have p-values up to this
constexpr Index kOthersListed = 10;    // of them at most

}  // namespace

Json curve_json(const CrossValidation& cv, Family family) {
  Json points = Json::array();
  for (const CurvePoint& at : cv.curve) {
    Json point;
    point["x"] = cv.tune == Tune::k ? Json(*at.k) : number(at.lambda);
    point["ridge"] = number(at.ridge);
    point["error"] = number(at.mean_error);
    point["se"] = number(at.se);
    point["size"] = number(at.mean_size);
    // The model of all rows that a click on this point means; none where the table is another or
    // the model is not shown.
    const Index k = cv.tune == Tune::k ? *at.k : std::ssize(cv.table.at_lambda(at.lambda).support);
    const Index last = cv.table.max_k() - (cv.sizes_left_out ? 1 : 0);
    point["k"] =
        at.ridge == cv.best().ridge && k <= std::min(last, kLargestReportSize) ? Json(k) : Json();
    points.push_back(std::move(point));
  }
  Json json;
  json["tune"] = to_string(cv.tune);
  if (family != Family::gaussian)
    json["measure"] = {{"name", to_string(cv.measure)}, {"meaning", info_of(cv.measure).meaning}};
  json["rule"] = static_cast<int>(cv.rule);
  json["rules"] = rules_json();
  json["points"] = std::move(points);
  json["chosen"] = cv.chosen;
  json["by_rule"] = cv.points.all;
  json["without_ridge"] = cv.without_ridge ? Json(*cv.without_ridge) : Json();
  json["folds"] = cv.folds;
  json["folds_done"] = cv.fold_rows.size();
  json["repeats"] = cv.repeats;
  json["null_error"] = number(cv.null_model.mean_error);
  json["null_se"] = number(cv.null_model.se);
  return json;
}

// The columns of the model, and a few others of the smallest p-values.
Json inference_json(const Problem& problem, const CrossValidation& cv) {
  const SplitTests& tests = *cv.split_tests;
  const std::vector<Index>& support = cv.fit.model.at.support;
  Json columns = Json::array();
  Index others = 0;
  for (const Index j : tests.listed(support)) {
    const auto at = static_cast<std::size_t>(j);
    const bool in_model = std::binary_search(support.begin(), support.end(), j);
    if (!in_model && (tests.p_values[at] > kSignificant || ++others > kOthersListed)) continue;
    columns.push_back({{"name", column_name(problem, j)},
                       {"p_value", number(tests.p_values[at])},
                       {"selected", number(tests.selected[at])},
                       {"in_model", in_model}});
  }
  return {{"splits", tests.asked},
          {"splits_done", tests.splits},
          {"size", tests.size},
          {"columns", std::move(columns)}};
}

}  // namespace lass0::report
