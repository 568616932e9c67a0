#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/prove.hpp>
#include <optional>

#include "exact/branch_and_bound.hpp"
#include "moments/copies.hpp"
#include "moments/fetch.hpp"
#include "search/state/support_state.hpp"
#include "search/table/envelope.hpp"
#include "util/memory.hpp"

namespace lass0 {
namespace {

constexpr double kNoLoss = 1e100;  // of a support that has none; internal units
constexpr Index kAllSizesAtOnce = 45;
// With more columns one step of the search would take seconds, and it would need millions.
constexpr Index kMostColumns = 1000;

// The columns to choose from, and the support in which the caller's answers are written in terms of
// them.
class Candidates {
 public:
  Candidates(const Moments& moments, const Budget& budget)
      : representative_(static_cast<std::size_t>(moments.cols()), -1) {
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
      number = twin(G, c, moments.target_square(), kept, j);
      if (number >= 0) continue;
      number = std::ssize(kept);
      kept.push_back(j);
      gram_.columns.push_back(column);
    }
    gram_.G = G(kept, kept);
    gram_.c = moments.xty()(gram_.columns);
    gram_.square = moments.squares()(gram_.columns);
    gram_.total = moments.yty();
    Subproblem all;
    for (Index j = 0; j < count(); ++j) all.free.push_back(j);
    budget.check();
    loss_of_all_ = reduce(gram_, all).loss_all;
  }

  const FullGram& gram() const { return gram_; }
  double loss_of_all() const { return loss_of_all_; }  // of all columns together
  Index count() const { return gram_.c.size(); }

  Incumbent incumbent(Columns support) const {
    Incumbent at;
    for (const Index j : support) {
      at.support.push_back(representative_[static_cast<std::size_t>(j)]);
    }
    std::sort(at.support.begin(), at.support.end());
    at.loss = exact_loss(gram_, at.support);
    // Dependent, to the last digits, in this order of its columns: anything is better.
    if (!std::isfinite(at.loss)) at.loss = kNoLoss;
    return at;
  }

  std::vector<Index> columns(const Incumbent& at) const {
    std::vector<Index> columns;
    for (const Index j : at.support) columns.push_back(gram_.columns[static_cast<std::size_t>(j)]);
    return columns;
  }

 private:
  // The position in `kept` of a column that column j is a multiple of to the last digits, or -1.
  // Any support with j in it is as good with that one.
  static Index twin(const Matrix& G, const Vector& c, double total, const std::vector<Index>& kept,
                    Index j) {
    for (std::size_t a = 0; a < kept.size(); ++a) {
      const Index i = kept[a];
      if (is_copy(G(i, i), G(j, j), G(i, j), c[i], c[j], total)) return static_cast<Index>(a);
    }
    return -1;
  }

  FullGram gram_;
  double loss_of_all_ = 0;
  std::vector<Index> representative_;  // of each column, among those of gram_
};

// What is known without a search, for too many columns: the loss of no column and of the best one;
// nothing of larger sizes. Internal units.
double plain_bound(const Moments& moments, Index size) {
  if (size == 0) return moments.yty();
  if (size > 1) return 0;
  double most = 0;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (!moments.eligible(j)) continue;
    most = std::max(most, moments.xty()[j] * moments.xty()[j] / moments.diagonal()[j]);
  }
  return moments.yty() - most;
}

double loss_of(const Moments& moments, Columns support) {
  return fit_support(moments, support).loss;
}

// Runs the search as far as it gets.
Proof run(BranchAndBound& search, const Budget& budget) {
  Proof proof;
  try {
    search.run();
  } catch (const Stop& stop) {
    proof.status = stop.status == Status::time_limit ? Status::gap : stop.status;
  }
  proof.nodes = search.nodes();
  proof.seconds = budget.seconds();
  return proof;
}

double unit_of(const Moments& moments) { return moments.target_scale() * moments.target_scale(); }

// Empty where no search is tried: there are too many columns, or no time.
std::optional<Candidates> candidates_of(const Moments& moments, const Budget& budget,
                                        Status& status) try {
  check_provable(moments.problem());
  status = Status::gap;
  Index count = 0;
  for (Index j = 0; j < moments.cols(); ++j) count += moments.eligible(j) ? 1 : 0;
  if (count > kMostColumns) return std::nullopt;
  budget.check();
  return std::make_optional<Candidates>(moments, budget);
} catch (const Stop& stop) {
  if (stop.status == Status::interrupted) status = stop.status;
  return std::nullopt;
}

}  // namespace

void check_provable(const Problem& problem, Effort effort) {
  if (effort == Effort::quick)
    throw UsageError("a proof considers all columns: it works only with the full effort");
  if (has_signs(problem))
    throw UsageError("a proof does not work with sign constraints: remove one of the two");
}

ProvenSupport prove_at_lambda(const Moments& moments, Columns best, double lambda,
                              const Control& control) {
  const Budget budget(control);
  const double unit = unit_of(moments);
  ProvenSupport result{{best.begin(), best.end()}, 0, 0, {}};
  const auto candidates = candidates_of(moments, budget, result.proof.status);
  if (!candidates) {
    const double size = static_cast<double>(best.size());
    result.objective = 0.5 * loss_of(moments, best) * unit + lambda * size;
    result.lower_bound = std::min({result.objective, 0.5 * plain_bound(moments, 0) * unit,
                                   0.5 * plain_bound(moments, 1) * unit + lambda, 2 * lambda});
    return result;
  }
  BranchAndBound search(candidates->gram(),
                        Goal::at_lambda(lambda / unit, candidates->incumbent(best),
                                        candidates->count(), moments.target_square()),
                        candidates->loss_of_all(), control.threads, budget);
  result.proof = run(search, budget);
  result.support = candidates->columns(search.goal().best());
  result.objective = search.goal().objective() * unit;
  result.lower_bound = search.lower_bound() * unit;
  return result;
}

ProvenSupport prove_at_size(const Moments& moments, Columns best, const Control& control) {
  const Budget budget(control);
  const double unit = unit_of(moments);
  const Index k = std::ssize(best);
  ProvenSupport result{{best.begin(), best.end()}, 0, 0, {}};
  result.objective = 0.5 * loss_of(moments, best) * unit;
  const auto candidates = candidates_of(moments, budget, result.proof.status);
  if (!candidates) {
    result.lower_bound = std::min(result.objective, 0.5 * plain_bound(moments, k) * unit);
    return result;
  }
  std::vector<Incumbent> by_size(static_cast<std::size_t>(k) + 1);
  by_size.back() = candidates->incumbent(best);
  const double given = by_size.back().loss;
  BranchAndBound search(
      candidates->gram(),
      Goal::at_sizes(std::move(by_size), std::max(k, candidates->count()), moments.target_square()),
      candidates->loss_of_all(), control.threads, budget);
  result.proof = run(search, budget);
  const Incumbent& found = search.goal().best(k);
  if (found.loss < given && 0.5 * found.loss * unit < result.objective) {
    result.support = candidates->columns(found);
    result.objective = 0.5 * found.loss * unit;
  }
  result.lower_bound = std::min(result.objective, 0.5 * search.lower_bound(k) * unit);
  if (result.proof.status == Status::proven_optimal) result.lower_bound = result.objective;
  return result;
}

Proof prove_table(const Moments& moments, SupportTable& table, Index max_k,
                  const Control& control) {
  const Budget budget(control);
  const double unit = unit_of(moments);
  Proof proof;
  const auto candidates = candidates_of(moments, budget, proof.status);
  if (!candidates) {
    for (TableRow& row : table.rows) {
      row.lower_bound = std::min(row.loss, plain_bound(moments, std::ssize(row.support)) * unit);
    }
    return proof;
  }
  proof.status = Status::proven_optimal;
  std::vector<Incumbent> rows;
  for (const TableRow& row : table.rows) rows.push_back(candidates->incumbent(row.support));
  const Index count = max_k < 0 ? std::ssize(rows) : std::min(max_k + 1, std::ssize(rows));
  // Few columns: one search for all sizes visits each node once. Many: size by size, so that the
  // small ones, which are those that can be proven, don't wait for the others.
  const Index together = candidates->count() <= kAllSizesAtOnce ? count : 1;

  for (Index first = 0; first < count; first += together) {
    std::vector<Incumbent> aim(static_cast<std::size_t>(count));
    const auto begin = rows.begin() + first;
    std::copy(begin, begin + together, aim.begin() + first);
    BranchAndBound search(candidates->gram(),
                          Goal::at_sizes(std::move(aim), std::max(count - 1, candidates->count()),
                                         moments.target_square()),
                          candidates->loss_of_all(), control.threads, budget);
    const Proof part = run(search, budget);
    proof.nodes += part.nodes;
    proof.seconds = part.seconds;
    if (part.status != Status::proven_optimal) proof.status = part.status;
    for (Index k = first; k < first + together; ++k) {
      TableRow& row = table.rows[static_cast<std::size_t>(k)];
      const Incumbent& best = search.goal().best(k);
      if (best.loss < rows[static_cast<std::size_t>(k)].loss && best.loss * unit < row.loss) {
        row.support = candidates->columns(best);
        row.loss = best.loss * unit;
        row.swap_optimal = false;
      }
      const double lower = search.lower_bound(k);
      row.proven = lower >= best.loss;
      row.lower_bound = row.proven ? row.loss : std::min(row.loss, lower * unit);
      row.swap_optimal = row.swap_optimal || row.proven;
    }
  }
  find_lambda_ranges(table.rows);
  return proof;
}

}  // namespace lass0
