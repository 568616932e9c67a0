#include "search/table/lasso_supports.hpp"

#include <algorithm>
#include <lass0/lasso.hpp>

#include "l1/path.hpp"
#include "moments/independent.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr Index kFewestPoints = 10, kMostPoints = 40;

}  // namespace

std::uint64_t set_hash(Columns columns) {
  std::uint64_t hash = 0;
  for (const Index j : columns) {
    std::uint64_t x = static_cast<std::uint64_t>(j) + 0x9e3779b97f4a7c15;  // splitmix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    hash += x ^ (x >> 31);
  }
  return hash;
}

void LassoSupports::visit(
    Index longest, Index max_k,
    const std::function<void(const std::vector<Index>&, double, bool)>& visit) {
  LassoOptions options;
  options.tolerance = kRoughLasso;
  // Of few columns the path has few supports.
  options.count = static_cast<int>(std::clamp(moments_.cols() / 2, kFewestPoints, kMostPoints));
  options.max_support = longest;
  options.control = budget_.remaining();
  const LassoPath path = lasso_path(moments_, options, Passes::keep_columns);
  const auto visit_new = [&](const std::vector<Index>& support, double loss, bool sure) {
    if (!seen_.insert(set_hash(support)).second) return false;
    if (std::ssize(support) <= max_k) visit(support, loss, sure);
    return true;
  };
  for (const LassoPoint& point : path.points) {
    const std::vector<Index>& support = point.at.support;
    if (seen_.count(set_hash(support)) > 0) continue;
    budget_.check();
    if (!eliminate(moments_, support, visit_new))
      eliminate(moments_, independent_columns(moments_, support, kAliasTolerance).kept, visit_new);
  }
}

}  // namespace lass0
