// A file in memory without reading it. When another program cuts the file short meanwhile, the
// system ends whoever touches the part that is gone by SIGBUS; here such a part reads as zeros, and
// check() tells.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lass0::io {

// While at least one file is mapped, SIGBUS has a handler that minds addresses in mapped files and
// leaves all others to the handler before it. It is given back with the last one: a reader that
// dies, or one that needs the memory for a copy of every file, would be worse.
class MappedFile {
 public:
  // Of an open file, which may be closed afterwards; nothing when it can't be mapped.
  static std::optional<MappedFile> map(int file, std::size_t size);

  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;

  std::string_view view() const { return {data_, size_}; }

  // The content will be read again and again, not once from front to back.
  void expect_many_reads() const;

  // Throws Error when the file has become shorter since it was mapped, or a part of it could not be
  // read.
  void check(const std::string& source) const;

 private:
  MappedFile(const char* data, std::size_t size, int file, std::size_t guard)
      : data_(data), size_(size), file_(file), guard_(guard) {}

  const char* data_;
  std::size_t size_;
  int file_;  // a descriptor of our own, to ask for the size again
  std::size_t guard_;
};

}  // namespace lass0::io
