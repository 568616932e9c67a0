#include "io/bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <lass0/error.hpp>
#include <limits>
#include <utility>

#include "io/open_file.hpp"
#include "util/memory.hpp"

namespace lass0::io {
namespace {

constexpr std::size_t chunk = std::size_t{1} << 20;

// Nobody types this much, so a device that has it goes on for ever.
constexpr std::size_t most_of_device = std::size_t{256} << 20;

Buffer read_all(int fd, const std::string& source, bool device) {
  Buffer buffer(source);
  while (true) {
    if (device && buffer.view().size() > most_of_device)
      throw Error(fmt::format("{}: is a device that does not end, not a file", source));
    char* to = buffer.room(chunk);
    const ssize_t got = ::read(fd, to, buffer.free_bytes());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system_error(source, errno);
    if (got == 0) return buffer;
    buffer.added(static_cast<std::size_t>(got));
  }
}

Buffer gunzip(std::string_view packed, const std::string& source, const ReadProgress::Tell& tell) {
  constexpr std::size_t most = std::size_t{16} << 20;  // at a time, so that progress is told
  ReadProgress progress(tell, "unpacking " + source, packed);
  Buffer buffer(source);
  Inflater inflater(source);
  z_stream& stream = inflater.stream;
  std::size_t given = 0;
  while (true) {
    if (stream.avail_in == 0 && given < packed.size()) {
      const std::size_t piece = std::min<std::size_t>(packed.size() - given, most);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + given));
      stream.avail_in = static_cast<uInt>(piece);
      given += piece;
      progress.at(packed.data() + given);
    }
    stream.next_out = reinterpret_cast<Bytef*>(buffer.room(chunk));
    const uInt room =
        static_cast<uInt>(std::min<std::size_t>(buffer.free_bytes(), std::size_t{1} << 30));
    stream.avail_out = room;
    const int status = inflate(&stream, Z_NO_FLUSH);
    buffer.added(room - stream.avail_out);
    const bool used_up = stream.avail_in == 0 && given == packed.size();
    if (status == Z_STREAM_END) {
      // A .gz may hold several streams in a row; anything else behind the last one (zero padding)
      // is ignored, as gzip does.
      const std::string_view rest = packed.substr(given - stream.avail_in);
      if (!is_gzip(rest)) return buffer;
      inflateReset(&stream);
    } else if (status == Z_BUF_ERROR || (status == Z_OK && used_up && stream.avail_out > 0)) {
      throw Error(fmt::format("{}: the gzip file is truncated: it ends after {} unpacked bytes",
                              source, buffer.view().size()));
    } else if (status != Z_OK) {
      throw Error(fmt::format("{}: the gzip file is damaged: {}", source,
                              stream.msg ? stream.msg : "it can't be unpacked"));
    }
  }
}

}  // namespace

Buffer::~Buffer() { std::free(data_); }

Buffer::Buffer(Buffer&& other) noexcept
    : source_(std::move(other.source_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

char* Buffer::room(std::size_t at_least) {
  if (free_bytes() < at_least) {
    const std::size_t wanted = std::max(size_ + at_least, capacity_ + capacity_ / 2);
    const std::string what = "the content of " + source_;
    require_memory(static_cast<double>(wanted - size_), what);
    char* grown = static_cast<char*>(std::realloc(data_, wanted));
    if (!grown) {
      throw Error(fmt::format("not enough memory: {} are needed for {}",
                              format_bytes(static_cast<double>(wanted)), what));
    }
    data_ = grown;
    capacity_ = wanted;
  }
  return data_ + size_;
}

Bytes Bytes::read(const std::string& path, const ReadProgress::Tell& tell) {
  const std::string source = source_name(path);
  const bool standard_input = path == "-";
  const Descriptor file(path);
  const int fd = file.get();
  const struct stat info = file.info();

  const auto load = [&]() -> Bytes {
    if (!standard_input && S_ISREG(info.st_mode) && info.st_size > 0) {
      auto mapped = MappedFile::map(fd, static_cast<std::size_t>(info.st_size));
      if (mapped) return Bytes(std::move(*mapped));
    }
    return Bytes(
        read_all(fd, source, S_ISCHR(info.st_mode)));  // pipes, and file systems that can't map
  };
  Bytes bytes = load();
  if (!is_gzip(bytes.view())) return bytes;
  try {
    Buffer unpacked = gunzip(bytes.view(), source, tell);
    bytes.check(source);
    return Bytes(std::move(unpacked));
  } catch (const Error&) {
    bytes.check(source);  // the cause, where it is one
    throw;
  }
}

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace lass0::io
