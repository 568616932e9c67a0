// What results keep of the table that they were made from.
#pragma once

#include <lass0/fit.hpp>

namespace lass0 {

// Names, target, levels and means: what a later table needs to be read the same way.
void keep_reading(const Table& table, Fit& fit);
// Means and alleles of the genotypes in the models of all sizes.
void keep_reading(const Table& table, const SupportTable& sizes, Model& model);

}  // namespace lass0
