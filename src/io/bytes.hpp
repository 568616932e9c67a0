// The content of a file, of standard input ("-") or of either unpacked from gzip, as one block of
// memory: readers parse in place and never copy a field.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "io/mapped_file.hpp"
#include "io/read_progress.hpp"

namespace lass0::io {

// A block that grows by realloc, which moves pages and not bytes where the system can.
class Buffer {
 public:
  explicit Buffer(std::string source) : source_(std::move(source)) {}
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer& operator=(Buffer&&) = delete;

  char* room(std::size_t at_least);  // where the next bytes go; throws Error when memory is short
  std::size_t free_bytes() const { return capacity_ - size_; }
  void added(std::size_t count) { size_ += count; }
  std::string_view view() const { return {data_, size_}; }

 private:
  std::string source_;  // for messages
  char* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

class Bytes {
 public:
  // Throws Error when there is no such file, it can't be read, or it is a gzip stream that is
  // damaged or cut short. `tell` hears of long reading and unpacking.
  static Bytes read(const std::string& path, const ReadProgress::Tell& tell = {});

  std::string_view view() const { return mapped_ ? mapped_->view() : buffer_.view(); }

  // The content stays in use after reading: X is where it is.
  void expect_many_reads() const {
    if (mapped_) mapped_->expect_many_reads();
  }

  // Throws Error when the file has changed under the reader's hands: to be asked before what was
  // read is believed.
  void check(const std::string& source) const {
    if (mapped_) mapped_->check(source);
  }

 private:
  explicit Bytes(Buffer buffer) : buffer_(std::move(buffer)) {}
  explicit Bytes(MappedFile mapped) : buffer_(""), mapped_(std::move(mapped)) {}

  Buffer buffer_;
  std::optional<MappedFile> mapped_;  // a plain file is mapped, not read
};

// What messages call the file.
std::string source_name(const std::string& path);

}  // namespace lass0::io
