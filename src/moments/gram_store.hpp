// Gram columns that are kept, and the room they may take: over all rows and of all training sets
// together. Where there is no room for more, those that nobody asked for in the longest time make
// way; they are computed again when they are wanted, with the same bits.
#pragma once

#include <atomic>
#include <cstdint>
#include <lass0/types.hpp>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace lass0 {

class GramRoom {
 public:
  // Bytes. A limit of 0: half of what is free, and no more than is `enough` for columns that may
  // make way.
  GramRoom(double limit, double enough) : limit_(limit), enough_(enough) {}

  // What was asked for, infinity where nothing was. Choices that decide last bits go by this one,
  // never by what happens to be free or taken.
  double asked_for() const;

  // False: there is no room, or one store would have more than its share (of 1) of all of it with
  // what it has already. fits() says whether it would do if `less` of that were given back.
  bool reserve(double bytes, double already = 0, double share = 1);
  bool fits(double bytes, double less, double already, double share);
  void release(double bytes);
  void take(double bytes);  // room or not, for what never makes way
  void give_back(double bytes);
  double most_used() const;
  bool was_full() const;

 private:
  double limit();

  const double limit_, enough_;
  mutable std::mutex mutex_;
  double free_ = -1;                 // the limit by what was free, once that was looked at
  double used_ = 0, most_used_ = 0;  // with what was taken
  double taken_ = 0;
  bool was_full_ = false;
};

// Columns never change while they are here.
class GramStore {
 public:
  GramStore(Index columns, GramRoom& room, double share = 1);
  ~GramStore();
  GramStore(const GramStore&) = delete;
  GramStore& operator=(const GramStore&) = delete;

  // No column goes while a reader holds this, which it does as long as it uses pointers. It must
  // not fetch meanwhile.
  std::shared_lock<std::shared_mutex> reading() const { return std::shared_lock(mutex_); }
  const double* column(Index j) const {  // null: it is not here
    return columns_[static_cast<std::size_t>(j)].load(std::memory_order_acquire);
  }
  bool has(Index j) const { return column(j) != nullptr; }
  Index count() const { return count_; }

  // These are wanted: they stay longer than those that were before. What is missing of them,
  // ascending and each once.
  std::vector<Index> want(Columns columns);

  // By one thread at a time. Column l of the values becomes column batch[l].
  //
  // Room for this many columns beside those that are wanted. False: there is none.
  bool reserve(Index rows, Index columns);
  void release(Index rows, Index columns);         // reserved, but no column came
  void keep(Columns batch, const Matrix& values);  // for which room is reserved

 private:
  bool make_way(double bytes);

  GramRoom& room_;
  const double share_;
  double reserved_ = 0;              // bytes
  mutable std::shared_mutex mutex_;  // alone: columns go
  std::vector<std::atomic<const double*>> columns_;
  std::vector<std::atomic<std::uint32_t>> wanted_;  // when each was last
  std::atomic<std::uint32_t> clock_ = 0;
  std::unordered_map<Index, Vector> kept_;
  std::atomic<Index> count_ = 0;
};

// Computes the columns whose pointers are null, into `scratch`, and points at them: for a few
// columns (at most kGramBatch). compute(missing) gives one column of a matrix for each.
template <class Compute>
void compute_missing(Columns columns, std::vector<const double*>& pointers, Matrix& scratch,
                     const Compute& compute) {
  std::vector<Index> missing;
  for (std::size_t l = 0; l < columns.size(); ++l)
    if (!pointers[l]) missing.push_back(columns[l]);
  if (missing.empty()) return;
  scratch = compute(missing);
  Index next = 0;
  for (const double*& pointer : pointers)
    if (!pointer) pointer = scratch.col(next++).data();
}

}  // namespace lass0
