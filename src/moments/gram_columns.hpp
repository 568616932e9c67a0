// What sources have in common whose Gram columns lie in memory.
#pragma once

#include <mutex>
#include <shared_mutex>
#include <vector>

#include "moments/all_rows.hpp"
#include "moments/gram_source.hpp"

namespace lass0 {

class ColumnSource : public GramSource {
 public:
  explicit ColumnSource(int threads) : threads_(threads) {}
  void columns(Columns columns, MutMat out) override;
  void block(Columns rows, Columns columns, MutMat out) override;
  void times(Columns columns, const ConstMat& V, MutMat out) override;

 protected:
  // One pointer per column, null where there was no room to keep it. They hold as long as `reading`
  // is held; nothing may be fetched meanwhile.
  struct Kept {
    std::shared_lock<std::shared_mutex> reading;
    std::vector<const double*> columns;
  };
  virtual Kept keep(Columns columns) = 0;
  virtual Matrix compute(Columns batch) = 0;  // at most kGramBatch of them, without keeping any

 private:
  template <class Use>
  void with_columns(Columns columns, const Use& use);

  const int threads_;
};

// G is there as a whole: the first rows of a matrix.
class MatrixSource final : public ColumnSource {
 public:
  MatrixSource(std::shared_ptr<const Matrix> G, int threads)
      : ColumnSource(threads), G_(std::move(G)) {}

  void prefetch(Columns, const Budget*) override {}
  void prefetch_block(Columns) override {}
  bool cached(Index) const override { return true; }
  bool cached_over_all_rows(Index) const override { return true; }
  void block(Columns rows, Columns columns, MutMat out) override;
  SumOfTerms held_out_square(Columns, const ConstVec&) override { return {}; }

 protected:
  Kept keep(Columns columns) override;
  Matrix compute(Columns) override { return {}; }

 private:
  std::shared_ptr<const Matrix> G_;
};

// The columns of a view that are not those over all rows: each is computed from that one when it is
// first asked for, and kept as far as there is room.
class CorrectedColumns : public ColumnSource {
 public:
  void prefetch(Columns columns, const Budget* budget) override;
  bool cached(Index j) const override { return store_.has(j); }

 protected:
  CorrectedColumns(std::shared_ptr<const AllRows> rows, std::shared_ptr<const GramView> view);

  Kept keep(Columns columns) override;
  Matrix compute(Columns batch) override;

  const AllRows& rows() const { return *rows_; }
  const GramView& view() const { return *view_; }

  // Whatever add_up needs, for these columns.
  virtual void prepare(Columns columns, const Budget* budget) = 0;
  // G_.j over the rows of the view for a batch of columns, about the means over all rows.
  virtual void add_up(Columns batch, Matrix& columns) = 0;

 private:
  Matrix corrected(Columns batch);

  std::shared_ptr<const AllRows> rows_;  // store_ gives its room back to them in the end
  std::shared_ptr<const GramView> view_;
  std::mutex compute_mutex_;  // one thread at a time adds to the store
  GramStore store_;           // empty where the view changes nothing
};

}  // namespace lass0
