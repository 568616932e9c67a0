#include "io/arrow_columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace lass0::arrow {
namespace {

constexpr std::string_view kWhole = "cCsSiIlL";  // signed and unsigned, of 8 to 64 bits
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

template <class T>
const T* buffer(const ArrowArray& array, std::int64_t number) {
  return static_cast<const T*>(array.buffers[number]);
}

bool bit(const void* bits, Index i) {
  return (static_cast<const unsigned char*>(bits)[i / 8] >> (i % 8) & 1) != 0;
}

// The bits that say which values are there; null where all are.
const void* validity(const ArrowArray& array) {
  return array.null_count == 0 || array.n_buffers == 0 ? nullptr : array.buffers[0];
}

bool is_one_of(std::string_view format, std::string_view letters) {
  return format.size() == 1 && letters.find(format[0]) != letters.npos;
}

bool is_text(std::string_view format) {
  return is_one_of(format, "uUzZ") || format == "vu" || format == "vz";
}

double half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 31) value = fraction == 0 ? std::numeric_limits<double>::infinity() : kMissing;
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class T>
void copy(const Part& column, Index count, double* out) {
  const T* from = buffer<T>(column.array, 1) + column.first;
  for (Index i = 0; i < count; ++i) out[i] = static_cast<double>(from[i]);
}

void copy_values(const Part& column, Index count, double* out) {
  switch (column.type.format[0]) {
    case 'c':
      return copy<std::int8_t>(column, count, out);
    case 'C':
      return copy<std::uint8_t>(column, count, out);
    case 's':
      return copy<std::int16_t>(column, count, out);
    case 'S':
      return copy<std::uint16_t>(column, count, out);
    case 'i':
      return copy<std::int32_t>(column, count, out);
    case 'I':
      return copy<std::uint32_t>(column, count, out);
    case 'l':
      return copy<std::int64_t>(column, count, out);
    case 'L':
      return copy<std::uint64_t>(column, count, out);
    case 'f':
      return copy<float>(column, count, out);
    case 'g':
      return copy<double>(column, count, out);
    case 'e':
      for (Index i = 0; i < count; ++i)
        out[i] = half(buffer<std::uint16_t>(column.array, 1)[column.first + i]);
      return;
    case 'b':
      for (Index i = 0; i < count; ++i)
        out[i] = bit(column.array.buffers[1], column.first + i) ? 1.0 : 0.0;
      return;
    default:
      std::fill_n(out, count, kMissing);  // of the type null
  }
}

template <class T>
std::int64_t whole(const ArrowArray& array, Index i) {
  return static_cast<std::int64_t>(buffer<T>(array, 1)[i]);
}

// Of an index into categories.
std::int64_t whole(const ArrowArray& array, char format, Index i) {
  switch (format) {
    case 'c':
      return whole<std::int8_t>(array, i);
    case 'C':
      return whole<std::uint8_t>(array, i);
    case 's':
      return whole<std::int16_t>(array, i);
    case 'S':
      return whole<std::uint16_t>(array, i);
    case 'i':
      return whole<std::int32_t>(array, i);
    case 'I':
      return whole<std::uint32_t>(array, i);
    default:
      return whole<std::int64_t>(array, i);
  }
}

// A text of at most 12 bytes stands in its view, a longer one in one of the buffers.
std::string_view text_of_view(const ArrowArray& array, Index i) {
  const char* view = buffer<char>(array, 1) + 16 * i;
  std::int32_t parts[4];  // bytes, the first four of them, the buffer, the place in it
  std::memcpy(parts, view, sizeof parts);
  const auto size = static_cast<std::size_t>(parts[0]);
  if (size <= 12) return {view + 4, size};
  return {buffer<char>(array, 2 + parts[2]) + parts[3], size};
}

template <class Offset>
std::string_view text_at(const ArrowArray& array, Index i) {
  const Offset* ends = buffer<Offset>(array, 1) + i;
  const char* bytes = buffer<char>(array, 2);
  return {bytes + ends[0], static_cast<std::size_t>(ends[1] - ends[0])};
}

// The metadata: their number, then for each the length of a key, the key, the length of a value,
// the value. An extension's values are numbers that mean something else, such as pandas' periods.
bool is_extension(const ArrowSchema& type) {
  const char* at = type.metadata;
  if (!at) return false;
  const auto next_size = [&] {
    std::int32_t size;
    std::memcpy(&size, at, sizeof size);
    at += sizeof size;
    return size;
  };
  const auto next_text = [&] {
    const auto size = static_cast<std::size_t>(next_size());
    const std::string_view text(at, size);
    at += size;
    return text;
  };
  for (std::int32_t left = next_size(); left > 0; --left) {
    const std::string_view key = next_text(), value = next_text();
    if (key == "ARROW:extension:name" && value != "arrow.bool8") return true;
  }
  return false;
}

}  // namespace

namespace {

struct NotNumbers {
  std::string what;     // empty: they are
  std::string instead;  // of a column of X
};

NotNumbers kind_of(const ArrowSchema& type) {
  const std::string_view format = type.format;
  if (is_extension(type))
    return {"has values of a type of its own, such as periods",
            "convert it to numbers, or exclude it"};
  if (type.dictionary || is_text(format))
    return {type.dictionary ? "has categories" : "has texts",
            "exclude it, or give all its levels for one-hot coding (levels)"};
  if (is_one_of(format, kWhole) || is_one_of(format, "efgbn")) return {};
  if (format.starts_with("d:")) return {"has decimals", "cast it to double, or exclude it"};
  if (format.starts_with('t'))
    return {"has dates or times",
            "convert it to numbers, such as days since a first date, or exclude it"};
  return {"has lists or other values that are no numbers",
          "exclude it, or spread it over columns of numbers"};
}

}  // namespace

std::string not_numbers(const ArrowSchema& type) {
  const NotNumbers kind = kind_of(type);
  return kind.what.empty() ? "" : kind.what + ": " + kind.instead;
}

std::string not_numbers(const ArrowSchema& type, const std::string& role) {
  const NotNumbers kind = kind_of(type);
  return kind.what.empty() ? "" : "is " + role + ", but " + kind.what + ": convert it to numbers";
}

std::string not_labels(const ArrowSchema& type) {
  const ArrowSchema& values = type.dictionary ? *type.dictionary : type;
  const std::string_view format = values.format;
  if (values.dictionary) return "has categories of categories: cast it to texts";
  if (is_text(format) || is_one_of(format, kWhole) || is_one_of(format, "bn")) return "";
  return "must have texts or whole numbers: cast it to one of them";
}

bool in_place(const Part& column, Index count) {
  const ArrowArray& array = column.array;
  if (column.type.format != std::string_view("g")) return false;
  if (reinterpret_cast<std::uintptr_t>(array.buffers[1]) % alignof(double) != 0) return false;
  const void* there = validity(array);
  for (Index i = 0; there && i < count; ++i)
    if (!bit(there, column.first + i)) return false;
  return true;
}

const double* doubles(const Part& column) { return buffer<double>(column.array, 1) + column.first; }

void convert(const Part& column, Index count, double* out) {
  copy_values(column, count, out);
  const void* there = validity(column.array);
  for (Index i = 0; there && i < count; ++i)
    if (!bit(there, column.first + i)) out[i] = kMissing;
}

Texts::Texts(const Part& column)
    : array_(&column.array),
      first_(column.first),
      format_(column.type.format[0]),
      view_(format_ == 'v') {
  if (column.type.dictionary)
    categories_ = std::make_unique<Texts>(
        Part{*column.type.dictionary, *array_->dictionary, array_->dictionary->offset});
}

Texts::~Texts() = default;

std::string_view Texts::text(Index i) const {
  if (view_) return text_of_view(*array_, i);
  const bool large = format_ == 'U' || format_ == 'Z';
  return large ? text_at<std::int64_t>(*array_, i) : text_at<std::int32_t>(*array_, i);
}

std::optional<std::string_view> Texts::at(Index row) {
  const Index i = first_ + row;
  const void* there = validity(*array_);
  if (format_ == 'n' || (there && !bit(there, i))) return {};
  if (categories_) return categories_->at(whole(*array_, format_, i));
  if (format_ == 'b') return bit(array_->buffers[1], i) ? "true" : "false";
  if (kWhole.find(format_) == kWhole.npos) return text(i);
  const auto digits = [&](auto value) {
    const char* end = std::to_chars(digits_.data(), digits_.data() + digits_.size(), value).ptr;
    return std::string_view(digits_.data(), static_cast<std::size_t>(end - digits_.data()));
  };
  if (format_ == 'L') return digits(buffer<std::uint64_t>(*array_, 1)[i]);
  return digits(whole(*array_, format_, i));
}

}  // namespace lass0::arrow
