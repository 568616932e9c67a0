#include "io/open_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <lass0/error.hpp>

#include "io/bytes.hpp"

namespace lass0::io {

void throw_system_error(const std::string& source, int code) {
  if (code == ENOENT) throw Error(fmt::format("{}: no such file", source));
  if (code == EISDIR) throw Error(fmt::format("{}: is a directory, not a file", source));
  throw Error(fmt::format("{}: can't be read: {}", source, std::strerror(code)));
}

Descriptor::Descriptor(const std::string& path)
    : fd_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      owned_(path != "-") {
  if (fd_ < 0) throw_system_error(source_name(path), errno);
  int code = ::fstat(fd_, &info_) != 0 ? errno : 0;
  if (code == 0 && S_ISDIR(info_.st_mode)) code = EISDIR;
  if (code == 0) return;
  if (owned_) ::close(fd_);
  throw_system_error(source_name(path), code);
}

Descriptor::~Descriptor() {
  if (owned_) ::close(fd_);
}

Inflater::Inflater(const std::string& source) {
  constexpr int window_with_gzip_header = 15 + 16;
  if (inflateInit2(&stream, window_with_gzip_header) != Z_OK)
    throw Error(fmt::format("{}: gzip can't be started: out of memory", source));
}

}  // namespace lass0::io
