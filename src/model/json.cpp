// Fits and models as JSON: the output of `lass0 fit`, which is also the file a model is kept in.
#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <lass0/error.hpp>
#include <lass0/fit.hpp>
#include <lass0/model.hpp>
#include <lass0/path.hpp>
#include <lass0/version.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace lass0 {
namespace {

using Json = nlohmann::ordered_json;  // keeps the columns in their order

// nlohmann writes null for a value that is not finite; a reader would not know what happened.
double finite(double value, std::string_view what) {
  if (!std::isfinite(value))
    throw Error(
        fmt::format("{} is too large for a double: rescale the target or the columns", what));
  return value;
}

std::string dump(const Json& json) {
  try {
    return json.dump(2);
  } catch (const Json::type_error&) {
    throw Error(
        "a column name is not valid UTF-8, which JSON needs: convert the data, for instance with "
        "iconv -f latin1 -t utf-8");
  }
}

class Names {
 public:
  explicit Names(std::span<const std::string> names) : names_(names) {}

  std::string operator()(Index j) const {
    return names_.empty() ? fmt::format("x{}", j + 1) : names_[static_cast<std::size_t>(j)];
  }
  Json operator()(Columns columns) const {
    Json list = Json::array();
    for (const Index j : columns) list.push_back((*this)(j));
    return list;
  }

 private:
  std::span<const std::string> names_;
};

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
  start["method"] = to_string(fit.start);
  start["lambda1"] = fit.lasso ? Json(finite(fit.lasso->lambda, "lambda1")) : Json();
  start["support"] = name(fit.start_support);
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
    json[fit.ridge > 0 ? "loss" : "rss"] = finite(loss + increase, "the loss of a stand-in");
    json["increase"] = share_json(increase, loss);
    json["near_tie"] = fit.near_tie(one);
    list.push_back(std::move(json));
  }
  return list;
}

const Json& member(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() && json.contains("curve") && json.contains("model"))
    throw Error("the result of lass0 cv, not a model: lass0 cv --model FILE keeps its model");
  if (found == json.end()) throw Error(fmt::format("not a model of lass0: '{}' is missing", key));
  return *found;
}

double number(const Json& value, const std::string& what) {
  if (!value.is_number()) throw Error(fmt::format("{} is {}, not a number", what, value.dump()));
  return value.get<double>();
}

const Json& object(const Json& value, std::string_view what) {
  if (!value.is_object()) throw Error(fmt::format("'{}' is not an object {{...}}", what));
  return value;
}

std::string string(const Json& value, std::string_view what) {
  if (!value.is_string()) throw Error(fmt::format("{} is {}, not a text", what, value.dump()));
  return value.get<std::string>();
}

// Looks at a text while it is parsed: nesting beyond what any model has would overflow the stack of
// whoever walks through the value later, and of two values with one key only the last would count.
class Checker {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        if (depth >= kDeepest)
          throw Error(
              fmt::format("not a model of lass0: it is nested more than {} levels deep", kDeepest));
        keys_.resize(static_cast<std::size_t>(depth) + 1);
        keys_.back().clear();
        break;
      case Json::parse_event_t::key: {
        // A key lies one level below the object that it belongs to.
        const auto& key = parsed.get_ref<const std::string&>();
        if (!keys_[static_cast<std::size_t>(depth) - 1].insert(key).second)
          throw Error(fmt::format("the key '{}' occurs more than once: keep one of them", key));
        break;
      }
      default:
        break;
    }
    return true;
  }

 private:
  static constexpr int kDeepest = 32;

  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

std::uint64_t hexadecimal(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, 16);
  if (parsed.ec != std::errc() || parsed.ptr != end)
    throw Error(fmt::format("the checksum '{}' is not a hexadecimal number", text));
  return value;
}

Json parse(std::string_view text) {
  try {
    return Json::parse(text, Checker());
  } catch (const Json::exception& error) {
    std::string_view why = error.what();
    if (const auto end = why.find("] "); end != why.npos) why.remove_prefix(end + 2);
    throw Error(fmt::format("not JSON: {}", why));
  }
}

// The whole of a file, decompressed where it is gzip.
std::string read_all(const std::string& path) {
  errno = 0;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(
      path == "-" ? gzdopen(0, "rb") : gzopen(path.c_str(), "rb"), gzclose);
  if (!file) throw Error(fmt::format("{}: {}", path, std::strerror(errno ? errno : ENOMEM)));
  std::string text;
  for (char piece[1 << 16];;) {
    const int got = gzread(file.get(), piece, sizeof piece);
    if (got > 0) text.append(piece, static_cast<std::size_t>(got));
    // A device would go on for ever.
    if (got > 0 && std::memchr(piece, '\0', static_cast<std::size_t>(got)))
      throw Error(fmt::format("{}: not JSON: it has zero bytes", path));
    if (got == static_cast<int>(sizeof piece)) continue;
    int code = Z_OK;
    const char* why = gzerror(file.get(), &code);
    if (code == Z_ERRNO) why = std::strerror(errno);
    if (code == Z_BUF_ERROR) why = "the compressed file is cut off";
    if (code != Z_OK && code != Z_STREAM_END) throw Error(fmt::format("{}: {}", path, why));
    return text;
  }
}

}  // namespace

std::string to_json(const Path& path, std::span<const std::string> names) {
  const Names name(names);
  Json steps = Json::array();
  for (Index k = 0; k <= path.table.max_k(); ++k) {
    const TableRow& row = path.table.at_k(k);
    const Iterate& at = path.models[static_cast<std::size_t>(k)];
    Json step;
    step["k"] = k;
    step["rss"] = finite(path.rss[static_cast<std::size_t>(k)], "rss");
    if (path.ridge > 0) step["loss"] = finite(row.loss, "the loss");
    step["lambda_min"] = bound_json(row.lambda_min);
    step["lambda_max"] = bound_json(row.lambda_max);
    step["swap_optimal"] = row.swap_optimal;
    if (path.proof) {
      step["proven"] = row.proven;
      step["lower_bound"] = finite(row.lower_bound.value_or(0), "a lower bound");
    }
    step["support"] = name(at.support);
    step["coefficients"] = coefficients_json(at, name);
    step["intercept"] = finite(at.intercept, "the intercept");
    steps.push_back(std::move(step));
  }
  Json json;
  json["version"] = version();
  json["n"] = path.n;
  json["p"] = path.p;
  json["status"] = to_string(path.table.status);
  if (path.ridge > 0) json["ridge"] = path.ridge;
  if (!path.include.empty()) json["include"] = name(path.include);
  if (!path.positive.empty()) json["positive"] = name(path.positive);
  if (!path.negative.empty()) json["negative"] = name(path.negative);
  json["steps"] = std::move(steps);
  json["larger_moves"] = {{"sizes", path.table.larger_moves.sizes},
                          {"improved", path.table.larger_moves.improved}};
  json["constant"] = name(path.constant);
  if (path.proof) json["nodes"] = path.proof->nodes;
  json["seconds"] = path.seconds;
  return dump(json) + "\n";
}

std::string to_json(const Fit& fit, std::span<const std::string> names) {
  const Names name(names);
  const Model& model = fit.model;
  Json json;
  json["version"] = version();
  json["target"] = model.target;
  json["lambda"] = fit.by_size ? Json() : Json(finite(fit.penalty.lambda, "lambda"));
  if (fit.row) {
    json["lambda_min"] = bound_json(fit.row->lambda_min);
    json["lambda_max"] = bound_json(fit.row->lambda_max);
  }
  if (fit.penalty.power > 0) json["power"] = fit.penalty.power;
  if (fit.ridge > 0) json["ridge"] = fit.ridge;
  json["k"] = fit.k();
  if (!fit.include.empty()) json["include"] = name(fit.include);
  if (!fit.positive.empty()) json["positive"] = name(fit.positive);
  if (!fit.negative.empty()) json["negative"] = name(fit.negative);
  json["objective"] = finite(fit.objective, "the objective");
  json["rss"] = finite(fit.rss, "the residual sum of squares");
  json["r_squared"] = finite(fit.r_squared(), "R^2");
  json["n"] = fit.n;
  json["p"] = fit.p;
  json["target_checksum"] = fmt::format("{:016x}", model.target_checksum);
  json["status"] = to_string(fit.status);
  if (fit.proof) {
    json["lower_bound"] = finite(fit.lower_bound, "the lower bound");
    json["gap"] = finite(fit.gap(), "the gap");
    json["nodes"] = fit.proof->nodes;
  }
  json["intercept"] = finite(model.at.intercept, "the intercept");
  json["coefficients"] = coefficients_json(fit.model.at, name);
  json["support"] = name(model.at.support);
  json["start"] = start_json(fit, name);
  if (fit.lasso) json["lasso"] = lasso_json(*fit.lasso);
  json["moves"] = fit.moves.size();
  json["trace"] = trace_json(fit.moves, name);
  json["improving_swap"] = swap_json(fit.improving_swap, name);
  json["alternatives"] = alternatives_json(fit, name);
  json["without"] = without_json(fit, name);
  json["cancelling"] = Json::array();
  for (const std::size_t i : fit.cancelling())
    json["cancelling"].push_back(name(model.at.support[i]));
  json["aliased"] = name(fit.aliased);
  json["constant"] = name(fit.constant);
  if (!model.one_hot.empty()) json["one_hot"] = model.one_hot;
  if (!model.imputed.empty()) {
    for (const auto& [column, mean] : model.imputed)
      json["imputed"][column] = finite(mean, fmt::format("the mean of '{}'", column));
  }
  json["seconds"] = finite(fit.seconds, "the time taken");
  return dump(json) + "\n";
}

Model model_from_json(std::string_view text) {
  const Json json = parse(text);
  if (!json.is_object()) throw Error("not a model of lass0: the JSON is not an object {...}");
  const Json& coefficients = object(member(json, "coefficients"), "coefficients");

  Model model;
  model.at.intercept = number(member(json, "intercept"), "the intercept");
  model.at.coefficients.resize(static_cast<Index>(coefficients.size()));
  for (const auto& [column, value] : coefficients.items()) {
    const Index i = static_cast<Index>(model.names.size());
    model.at.support.push_back(i);
    model.at.coefficients[i] = number(value, fmt::format("the coefficient of '{}'", column));
    model.names.push_back(column);
  }
  if (json.contains("target")) model.target = string(json["target"], "the target");
  if (json.contains("target_checksum"))
    model.target_checksum = hexadecimal(string(json["target_checksum"], "the checksum"));
  if (json.contains("one_hot")) {
    for (const auto& [column, levels] : object(json["one_hot"], "one_hot").items()) {
      for (const Json& level : levels)
        model.one_hot[column].push_back(string(level, fmt::format("a level of '{}'", column)));
    }
  }
  if (json.contains("imputed")) {
    for (const auto& [column, mean] : object(json["imputed"], "imputed").items())
      model.imputed[column] = number(mean, fmt::format("the mean of '{}'", column));
  }
  return model;
}

Model load_model(const std::string& path) {
  const std::string text = read_all(path);
  try {
    return model_from_json(text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace lass0
