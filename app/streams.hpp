// Standard output and standard error, whatever they are: closed, full, or a pipe that nobody reads.
#pragma once

#include <string_view>

namespace lass0::app {

// Before any file is opened: one that took the place of a closed standard stream would be written
// to in its stead. Writing to (or reading from) a stream that was closed fails afterwards.
void occupy_standard_streams();

// The result, on standard output. Throws Error where not all of it could be written: a full disk
// shows only when the last bytes are.
void print(std::string_view text);

// A message, on standard error. Never throws: there is nobody left to tell.
void tell(std::string_view text) noexcept;

}  // namespace lass0::app
