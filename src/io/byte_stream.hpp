// The content of a file from its beginning to its end, a piece at a time, unpacked from gzip where
// need be: for files that are larger than memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/open_file.hpp"

namespace lass0::io {

class ByteStream {
 public:
  explicit ByteStream(const std::string& path);  // throws Error; "-" is standard input

  const std::string& source() const { return source_; }
  // Appends the next bytes to `out`: this many, or fewer at the end of the file.
  void read(std::size_t count, std::string& out);
  bool ended() const { return ended_; }
  // Of the bytes of the file; below 0 where its size is not known.
  double fraction() const;

 private:
  std::size_t read_file(char* to, std::size_t count);
  std::size_t unpack(char* to, std::size_t count);

  std::string source_;
  Descriptor file_;
  std::string packed_;  // the bytes of the file that were read and not used
  std::size_t used_ = 0, file_bytes_ = 0;
  bool file_ended_ = false, ended_ = false;
  std::unique_ptr<Inflater> inflater_;  // null: the file is not packed
};

}  // namespace lass0::io
