// Sums of squares and products that are kept in a file, for data that come in parts or are larger
// than memory. For a gaussian target they hold all that fit, path, cv, compare and stability need:
//
//   lass0::MomentsBuilder builder({.names = {"x1", "x2"}, .target = "y"});
//   while (...) builder.add(X, y);          // a block of rows, any number of times
//   builder.merge(lass0::MomentsBuilder::load("other.moments"));
//   builder.save("all.moments");
//   lass0::cross_validate(builder.table());  // or read_table("all.moments", {})
//
// Sums are kept per fold, so that cross-validation needs no rows either. The fold of row i, counted
// from 0 over the rows of positive weight, is place i mod F of a permutation of the F folds that is
// seeded by (seed, i div F): cross_validate(problem) on the rows themselves has the same folds. Or
// folds come with labels.
#pragma once

#include <cstdint>
#include <lass0/io.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lass0 {

// What sums must have in common to be merged.
struct MomentsSchema {
  std::vector<std::string> names;  // of the columns of X
  std::string target = "y";
  std::string weights = {};      // the column of the weights; empty: all are 1
  std::string fold_column = {};  // folds are the labels of this column; empty: they are random
  Index folds = 10;              // random ones; 1: none
  std::uint64_t seed = 1;        // of random folds
  std::map<std::string, std::vector<std::string>> one_hot = {};  // Table::one_hot
};

class MomentsBuilder {
 public:
  // The number of the first row, from 1, decides on its fold: of data that were cut into parts,
  // each part begins where the one before it ends (next_row()).
  explicit MomentsBuilder(MomentsSchema schema, Index first_row = 1, int threads = 1);
  ~MomentsBuilder();
  MomentsBuilder(MomentsBuilder&& other) noexcept;
  MomentsBuilder& operator=(MomentsBuilder&& other) noexcept;

  // A block of rows. `weights`: one per row, at least 0; empty: all 1. `labels`: of the folds, one
  // per row, where the schema has a fold column. Throws Error if a value is not finite. The last
  // bits of sums do not depend on how rows are cut into blocks, nor on the number of threads.
  void add(const ConstMat& X, const ConstVec& y, std::span<const double> weights = {},
           std::span<const std::string> labels = {});
  // The same of a row-major X, without a copy.
  void add_rows(const ConstRowMat& X, const ConstVec& y, std::span<const double> weights = {},
                std::span<const std::string> labels = {});
  // Throws Error where the schemas differ, or where both have the same row.
  void merge(MomentsBuilder other);

  // Versioned and checksummed; never half written. Throws Error where a column has values too large
  // or too small for sums of squares.
  void save(const std::string& path);
  // Throws Error where this is no such file, or it is damaged or cut short.
  static MomentsBuilder load(const std::string& path);
  // The content of the file.
  std::string to_bytes();
  static MomentsBuilder from_bytes(std::string_view bytes);

  // Rows with the same sums in every fold: problems of this table have the answers of the data.
  Table table();

  const MomentsSchema& schema() const;
  Index rows() const;                              // of positive weight
  Index next_row() const;                          // the number of the row after the last one
  const std::vector<std::string>& labels() const;  // of the folds, if they have any
  Index folds() const;

  // For readers of files: src/io/moments_state.hpp.
  struct State;
  explicit MomentsBuilder(std::unique_ptr<State> state);
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// What lass0 moments says of a file, as JSON: n, p, target, folds, and how these were made.
std::string to_json(const MomentsBuilder& builder);

// How lass0 moments reads its files.
struct MomentsReadOptions {
  ReadOptions read;  // missing: error or drop. Signs, included columns and offsets come with fits
  Index folds = 10;
  std::uint64_t seed = 1;
  Index first_row = 1;
  int threads = 0;    // 0: all cores
  double memory = 0;  // bytes for blocks of rows, beside the sums; 0: about 100 MB
};

// Sums up the rows of data files, in their order. CSV, TSV and NPY are read a block of rows at a
// time; other formats are read whole, one file after the other. All files must have the same
// columns. Levels of one-hot columns come from a first pass over the files, unless
// ReadOptions::known_levels has them.
MomentsBuilder moments_of_files(std::span<const std::string> paths,
                                const MomentsReadOptions& options);

// Whether the file begins as one that MomentsBuilder::save has written.
bool is_moments_file(const std::string& path);

// Levels of text columns for one-hot coding, one per line: column=level. In the order of the lines,
// of which the first of a column gets no column of X.
std::map<std::string, std::vector<std::string>> read_levels(const std::string& path,
                                                            std::span<const std::string> columns);

}  // namespace lass0
