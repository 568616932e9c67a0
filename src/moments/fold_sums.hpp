// Sums of squares and products of rows that come a block at a time, kept per fold. Each fold keeps
// its mean and its sums about that mean, and takes in a chunk of rows by the pairwise update of
// Chan, Golub and LeVeque: a column with mean 1e8 and standard deviation 1 keeps its digits,
// whatever the first rows are.
//
// Which rows make a chunk follows from their order within the fold alone, so sums have the same
// bits however the rows were cut into blocks, and for any number of threads.
#pragma once

#include <lass0/types.hpp>
#include <vector>

namespace lass0 {

// Of one fold.
struct FoldSum {
  Index rows = 0;  // of positive weight
  double weight = 0;
  Vector mean;     // less the centre that all folds share
  Matrix squares;  // sum of w (z - mean)(z - mean)': the lower triangle
};

// Where the values of a block of rows are: row i of column j at base[j][i * step[j]].
struct BlockColumns {
  std::vector<const double*> base;
  std::vector<Index> step;
};

class FoldSums {
 public:
  // `folds`: how many there will be; a first guess is enough, but the last bits depend on it.
  FoldSums(Index columns, Index folds);

  Index columns() const { return columns_; }
  Index folds() const { return std::ssize(folds_); }
  Index rows() const;  // of all folds, with those that wait
  // There are at least this many folds then. Where there is no memory for them, throws Error and
  // leaves the folds as they are.
  void need_folds(Index count);

  // Adds rows of a block. `rows`: their places in the block, all of positive weight and finite;
  // `weights`: of all rows of the block, null: 1; fold[r]: that of rows[r].
  void add(const BlockColumns& values, const std::vector<Index>& rows, const double* weights,
           const std::vector<Index>& fold, int threads);
  // Takes in the rows that wait for their chunk to be full.
  void flush(int threads);

  // After flush().
  const Vector& centre() const { return centre_; }
  const FoldSum& fold(Index f) const { return folds_[static_cast<std::size_t>(f)]; }
  // For a reader of sums, into sums without rows: what all means are relative to, and every fold.
  void set_centre(Vector centre);
  FoldSum& fold(Index f) { return folds_[static_cast<std::size_t>(f)]; }
  // Fold f of the other sums is fold_here[f] of these.
  void merge(const FoldSums& other, const std::vector<Index>& fold_here, int threads);
  // A column whose squares have left the range of doubles; -1: none.
  Index extreme_column() const;

 private:
  // Rows that wait, one after the other.
  struct Chunk {
    std::vector<double> values;  // columns x (rows + 1): with room for the step between two means
    std::vector<double> weights;
    Index rows = 0, depth = 0;
    double weight = 0;
    Vector mean, largest;
  };
  struct Task {  // some rows of a fold go into a chunk
    Index fold, chunk, first, last;
  };

  Chunk& chunk(Index fold, Index c) {
    return waiting_[static_cast<std::size_t>(fold)][static_cast<std::size_t>(c)];
  }
  void copy(const BlockColumns& values, const Index* rows, Index count, const double* weights,
            Chunk& to) const;
  void centre_chunk(Chunk& chunk) const;
  void join_means(Chunk& chunk, FoldSum& sum);
  // The first count[f] chunks of every fold f.
  void take_in(const std::vector<Index>& count, int threads);

  Index columns_, chunk_rows_, tile_;
  Vector centre_;   // the first row
  Vector largest_;  // |z - centre| of each column
  std::vector<FoldSum> folds_;
  std::vector<std::vector<Chunk>> waiting_;  // of each fold; rows that are left wait in the first
};

}  // namespace lass0
