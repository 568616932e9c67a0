// PLINK 1 files as plink --make-bed writes them.
#pragma once

#include <lass0/types.hpp>
#include <string>
#include <vector>

namespace lass0::test {

inline constexpr int kNoGenotype = -1;

// The genotypes of the samples (rows) at the variants (columns): 0, 1 or 2 copies of the first
// allele, or none known.
using Genotypes = std::vector<std::vector<int>>;

inline std::string bed(const Genotypes& genotypes) {
  std::string out = "\x6c\x1b\x01";
  for (std::size_t j = 0; j < genotypes.front().size(); ++j) {
    std::string column((genotypes.size() + 3) / 4, '\0');
    for (std::size_t i = 0; i < genotypes.size(); ++i) {
      const int copies = genotypes[i][j];
      const int code = copies == 2 ? 0 : copies == 1 ? 2 : copies == 0 ? 3 : 1;
      column[i / 4] = static_cast<char>(column[i / 4] | code << (2 * (i % 4)));
    }
    out += column;
  }
  return out;
}

// Variants rs1, rs2, ... with the alleles A and G, or the other way round.
inline std::string bim(std::size_t variants, const std::vector<std::size_t>& swapped = {}) {
  std::string out;
  for (std::size_t j = 0; j < variants; ++j) {
    bool turned = false;
    for (const std::size_t other : swapped) turned = turned || other == j;
    out += "1\trs" + std::to_string(j + 1) + "\t0\t" + std::to_string(100 * (j + 1)) +
           (turned ? "\tG\tA\n" : "\tA\tG\n");
  }
  return out;
}

// Samples I1, I2, ... of the families F1, F1, F2, F2, ...
inline std::string fam(const std::vector<std::string>& phenotypes) {
  std::string out;
  for (std::size_t i = 0; i < phenotypes.size(); ++i) {
    out += "F" + std::to_string(i / 2 + 1) + " I" + std::to_string(i + 1) + " 0 0 " +
           std::to_string(i % 3) + " " + phenotypes[i] + "\n";
  }
  return out;
}

}  // namespace lass0::test
