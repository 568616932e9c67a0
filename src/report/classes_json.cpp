#include "report/classes_json.hpp"

#include <array>
#include <cmath>

#include "problem/likelihood.hpp"

namespace lass0::report {

Json classes_json(const Problem& problem, const std::vector<std::string>& names) {
  const Response response = response_of(problem);
  std::array<Index, 2> rows = {};
  std::array<double, 2> weights = {};
  for (Index i = 0; i < std::ssize(problem.y); ++i) {
    if (!(response.weight(i) > 0)) continue;
    const std::size_t which = response.y[static_cast<std::size_t>(i)] > 0 ? 1 : 0;
    ++rows[which];
    weights[which] += response.weight(i);
  }
  Json list = Json::array();
  for (std::size_t which = 0; which < 2; ++which)
    list.push_back({{"name", names.size() == 2 ? names[which] : std::to_string(which)},
                    {"rows", rows[which]},
                    {"weight", number(weights[which])}});
  return list;
}

Json confusion_json(const Confusion& confusion) {
  return {{number(confusion.true_negative), number(confusion.false_positive)},
          {number(confusion.false_negative), number(confusion.true_positive)}};
}

Json held_out_json(const HeldOutClasses& judged) {
  Json json;
  json["rows"] = judged.rows;
  json["auc"] = number(judged.auc);
  json["confusion"] = confusion_json(judged.confusion);
  json["roc"] = Json::array();
  for (const RocPoint& at : judged.roc) {
    const double probability = loss_of(Family::binomial).mean(at.from);
    json["roc"].push_back({plotted(at.false_positive), plotted(at.true_positive),
                           std::isinf(at.from) ? Json() : plotted(probability)});
  }
  json["calibration"] = Json::array();
  for (const CalibrationBin& bin : judged.calibration)
    json["calibration"].push_back({{"rows", bin.rows},
                                   {"predicted", plotted(bin.predicted)},
                                   {"observed", plotted(bin.observed)},
                                   {"lower", plotted(bin.lower)},
                                   {"upper", plotted(bin.upper)}});
  return json;
}

}  // namespace lass0::report
