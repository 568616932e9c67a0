#include "exact/collection.hpp"

#include <algorithm>

namespace lass0 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Counting goes on up to this many supports: some seconds of work.
constexpr std::int64_t kMostCounted = 1'000'000;

// Capped: the product of many groups of duplicates has no bound.
std::int64_t capped_product(std::int64_t a, std::int64_t b) {
  return a > Collection::kMostCountable / b ? Collection::kMostCountable : a * b;
}

}  // namespace

Collection::Collection(double lambda, std::size_t keep, std::vector<Index> copies)
    : lambda_(lambda), keep_(keep), copies_(std::move(copies)) {
  clear();
}

Collection Collection::empty() const { return {lambda_, keep_, copies_}; }

void Collection::clear() {
  met_ = count_ = 0;
  heap_.clear();
  with_ = without_ = Vector::Constant(std::ssize(copies_), kInfinity);
}

double Collection::objective(const Incumbent& at) const {
  return 0.5 * at.loss + lambda_ * static_cast<double>(at.support.size());
}

bool Collection::before(const Incumbent& a, const Incumbent& b) const {
  const double at_a = objective(a), at_b = objective(b);
  return at_a != at_b ? at_a < at_b : a.support < b.support;
}

void Collection::add(Incumbent found) {
  const double objective = this->objective(found);
  std::int64_t expanded = 1;
  std::size_t next = 0;
  for (Index j = 0; j < with_.size(); ++j) {
    const bool member = next < found.support.size() && found.support[next] == j;
    if (member) {
      ++next;
      expanded = capped_product(expanded, copies_[static_cast<std::size_t>(j)]);
    }
    double& best = member ? with_[j] : without_[j];
    best = std::min(best, objective);
  }
  ++met_;
  count_ = std::min(kMostCountable, count_ + expanded);
  keep(std::move(found));
}

void Collection::keep(Incumbent found) {
  const auto order = [this](const Incumbent& a, const Incumbent& b) { return before(a, b); };
  if (heap_.size() == keep_) {
    if (!before(found, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), order);
    heap_.pop_back();
  }
  heap_.push_back(std::move(found));
  std::push_heap(heap_.begin(), heap_.end(), order);
}

void Collection::merge(const Collection& other) {
  met_ += other.met_;
  count_ = std::min(kMostCountable, count_ + other.count_);
  with_ = with_.cwiseMin(other.with_);
  without_ = without_.cwiseMin(other.without_);
  for (const Incumbent& found : other.heap_) keep(found);
}

std::optional<double> Collection::limit() const {
  if (met_ < kMostCounted || heap_.size() < keep_) return std::nullopt;
  return objective(heap_.front());
}

std::vector<Incumbent> Collection::best() const {
  std::vector<Incumbent> sorted = heap_;
  std::sort(sorted.begin(), sorted.end(),
            [this](const Incumbent& a, const Incumbent& b) { return before(a, b); });
  return sorted;
}

}  // namespace lass0
