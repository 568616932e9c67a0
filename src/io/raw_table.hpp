// What every reader produces and assemble.cpp turns into a Table: the columns that the options ask
// for, as numbers, as texts, or as one sparse matrix, with notes on every cell that is missing,
// infinite or no number. Readers only read; what such cells mean is decided in one place for all
// formats.
#pragma once

#include <cstdint>
#include <functional>
#include <lass0/io.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/bytes.hpp"
#include "io/numbers.hpp"
#include "io/plan.hpp"
#include "io/read_progress.hpp"
#include "io/sparse_columns.hpp"

namespace lass0::io {

struct Input {
  std::string path;
  std::string source;                 // what messages call the file
  std::shared_ptr<const Bytes> file;  // to be kept where X stays in the file
  std::string_view bytes;             // its unpacked content
  const ReadOptions& options;
  ReadProgress& progress;
};

struct Cell {
  Index row = 0;   // 1-based data row; 0: there is no such cell
  Index line = 0;  // 1-based line of the file; 0 where the format has no lines
  std::string text;
};

struct Noted {
  Index count = 0;
  Cell first;
  void add(Index row, Index line, std::string_view text);
};

struct ColumnNotes {
  Noted missing, text, infinite;
  // How many of the texts would be numbers with the other decimal sign, and with commas between
  // thousands.
  Index other_decimal = 0, thousands = 0;
  // Numbers with a decimal comma: those whose point need not separate thousands, and whether any
  // number of the column shows that points do.
  Noted doubtful;
  bool points_are_thousands = false;
};

struct TextColumn {
  std::vector<std::int32_t> codes;  // one per row: the position in `levels`, -1 for missing
  std::vector<std::string> levels;  // in order of appearance
  Noted missing;

  void put(Index row, std::string_view text, Index line);  // `row` is 0-based and the next one

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> code_of_;
};

// The columns of X that stay where they are, as a design of the rows that are kept (none given:
// all) with these weights, which may be empty.
struct ColumnsInPlace {
  Index columns = 0;  // of the file, the first ones
  std::vector<std::string> names;
  std::function<std::shared_ptr<const Design>(std::optional<std::vector<Index>> kept,
                                              const Vector& weights, Table& about)>
      design;
};

struct RawTable {
  std::string source;
  Plan plan;
  Index rows = 0;
  Matrix numbers;                  // rows x plan.number_columns; missing values are NaN
  std::vector<ColumnNotes> notes;  // one per column of `numbers`
  std::vector<TextColumn> texts;   // plan.text_columns of them
  // All columns of the file (predictions: those of the plan, which then counts among these);
  // `numbers` and `texts` are then empty.
  std::optional<SparseColumns> sparse;
  std::optional<ColumnsInPlace> in_place;  // `numbers` and `texts` then hold the other columns
  std::vector<std::string> ids;            // of the column plan.id, as they stand in the file
  Vector own_target;                       // of the formats that keep y apart
  char decimal = '.';                      // ReadOptions::decimal
  bool delimited = false;                  // CSV and TSV, where the decimal sign can be chosen
  // Of a file that comes in pieces: the rows before this piece.
  bool piece = false;
  Index first_row = 0;
  // Of a file of moments.
  std::shared_ptr<const SummedRows> summed;
  Vector summed_weights;
  std::map<std::string, std::vector<std::string>> summed_one_hot;

  // Dense: makes the plan and room for `capacity` rows.
  RawTable(const Input& input, const ColumnNames& names, Index capacity,
           std::string_view default_target = {});
  // Likewise by a plan with slots that was made for an earlier piece of the file.
  RawTable(const Input& input, const Plan& plan, Index capacity);
  // The same with columns that stay in the file.
  RawTable(const Input& input, const ColumnNames& names, Plan plan, Index rows,
           ColumnsInPlace in_place);
  // Sparse.
  RawTable(const Input& input, Triplets entries, std::string_view default_target = {});

  // The number that `text` stands for; NaN, and a note, when it is missing or not a number. `row`
  // is 0-based.
  double number(Index slot, std::string_view text, Index row, Index line);
  double check(Index slot, double value, Index row);  // likewise for binary formats

  // Stores one field of one row wherever the plan wants it.
  void put(Index column, std::string_view text, Index row, Index line);
  void put(Index column, double value, Index row);

  void finish(Index rows_read);  // gives back what `capacity` was too large

 private:
  void make_room();
  std::optional<double> cell_value(ColumnNotes& about, std::string_view text, Index row,
                                   Index line) const;
};

// Of a dense table.
Plan plan_with_slots(const ColumnNames& names, const ReadOptions& options,
                     std::string_view default_target = {});

// "row 17 (line 18)"
std::string place(const Cell& cell);

// Keeps the given rows (ascending) or the first rows, in place: the table may be most of the memory
// there is.
void keep_rows(Matrix& matrix, std::span<const Index> rows);
void keep_first_rows(Matrix& matrix, Index rows);
void keep_first_columns(Matrix& matrix, Index cols);

}  // namespace lass0::io
