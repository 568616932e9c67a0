#include "exact/subset_tree.hpp"

#include <algorithm>
#include <numeric>

#include "util/target_clones.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kNodesBetweenChecks = 4096;

// b, the diagonal of H and l of the columns after column t, once that is dropped. v: its row of H.
LASS0_TARGET_CLONES
void drop(Index count, double b_t, double inverse_h, double deflate, const double* v,
          const double* b, const double* diagonal, double* b_out, double* diagonal_out,
          double* l_out) {
  const double shift = b_t * inverse_h;
#pragma omp simd
  for (Index i = 0; i < count; ++i) {
    b_out[i] = b[i] - shift * v[i];
    diagonal_out[i] = diagonal[i] - v[i] * v[i] * inverse_h;
    l_out[i] = deflate * b_out[i] * b_out[i] / diagonal_out[i];
  }
}

}  // namespace

SubsetTree::Level::Level(Index most)
    : column(most),
      position(most),
      b(most),
      l(most),
      diagonal(most),
      delta(most),
      H(most * most),
      reach(most + 1) {}

std::vector<Subproblem> SubsetTree::run(const Subproblem& root, const Reduced& reduced,
                                        std::int64_t max_nodes) {
  last_node_ = nodes_ + max_nodes;
  rest_.clear();
  root_in_ = std::ssize(root.in);
  root_lower_ = root.lower;
  start(root, reduced);
  Level& top = levels_.front();
  const bool offered = root.offered == root.max_size();
  if (!offered && reduced.loss_all < goal_.threshold(root.max_size())) offer(top, -1);
  if (expand(top, reduced.loss_all)) visit(0, reduced.loss_all);
  return std::move(rest_);
}

void SubsetTree::start(const Subproblem& root, const Reduced& reduced) {
  const Index f = std::ssize(reduced.free);
  deflate_ = 1 - kLastDigitsOfTree * reduced.inflation;
  in_ = root.in;
  smallest_.resize(f);
  levels_.clear();
  levels_.reserve(static_cast<std::size_t>(f) + 1);  // so that references to them stay valid
  Level& top = levels_.emplace_back(f);
  top.f = f;
  const Vector l = deflate_ * reduced.b.cwiseAbs2().cwiseQuotient(reduced.H.diagonal());
  std::iota(top.position.begin(), top.position.end(), 0);
  std::stable_sort(top.position.begin(), top.position.end(),
                   [&](Index i, Index j) { return l[i] > l[j]; });
  for (Index a = 0; a < f; ++a)
    top.column[a] = reduced.free[static_cast<std::size_t>(top.position[a])];
  top.b = reduced.b(top.position);
  top.l = l(top.position);
  top.delta = reduced.delta(top.position);
  top.diagonal = reduced.H.diagonal()(top.position);
  Eigen::Map<Matrix>(top.H.data(), f, f) = reduced.H(top.position, top.position);
}

// With l known: offers the supports that lack one column, the best one first, finds out where the
// others matter, and says whether any child has children that do.
bool SubsetTree::expand(Level& node, double loss) {
  const Index f = node.f;
  if (f == 0) return false;
  const double* u = goal_.thresholds().data() + in_.size();  // by number of free columns kept
  for (Index t = f - 1; t >= 0 && loss + node.l[t] < u[f - 1]; --t) offer(node, t);
  if (f == 1) return false;
  smallest_.head(f) = node.delta.head(f).cwiseProduct(node.b.head(f).cwiseAbs2());
  std::sort(smallest_.begin(), smallest_.begin() + f);
  // Supports that keep s of the free columns, and so lack f - s >= 2 of them.
  double sum = smallest_[0];
  node.reach[f - 1] = -kInfinity;
  for (Index s = f - 2; s >= 0; --s) {
    sum += smallest_[f - s - 1];
    const bool matters = loss + std::max(node.l[s], sum) < u[s];
    node.reach[s] = std::max(node.reach[s + 1], matters ? u[s] : -kInfinity);
  }
  for (Index t = 0; t <= f - 2; ++t) {
    if (loss + node.l[t] < node.reach[t]) return true;
  }
  return false;
}

void SubsetTree::visit(std::size_t depth, double loss) {
  Level& node = levels_[depth];
  if (levels_.size() == depth + 1) levels_.emplace_back(node.column.size() - 1);
  Level& child = levels_[depth + 1];
  const std::size_t in_here = in_.size();
  for (Index t = 0; t <= node.f - 2 && node.reach[t] > -kInfinity; ++t) {
    const double child_loss = loss + node.l[t];
    if (child_loss < node.reach[t]) {
      if (nodes_ >= last_node_) {
        leave(node, t, child_loss);
      } else if (evaluate_child(node, t, child_loss, child)) {
        build(node, t, child);
        visit(depth + 1, child_loss);
      }
    }
    in_.push_back(node.column[t]);
  }
  in_.resize(in_here);
}

bool SubsetTree::evaluate_child(const Level& node, Index t, double loss, Level& child) {
  if (++nodes_ % kNodesBetweenChecks == 0) budget_.check();
  const Index first = t + 1, f = node.f - first;
  child.f = f;
  drop(f, node.b[t], 1 / node.diagonal[t], deflate_, node.H.data() + t * node.f + first,
       node.b.data() + first, node.diagonal.data() + first, child.b.data(), child.diagonal.data(),
       child.l.data());
  // By falling l; an insertion sort, since the order has changed little.
  for (Index i = 0; i < f; ++i) {
    const double l = child.l[i], b = child.b[i], diagonal = child.diagonal[i];
    Index to = i;
    for (; to > 0 && child.l[to - 1] < l; --to) {
      child.l[to] = child.l[to - 1];
      child.b[to] = child.b[to - 1];
      child.diagonal[to] = child.diagonal[to - 1];
      child.position[to] = child.position[to - 1];
    }
    child.l[to] = l;
    child.b[to] = b;
    child.diagonal[to] = diagonal;
    child.position[to] = first + i;
  }
  for (Index i = 0; i < f; ++i) {
    child.column[i] = node.column[child.position[i]];
    child.delta[i] = node.delta[child.position[i]];
  }
  return expand(child, loss);
}

// H of a child that is going to be visited.
void SubsetTree::build(const Level& node, Index t, Level& child) {
  const Index f = child.f;
  const double* v = node.H.data() + t * node.f;
  const double inverse_h = 1 / node.diagonal[t];
  for (Index a = 0; a < f; ++a) {
    const Index from = child.position[a];
    const double* row = node.H.data() + from * node.f;
    const double scaled = v[from] * inverse_h;
    for (Index c = a + 1; c < f; ++c) {
      const Index other = child.position[c];
      const double value = row[other] - scaled * v[other];
      child.H[a * f + c] = value;
      child.H[c * f + a] = value;
    }
  }
}

// For later: the child that drops column t.
void SubsetTree::leave(const Level& node, Index t, double loss) {
  Subproblem child;
  child.in = in_;
  child.free.assign(node.column.begin() + t + 1, node.column.begin() + node.f);
  child.delta.assign(node.delta.begin() + t + 1, node.delta.begin() + node.f);
  // What is known of a size below the root holds here, too.
  const auto first = root_lower_.begin() + std::ssize(in_) - root_in_;
  child.lower.assign(first, first + std::ssize(child.free) + 1);
  for (double& lower : child.lower) lower = std::max(lower, loss);
  child.offered = child.max_size();
  rest_.push_back(std::move(child));
}

// All columns of a node, less one (-1: none). The loss is computed anew: nothing that rounding made
// look better becomes an answer.
void SubsetTree::offer(const Level& node, Index dropped) {
  Incumbent found{in_, 0};
  for (Index i = 0; i < node.f; ++i) {
    if (i != dropped) found.support.push_back(node.column[i]);
  }
  std::sort(found.support.begin(), found.support.end());
  found.loss = exact_loss(gram_, found.support);
  goal_.offer(found);
}

}  // namespace lass0
