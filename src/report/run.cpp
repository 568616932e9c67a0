#include "report/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <lass0/version.hpp>

namespace lass0::report {
namespace {

constexpr int kPlotDigits = 6;

}  // namespace

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json number(const std::optional<double>& value) { return value ? number(*value) : Json(); }

Json plotted(double value) {
  if (!std::isfinite(value)) return {};
  return std::strtod(fmt::format("{:.{}g}", value, kPlotDigits).c_str(), nullptr);
}

Json run_json(std::string_view kind, const ReportContext& context, Index n, Index p) {
  Json json;
  json["kind"] = kind;
  json["version"] = version();
  json["source"] = context.source;
  json["target"] = context.target.empty() ? "y" : context.target;
  json["command"] = context.command;
  json["seed"] = context.seed ? Json(*context.seed) : Json();
  json["n"] = n;
  json["p"] = p;
  return json;
}

Json rules_json() {
  Json list = Json::array();
  for (const RuleInfo& rule : rules())
    list.push_back({{"name", rule.name}, {"label", rule.label}, {"meaning", rule.meaning}});
  return list;
}

Json timings_json(const ReportContext& context, std::string_view what, double seconds) {
  Json list = Json::array({{{"what", what}, {"seconds", seconds}}});
  if (context.total_seconds)
    list.push_back({{"what", "with reading the data"}, {"seconds", *context.total_seconds}});
  return list;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lass0::report
