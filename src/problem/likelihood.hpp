// The rows of a problem as its loss sees them (loss/loss.hpp).
#pragma once

#include <lass0/problem.hpp>

#include "loss/loss.hpp"

namespace lass0 {

const Loss& loss_of(const Problem& problem);

Response response_of(const Problem& problem);

Vector linear_predictor(const Problem& problem, const Iterate& at);  // with the offset

// Of a model, from the data themselves. For least squares these are 1/2 RSS and RSS.
double loss_value(const Problem& problem, const Iterate& at);
double deviance(const Problem& problem, const Iterate& at);

// Of the model with no column at all, over the rows of some weights (the other rows are those of
// weight 0) once it was fitted on those of others: its intercept is that of `fitted`, or 0 where
// the problem has none.
double null_deviance(const Problem& problem, const Vector& fitted, const Vector& judged);

}  // namespace lass0
