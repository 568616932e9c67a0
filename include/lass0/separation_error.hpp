// What is thrown where a model of two classes has no finite coefficients.
#pragma once

#include <lass0/error.hpp>

namespace lass0 {

// Some combination of columns tells the two classes of the target apart without an error, so the
// likelihood of the model that was asked for has no maximum. A ridge, or fewer columns, is the way
// out.
class SeparationError : public Error {
 public:
  using Error::Error;
};

}  // namespace lass0
