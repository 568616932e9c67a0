// The exact fit on a support of chosen columns (and the included ones) over the rows of the
// moments: from the moments alone where these have the digits, corrected by a few passes over the
// support's columns where these are a little worse, by QR otherwise. For the many models of a path;
// it equals the QR of one fit to about 1e-11.
#pragma once

#include <lass0/model.hpp>
#include <lass0/moments.hpp>

namespace lass0 {

struct Refit {
  Iterate at;
  double rss = 0;
};

// `rows`: the problem with the rows of the moments alone, those of a training set by their weights.
Refit refit(const Moments& moments, const Problem& rows, Columns support);
Refit refit(const Moments& moments, Columns support);  // moments of all rows

// For one fit, which is to have all its digits: by QR, or, where this takes long because there are
// many rows, from the moments and then corrected on the data in any case.
Refit refit_on_data(const Moments& moments, Columns support);

}  // namespace lass0
