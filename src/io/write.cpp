// Tables as files.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <iterator>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <utility>

namespace lass0 {
namespace {

// Text gathered in pieces worth a system call.
class Text {
 public:
  explicit Text(const Sink& sink) : sink_(sink) {}

  template <typename... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Values>(values)...);
    if (buffer_.size() >= (std::size_t{1} << 18)) flush();
  }
  void flush() {
    sink_(std::string_view(buffer_.data(), buffer_.size()));
    buffer_.clear();
  }

 private:
  const Sink& sink_;
  fmt::memory_buffer buffer_;
};

std::string quoted(const std::string& name, char delimiter) {
  const bool blanks =
      !name.empty() && (std::strchr(" \t", name.front()) || std::strchr(" \t", name.back()));
  if (!blanks && name.find_first_of(std::string("\"\r\n") + delimiter) == std::string::npos)
    return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

void fill_delimited(const Sink& sink, char delimiter, const Matrix& X, const Vector& y,
                    std::span<const std::string> names, const std::string& target) {
  Text text(sink);
  const bool has_target = y.size() > 0;
  const auto end_field = [&](bool last) { text.add("{}", last ? '\n' : delimiter); };
  for (std::size_t j = 0; j < names.size(); ++j) {
    text.add("{}", quoted(names[j], delimiter));
    end_field(!has_target && j + 1 == names.size());
  }
  if (has_target) text.add("{}\n", quoted(target, delimiter));
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) {
      text.add("{}", X(i, j));
      end_field(!has_target && j + 1 == X.cols());
    }
    if (has_target) text.add("{}\n", y(i));
  }
  text.flush();
}

void fill_npy(const Sink& sink, const Matrix& X, const Vector& y) {
  const Index cols = X.cols() + (y.size() > 0);
  const char order = std::endian::native == std::endian::little ? '<' : '>';
  std::string header = fmt::format(
      "{{'descr': '{}f8', 'fortran_order': False, 'shape': ({}, {}), }}", order, X.rows(), cols);
  constexpr std::size_t before = 10, alignment = 64;  // magic, version and length; data are aligned
  header.append((alignment - (before + header.size() + 1) % alignment) % alignment, ' ');
  header += '\n';
  std::string start = "\x93NUMPY";
  start += {'\x01', '\x00', static_cast<char>(header.size() & 255),
            static_cast<char>(header.size() >> 8)};
  sink(start + header);
  Vector row(cols);
  for (Index i = 0; i < X.rows(); ++i) {
    row.head(X.cols()) = X.row(i);
    if (y.size() > 0) row(cols - 1) = y(i);
    sink(std::string_view(reinterpret_cast<const char*>(row.data()),
                          static_cast<std::size_t>(cols) * sizeof(double)));
  }
}

}  // namespace

void write_table(const std::string& path, const Matrix& X, const Vector& y,
                 std::span<const std::string> names, const std::string& target) {
  if (std::ssize(names) != X.cols())
    throw Error(fmt::format("there are {} names but X has {} columns", names.size(), X.cols()));
  if (y.size() != 0 && y.size() != X.rows())
    throw Error(fmt::format("y has {} values but X has {} rows", y.size(), X.rows()));
  std::string_view name = path;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  write_file(path, [&](const Sink& sink) {
    if (name.ends_with(".npy"))
      fill_npy(sink, X, y);
    else
      fill_delimited(sink, name.ends_with(".tsv") ? '\t' : ',', X, y, names, target);
  });
}

}  // namespace lass0
