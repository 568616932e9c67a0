// Student's t distribution, for the tests of least squares.
#pragma once

namespace lass0 {

// P(|T| >= |t|) for T with this many degrees of freedom (> 0, need not be whole), to about 1e-13 of
// itself; 0 only where it is below the smallest double. t may be infinite.
double two_sided_p_value(double t, double degrees_of_freedom);

}  // namespace lass0
