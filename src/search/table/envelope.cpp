#include "search/table/envelope.hpp"

#include <limits>

namespace lass0 {

void find_lambda_ranges(std::vector<TableRow>& rows) {
  const auto slope = [&](Index from, Index to) {
    const double fall =
        rows[static_cast<std::size_t>(from)].loss - rows[static_cast<std::size_t>(to)].loss;
    return 0.5 * fall / static_cast<double>(to - from);
  };
  for (TableRow& row : rows) row.lambda_min = row.lambda_max = std::nullopt;
  std::vector<Index> envelope;
  for (Index k = 0; k < std::ssize(rows); ++k) {
    while (envelope.size() >= 2 &&
           slope(envelope[envelope.size() - 2], envelope.back()) <= slope(envelope.back(), k)) {
      envelope.pop_back();
    }
    envelope.push_back(k);
  }
  for (std::size_t e = 0; e < envelope.size(); ++e) {
    TableRow& row = rows[static_cast<std::size_t>(envelope[e])];
    row.lambda_max =
        e == 0 ? std::numeric_limits<double>::infinity() : slope(envelope[e - 1], envelope[e]);
    row.lambda_min = e + 1 == envelope.size() ? 0.0 : slope(envelope[e], envelope[e + 1]);
  }
}

}  // namespace lass0
