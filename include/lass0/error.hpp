// What the library throws. The text is one clear sentence for the person at the keyboard: it names
// the file, row and column where there is one, and the way out. How a run that worked ended is not
// an error: see status.hpp.
#pragma once

#include <stdexcept>
#include <string>

namespace lass0 {

// The data, the model or the options can't be used as they are. Control characters in the message
// (it may quote the data) are shown as \n, \t or \x00: a zero byte would end it.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);
};

// The caller asked for something that makes no sense whatever the data are (a negative lambda,
// say).
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace lass0
