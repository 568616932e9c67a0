#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <new>
#include <unordered_map>

#include "io/assemble.hpp"
#include "io/bytes.hpp"
#include "io/column_names.hpp"
#include "io/formats.hpp"
#include "io/lines.hpp"
#include "io/read_format.hpp"

namespace lass0 {
namespace {

struct Format {
  FileFormat format;
  std::string_view name;                       // for --input-format
  std::array<std::string_view, 3> extensions;  // unused ones are empty
  bool (*looks_like)(std::string_view bytes);  // null: never chosen by content
  io::RawTable (*read)(const io::Input& input);
};

// Asked in this order when the name of a file does not tell.
constexpr std::array formats = {
    Format{FileFormat::moments, "moments", {".moments"}, io::looks_like_moments, io::read_moments},
    Format{FileFormat::npy, "npy", {".npy"}, io::looks_like_npy, io::read_npy},
    Format{FileFormat::npz, "npz", {".npz"}, io::looks_like_npz, io::read_npz},
    Format{FileFormat::matrix_market,
           "mtx",
           {".mtx", ".mm"},
           io::looks_like_matrix_market,
           io::read_matrix_market},
    Format{FileFormat::arff, "arff", {".arff"}, io::looks_like_arff, io::read_arff},
    Format{FileFormat::libsvm,
           "libsvm",
           {".libsvm", ".svm", ".svmlight"},
           io::looks_like_libsvm,
           io::read_libsvm},
    Format{FileFormat::plink, "bed", {".bed"}, io::looks_like_plink, io::read_plink},
    Format{FileFormat::tsv, "tsv", {".tsv", ".tab"}, nullptr, io::read_tsv},
    Format{FileFormat::csv, "csv", {".csv"}, [](std::string_view) { return true; }, io::read_csv},
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string lower_case_name(const std::string& path) {
  std::string name = lower(path);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

const Format& choose(const std::string& name, std::string_view bytes, FileFormat wanted) {
  const auto by_name = [&](const Format& format) {
    return std::any_of(format.extensions.begin(), format.extensions.end(),
                       [&](std::string_view extension) {
                         return !extension.empty() && name.ends_with(extension);
                       });
  };
  const auto by_content = [&](const Format& format) {
    return format.looks_like && format.looks_like(bytes);
  };
  const auto as_asked = [&](const Format& format) { return format.format == wanted; };
  if (wanted != FileFormat::detect) return *std::find_if(formats.begin(), formats.end(), as_asked);
  if (io::looks_like_moments(bytes)) return formats.front();  // whatever its name
  const auto named = std::find_if(formats.begin(), formats.end(), by_name);
  return named != formats.end() ? *named
                                : *std::find_if(formats.begin(), formats.end(), by_content);
}

io::RawTable read_whole(const Format& format, const io::Input& input) {
  try {
    io::RawTable raw = format.read(input);
    input.file->check(input.source);
    return raw;
  } catch (const Error&) {
    input.file->check(input.source);  // the cause, where it is one
    throw;
  }
}

const Format& checked_format(const std::string& path, std::string_view bytes,
                             const ReadOptions& options) {
  const std::string source = io::source_name(path);
  const std::string name = lower_case_name(path);
  if (options.format == FileFormat::detect) {
    io::reject_spreadsheet(name, bytes, source);
    io::reject_arrow_file(bytes, source);
  }
  const Format& format = choose(name, bytes, options.format);
  const bool delimited = format.format == FileFormat::csv || format.format == FileFormat::tsv;
  if (options.header != Header::detect && !delimited) {
    throw UsageError(
        fmt::format("{}: --header is for CSV and TSV: a file of the format {} has no row of names",
                    source, format.name));
  }
  if (options.decimal != '.' && options.decimal != ',')
    throw UsageError("the decimal sign is a point or a comma");
  if (options.decimal == ',' && !delimited) {
    throw UsageError(
        fmt::format("{}: --decimal is for CSV and TSV: numbers of the format {} have a point",
                    source, format.name));
  }
  return format;
}

}  // namespace

FileFormat io::format_of(const std::string& path, std::string_view bytes,
                         const ReadOptions& options) {
  return checked_format(path, bytes, options).format;
}

Table read_table(const std::string& path, const ReadOptions& options) try {
  const auto file = std::make_shared<const io::Bytes>(io::Bytes::read(path, options.progress));
  const std::string source = io::source_name(path);
  io::ReadProgress progress(options.progress, "reading " + source, file->view());
  const io::Input input = {path, source, file, file->view(), options, progress};
  if (input.bytes.empty()) throw Error(fmt::format("{}: the file is empty", input.source));
  const Format& format = checked_format(path, input.bytes, options);
  if (!options.phenotypes.empty() && format.format != FileFormat::plink) {
    throw UsageError(
        fmt::format("{}: --phenotypes is for PLINK .bed files: a file of the format {} has its "
                    "target itself",
                    input.source, format.name));
  }
  io::RawTable raw = read_whole(format, input);
  return raw.sparse ? io::assemble_sparse(std::move(raw), options)
                    : io::assemble(std::move(raw), options);
} catch (
    const std::bad_alloc&) {  // large blocks say how much they need; this is one of many small ones
  throw Error(fmt::format("{}: not enough memory to read it", io::source_name(path)));
}

FileFormat format_from_name(std::string_view name) {
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return f.name == name; });
  if (found != formats.end()) return found->format;
  std::vector<std::string_view> names;
  names.reserve(formats.size());
  for (const Format& format : formats) names.push_back(format.name);
  std::sort(names.begin(), names.end());
  throw UsageError(
      fmt::format("unknown file format '{}'; the formats are {}", name, fmt::join(names, ", ")));
}

std::vector<Index> read_column_list(const std::string& path, std::span<const std::string> names) {
  const io::Bytes bytes = io::Bytes::read(path);
  const std::string source = io::source_name(path);
  std::unordered_map<std::string_view, Index> column_of;
  for (std::size_t j = 0; j < names.size(); ++j) column_of.emplace(names[j], static_cast<Index>(j));

  std::vector<Index> columns;
  std::vector<bool> listed(names.size(), false);
  std::vector<std::string> unknown;
  io::Lines lines(bytes.view());
  while (const auto text = lines.next()) {
    const std::string_view line = io::trim(*text);
    if (line.empty() || line.starts_with('#')) continue;
    const auto found = column_of.find(line);
    if (found == column_of.end()) {
      unknown.emplace_back(line);
    } else if (!listed[static_cast<std::size_t>(found->second)]) {
      listed[static_cast<std::size_t>(found->second)] = true;
      columns.push_back(found->second);
    }
  }
  if (!unknown.empty()) {
    throw Error(fmt::format("{}: no such {}: {}{}; the columns are {}", source,
                            unknown.size() == 1 ? "column" : "columns", io::first_few(unknown),
                            io::suggestion(unknown.front(), names), io::first_few(names)));
  }
  return columns;
}

}  // namespace lass0
