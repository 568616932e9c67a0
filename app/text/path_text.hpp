// What `lass0 path` prints for people.
#pragma once

#include <lass0/io.hpp>
#include <lass0/path.hpp>
#include <string>

namespace lass0::app {

std::string path_text(const Path& path, const Table& table);

}  // namespace lass0::app
