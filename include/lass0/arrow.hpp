// Sums of squares and products of Arrow data, which come batch by batch through the Arrow C stream
// interface: tables of pyarrow, polars, pandas and DuckDB, readers of Parquet files, partitions of
// Spark and Dask. Arrow itself is not needed.
//
//   lass0::MomentsOfArrow sums({.target = "y"});
//   sums.add(stream);                    // any number of streams with the same columns
//   sums.take().save("all.moments");
#pragma once

#include <cstdint>
#include <lass0/control.hpp>
#include <lass0/moments_builder.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

// The Arrow C data and stream interfaces, as Arrow's specification lays them out. Programs that
// include Arrow's own header as well see them once.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
extern "C" {
struct ArrowSchema {
  const char* format;  // the type: "g" is float64
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  // -1: not counted
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
}
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
extern "C" {
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}
#endif

namespace lass0 {

struct ArrowSumOptions {
  std::string target = "y";
  std::string weights = {};      // a column of row weights; empty: all are 1
  std::string fold_column = {};  // folds are the labels of this column, at most 1000
  // Folds by the stable hash of this column, texts or whole numbers: rows with one ID have one
  // fold, wherever and in whatever order they are summed.
  std::string id_column = {};
  // Rows have no number, as those of a partition of a cluster: without a column for the folds there
  // is only one, and messages count the rows of the partition.
  bool numbered = true;
  Index folds = 10;        // random ones, or by the hash of an ID
  std::uint64_t seed = 1;  // of these
  Index first_row = 1;     // of random folds only
  std::vector<std::string> exclude = {};
  // Text columns to encode, with all their levels; the first has no column.
  std::map<std::string, std::vector<std::string>> one_hot = {};
  bool drop_missing = false;  // rows with a missing value; else they are an error
  int threads = 0;            // 0: all cores
};

class MomentsOfArrow {
 public:
  explicit MomentsOfArrow(ArrowSumOptions options);
  ~MomentsOfArrow();
  MomentsOfArrow(MomentsOfArrow&& other) noexcept;
  MomentsOfArrow& operator=(MomentsOfArrow&& other) noexcept;

  // Sums up a stream, a batch at a time, and releases it. Columns are found by their names. Throws
  // Error where a column has no numbers, is missing or new, and where `keep_going` returns false;
  // what was summed is of no use then. `left_out`: excluded columns of the data that whoever made
  // the stream did not read.
  void add(ArrowArrayStream& stream, const Control& control = {},
           const std::vector<std::string>& left_out = {});

  // The sums. Throws Error where there was no stream. There may be no rows.
  MomentsBuilder take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lass0
