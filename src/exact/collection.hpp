// The supports that a search for all near-optimal ones has met: how many there are, the best of
// them, and for every column the best objective with it and without it. Its memory does not grow
// with the number of supports. Every support must be added once only. Internal units of Moments.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "exact/goal.hpp"

namespace lass0 {

class Collection {
 public:
  // Keeps the `keep` best supports. `copies`: how many columns each candidate stands for.
  Collection(double lambda, std::size_t keep, std::vector<Index> copies);
  Collection empty() const;  // nothing in it yet

  void add(Incumbent found);
  void merge(const Collection& other);
  void clear();

  // With one support for each choice among duplicate columns; at most kMostCountable.
  static constexpr std::int64_t kMostCountable = std::int64_t{1} << 53;
  std::int64_t count() const { return count_; }
  // Set once there are too many supports to keep: only those with an objective below this are still
  // looked for.
  std::optional<double> limit() const;

  double objective(const Incumbent& at) const;
  std::vector<Incumbent> best() const;                  // by objective, then by columns
  double best_with(Index j) const { return with_[j]; }  // infinite: none was met
  double best_without(Index j) const { return without_[j]; }

 private:
  bool before(const Incumbent& a, const Incumbent& b) const;
  void keep(Incumbent found);

  double lambda_;
  std::size_t keep_;
  std::vector<Index> copies_;
  std::int64_t met_ = 0, count_ = 0;
  std::vector<Incumbent> heap_;  // the worst of those kept is the first
  Vector with_, without_;
};

}  // namespace lass0
