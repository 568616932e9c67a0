// What lass0 fit --within prints: how many models are nearly as good, what each column is worth,
// and a map of the best models.
#pragma once

#include <lass0/fit.hpp>
#include <lass0/io.hpp>
#include <string>

namespace lass0::app {

std::string near_optimal_text(const Fit& fit, const Table& table);  // empty if not asked for

}  // namespace lass0::app
