// CSV and TSV in pieces: what the first row says, where a piece may end, and the rows of a piece.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/column_names.hpp"
#include "io/raw_table.hpp"

namespace lass0::io {

// Before the first row of data.
struct DelimitedHead {
  char delimiter = ',';
  Index columns = 0;
  std::vector<std::string> names;  // empty: the file has no row of names
  std::size_t bytes = 0;           // of the row of names, with its end
  Index lines = 0;                 // that it takes

  ColumnNames take_names(const std::string& source);
};

// `text`: the file, or its beginning with the first row at least, without a byte order mark.
DelimitedHead read_head(std::string_view text, bool tabs, const ReadOptions& options,
                        const std::string& source);

// The rows at the beginning of the text that are whole. None: the first one goes on beyond it.
struct WholeRows {
  std::size_t bytes = 0;
  Index rows = 0, lines = 0;
};
WholeRows whole_rows(std::string_view text, char delimiter);

// Rows of a file: input.bytes. Where they are in it, for messages.
struct Piece {
  Index rows = 0;       // at most
  Index first_row = 0;  // rows of data before it
  Index first_line = 1;
};
RawTable read_piece(const Input& input, const Plan& plan, const DelimitedHead& head,
                    const Piece& piece);

}  // namespace lass0::io
