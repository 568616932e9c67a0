// One reader a format, each in its own file. reader.cpp lists them; to add a format, add a file,
// its line here and its line there.
#pragma once

#include <string_view>

#include "io/npy.hpp"
#include "io/raw_table.hpp"

namespace lass0::io {

RawTable read_csv(
    const Input& input);  // the delimiter is found in the first row: a comma, semicolon or tab
RawTable read_tsv(const Input& input);
RawTable read_arff(const Input& input);
RawTable read_libsvm(const Input& input);
RawTable read_npy(const Input& input);
RawTable read_npz(const Input& input);
RawTable read_matrix_market(const Input& input);
RawTable read_moments(const Input& input);
RawTable read_plink(const Input& input);

// The columns of X as they are in the file; none where they have to be copied: missing values,
// text, swapped bytes, and predictions, which need few columns.
std::optional<RawTable> npy_in_place(const Input& input, const NpyArray& array);

// Whether the content can be nothing else, for files whose name does not tell.
bool looks_like_arff(std::string_view bytes);
bool looks_like_libsvm(std::string_view bytes);
bool looks_like_npy(std::string_view bytes);
bool looks_like_npz(std::string_view bytes);
bool looks_like_matrix_market(std::string_view bytes);
bool looks_like_moments(std::string_view bytes);
bool looks_like_plink(std::string_view bytes);

// Throws Error where the content is an Excel workbook, or the name says so and the content does
// not.
void reject_spreadsheet(std::string_view lower_case_name, std::string_view bytes,
                        const std::string& source);
// Throws Error for a Parquet or Arrow file.
void reject_arrow_file(std::string_view bytes, const std::string& source);

}  // namespace lass0::io
