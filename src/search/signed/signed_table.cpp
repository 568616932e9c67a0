#include "search/signed/signed_table.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "moments/independent.hpp"
#include "search/signed/signed_lasso.hpp"
#include "search/signed/signed_walker.hpp"
#include "search/table/larger_moves.hpp"
#include "search/table/table.hpp"
#include "search/table/table_filler.hpp"
#include "util/cholesky.hpp"

namespace lass0 {
namespace {

constexpr Index kLeaveTogether = 10;  // one in this many members leaves at a time

// What the filler makes of the table without signs and of the supports of a Lasso with signs, each
// taken down by elimination. Every support is refitted under signs before it is compared.
class SignedTable {
 public:
  SignedTable(const Moments& moments, Index max_k, const Budget& budget)
      : moments_(moments), budget_(budget), filler_(moments, max_k, kEscapeWork, budget) {}

  const std::vector<Row>& rows() const { return filler_.rows(); }

  // `free`: the table without signs, of at least as many rows.
  void run(const SupportTable& free) {
    offer_rows(free);
    offer_lasso_supports();
    filler_.fill();
    if (descend_from_starts()) filler_.settle();
  }

  void extend(Index asked, const SupportTable& free) {
    filler_.extend(filler_.max_k(), asked, [&] {
      offer_rows(free);
      filler_.fill();
    });
  }

 private:
  // Supports of a table without signs, as far as signs allow. Those beyond the last row would make
  // rows depend on how many are asked for.
  void offer_rows(const SupportTable& free) {
    for (Index k = filler_.first(); k <= std::min(filler_.max_k(), free.max_k()); ++k) {
      const TableRow& row = free.at_k(k);
      const FittedSupport fit = signed_fit(moments_, row.support);
      // What no swap improves without signs, none does with them.
      if (filler_.offer(fit) && fit.support == row.support && row.swap_optimal)
        filler_.mark_swap_optimal(k);
    }
  }

  // Swaps from the supports of the Lasso path, whatever their loss is beside the row's, at sizes
  // where rows are few for that many columns (larger_moves.hpp). Eliminations have no formula under
  // signs, so there is no expanding and shrinking. True: some row got better.
  bool descend_from_starts() {
    double before = 0, after = 0;
    const Index last = std::min(filler_.max_k(), starts_.sizes() - 1);
    for (const Index k : first_hard_sizes(moments_, filler_.first(), last)) {
      const BestBySize::Support& start = starts_.at(k);
      if (start.columns.empty()) continue;
      before += filler_.row(k).loss;
      filler_.descend_from(start.columns, start.loss);
      after += filler_.row(k).loss;
    }
    return after < before;
  }

  // Each distinct support on the Lasso path under signs, and what backward elimination makes of it.
  void offer_lasso_supports() {
    std::set<std::vector<Index>> seen;
    starts_.resize(filler_.rows().size());
    const Index longest = first_path_length(moments_, filler_.max_k());
    for (const auto& support : signed_lasso_supports(moments_, longest, budget_)) {
      FittedSupport fit =
          signed_fit(moments_, independent_columns(moments_, support, kAliasTolerance).kept);
      while (fit.independent && !fit.support.empty() && seen.insert(fit.support).second) {
        budget_.check();
        const Index size = std::ssize(fit.support);
        if (size < starts_.sizes() && starts_.promises(size, fit.loss))
          starts_.keep(fit.support, fit.loss);
        filler_.offer(fit);
        // Several at a time while it is larger than any row.
        const Index leaving =
            std::max<Index>(1, std::min(size - filler_.max_k(), size / kLeaveTogether));
        fit = signed_fit(moments_, without_least(fit.support, leaving));
      }
    }
  }

  std::vector<Index> without_least(const std::vector<Index>& support, Index count) const {
    const Index k = std::ssize(support);
    Matrix G(k, k);
    moments_.gram_block(support, support, G);
    const Cholesky factor(std::move(G));
    const Vector b = factor.solve(moments_.xty()(support)), H = factor.inverse_diagonal();
    const Vector cost = b.array().square() / H.array();
    std::vector<Index> order(support.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index i, Index j) { return cost[i] < cost[j]; });
    std::vector<Index> rest;
    for (auto at = order.begin() + count; at != order.end(); ++at)
      rest.push_back(support[static_cast<std::size_t>(*at)]);
    std::sort(rest.begin(), rest.end());
    return rest;
  }

  const Moments& moments_;
  const Budget& budget_;
  TableFiller<SignedWalker> filler_;
  BestBySize starts_;  // of the Lasso path under signs
};

}  // namespace

SupportTable best_signed_supports(const Moments& moments, const TableOptions& options) {
  const Budget budget(options.control);
  Status status = Status::local_optimum;
  SignedTable signed_table(moments, default_max_k(moments), budget);
  try {
    const Index asked = largest_size_asked(moments, options);
    const Index free_rows = table_size_for(asked, default_max_k(moments), moments.cols());
    const SupportTable free =
        best_free_supports(moments, {.max_k = free_rows, .control = budget.remaining()});
    signed_table.run(free);
    signed_table.extend(asked, free);
  } catch (const Stop& stop) {
    status = stop.status;
  }
  SupportTable table = table_of(moments, signed_table.rows(), true);
  table.status = status;
  finish(table, options, budget);
  return table;
}

}  // namespace lass0
