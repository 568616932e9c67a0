#include "io/byte_stream.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <lass0/error.hpp>

#include "io/bytes.hpp"

namespace lass0::io {
namespace {

constexpr std::size_t kPacked = std::size_t{1} << 20;

}  // namespace

ByteStream::ByteStream(const std::string& path) : source_(source_name(path)), file_(path) {
  packed_.resize(kPacked);
  packed_.resize(read_file(packed_.data(), packed_.size()));
  if (is_gzip(packed_)) inflater_ = std::make_unique<Inflater>(source_);
  ended_ = packed_.empty();
}

std::size_t ByteStream::read_file(char* to, std::size_t count) {
  std::size_t got = 0;
  while (got < count && !file_ended_) {
    const ssize_t more = ::read(file_.get(), to + got, count - got);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) throw_system_error(source_, errno);
    file_ended_ = more == 0;
    got += static_cast<std::size_t>(more);
  }
  file_bytes_ += got;
  return got;
}

void ByteStream::read(std::size_t count, std::string& out) {
  const std::size_t before = out.size();
  out.resize(before + count);
  char* to = out.data() + before;
  std::size_t got = 0;
  if (inflater_) {
    got = unpack(to, count);
  } else {
    got = std::min(count, packed_.size() - used_);
    std::memcpy(to, packed_.data() + used_, got);
    used_ += got;
    got += read_file(to + got, count - got);
  }
  ended_ = got < count;
  out.resize(before + got);
}

std::size_t ByteStream::unpack(char* to, std::size_t count) {
  z_stream& stream = inflater_->stream;
  std::size_t got = 0;
  while (got < count) {
    if (used_ == packed_.size() && !file_ended_) {
      packed_.resize(kPacked);
      packed_.resize(read_file(packed_.data(), packed_.size()));
      used_ = 0;
    }
    stream.next_in = reinterpret_cast<Bytef*>(packed_.data() + used_);
    stream.avail_in = static_cast<uInt>(packed_.size() - used_);
    stream.next_out = reinterpret_cast<Bytef*>(to + got);
    const auto room = static_cast<uInt>(std::min(count - got, std::size_t{1} << 30));
    stream.avail_out = room;
    const int status = inflate(&stream, Z_NO_FLUSH);
    used_ = packed_.size() - stream.avail_in;
    got += room - stream.avail_out;
    if (status == Z_STREAM_END) {
      // Several streams may follow each other; anything else behind the last one is ignored.
      if (packed_.size() - used_ < 2 && !file_ended_) {
        packed_.erase(0, used_);
        used_ = 0;
        const std::size_t left = packed_.size();
        packed_.resize(left + kPacked);
        packed_.resize(left + read_file(packed_.data() + left, kPacked));
      }
      if (!is_gzip(std::string_view(packed_).substr(used_))) break;
      inflateReset(&stream);
    } else if (status == Z_BUF_ERROR ||
               (status == Z_OK && stream.avail_out > 0 && used_ == packed_.size() && file_ended_)) {
      throw Error(fmt::format("{}: the gzip file is truncated", source_));
    } else if (status != Z_OK) {
      throw Error(fmt::format("{}: the gzip file is damaged: {}", source_,
                              stream.msg ? stream.msg : "it can't be unpacked"));
    }
  }
  return got;
}

double ByteStream::fraction() const {
  const auto size = static_cast<double>(file_.info().st_size);
  return S_ISREG(file_.info().st_mode) && size > 0 ? static_cast<double>(file_bytes_) / size : -1;
}

}  // namespace lass0::io
