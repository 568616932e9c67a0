#include "moments/gram_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lass0/moments.hpp>
#include <limits>

#include "util/memory.hpp"

namespace lass0 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kAlwaysThere = 16.0 * 1024 * 1024;  // bytes: not worth a look at what is free

double bytes_of(Index rows, Index columns) {
  return sizeof(double) * static_cast<double>(rows) * static_cast<double>(columns);
}

}  // namespace

double GramRoom::asked_for() const { return limit_ > 0 ? limit_ : kInfinity; }

bool GramRoom::fits(double bytes) {
  if (limit_ > 0) return used_ + bytes <= limit_;
  if (used_ + bytes <= kAlwaysThere) return true;
  if (free_ < 0) {
    const auto available = static_cast<double>(available_memory());
    free_ = available < 0 ? kInfinity : used_ + available / 2;
  }
  return used_ + bytes <= free_;
}

bool GramRoom::reserve(double bytes) {
  const std::lock_guard lock(mutex_);
  if (!fits(bytes)) {
    was_full_ = true;
    return false;
  }
  used_ += bytes;
  most_used_ = std::max(most_used_, used_);
  return true;
}

void GramRoom::take(double bytes) {
  const std::lock_guard lock(mutex_);
  used_ += bytes;
  most_used_ = std::max(most_used_, used_);
}

void GramRoom::release(double bytes) {
  const std::lock_guard lock(mutex_);
  used_ -= bytes;
}

double GramRoom::most_used() const {
  const std::lock_guard lock(mutex_);
  return most_used_;
}

bool GramRoom::was_full() const {
  const std::lock_guard lock(mutex_);
  return was_full_;
}

std::vector<Index> GramStore::missing(Columns columns) const {
  std::vector<Index> missing;
  for (const Index j : columns) {
    if (!has(j)) missing.push_back(j);
  }
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

bool GramStore::reserve(Index rows, Index columns) {
  if (!room_.reserve(bytes_of(rows, columns))) return false;
  taken_ += bytes_of(rows, columns);
  return true;
}

void GramStore::keep(Columns batch, Matrix values, bool reserved) {
  if (!reserved) {
    room_.take(bytes_of(values.rows(), values.cols()));
    taken_ += bytes_of(values.rows(), values.cols());
  }
  for (std::size_t l = 0; l < batch.size(); ++l) {
    columns_[static_cast<std::size_t>(batch[l])].store(values.col(static_cast<Index>(l)).data(),
                                                       std::memory_order_release);
  }
  count_ += std::ssize(batch);
  batches_.push_back(std::move(values));  // the values themselves stay where they are
}

void GramUse::add(const GramUse& other) {
  plan = std::max(plan, other.plan);
  columns = std::max(columns, other.columns);
  bytes = std::max(bytes, other.bytes);
  passes += other.passes;
}

std::string description(const GramUse& use) {
  const std::string size = format_bytes(use.bytes);
  const std::string passes = fmt::format("{} passes over X", use.passes);
  switch (use.plan) {
    case GramUse::Plan::full:
      return fmt::format("full Gram matrix: the products of all {} columns at once, {}, {}",
                         use.columns, size, passes);
    case GramUse::Plan::cached:
      return fmt::format("cached columns: {} of the Gram matrix, kept in {}, {}", use.columns, size,
                         passes);
    case GramUse::Plan::recomputed:
      return fmt::format(
          "recomputed columns: {} of the Gram matrix kept in {}, the others computed each time, {}",
          use.columns, size, passes);
  }
  return "";
}

}  // namespace lass0
