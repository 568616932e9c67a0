#include "exact/least_squares_candidates.hpp"

#include <lass0/prove.hpp>

#include "exact/tighten.hpp"
#include "moments/copies.hpp"
#include "moments/fetch.hpp"
#include "util/memory.hpp"

namespace lass0 {
namespace {

// The position in `kept` of a column that column j is a multiple of to the last digits, or -1.
Index find_original(const Matrix& G, const Vector& c, double total, const std::vector<Index>& kept,
                    Index j) {
  for (std::size_t a = 0; a < kept.size(); ++a) {
    const Index i = kept[a];
    if (is_copy(G(i, i), G(j, j), G(i, j), c[i], c[j], total)) return static_cast<Index>(a);
  }
  return -1;
}

}  // namespace

LeastSquaresCandidates::LeastSquaresCandidates(const Moments& moments, const Budget& budget)
    : total_(moments.target_square()), unit_(unit_of(moments)) {
  representative_.assign(static_cast<std::size_t>(moments.cols()), -1);
  std::vector<Index> columns;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (moments.eligible(j)) columns.push_back(j);
  }
  const Index q = std::ssize(columns);
  fetch_within_budget(moments, columns, budget);
  Matrix G = allocate_matrix(q, q, "the Gram matrix of a proof");
  moments.gram_block(columns, columns, G);
  G = (0.5 * (G + G.transpose())).eval();
  const Vector c = moments.xty()(columns);
  std::vector<Index> kept;
  for (Index j = 0; j < q; ++j) {
    const Index column = columns[static_cast<std::size_t>(j)];
    Index& number = representative_[static_cast<std::size_t>(column)];
    number = find_original(G, c, moments.target_square(), kept, j);
    if (number >= 0) {
      copies_[static_cast<std::size_t>(number)].push_back(column);
      continue;
    }
    number = std::ssize(kept);
    kept.push_back(j);
    gram_.columns.push_back(column);
    copies_.push_back({column});
  }
  gram_.G = G(kept, kept);
  gram_.c = moments.xty()(gram_.columns);
  gram_.square = moments.squares()(gram_.columns);
  gram_.total = moments.yty();
  budget.check();
  loss_of_all_ = reduce(gram_, everything()).loss_all;
}

Subproblem LeastSquaresCandidates::everything() const {
  Subproblem all;
  for (Index j = 0; j < count(); ++j) all.free.push_back(j);
  all.lower.assign(all.free.size() + 1, loss_of_all_);
  return all;
}

double LeastSquaresCandidates::loss(const std::vector<Index>& support) const {
  return exact_loss(gram_, support);
}

std::vector<OneSidedBounds> LeastSquaresCandidates::one_sided_bounds(const Goal& goal,
                                                                     const Budget& budget) const {
  Subproblem root = everything();
  const Reduced reduced = reduce(gram_, root);
  if (!reduced.regular || reduced.free.size() < root.free.size()) return {};
  return lass0::one_sided_bounds(reduced, goal, budget, std::move(root));
}

std::unique_ptr<const Candidates> candidates_of(const Moments& moments, const Budget& budget,
                                                Status& status) try {
  check_provable(moments.problem());
  status = Status::gap;
  Index count = 0;
  for (Index j = 0; j < moments.cols(); ++j) count += moments.eligible(j) ? 1 : 0;
  if (count > kMostColumnsOfProofs) return nullptr;
  budget.check();
  return std::make_unique<LeastSquaresCandidates>(moments, budget);
} catch (const Stop& stop) {
  if (stop.status == Status::interrupted) status = stop.status;
  return nullptr;
}

double unit_of(const Moments& moments) { return moments.target_scale() * moments.target_scale(); }

}  // namespace lass0
