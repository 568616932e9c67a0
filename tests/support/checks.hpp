// What must hold of every result of the search, whatever the problem.
#pragma once

#include <gtest/gtest.h>

#include <lass0/fit.hpp>

#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {

// Finite numbers, an ascending support of independent columns with all that are included (and
// independent), least-squares coefficients, an
// objective that is the data's own, a trace that leads from (the independent part of) the start to
// the end with F falling at each move. `tolerance` is relative to F.
void expect_sound(const OwnedProblem& problem, const Fit& fit, const Penalty& penalty,
                  double tolerance = 1e-9);

// The status, checked by refitting: no add or remove helps; local_optimum where no swap does
// either; otherwise the swap named is the best one and its gain is right.
void expect_true_status(const OwnedProblem& problem, const Fit& fit, const Penalty& penalty);

bool independent(const Centred& data, const Support& columns);  // and none is constant

Support chosen(const Fit& fit);  // the columns of the model that are not included

}  // namespace lass0::testing
