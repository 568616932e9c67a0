#include "model/confusion.hpp"

#include <cmath>

#include "problem/likelihood.hpp"

namespace lass0 {

Confusion confusion_of(const Problem& problem, const ConstVec& links) {
  const Response response = response_of(problem);
  Confusion count;
  for (Index i = 0; i < links.size(); ++i) {
    if (std::isnan(links[i])) continue;
    const bool one = response.y[static_cast<std::size_t>(i)] > 0, predicted = links[i] >= 0;
    (one         ? predicted ? count.true_positive : count.false_negative
     : predicted ? count.false_positive
                 : count.true_negative) += response.weight(i);
  }
  return count;
}

}  // namespace lass0
