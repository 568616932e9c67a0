#include "search/signed/signed_walker.hpp"

namespace lass0 {

std::vector<Index> SignedWalker::canonical(const FittedSupport& fit) {
  std::vector<Index> support = duplicates_.canonical(fit.support);
  if (support == fit.support) return support;
  const FittedSupport same = signed_fit(moments_, support);
  const bool as_good = same.independent && same.support == support &&
                       same.loss - same.rounding <= fit.loss + fit.rounding;
  return as_good ? support : fit.support;
}

}  // namespace lass0
