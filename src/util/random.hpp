// Random numbers that are the same everywhere. The distributions of the standard library differ
// between its implementations, so a seed would mean other data, folds and starts on another system;
// these do not.
//
// xoshiro256++ (Blackman and Vigna), its state filled from the seed by splitmix64. Every draw
// except below() takes exactly one number from the generator: a last bit that differs on another
// machine never shifts what follows.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <lass0/types.hpp>
#include <span>
#include <utility>
#include <vector>

namespace lass0 {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // An odd multiple of 2^-53: symmetric about 1/2, and never 0, 1/2 or 1, so its logarithm is
  // finite.
  double uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  double normal();  // mean 0, deviation 1

  Index below(Index bound);  // 0 .. bound - 1, each with the same probability; bound >= 1

  // Puts a uniformly random choice of `count` of the values, in random order, at the front.
  template <typename T>
  void shuffle(std::span<T> values, Index count) {
    for (Index i = 0; i < count; ++i)
      std::swap(values[i], values[i + below(std::ssize(values) - i)]);
  }
  template <typename T>
  void shuffle(std::span<T> values) {
    shuffle(values, std::ssize(values));
  }

  std::vector<Index> sample(Index size, Index count);  // `count` of 0 .. size - 1, ascending

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace lass0
