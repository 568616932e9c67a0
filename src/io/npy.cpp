#include "io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <lass0/error.hpp>
#include <limits>

#include "io/formats.hpp"
#include "io/npy_header.hpp"

namespace lass0::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

template <typename T, bool swapped>
double load(const char* from) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if constexpr (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

template <bool swapped>
double load_half(const char* from) {
  const auto bits = static_cast<std::uint16_t>(load<std::uint16_t, swapped>(from));
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) ? -value : value;
}

using Loader = double (*)(const char*);

template <bool swapped>
Loader loader(std::string_view kind) {
  if (kind == "f8") return load<double, swapped>;
  if (kind == "f4") return load<float, swapped>;
  if (kind == "f2") return load_half<swapped>;
  if (kind == "i1") return load<std::int8_t, swapped>;
  if (kind == "i2") return load<std::int16_t, swapped>;
  if (kind == "i4") return load<std::int32_t, swapped>;
  if (kind == "i8") return load<std::int64_t, swapped>;
  if (kind == "u1" || kind == "b1") return load<std::uint8_t, swapped>;
  if (kind == "u2") return load<std::uint16_t, swapped>;
  if (kind == "u4") return load<std::uint32_t, swapped>;
  if (kind == "u8") return load<std::uint64_t, swapped>;
  return nullptr;
}

std::optional<NumberType> number_type(std::string_view kind) {
  if (kind == "f8") return NumberType::float64;
  if (kind == "f4") return NumberType::float32;
  if (kind == "i1") return NumberType::int8;
  if (kind == "i2") return NumberType::int16;
  if (kind == "i4") return NumberType::int32;
  if (kind == "i8") return NumberType::int64;
  if (kind == "u1" || kind == "b1") return NumberType::uint8;
  if (kind == "u2") return NumberType::uint16;
  if (kind == "u4") return NumberType::uint32;
  if (kind == "u8") return NumberType::uint64;
  return {};
}

std::string_view read_header(std::string_view bytes, const std::string& source,
                             std::string_view& data) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  if (!bytes.starts_with(magic))
    throw Error(fmt::format("{}: this is not a NumPy .npy file", source));
  const bool short_length = bytes.size() > 6 && byte(6) == 1;
  const std::size_t start = short_length ? 10 : 12;
  if (bytes.size() < start)
    throw Error(fmt::format("{}: the file is truncated: its header is cut short", source));
  if (byte(6) < 1 || byte(6) > 3)
    throw Error(fmt::format("{}: .npy version {} is not known", source, byte(6)));
  const std::size_t length = short_length
                                 ? byte(8) | byte(9) << 8
                                 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (bytes.size() - start < length)
    throw Error(fmt::format("{}: the file is truncated: its header is cut short", source));
  data = bytes.substr(start + length);
  return bytes.substr(start, length);
}

}  // namespace

NpyArray::NpyArray(std::string_view bytes, const std::string& source) : source_(source) {
  const NpyHeader header = parse_npy_header(read_header(bytes, source, data_), source);
  read_type(header.type);
  fortran_ = header.fortran;
  shape_ = header.shape;

  double expected = static_cast<double>(item_size_);
  for (const Index size : shape_) expected *= static_cast<double>(size);
  if (expected == 0) throw Error(fmt::format("{}: the array is empty", source));
  if (static_cast<double>(data_.size()) < expected) {
    throw Error(
        fmt::format("{}: the file is truncated: {:.0f} bytes of data are expected, {} are there",
                    source, expected, data_.size()));
  }
}

void NpyArray::read_type(const std::string& type) {
  const char order = type.empty() ? '?' : type[0];
  const std::string kind = type.empty() ? "" : type.substr(1);
  const bool big = order == '>';
  const bool swapped = big == (std::endian::native == std::endian::little);
  if (order == '<' || order == '>' || order == '|' || order == '=')
    load_ = swapped && order != '|' && order != '=' ? loader<true>(kind) : loader<false>(kind);
  if (!load_) {
    const bool objects = kind.starts_with('O');
    throw Error(
        fmt::format("{}: an array of {} can't be read; save it as float64", source_,
                    objects ? std::string("Python objects") : fmt::format("type '{}'", type)));
  }
  item_size_ = kind[1] - '0';
  floating_ = kind[0] == 'f';
  if (!swapped || item_size_ == 1) stored_as_ = number_type(kind);
}

std::optional<ColumnView> NpyArray::column(Index j) const {
  if (!stored_as_) return {};
  const Index step = fortran_ ? 1 : cols();
  return ColumnView{data_.data() + j * (fortran_ ? rows() : 1) * item_size_, step * item_size_,
                    *stored_as_};
}

RawTable read_npy(const Input& input) {
  const NpyArray array(input.bytes, input.source);
  if (array.dimensions() < 1 || array.dimensions() > 2) {
    throw Error(fmt::format("{}: the array has {} dimensions; a table has two", input.source,
                            array.dimensions()));
  }
  if (auto in_place = npy_in_place(input, array)) return std::move(*in_place);
  RawTable raw(input, ColumnNames::numbered(input.source, array.cols()), array.rows());
  array.for_each(input.progress, [&](Index i, Index j, double value) { raw.put(j, value, i); });
  return raw;
}

bool looks_like_npy(std::string_view bytes) { return bytes.starts_with(magic); }

}  // namespace lass0::io
