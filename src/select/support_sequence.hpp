// Supports along a curve, of which neighbours share most columns: each is kept as what it has and
// the one before has not, and the other way round. Leave-one-out has a hundred supports for each
// row and ridge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <lass0/types.hpp>
#include <vector>

namespace lass0 {

class SupportSequence {
 public:
  void add(const std::vector<Index>& support) {  // ascending
    std::vector<Index> change;
    std::set_symmetric_difference(last_.begin(), last_.end(), support.begin(), support.end(),
                                  std::back_inserter(change));
    for (const Index j : change) changes_.push_back(static_cast<std::int32_t>(j));
    ends_.push_back(changes_.size());
    last_ = support;
  }

  std::vector<Index> at(std::size_t place) const {
    std::vector<std::int32_t> flips(changes_.begin(),
                                    changes_.begin() + static_cast<std::ptrdiff_t>(ends_[place]));
    std::sort(flips.begin(), flips.end());
    std::vector<Index> support;
    for (std::size_t i = 0; i < flips.size();) {  // in it: changed an odd number of times
      std::size_t next = i;
      while (next < flips.size() && flips[next] == flips[i]) ++next;
      if ((next - i) % 2 == 1) support.push_back(flips[i]);
      i = next;
    }
    return support;
  }

 private:
  std::vector<std::int32_t> changes_;  // of all supports, one after the other
  std::vector<std::size_t> ends_;
  std::vector<Index> last_;
};

}  // namespace lass0
