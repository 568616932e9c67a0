// The content of a file, of standard input ("-") or of either unpacked from gzip, as one block of
// memory: readers parse in place and never copy a field.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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
  // damaged or cut short.
  static Bytes read(const std::string& path);

  ~Bytes();
  Bytes(Bytes&& other) noexcept;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  Bytes& operator=(Bytes&&) = delete;

  std::string_view view() const {
    return mapped_ ? std::string_view(mapped_, mapped_size_) : buffer_.view();
  }

 private:
  explicit Bytes(Buffer buffer) : buffer_(std::move(buffer)) {}
  Bytes(const char* mapped, std::size_t size) : buffer_(""), mapped_(mapped), mapped_size_(size) {}

  Buffer buffer_;
  const char* mapped_ = nullptr;  // a plain file is mapped, not read
  std::size_t mapped_size_ = 0;
};

// What messages call the file.
std::string source_name(const std::string& path);

}  // namespace lass0::io
