// A file that is open for reading, and gzip streams.
#pragma once

#include <sys/stat.h>
#include <zlib.h>

#include <string>
#include <string_view>

namespace lass0::io {

[[noreturn]] void throw_system_error(const std::string& source, int code);

// Open for reading; "-" is standard input.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path);  // throws Error, also of a folder
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  const struct stat& info() const { return info_; }

 private:
  int fd_;
  bool owned_;
  struct stat info_ = {};
};

inline bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

// One inflate stream, ended whatever happens.
struct Inflater {
  z_stream stream = {};
  explicit Inflater(const std::string& source);
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

}  // namespace lass0::io
