// Gram columns that are kept, and the room they may take: over all rows and of all training sets
// together. What finds no room is computed each time it is asked for, with the same bits.
#pragma once

#include <atomic>
#include <lass0/types.hpp>
#include <mutex>
#include <vector>

namespace lass0 {

class GramRoom {
 public:
  explicit GramRoom(double limit) : limit_(limit) {}  // bytes; 0: half of what is free

  // What was asked for, infinity where nothing was. Choices that decide last bits go by this one,
  // never by what happens to be free or taken.
  double asked_for() const;

  bool reserve(double bytes);  // false: there is no room
  void take(double bytes);     // room or not
  void release(double bytes);
  double most_used() const;
  bool was_full() const;

 private:
  bool fits(double bytes);

  const double limit_;
  mutable std::mutex mutex_;
  double free_ = -1;  // the limit by what was free, once that was looked at
  double used_ = 0, most_used_ = 0;
  bool was_full_ = false;
};

// Columns never change or move once they are here, so readers need no lock.
class GramStore {
 public:
  GramStore(Index columns, GramRoom& room)
      : room_(room), columns_(static_cast<std::size_t>(columns)) {}
  ~GramStore() { room_.release(taken_); }
  GramStore(const GramStore&) = delete;
  GramStore& operator=(const GramStore&) = delete;

  const double* column(Index j) const {  // null: it is not here
    return columns_[static_cast<std::size_t>(j)].load(std::memory_order_acquire);
  }
  bool has(Index j) const { return column(j) != nullptr; }
  Index count() const { return count_; }
  std::vector<Index> missing(Columns columns) const;  // ascending and each once

  // By one thread at a time. Column l of the values becomes column batch[l].
  bool reserve(Index rows, Index columns);  // false: there is no room to keep them
  void keep(Columns batch, Matrix values, bool reserved);

 private:
  GramRoom& room_;
  double taken_ = 0;
  std::vector<std::atomic<const double*>> columns_;  // into batches_
  std::vector<Matrix> batches_;
  std::atomic<Index> count_ = 0;
};

// Pointers to a few columns of a source (at most kGramBatch): to those that it keeps, and into
// `scratch` for the others.
template <class Source>
std::vector<const double*> kept_or_computed(Source& source, Columns columns, Matrix& scratch) {
  std::vector<const double*> pointers;
  std::vector<Index> missing;
  for (const Index j : columns) {
    pointers.push_back(source.column(j));
    if (!pointers.back()) missing.push_back(j);
  }
  if (missing.empty()) return pointers;
  scratch = source.compute(missing);
  Index next = 0;
  for (const double*& pointer : pointers) {
    if (!pointer) pointer = scratch.col(next++).data();
  }
  return pointers;
}

}  // namespace lass0
