// The columns of X. A Design is an n x p matrix, read-only and safe to use from several threads,
// whose storage only its own .cpp file knows; the rest of the library uses the operations below.
// None of them copies X.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <lass0/types.hpp>
#include <optional>
#include <vector>

namespace lass0 {

// A partition of the rows, such as the folds of cross-validation. Moments are kept per group,
// because they add up.
struct RowGroups {
  Index count = 1;
  std::vector<std::int32_t> of_row;  // the group of each row; empty if there is only one group
  std::vector<Index> order;          // the rows sorted by group (stable); empty for one group
  std::vector<Index>
      start;  // group g is order[start[g]] .. order[start[g + 1] - 1]; empty for one group

  static RowGroups single() { return {}; }
  static RowGroups from_labels(std::span<const int> labels);  // labels 0 .. count - 1, one per row
};

// Row numbers of 32 or 64 bits, where they are.
class RowNumbers {
 public:
  explicit RowNumbers(std::span<const std::int32_t> rows)
      : narrow_(rows.data()), size_(rows.size()) {}
  explicit RowNumbers(std::span<const std::int64_t> rows)
      : wide_(rows.data()), size_(rows.size()) {}

  std::size_t size() const { return size_; }
  Index operator[](std::size_t k) const { return wide_ ? Index{wide_[k]} : Index{narrow_[k]}; }
  RowNumbers subspan(std::size_t first, std::size_t count) const {
    return wide_ ? RowNumbers(std::span(wide_ + first, count))
                 : RowNumbers(std::span(narrow_ + first, count));
  }

 private:
  const std::int32_t* narrow_ = nullptr;
  const std::int64_t* wide_ = nullptr;
  std::size_t size_;
};

// The stored values of a sparse column: values[k] in row rows[k], rows ascending. (A stored value
// may be 0.)
struct SparseColumn {
  RowNumbers rows;
  std::span<const double> values;
};

class Design {
 public:
  virtual ~Design() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  virtual Index values_per_column() const { return rows(); }  // the approximate number stored
  // Reading this many columns that follow each other costs memory traffic for little more than
  // their own values. More than a few where the values of a row lie together.
  virtual Index columns_together() const { return 4; }
  // A storage in another memory, such as that of a GPU: products and squares should be asked for
  // this many columns at a time, because every call takes long, however few they are. 0: the
  // library takes blocks that suit the caches of the processor.
  virtual Index columns_per_call() const { return 0; }

  // For the columns j = first .. first + count - 1 and the m columns of V (n x m), per group g of
  // rows:
  //   out(j - first, g * m + l) = sum over i in g of (x_ij - centre(j - first)) * V(i, l)
  // `centre` is subtracted before anything is summed, so a column with mean 1e8 and standard
  // deviation 1 keeps its digits. The bits depend only on (first, count) and V: callers that want
  // the same bits for any number of threads must use the same blocks of columns.
  virtual void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                        const ConstRowMat& V, MutMat out) const = 0;

  // out(j - first, g) = sum over i in g of weights(i) * (x_ij - centre(j - first))^2
  virtual void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                       const ConstVec& weights, MutMat out) const = 0;

  // out += a * x_j
  virtual void add_column(Index j, double a, MutVec out) const = 0;

  // These columns will be asked for one by one: a storage in another memory brings them together.
  virtual void fetch(Columns) const {}

  // x_ij: for messages, never in a loop over the matrix.
  virtual double value(Index i, Index j) const = 0;

  // out(j) = x(i, first + j): for provisional centres.
  virtual void row(Index i, Index first, MutVec out) const {
    for (Index j = 0; j < out.size(); ++j) out[j] = value(i, first + j);
  }

  // out(r, j) = x(rows[r], j) for all columns: a few rows of a tall X. Returns false, and does
  // nothing, if the storage can't read rows quickly.
  virtual bool gather(std::span<const Index> rows, MutMat out) const = 0;

  // The non-zeros of column j, for loops that must not visit all rows. None if the storage is
  // dense.
  virtual std::optional<SparseColumn> sparse_column(Index) const { return {}; }
};

// A column-major view of the caller's matrix: column j starts at data + j * stride. Nothing is
// copied: `data` must outlive the design.
class DenseDesign final : public Design {
 public:
  DenseDesign(const double* data, Index rows, Index cols, Index stride);
  explicit DenseDesign(const Matrix& X) : DenseDesign(X.data(), X.rows(), X.cols(), X.rows()) {}
  explicit DenseDesign(Matrix&&) = delete;  // a view of a temporary

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }
  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override;
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override;
  void add_column(Index j, double a, MutVec out) const override;
  double value(Index i, Index j) const override { return column(j)[i]; }
  bool gather(std::span<const Index> rows, MutMat out) const override;
  const double* data() const { return data_; }
  Index stride() const { return stride_; }

 private:
  const double* column(Index j) const { return data_ + j * stride_; }

  const double* data_;
  Index rows_, cols_, stride_;
};

// Columns of any number type, each with its own start and step: a row-major matrix, single
// precision, integers, every second row, or the columns of a data frame. Values are converted to
// double a few at a time when they are used. Nothing is copied: the columns must outlive the
// design.
enum class NumberType {
  float64,
  float32,
  int64,
  int32,
  int16,
  int8,
  uint64,
  uint32,
  uint16,
  uint8,  // also for booleans
};

struct ColumnView {
  const void* data = nullptr;  // of row 0; need not be aligned
  std::ptrdiff_t step = 0;     // bytes from one row to the next; may be negative
  NumberType type = NumberType::float64;
};

class ColumnsDesign final : public Design {
 public:
  ColumnsDesign(Index rows, std::vector<ColumnView> columns);

  Index rows() const override { return rows_; }
  Index cols() const override { return std::ssize(columns_); }
  Index columns_together() const override { return runs_.empty() ? 4 : 64; }
  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override;
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override;
  void add_column(Index j, double a, MutVec out) const override;
  double value(Index i, Index j) const override;
  bool gather(std::span<const Index> rows, MutMat out) const override;

 private:
  const ColumnView& column(Index j) const { return columns_[static_cast<std::size_t>(j)]; }
  // Where the value of row i and column j is.
  const char* at(Index i, Index j) const {
    return static_cast<const char*>(column(j).data) + i * column(j).step;
  }
  void pack(Index first, Index width, Index row_of_panel, const Index* order, Index depth,
            const double* centre, double* values) const;

  Index rows_;
  std::vector<ColumnView> columns_;
  // Where the values of a row lie one after the other: the columns at which such runs begin, and
  // the number of columns. Empty: they don't.
  std::vector<Index> runs_;
};

// Genotypes of two bits each, as in PLINK 1 .bed files: column j begins at columns[j], has four
// rows in a byte, the first one in the lowest bits, and ends with a whole byte. The bits 00 mean 2
// copies of the counted allele, 10 mean 1 and 11 mean 0. The bits 01 mean that the genotype is
// missing: it is replaced by the mean of the column. Products come from tables of the sums of two
// rows, so that no column is ever unpacked. Nothing is copied: the bytes must outlive the design.
class GenotypesDesign final : public Design {
 public:
  // The rows are all `stored_rows`, or those in `kept` (ascending). The means are those of the
  // known genotypes in these rows, with `weights` (one per row; empty: 1), and 0 where none is
  // known.
  GenotypesDesign(Index stored_rows, std::vector<const std::uint8_t*> columns,
                  std::optional<std::vector<Index>> kept = {}, const Vector& weights = {});

  Index rows() const override { return rows_; }
  Index cols() const override { return std::ssize(columns_); }
  Index values_per_column() const override { return 1 + rows_ / 16; }  // about what they cost
  double mean(Index j) const { return mean_[j]; }
  Index missing(Index j) const { return missing_[static_cast<std::size_t>(j)]; }
  void set_mean(Index j, double mean) { mean_[j] = mean; }  // another one, as for predictions

  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override;
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override;
  void add_column(Index j, double a, MutVec out) const override;
  double value(Index i, Index j) const override;
  bool gather(std::span<const Index> rows, MutMat out) const override;

 private:
  const std::uint8_t* column(Index j) const { return columns_[static_cast<std::size_t>(j)]; }
  Index stored_row(Index i) const { return kept_ ? (*kept_)[static_cast<std::size_t>(i)] : i; }

  Index stored_rows_, rows_;
  std::vector<const std::uint8_t*> columns_;
  std::optional<std::vector<Index>> kept_;
  Vector mean_;
  std::vector<std::int32_t> missing_;
};

// A view of the caller's compressed sparse columns (CSC): the non-zeros of column j are values[k]
// in row rows[k] for column_start[j] <= k < column_start[j + 1], rows ascending. Row numbers have
// 32 or 64 bits. Nothing is copied or made dense: centring is arithmetic on sums. The constructor
// checks that every index is in range.
class SparseDesign final : public Design {
 public:
  SparseDesign(Index rows, Index cols, std::span<const std::int64_t> column_start,
               std::span<const std::int32_t> row_index, std::span<const double> values)
      : SparseDesign(rows, cols, column_start, RowNumbers(row_index), values) {}
  SparseDesign(Index rows, Index cols, std::span<const std::int64_t> column_start,
               std::span<const std::int64_t> row_index, std::span<const double> values)
      : SparseDesign(rows, cols, column_start, RowNumbers(row_index), values) {}

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }
  Index nonzeros() const { return static_cast<Index>(values_.size()); }
  Index values_per_column() const override { return nonzeros() / std::max<Index>(1, cols_); }
  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override;
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override;
  void add_column(Index j, double a, MutVec out) const override;
  double value(Index i, Index j) const override;
  bool gather(std::span<const Index>, MutMat) const override { return false; }
  std::optional<SparseColumn> sparse_column(Index j) const override { return nonzeros(j); }

 private:
  SparseDesign(Index rows, Index cols, std::span<const std::int64_t> column_start,
               RowNumbers row_index, std::span<const double> values);
  SparseColumn nonzeros(Index j) const {
    const auto begin = static_cast<std::size_t>(column_start_[static_cast<std::size_t>(j)]);
    const auto end = static_cast<std::size_t>(column_start_[static_cast<std::size_t>(j) + 1]);
    return {row_index_.subspan(begin, end - begin), values_.subspan(begin, end - begin)};
  }
  template <class Visit>
  void for_each_nonzero(Index column, const RowGroups& groups, std::vector<Index>& rows_seen,
                        const Visit& visit) const;

  Index rows_, cols_;
  std::span<const std::int64_t> column_start_;
  RowNumbers row_index_;
  std::span<const double> values_;
};

}  // namespace lass0
