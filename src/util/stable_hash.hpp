// A hash that is part of what lass0 promises: the same on every machine, in every version and for
// every program that computes it, so that an ID decides on the fold of its rows wherever they are.
// The 64-bit FNV-1a hash of the bytes, mixed with the seed by the finaliser of SplitMix64.
#pragma once

#include <cstdint>
#include <string_view>

namespace lass0 {

inline std::uint64_t stable_hash(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
  hash += seed * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

}  // namespace lass0
