// The texts beside a PLINK .bed file: the variants (.bim), the samples (.fam) and, where one is
// given, a table of what is known about the samples.
#pragma once

#include <lass0/types.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes.hpp"

namespace lass0::io {

struct Variants {
  std::vector<std::string>
      names;  // the IDs, or chromosome:position:first:second where they are "."
  std::vector<std::string> first, second;  // the alleles; genotypes count the first
};
Variants read_variants(const std::string& path);

struct Sample {
  std::string family, id, sex, phenotype;
  Index line = 0;
};
std::vector<Sample> read_samples(const std::string& path);

// Whether a phenotype of a .fam file stands for none: -9, and 0 where all others are 1 or 2.
std::vector<bool> missing_phenotypes(const std::vector<Sample>& samples);

// What is known of the samples: FID, IID, sex and phenotype of the .fam file, and the columns of a
// table with a column IID, and perhaps FID: commas, semicolons or tabs between the fields, or
// blanks. A column of the table replaces that of the .fam file with the same name.
class SampleColumns {
 public:
  // Finds the row of each sample; an empty path: there is no table. Throws Error where a row is
  // given twice, where no sample has one, and where IIDs alone don't tell samples apart. `samples`
  // must outlive this.
  SampleColumns(const std::vector<Sample>& samples, const std::string& path);

  const std::vector<std::string>& names() const { return names_; }
  struct Field {
    std::string_view text;  // empty where it is missing
    Index line = 0;
  };
  Field field(Index sample, std::size_t column) const;

 private:
  struct Row {
    std::vector<std::string> fields;  // one per column of the table
    Index line = 0;
  };

  void read_table(const std::string& path);

  const std::vector<Sample>& samples_;
  std::vector<bool> no_phenotype_;     // one per sample
  std::vector<std::string> names_;     // those of the table first
  std::vector<std::string_view> fam_;  // the others, in this order
  std::vector<Row> rows_;
  std::vector<Index> row_of_;  // of each sample; -1: none
};

}  // namespace lass0::io
