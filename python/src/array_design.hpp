// X as an array of another library, such as CuPy's or PyTorch's on a GPU: that library computes the
// products, in the memory where X is. python/lass0/_array_api.py asks it to; this class calls that
// file. Numbers come to the processor's memory only as results, and single columns that are asked
// for one by one, which are kept.
#pragma once

#include <nanobind/nanobind.h>

#include <lass0/design.hpp>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace lass0::python {

// To be made and ended with the GIL held. Its operations take the GIL; whoever waits for a thread
// that calls them must have let it go, as run.hpp does.
class ArrayDesign final : public Design {
 public:
  static bool takes(nanobind::handle X);  // X is an object of _array_api.py
  explicit ArrayDesign(nanobind::object array);

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }
  Index columns_per_call() const override { return columns_per_call_; }
  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override;
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override;
  void add_column(Index j, double a, MutVec out) const override;
  void fetch(Columns columns) const override;
  double value(Index i, Index j) const override;
  void row(Index i, Index first, MutVec out) const override;
  // All columns of some rows would cross for what the library can compute where they are.
  bool gather(std::span<const Index>, MutMat) const override { return false; }

 private:
  using Column = std::shared_ptr<const Vector>;
  Column find(Index j) const;
  Column column(Index j) const;

  nanobind::object array_;
  Index rows_, cols_, columns_per_call_;
  std::size_t most_kept_;
  // Guards what follows. Never held by a thread that waits for the GIL.
  mutable std::mutex mutex_;
  mutable std::unordered_map<Index, Column> kept_;
};

}  // namespace lass0::python
