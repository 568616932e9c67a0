#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <utility>

namespace lass0 {
namespace {

[[noreturn]] void throw_cannot_write(const std::string& path, int code) {
  throw Error(fmt::format("{}: can't be written: {}", path, std::strerror(code)));
}

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_cannot_write(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// gzip around a sink.
class Deflater {
 public:
  explicit Deflater(Sink to) : to_(std::move(to)), out_(std::size_t{1} << 16, '\0') {
    constexpr int window_with_gzip_header = 15 + 16, memory_level = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_with_gzip_header,
                     memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
      throw Error("gzip can't be started: out of memory");
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void write(std::string_view bytes) {
    constexpr std::size_t piece = std::size_t{1} << 30;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
      run(bytes.substr(0, piece), Z_NO_FLUSH);
  }
  void finish() { run({}, Z_FINISH); }

 private:
  void run(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      deflate(&stream_, flush);
      to_(std::string_view(out_.data(), out_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

  Sink to_;
  std::string out_;
  z_stream stream_ = {};
};

void fill_descriptor(int fd, const std::string& path,
                     const std::function<void(const Sink&)>& fill) {
  const Sink plain = [&](std::string_view bytes) { write_all(fd, bytes, path); };
  if (!path.ends_with(".gz")) return fill(plain);
  Deflater packed(plain);
  fill([&](std::string_view bytes) { packed.write(bytes); });
  packed.finish();
}

// A file that is gone again unless it was renamed to what it is for.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path) : path_(path) {
    static std::atomic<unsigned> counter = 0;
    name_ = fmt::format("{}.tmp-{}-{}", path, ::getpid(), counter++);
    fd_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0 && errno == ENOENT)
      throw Error(fmt::format("{}: can't be written: there is no such folder", path));
    if (fd_ < 0) throw_cannot_write(path, errno);
  }
  ~TemporaryFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return fd_; }

  void keep() {
    const int closed = ::close(std::exchange(fd_, -1));
    if (closed != 0 || std::rename(name_.c_str(), path_.c_str()) != 0)
      throw_cannot_write(path_, errno);
    name_.clear();
  }

 private:
  std::string path_, name_;
  int fd_ = -1;
};

// Devices and pipes can't be replaced, only written to.
void write_in_place(const std::string& path, const std::function<void(const Sink&)>& fill) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) throw_cannot_write(path, errno);
  struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
  } closer{fd};
  fill_descriptor(fd, path, fill);
}

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

void write_file(const std::string& path, const std::function<void(const Sink&)>& fill) {
  if (path == "-") return fill_descriptor(STDOUT_FILENO, "standard output", fill);
  struct stat info = {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) throw_cannot_write(path, EISDIR);
    if (!S_ISREG(info.st_mode)) return write_in_place(path, fill);
  }
  TemporaryFile file(path);
  fill_descriptor(file.descriptor(), path, fill);
  file.keep();
}

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
