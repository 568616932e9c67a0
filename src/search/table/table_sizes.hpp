// How many rows of a table are computed, so that no row depends on how many were asked for: the
// default number first, then a quarter more at a time. A step leaves the rows below it as they are,
// and always computes all of its own.
#pragma once

#include <lass0/types.hpp>

namespace lass0 {

// Where the step after `rows` ends.
inline Index next_table_size(Index rows) { return rows + (rows < 4 ? 1 : rows / 4); }

// Where the step ends that row `asked` belongs to; at most `most`.
inline Index table_size_for(Index asked, Index standard, Index most) {
  Index size = standard;
  while (size < asked && size < most) size = next_table_size(size);
  return size < most ? size : most;
}

}  // namespace lass0
