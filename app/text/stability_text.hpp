// What `lass0 stability` prints for people.
#pragma once

#include <lass0/io.hpp>
#include <lass0/stability.hpp>
#include <string>

namespace lass0::app {

std::string stability_text(const Stability& stability, const Table& table);

}  // namespace lass0::app
