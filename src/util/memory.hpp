// Large blocks of memory, asked for so that the answer "there isn't enough" is a sentence and not a
// killed process: systems that overcommit hand out more than they have and end the program when it
// is touched.
#pragma once

#include <cstdint>
#include <lass0/types.hpp>
#include <string>
#include <string_view>

namespace lass0 {

// Bytes that can be used without swapping; -1 where the system does not say.
std::int64_t available_memory();

// Throws Error, "not enough memory: 12.3 GiB are needed for <what>, 4.0 GiB are free", when `bytes`
// are more than there are. `bytes` is a double so that a product of sizes can't overflow.
void require_memory(double bytes, std::string_view what);

// Uninitialised. `what` completes "... are needed for": "the table (1000 x 50)".
Matrix allocate_matrix(Index rows, Index cols, std::string_view what);
Vector allocate_vector(Index size, std::string_view what);

// Asks the system for pages of 2 MiB, before anything is written: the first touch of each page costs
// more than to fill 4 KiB of it.
void use_large_pages(Matrix& matrix);

std::string format_bytes(double bytes);  // "4.0 GiB"

}  // namespace lass0
