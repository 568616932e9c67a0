// Says how far a reader is: readers tell it where they are as often as they like, and now and then
// it passes that on.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace lass0::io {

class ReadProgress {
 public:
  using Tell = std::function<void(std::string_view what, double fraction)>;

  // `tell` may be empty. `bytes` is what is gone through.
  ReadProgress(const Tell& tell, std::string what, std::string_view bytes)
      : tell_(tell), what_(std::move(what)), first_(bytes.data()), size_(bytes.size()) {
    at(first_);
  }

  void at(const char* position) {
    const auto done = static_cast<std::size_t>(position - first_);
    if (done >= next_) tell(done);
  }
  void at_fraction(double fraction) {  // for readers that jump about
    at(first_ + static_cast<std::size_t>(fraction * static_cast<double>(size_)));
  }

 private:
  void tell(std::size_t done) {
    constexpr std::size_t step = std::size_t{1} << 20;
    next_ = done + step;
    if (tell_ && size_ > 0) tell_(what_, static_cast<double>(done) / static_cast<double>(size_));
  }

  const Tell& tell_;
  std::string what_;
  const char* first_;
  std::size_t size_, next_ = 0;
};

}  // namespace lass0::io
