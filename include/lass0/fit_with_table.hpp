// A fit together with the best model of every size, for those who show both.
#pragma once

#include <lass0/fit.hpp>

namespace lass0 {

struct FitWithTable {
  Fit fit;
  std::optional<SupportTable> table;  // none where the search at a lambda does not start from it
  TableModels models;                 // of its rows
};

// `shown`: the largest size of the table that is kept, if larger than the size that is asked for.
// At a lambda it does not change the answer, which is that of all sizes. FitOptions::table is not
// used.
FitWithTable fit_with_table(const Problem& problem, const FitOptions& options,
                            std::optional<Index> shown = {});

}  // namespace lass0
