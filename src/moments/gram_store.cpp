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

double GramRoom::limit() {
  if (limit_ > 0) return limit_;
  if (free_ < 0) {
    const auto available = static_cast<double>(available_memory());
    free_ = available < 0 ? kInfinity : used_ + available / 2;
  }
  return std::min(enough_ + taken_, free_);
}

bool GramRoom::reserve(double bytes, double already, double share) {
  const std::lock_guard lock(mutex_);
  const bool little = !(limit_ > 0) && used_ + bytes <= kAlwaysThere;
  if (!little && (used_ + bytes > limit() || already + bytes > share * limit())) {
    was_full_ = true;
    return false;
  }
  used_ += bytes;
  most_used_ = std::max(most_used_, used_);
  return true;
}

bool GramRoom::fits(double bytes, double less, double already, double share) {
  const std::lock_guard lock(mutex_);
  return used_ - less + bytes <= limit() && already - less + bytes <= share * limit();
}

void GramRoom::release(double bytes) {
  const std::lock_guard lock(mutex_);
  used_ -= bytes;
}

void GramRoom::take(double bytes) {
  const std::lock_guard lock(mutex_);
  taken_ += bytes;
  used_ += bytes;
  most_used_ = std::max(most_used_, used_);
}

void GramRoom::give_back(double bytes) {
  const std::lock_guard lock(mutex_);
  taken_ -= bytes;
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

GramStore::GramStore(Index columns, GramRoom& room, double share)
    : room_(room),
      share_(share),
      columns_(static_cast<std::size_t>(columns)),
      wanted_(static_cast<std::size_t>(columns)) {}

GramStore::~GramStore() { room_.release(reserved_); }

std::vector<Index> GramStore::want(Columns columns) {
  const std::uint32_t now = ++clock_;
  std::vector<Index> missing;
  for (const Index j : columns) {
    wanted_[static_cast<std::size_t>(j)].store(now, std::memory_order_relaxed);
    if (!has(j)) missing.push_back(j);
  }
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

bool GramStore::reserve(Index rows, Index columns) {
  const double bytes = bytes_of(rows, columns);
  while (!room_.reserve(bytes, reserved_, share_)) {
    if (!make_way(bytes)) return false;
  }
  reserved_ += bytes;
  return true;
}

void GramStore::release(Index rows, Index columns) {
  reserved_ -= bytes_of(rows, columns);
  room_.release(bytes_of(rows, columns));
}

// The half of the columns that were not wanted for longest go, but none of those wanted last.
// False: all that may go would not be enough, so none did.
bool GramStore::make_way(double bytes) {
  const std::unique_lock lock(mutex_);
  const std::uint32_t now = clock_;
  std::vector<std::pair<std::uint32_t, Index>> old;
  double less = 0;
  for (const auto& [j, values] : kept_) {
    const std::uint32_t wanted = wanted_[static_cast<std::size_t>(j)];
    if (wanted == now) continue;
    old.emplace_back(wanted, j);
    less += bytes_of(values.size(), 1);
  }
  if (old.empty() || !room_.fits(bytes, less, reserved_, share_)) return false;
  const auto count = std::min(old.size(), kept_.size() / 2 + 1);
  std::partial_sort(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(count), old.end());
  old.resize(count);
  for (const auto& [wanted, j] : old) {
    columns_[static_cast<std::size_t>(j)].store(nullptr, std::memory_order_release);
    const auto at = kept_.find(j);
    release(at->second.size(), 1);
    kept_.erase(at);
  }
  count_ -= std::ssize(old);
  return true;
}

void GramStore::keep(Columns batch, const Matrix& values) {
  for (std::size_t l = 0; l < batch.size(); ++l) {
    const Vector& column = kept_[batch[l]] = values.col(static_cast<Index>(l));
    columns_[static_cast<std::size_t>(batch[l])].store(column.data(), std::memory_order_release);
  }
  count_ += std::ssize(batch);
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
      return fmt::format("full Gram matrix: all {} columns at once, {}, {}", use.columns, size,
                         passes);
    case GramUse::Plan::cached:
      return fmt::format("cached columns: {} of the Gram matrix, cached in {}, {}", use.columns,
                         size, passes);
    case GramUse::Plan::recomputed:
      return fmt::format(
          "recomputed columns: {} of the Gram matrix cached in {}, evicted ones recomputed when "
          "needed, {}",
          use.columns, size, passes);
    case GramUse::Plan::sparse:
      return fmt::format(
          "sparse columns: Gram entries from the non-zeros when needed; these are also stored by "
          "rows, in {}, {}",
          size, passes);
  }
  return "";
}

}  // namespace lass0
