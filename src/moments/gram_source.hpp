// Where the entries of G come from. A GramSource is G of one set of rows, as solvers see it: about
// the means of these rows, with the ridge, and without what the included columns explain. A
// GramPlan is what all training sets share, and makes their sources. Each way to have the products
// of columns is a file of its own:
//
//   full_gram.cpp    few columns: all products at once
//   cached_gram.cpp  Gram columns when they are first asked for, kept as far as there is room
//   sparse_gram.cpp  from the non-zeros of a sparse X, whenever they are asked for
//   subset_gram.cpp  of a few columns among themselves: Moments::among()
#pragma once

#include <lass0/moments.hpp>
#include <memory>
#include <vector>

namespace lass0 {

class AllRows;
class Budget;
class SparseProducts;

// What one set of rows, its ridge and its included columns change in the Gram matrix over all rows.
struct GramView {
  std::vector<Index> held_out = {};  // folds, ascending; none: these are all rows
  Vector sums;                       // of w z_j over these rows
  double weight = 0;
  double target_sum = 0;
  Vector ridge;      // of G_jj; empty: none
  Matrix explained;  // U of the included columns, p x |I|; empty: none

  bool changes_nothing() const {
    return held_out.empty() && ridge.size() == 0 && explained.size() == 0;
  }
  // U_J' v: what the columns J with coefficients v have in common with the included ones.
  Vector explained_times(Columns columns, const ConstVec& v) const {
    Vector sum = Vector::Zero(explained.cols());
    for (Index l = 0; l < std::ssize(columns); ++l)
      sum += v[l] * explained.row(columns[static_cast<std::size_t>(l)]).transpose();
    return sum;
  }
};

// Thread-safe. Entries have the same bits whatever else was asked for, and in whichever order.
class GramSource {
 public:
  virtual ~GramSource() = default;

  // Has these columns computed and kept, as far as there is room. With a budget, throws Stop.
  virtual void prefetch(Columns columns, const Budget* budget) = 0;
  // Likewise their products among themselves alone: then block() of them computes no whole column.
  virtual void prefetch_block(Columns columns) = 0;
  virtual bool cached(Index j) const = 0;                // column j is there already
  virtual bool cached_over_all_rows(Index j) const = 0;  // it is there without a pass over X

  virtual void columns(Columns columns, MutMat out) = 0;                   // out = G_.J
  virtual void block(Columns rows, Columns columns, MutMat out) = 0;       // out = G_IJ
  virtual void times(Columns columns, const ConstMat& V, MutMat out) = 0;  // out = G_.J V

  // sum of w (z_S'b)^2 over the held-out rows, as the sum of its terms b_i b_j (Z'WZ)_ij, and the
  // sum of their sizes. Of training sets only.
  struct SumOfTerms {
    double sum = 0, sizes = 0;
  };
  virtual SumOfTerms held_out_square(Columns support, const ConstVec& b) = 0;

  // The non-zeros, where products come from them; otherwise null.
  virtual const SparseProducts* sparse() const { return nullptr; }
};

class GramPlan {
 public:
  virtual ~GramPlan() = default;
  virtual std::shared_ptr<GramSource> source(std::shared_ptr<const GramView> view) = 0;
  virtual GramUse::Plan kind() const = 0;
  virtual Index kept_columns() const = 0;  // over all rows

  explicit GramPlan(std::shared_ptr<const AllRows> rows) : rows_(std::move(rows)) {}
  const AllRows& rows() const { return *rows_; }
  const std::shared_ptr<const AllRows>& shared_rows() const { return rows_; }

 private:
  std::shared_ptr<const AllRows> rows_;
};

// The best plan for these data. Throws Stop.
std::shared_ptr<GramPlan> make_gram_plan(const Problem& problem, RowGroups groups,
                                         const Budget& budget);

std::shared_ptr<GramPlan> full_gram(std::shared_ptr<AllRows> rows, const Budget& budget);
std::shared_ptr<GramPlan> cached_gram(std::shared_ptr<const AllRows> rows);
// Null: X is not sparse, or its columns have so much in common that products are better kept.
std::shared_ptr<GramPlan> sparse_gram(std::shared_ptr<const AllRows> rows);
std::shared_ptr<GramSource> subset_gram(Matrix G, int threads);

}  // namespace lass0
