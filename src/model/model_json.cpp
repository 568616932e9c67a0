// Models from JSON: what `lass0 fit` and `to_json` wrote.
#include <fmt/format.h>
#include <zlib.h>

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
  if (found == json.end() && json.contains("curve") && json.contains("model"))
    throw Error("the result of lass0 cv, not a model: lass0 cv --model FILE writes its model");
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
