// Tables from files: CSV, TSV, ARFF, LIBSVM, NPY, NPZ and Matrix Market, each also with .gz; "-" is
// standard input.
#pragma once

#include <functional>
#include <lass0/design.hpp>
#include <lass0/problem.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lass0 {

enum class FileFormat { detect, csv, tsv, arff, libsvm, npy, npz, matrix_market };
enum class MissingValues {
  error,
  drop,
  mean
};  // drop: leave the row out; mean: of the column's other values
enum class Header { detect, yes, no };  // detect: a first row that is all numbers is data

struct ReadOptions {
  std::string target = {};   // a name or a 1-based index; LIBSVM has its own when this is empty
  std::string weights = {};  // likewise; empty: none
  // Columns of labels, any texts or numbers, likewise: for cross-validation, no part of X.
  std::string folds = {}, groups = {};
  std::vector<std::string> exclude = {};  // columns to leave out, names or indices
  std::vector<std::string> include = {};  // columns of every model: see Problem::include; a text
                                          // column stands for all columns that one_hot makes of it
  // Columns whose coefficients are never below 0, or never above: see Problem::signs; text columns
  // likewise, and "*" stands for all columns that are neither included nor named by the other list.
  std::vector<std::string> positive = {}, negative = {};
  std::vector<std::string> one_hot = {};  // text columns to turn into one 0/1 column a level
  MissingValues missing = MissingValues::error;
  Header header = Header::detect;
  FileFormat format = FileFormat::detect;  // by extension, else by content
  char decimal = '.';  // or ',', for CSV and TSV: points may then separate thousands

  // For predictions: read these columns only (by name; the target is not needed), turn text columns
  // into the levels known from the fit, and fill missing values with the means known from the fit.
  // All from the model: see for_prediction().
  bool only_columns = false;
  std::vector<std::string> columns = {};
  std::map<std::string, std::vector<std::string>> known_levels = {};
  std::map<std::string, double> known_means = {};
  std::string id = {};  // a column to keep as it stands in the file: Table::ids

  // Told now and then how far the reading is, as Control::progress.
  std::function<void(std::string_view what, double fraction)> progress = {};
};

// A table in memory: owns the columns, y, the weights and the names. Move-only; `problem()` is a
// view of it.
class Table {
 public:
  // Dense values (n x p) or CSC arrays. Sizes are checked.
  static Table dense(Matrix values, Vector y, std::vector<std::string> names);
  static Table sparse(Index rows, Index cols, std::vector<std::int64_t> column_start,
                      std::vector<std::int32_t> row_index, std::vector<double> values, Vector y,
                      std::vector<std::string> names);

  const Design& design() const { return *design_; }
  const Vector& y() const { return y_; }  // empty when read for predictions without a target
  const Vector& weights() const { return weights_; }  // empty: none
  const std::vector<std::string>& names() const { return names_; }
  Index column(std::string_view name) const;  // -1: no such column
  Problem problem(bool intercept = true, bool standardize = true) const;

  std::string source;          // the file, for messages
  std::string target;          // its name
  std::vector<Index> include;  // columns of every model: Problem::include
  std::vector<int> signs;      // Problem::signs
  std::map<std::string, std::vector<std::string>>
      one_hot;                            // text column -> levels in order; the first has no column
  std::map<std::string, double> imputed;  // column -> mean used for its missing values
  std::vector<Index> rows_dropped;        // 1-based data rows dropped for missing values
  // Why: column -> rows in which it is missing, those with the most rows first.
  std::vector<std::pair<std::string, Index>> dropped_by;
  std::vector<std::string> ids;    // one a row, where ReadOptions::id is given ...
  std::string id;                  // ... and the name of its column
  std::vector<int> folds, groups;  // ReadOptions::folds and groups, numbered in the order of
                                   // their labels; empty: none

  void set_weights(Vector weights) { weights_ = std::move(weights); }

 private:
  Table() = default;
  Matrix dense_;
  std::vector<std::int64_t> column_start_;
  std::vector<std::int32_t> row_index_;
  std::vector<double> sparse_values_;
  std::unique_ptr<Design> design_;
  Vector y_, weights_;
  std::vector<std::string> names_;
};

struct Model;

Table read_table(const std::string& path, const ReadOptions& options);
ReadOptions for_prediction(const Model& model);

FileFormat format_from_name(
    std::string_view name);  // "csv", ...; throws UsageError listing the names

// One name a line (blank lines and lines that start with # are skipped), looked up in `names`;
// Error names the unknown ones.
std::vector<Index> read_column_list(const std::string& path, std::span<const std::string> names);

// Writes through a temporary file beside `path`, renamed when complete: `path` is never
// half-written. A file that is replaced keeps its permissions, and its owner where the system
// allows it; a symbolic link stays one, and what it points to is replaced. "-" is standard output;
// devices and pipes are written to as they are. A name that ends in .gz is compressed. `fill` is
// called once with a sink that takes pieces of the content.
using Sink = std::function<void(std::string_view)>;
void write_file(const std::string& path, const std::function<void(const Sink&)>& fill);

// The file that write_file(path) creates or replaces: symbolic links followed, whether or not there
// is anything at their end.
std::string written_path(const std::string& path);

// The open file that `path` stands for, which is written to as it is: "-", /dev/stdout, /dev/fd/3.
std::optional<int> descriptor_of(const std::string& path);

// For the handler of a signal that ends the process: takes away the temporary files that
// write_file has not yet renamed. Safe to call there.
void remove_unfinished_files() noexcept;

// CSV (or TSV by extension; .npy: numbers only, the target last), for simulate and examples.
void write_table(const std::string& path, const Matrix& X, const Vector& y,
                 std::span<const std::string> names, const std::string& target);

}  // namespace lass0
