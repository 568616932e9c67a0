#include "search/table/rows_between.hpp"

#include "search/table/free_table.hpp"

namespace lass0 {
namespace {

template <class Kind>
std::vector<Row> fill(const Moments& moments, const std::vector<Index>& from, Index last,
                      const std::vector<std::vector<Index>>& starts, Effort effort, StartsAre known,
                      const Budget& budget) {
  FreeTable<Kind> table(moments, 0, effort, budget, effort == Effort::full);
  std::vector<Row> before(from.size() + 1);
  for (Row& row : before) row.swap_optimal = row.settled = row.escaped = true;
  before.back().support = from;
  before.back().loss = fit_support(moments, from).loss;
  table.begin_with(std::move(before));
  if (known == StartsAre::nearly_best)
    table.extend_near(last, starts);
  else
    table.extend_to(last, starts);
  std::vector<Row> rows = table.rows();
  rows.erase(rows.begin(), rows.begin() + std::ssize(from) + 1);
  return rows;
}

}  // namespace

std::vector<Row> rows_between(const Moments& moments, const std::vector<Index>& from, Index last,
                              const std::vector<std::vector<Index>>& starts, Effort effort,
                              StartsAre known, const Budget& budget) {
  return moments.cols() <= kTableauColumns
             ? fill<FewColumns>(moments, from, last, starts, effort, known, budget)
             : fill<ManyColumns>(moments, from, last, starts, effort, known, budget);
}

}  // namespace lass0
