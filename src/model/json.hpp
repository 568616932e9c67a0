// How every result is written as JSON: the keys in their order, finite numbers, columns by name.
#pragma once

#include <lass0/fit.hpp>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace lass0 {

using Json = nlohmann::ordered_json;  // keeps the columns in their order

// The names of all columns: those given, else those of the result's table, else x1, x2, ...
class Names {
 public:
  explicit Names(std::span<const std::string> given, std::span<const std::string> of_table = {})
      : names_(given.empty() ? of_table : given) {}

  std::string operator()(Index j) const;
  Json operator()(Columns columns) const;

 private:
  std::span<const std::string> names_;
};

// The value; Error where it is not finite. (nlohmann would write null, and a reader would not know
// what happened.)
double finite(double value, std::string_view what);

// How well a model fits: `rss` for squares; for other families `loss`, the negative log-likelihood,
// and `deviance`, twice that. `rss` is that of Fit.
void write_loss(Family family, double rss, Json& json);

// The models of all rows of a table, as `lass0 path` has them.
Json steps_json(const SupportTable& table, const TableModels& models, const ProblemInfo& problem,
                bool proof, const Names& name);
Json fit_json(const Fit& fit, std::span<const std::string> names);  // as to_json(fit, names)

// The text of a result, with the line's end.
std::string text_of(const Json& json);

}  // namespace lass0
