// What the library throws. The text is one sentence for the user: what is wrong, where (file, row,
// column) and what to do next. How a run ended is not an error: see status.hpp.
#pragma once

#include <stdexcept>
#include <string>

namespace lass0 {

// The data, the model or the options can't be used. The message may quote the data, so control
// characters in it are shown as \n, \t or \x00.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);
};

// The options are wrong for any data (a negative lambda, say).
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace lass0
