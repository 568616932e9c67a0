// Files of moments: a line of magic bytes, the version, a header in JSON, the sums as doubles
// (little end first), and a checksum of all that stands before it.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <lass0/error.hpp>
#include <nlohmann/json.hpp>

#include "io/bytes.hpp"
#include "io/formats.hpp"
#include "io/moments_state.hpp"
#include "util/memory.hpp"

namespace lass0 {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic = "\x89L0MOM\r\n";  // shows where line ends were changed
constexpr std::uint32_t kVersion = 1;

template <class Number>
Number little_endian(Number value) {
  if constexpr (std::endian::native == std::endian::big) {
    char bytes[sizeof(Number)];
    std::memcpy(bytes, &value, sizeof(Number));
    std::reverse(bytes, bytes + sizeof(Number));
    std::memcpy(&value, bytes, sizeof(Number));
  }
  return value;
}

constexpr std::size_t kRoomForHeader = 4096;  // more where there are many names

// In bytes.
template <class Number>
auto size_of_sums(Number columns, Number folds) {
  return sizeof(double) * (columns + folds * (2 + columns + columns * (columns + 1) / 2));
}

class Writer {
 public:
  explicit Writer(const Sink& sink) : sink_(sink) {}

  void bytes(std::string_view text) {
    sum_ = crc32_z(sum_, reinterpret_cast<const Bytef*>(text.data()), text.size());
    sink_(text);
  }
  template <class Number>
  void number(Number value) {
    value = little_endian(value);
    char text[sizeof value];
    std::memcpy(text, &value, sizeof value);
    bytes({text, sizeof value});
  }
  void numbers(const double* values, Index count) {
    if constexpr (std::endian::native == std::endian::little) {
      bytes({reinterpret_cast<const char*>(values),
             sizeof(double) * static_cast<std::size_t>(count)});
    } else {
      for (Index i = 0; i < count; ++i) number(values[i]);
    }
  }
  void checksum() { number(static_cast<std::uint32_t>(sum_)); }

 private:
  const Sink& sink_;
  uLong sum_ = crc32_z(0, nullptr, 0);
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  std::string_view take(std::size_t count) {
    if (bytes_.size() - at_ < count) throw_truncated();
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return little_endian(value);
  }
  void numbers(double* values, Index count) {
    const std::string_view text = take(sizeof(double) * static_cast<std::size_t>(count));
    std::memcpy(values, text.data(), text.size());
    for (Index i = 0; i < count; ++i) values[i] = little_endian(values[i]);
  }
  std::size_t left() const { return bytes_.size() - at_; }

  [[noreturn]] void throw_truncated() const {
    throw Error(fmt::format("{}: the file of moments is truncated: make it again", source_));
  }
  [[noreturn]] void throw_damaged() const {
    throw Error(fmt::format("{}: the file of moments is damaged: make it again", source_));
  }

 private:
  std::string_view bytes_;
  const std::string& source_;
  std::size_t at_ = 0;
};

Json header_of(const MomentsBuilder::State& state) {
  const MomentsSchema& schema = state.schema;
  Json json;
  json["target"] = schema.target;
  json["weights"] = schema.weights;
  json["fold_column"] = schema.fold_column;
  json["folds"] = state.sums.folds();
  json["seed"] = schema.seed;
  json["labels"] = state.labels;
  json["rows"] = Json::array();
  if (state.random) {
    for (const auto& [first, count] : state.all_parts()) json["rows"].push_back({first, count});
  }
  json["next_row"] = state.next_row;
  json["one_hot"] = schema.one_hot;
  json["columns"] = schema.names;
  return json;
}

std::unique_ptr<MomentsBuilder::State> state_from(const Json& json) {
  MomentsSchema schema;
  schema.names = json.at("columns").get<std::vector<std::string>>();
  schema.target = json.at("target");
  schema.weights = json.at("weights");
  schema.fold_column = json.at("fold_column");
  schema.folds = json.at("folds");
  schema.seed = json.at("seed");
  schema.one_hot = json.at("one_hot");
  const Index next_row = json.at("next_row");
  auto state = std::make_unique<MomentsBuilder::State>(std::move(schema), next_row, 1);
  for (const std::string label : json.at("labels")) state->fold_of(label);
  for (const Json& part : json.at("rows"))
    state->parts.emplace_back(part.at(0).get<Index>(), part.at(1).get<Index>());
  return state;
}

void read_sums(Reader& reader, FoldSums& sums, Index folds) {
  const Index q = sums.columns();
  Vector centre(q);
  reader.numbers(centre.data(), q);
  if (!centre.allFinite()) reader.throw_damaged();
  sums.set_centre(std::move(centre));
  for (Index f = 0; f < folds; ++f) {
    FoldSum& sum = sums.fold(f);
    sum.rows = static_cast<Index>(reader.number<std::uint64_t>());
    sum.weight = reader.number<double>();
    reader.numbers(sum.mean.data(), q);
    for (Index j = 0; j < q; ++j) reader.numbers(sum.squares.col(j).data() + j, q - j);
  }
}

std::unique_ptr<MomentsBuilder::State> read_state(std::string_view bytes,
                                                  const std::string& source) {
  if (!io::looks_like_moments(bytes))
    throw Error(
        fmt::format("{}: this is not a file of moments, which lass0 moments writes", source));
  Reader reader(bytes, source);
  reader.take(kMagic.size());
  const auto version = reader.number<std::uint32_t>();
  if (version != kVersion)
    throw Error(
        fmt::format("{}: files of moments of version {} can't be read: this lass0 knows version {}",
                    source, version, kVersion));
  const auto header = reader.number<std::uint64_t>();
  if (header > reader.left()) reader.throw_truncated();
  const Json json = Json::parse(reader.take(static_cast<std::size_t>(header)), nullptr, false);
  if (!json.is_object() || !json.contains("columns") || !json.contains("folds"))
    reader.throw_damaged();
  std::unique_ptr<MomentsBuilder::State> state;
  try {
    const double q = static_cast<double>(json.at("columns").size()) + 1;
    const double folds = json.at("folds").get<double>();
    const double size = size_of_sums(q, folds);
    if (static_cast<double>(reader.left()) < size + sizeof(std::uint32_t)) reader.throw_truncated();
    if (static_cast<double>(reader.left()) > size + sizeof(std::uint32_t)) reader.throw_damaged();
    const std::size_t all = bytes.size() - sizeof(std::uint32_t);
    const uLong sum =
        crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()), all);
    Reader last(bytes.substr(all), source);
    if (last.number<std::uint32_t>() != static_cast<std::uint32_t>(sum)) reader.throw_damaged();
    state = state_from(json);
    if (state->sums.folds() != json.at("folds").get<Index>()) reader.throw_damaged();
  } catch (const Json::exception&) {
    reader.throw_damaged();
  }
  read_sums(reader, state->sums, state->sums.folds());
  return state;
}

}  // namespace

MomentsBuilder io::moments_from_bytes(std::string_view bytes, const std::string& source) {
  return MomentsBuilder(read_state(bytes, source));
}

void io::check_utf8(const std::string& text, const std::string& what) try {
  Json(text).dump();
} catch (const Json::type_error&) {
  std::string shown;
  for (const char c : text)
    shown += static_cast<unsigned char>(c) < 0x80
                 ? std::string(1, c)
                 : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  throw Error(
      fmt::format("{} '{}' is not valid UTF-8: convert the data, for instance with iconv "
                  "-f latin1 -t utf-8",
                  what, shown));
}

bool io::looks_like_moments(std::string_view bytes) { return bytes.starts_with(kMagic); }

bool is_moments_file(const std::string& path) {
  if (path == "-") return false;
  std::ifstream file(path, std::ios::binary);
  char first[kMagic.size()] = {};
  file.read(first, sizeof first);
  return io::looks_like_moments({first, static_cast<std::size_t>(file.gcount())});
}

std::string to_json(const MomentsBuilder& builder) {
  const MomentsSchema& schema = builder.schema();
  Json json;
  json["n"] = builder.rows();
  json["p"] = schema.names.size();
  json["target"] = schema.target;
  json["folds"] = builder.folds();
  if (schema.fold_column.empty()) {
    json["seed"] = schema.seed;
    json["next_row"] = builder.next_row();
  } else {
    json["fold_column"] = schema.fold_column;
  }
  return json.dump(2) + "\n";
}

namespace {

void write(MomentsBuilder::State& state, const Sink& sink) {
  state.sums.flush(state.threads);
  state.check_scales();
  const std::string header = header_of(state).dump();
  const FoldSums& sums = state.sums;
  const Index q = sums.columns();
  Writer out(sink);
  out.bytes(kMagic);
  out.number(kVersion);
  out.number(static_cast<std::uint64_t>(header.size()));
  out.bytes(header);
  const Vector none = Vector::Zero(q);
  out.numbers(sums.centre().size() > 0 ? sums.centre().data() : none.data(), q);
  for (Index f = 0; f < sums.folds(); ++f) {
    const FoldSum& sum = sums.fold(f);
    out.number(static_cast<std::uint64_t>(sum.rows));
    out.number(sum.weight);
    out.numbers(sum.mean.data(), q);
    for (Index j = 0; j < q; ++j) out.numbers(sum.squares.col(j).data() + j, q - j);
  }
  out.checksum();
}

}  // namespace

void MomentsBuilder::save(const std::string& path) {
  state_->sums.flush(state_->threads);
  state_->check_scales();  // before there is a file
  write_file(path, [&](const Sink& sink) { write(*state_, sink); });
}

std::string MomentsBuilder::to_bytes() {
  std::string bytes;
  bytes.reserve(size_of_sums(static_cast<std::size_t>(state_->sums.columns()),
                             static_cast<std::size_t>(state_->sums.folds())) +
                kRoomForHeader);
  write(*state_, [&](std::string_view more) { bytes += more; });
  return bytes;
}

MomentsBuilder MomentsBuilder::from_bytes(std::string_view bytes) {
  return io::moments_from_bytes(bytes, "the bytes");
}

MomentsBuilder MomentsBuilder::load(const std::string& path) {
  const io::Bytes bytes = io::Bytes::read(path);
  const std::string source = io::source_name(path);
  MomentsBuilder builder = io::moments_from_bytes(bytes.view(), source);
  bytes.check(source);
  return builder;
}

}  // namespace lass0
