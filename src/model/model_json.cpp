// Models from JSON: what `lass0 fit` and `to_json` wrote.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <lass0/error.hpp>
#include <lass0/model.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace lass0 {
namespace {

using Json = nlohmann::ordered_json;  // keeps the columns in their order

const Json& member(const Json& json, const char* key) {
  const auto found = json.find(key);
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

// The coefficients of an object that has them, with the names of their columns.
void read_coefficients(const Json& json, Iterate& at, std::vector<std::string>& names) {
  const Json& coefficients = object(member(json, "coefficients"), "coefficients");
  at.intercept = number(member(json, "intercept"), "the intercept");
  at.coefficients.resize(static_cast<Index>(coefficients.size()));
  for (const auto& [column, value] : coefficients.items()) {
    const auto i = static_cast<Index>(names.size());
    at.support.push_back(i);
    at.coefficients[i] = number(value, fmt::format("the coefficient of '{}'", column));
    names.push_back(column);
  }
}

const Json& list(const Json& value, std::string_view what) {
  if (!value.is_array()) throw Error(fmt::format("'{}' is not a list [...]", what));
  return value;
}

std::vector<FoldModel> read_folds(const Json& intervals) {
  std::vector<FoldModel> folds;
  for (const Json& one : list(member(object(intervals, "intervals"), "folds"), "folds")) {
    FoldModel fold;
    read_coefficients(object(one, "folds"), fold.at, fold.names);
    for (const Json& residual : list(member(one, "residuals"), "residuals"))
      fold.residuals.push_back(number(residual, "a residual"));
    const bool sorted = std::is_sorted(fold.residuals.begin(), fold.residuals.end());
    if (!sorted || (!fold.residuals.empty() && fold.residuals.front() < 0))
      throw Error("the residuals of a fold are not ascending numbers of 0 or more");
    folds.push_back(std::move(fold));
  }
  return folds;
}

// Models of earlier versions have none of these: they are gaussian.
void read_target(const Json& json, Model& model) {
  if (json.contains("family")) {
    const std::string name = string(json["family"], "the family");
    const std::optional<Family> family = family_from(name);
    if (!family)
      throw Error(fmt::format("the family '{}' is not one that this version knows", name));
    model.family = *family;
  }
  if (json.contains("classes")) {
    for (const Json& one : list(json["classes"], "classes"))
      model.classes.push_back(string(one, "a class"));
    if (model.classes.size() != 2) throw Error("'classes' does not have two classes");
  }
  if (json.contains("offset")) model.offset = string(json["offset"], "the offset");
}

// The step of this size, or the smallest that is best at this lambda.
const Json& step_of(const Json& json, const ModelChoice& choice) {
  if (!json.contains("steps"))
    throw Error(
        "it has one model only: lass0 cv --model FILE and lass0 path --format json keep the models "
        "of all sizes");
  const Json& steps = list(json["steps"], "steps");
  if (steps.empty()) throw Error("not a model of lass0: 'steps' is empty");
  const Json* best = nullptr;
  for (const Json& step : steps) {
    object(step, "steps");
    if (choice.k && number(member(step, "k"), "k") == static_cast<double>(*choice.k)) return step;
    const Json& least = member(step, "lambda_min");
    if (choice.lambda && !best && !least.is_null() && number(least, "lambda_min") <= *choice.lambda)
      best = &step;
  }
  if (choice.k)
    throw Error(fmt::format("it has the models of sizes 0 to {}, not of size {}", steps.size() - 1,
                            *choice.k));
  return best ? *best : steps.back();
}

}  // namespace

Model model_from_json(std::string_view text, const ModelChoice& choice) {
  const Json parsed = parse(text);
  if (!parsed.is_object()) throw Error("not a model of lass0: the JSON is not an object {...}");
  const bool of_cv = parsed.contains("curve") && parsed.contains("model");
  const Json& json = of_cv ? object(parsed["model"], "model") : parsed;
  const bool chosen = choice.k || choice.lambda;
  if (!chosen && json.contains("steps") && !json.contains("coefficients"))
    throw Error(
        "the result of lass0 path, which has a model for every size: choose one with --k or "
        "--lambda");
  Model model;
  read_coefficients(chosen ? step_of(json, choice) : json, model.at, model.names);
  if (!chosen && json.contains("intervals")) model.folds = read_folds(json["intervals"]);
  if (json.contains("target")) model.target = string(json["target"], "the target");
  read_target(json, model);
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
  if (json.contains("alleles")) {
    for (const auto& [column, allele] : object(json["alleles"], "alleles").items())
      model.alleles[column] = string(allele, fmt::format("the allele of '{}'", column));
  }
  return model;
}

Model load_model(const std::string& path, const ModelChoice& choice) {
  const std::string text = read_all(path);
  try {
    return model_from_json(text, choice);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace lass0
