#pragma once

#include <lass0/cross_validate.hpp>
#include <lass0/io.hpp>
#include <string>

namespace lass0::app {

// The p-values of the model's columns, and of others that are significant.
std::string split_tests_text(const CrossValidation& cv, const Table& table);

}  // namespace lass0::app
