// Comparisons as JSON: the output of `lass0 compare`.
#include "model/json.hpp"

#include <lass0/compare.hpp>
#include <lass0/version.hpp>

namespace lass0 {
namespace {

class Writer {
 public:
  Writer(const Comparison& comparison, std::span<const std::string> names)
      : comparison_(comparison), name_(names) {}

  Json json() const {
    Json json;
    json["version"] = version();
    json["status"] = to_string(comparison_.status);
    json["n"] = comparison_.n;
    json["p"] = comparison_.p;
    json["outer"] = comparison_.outer;
    json["outer_done"] = comparison_.fold_rows.size();
    json["inner"] = comparison_.inner;
    json["seed"] = comparison_.seed;
    json["family"] = to_string(comparison_.family);
    json[gaussian() ? "deviation" : "null_deviance"] = comparison_.deviation;
    json["fold_sizes"] = comparison_.fold_rows;
    json[gaussian() ? "fold_deviations" : "fold_null_deviances"] = comparison_.fold_deviations;
    if (comparison_.truth) json["truth"] = name_(*comparison_.truth);
    json["methods"] = Json::array();
    for (std::size_t m = 0; m < comparison_.methods.size(); ++m)
      json["methods"].push_back(method_json(m));
    json["seconds"] = comparison_.seconds;
    return json;
  }

 private:
  // Deviances are per row; the relative one is 100 times that over that of no column.
  bool gaussian() const { return comparison_.family == Family::gaussian; }
  const char* relative() const { return gaussian() ? "nrmse" : "relative_deviance"; }

  Json method_json(std::size_t m) const {
    const ComparedMethod& method = comparison_.methods[m];
    Json json;
    json["name"] = method.name;
    json["description"] = method.description;
    json["seconds"] = spread_json(spread(method, Rule::min, ComparedNumber::seconds));
    for (const RuleInfo& info : rules()) {
      const Rule rule = info.rule;
      Json& part = json[std::string(info.name)];
      part[relative()] = spread_json(spread(method, rule, ComparedNumber::nrmse));
      const Difference to_best = differences(comparison_, rule)[m];
      part["to_best"] = {
          {"mean", to_best.mean}, {"se", to_best.se}, {"distinct", to_best.distinct}};
      part["size"] = spread_json(spread(method, rule, ComparedNumber::size));
      if (comparison_.truth)
        part["hamming"] = spread_json(spread(method, rule, ComparedNumber::hamming));
      part["folds"] = Json::array();
      for (const ComparedFold& fold : method.folds)
        part["folds"].push_back(model_json(fold.by[rule]));
    }
    return json;
  }

  static Json spread_json(const Spread& spread) {
    return {{"mean", spread.mean}, {"sd", spread.sd}};
  }

  Json model_json(const ComparedModel& model) const {
    Json json;
    if (model.tuning.k)
      json["k"] = *model.tuning.k;
    else
      json["lambda"] = model.tuning.lambda;
    if (model.tuning.ridge > 0) json["ridge"] = model.tuning.ridge;
    if (model.tuning.relax != 1) json["relax"] = model.tuning.relax;
    json[gaussian() ? "rmse" : "deviance"] = model.rmse;
    json[relative()] = model.nrmse;
    json["size"] = model.size;
    if (model.hamming) json["hamming"] = *model.hamming;
    json["support"] = name_(model.at.support);
    return json;
  }

  const Comparison& comparison_;
  const Names name_;
};

}  // namespace

std::string to_json(const Comparison& comparison, std::span<const std::string> names) {
  return text_of(Writer(comparison, names).json());
}

}  // namespace lass0
