// What `lass0 compare` prints for people: a table for each rule.
#pragma once

#include <lass0/compare.hpp>
#include <lass0/io.hpp>
#include <string>

namespace lass0::app {

std::string compare_text(const Comparison& comparison, const Table& table);

}  // namespace lass0::app
