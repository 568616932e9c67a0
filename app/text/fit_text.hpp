// A fit as text that a person can read: the coefficients by the size of their effect, and what is
// known about the answer.
#pragma once

#include <lass0/fit.hpp>
#include <lass0/io.hpp>
#include <optional>
#include <string>

namespace lass0::app {

std::string lambda_range(const TableRow& row);  // "0.5 to 2", "3 upwards"

// `held_out`: R^2, or the share of the deviance explained, on held-out rows, where cross-validation
// knows it.
std::string fit_text(const Fit& fit, const Table& table, std::optional<double> held_out = {});

}  // namespace lass0::app
