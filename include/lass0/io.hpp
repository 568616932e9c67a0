// Tables from files: CSV, TSV, ARFF, LIBSVM, NPY, NPZ, Matrix Market, gzipped or not, and PLINK 1
// genotypes; "-" is standard input. A file of moments (moments_builder.hpp) is read as rows with
// the same sums.
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

enum class FileFormat { detect, csv, tsv, arff, libsvm, npy, npz, matrix_market, plink, moments };
enum class MissingValues {
  error,
  drop,
  mean
};  // drop: drop the row; mean: use the mean of the column's other values
enum class Header { detect, yes, no };  // detect: a first row that is all numbers is data

struct ReadOptions {
  std::string target = {};   // a name or a 1-based index; empty: that of the file (LIBSVM, NPZ)
  std::string weights = {};  // a name or an index; empty: none
  std::string offset = {};   // likewise: Problem::offset
  // The target is one of two classes: two texts or two numbers, the first of which (in the order of
  // numbers, or of the alphabet) becomes 0 and the second 1. Table::classes has their names.
  bool classes = false;
  // Columns of labels for cross-validation, texts or numbers, not part of X: names or indices.
  std::string folds = {}, groups = {};
  std::vector<std::string> exclude = {};  // columns to ignore, names or indices
  std::vector<std::string> include = {};  // columns in every model: see Problem::include; a text
                                          // column means all columns that one_hot makes of it
  // Columns whose coefficients are never below 0, or never above: see Problem::signs. A text column
  // means all its levels, and "*" all columns that are neither included nor in the other list.
  std::vector<std::string> positive = {}, negative = {};
  std::vector<std::string> one_hot = {};  // text columns to encode, one 0/1 column per level
  MissingValues missing = MissingValues::error;
  Header header = Header::detect;
  // PLINK: a table of the samples (CSV, TSV or with blanks) with a column IID, and FID where
  // IIDs occur twice. Its columns can be the target, weights, offset, folds and groups.
  std::string phenotypes = {};
  FileFormat format = FileFormat::detect;  // by extension, else by content
  char decimal = '.';  // or ',', for CSV and TSV: points may then separate thousands

  // The levels of one_hot columns; of the others of these columns they are those that occur.
  std::map<std::string, std::vector<std::string>> known_levels = {};

  // For predictions: read only these columns (by name; the target is not needed), encode text
  // columns and a target of two classes by the levels of the fit, and replace missing values by
  // the means of the fit.
  // for_prediction() takes all of it from the model.
  bool only_columns = false;
  std::vector<std::string> columns = {};
  std::map<std::string, double> known_means = {};
  std::map<std::string, std::string> known_alleles = {};  // PLINK: the allele counted, by variant
  std::vector<std::string> known_classes = {};            // of a target of two classes
  std::string id = {};  // a column to keep exactly as in the file: Table::ids

  // Called now and then with the progress of reading, like Control::progress.
  std::function<void(std::string_view what, double fraction)> progress = {};
};

// A table in memory: owns X, y, the weights and the names. `problem()` is a view of it. Copies of a
// table share X, which never changes.
class Table {
 public:
  // X in any storage. A design that is a view of arrays shares ownership with them:
  //   struct Singles { std::vector<float> values; ColumnsDesign design; };
  //   auto owner = std::make_shared<Singles>(...);
  //   Table table({owner, &owner->design}, y, names);
  // Sizes are checked; y is empty where there is none.
  Table(std::shared_ptr<const Design> design, Vector y, std::vector<std::string> names);
  // Dense values (n x p) or CSC arrays, which the table then owns.
  static Table dense(Matrix values, Vector y, std::vector<std::string> names);
  static Table sparse(Index rows, Index cols, std::vector<std::int64_t> column_start,
                      std::vector<std::int32_t> row_index, std::vector<double> values, Vector y,
                      std::vector<std::string> names);

  const Design& design() const { return *design_; }
  const Vector& y() const { return y_; }  // empty if read for predictions without a target
  const Vector& weights() const { return weights_; }  // empty: none
  const Vector& offset() const { return offset_; }    // empty: none
  const std::vector<std::string>& names() const { return names_; }
  Index column(std::string_view name) const;  // -1: no such column
  Problem problem(bool intercept = true, bool standardize = true) const;

  std::string source;                // the file, for messages
  std::string target;                // its name
  std::string offset_name;           // empty: none
  std::vector<std::string> classes;  // ReadOptions::classes: those of y = 0 and of y = 1
  std::vector<Index> include;        // columns in every model: Problem::include
  std::vector<int> signs;            // Problem::signs
  std::map<std::string, std::vector<std::string>>
      one_hot;                            // text column -> levels in order; the first has no column
  std::map<std::string, double> imputed;  // column -> mean used for its missing values
  // PLINK: X is made of genotypes, the number of copies of the allele of each column. Missing ones
  // are replaced by the mean of their column. Null: other data.
  std::shared_ptr<const GenotypesDesign> genotypes;
  std::vector<std::string> alleles;
  std::vector<Index> rows_dropped;  // 1-based data rows dropped for missing values
  // Column -> number of rows in which it is missing, the highest number first.
  std::vector<std::pair<std::string, Index>> dropped_by;
  std::vector<std::string> ids;          // one per row, if ReadOptions::id is given ...
  std::string id;                        // ... and the name of its column
  std::vector<int> folds, groups;        // ReadOptions::folds and groups, numbered in the order of
                                         // their labels; empty: none
  std::vector<std::string> fold_labels;  // those labels, in their order
  std::shared_ptr<const SummedRows> summed;  // of a file of moments: Problem::summed

  void set_weights(Vector weights) { weights_ = std::move(weights); }
  void set_offset(Vector offset) { offset_ = std::move(offset); }

 private:
  std::shared_ptr<const Design> design_;
  Vector y_, weights_, offset_;
  std::vector<std::string> names_;
};

struct Model;

Table read_table(const std::string& path, const ReadOptions& options);
ReadOptions for_prediction(const Model& model);

FileFormat format_from_name(
    std::string_view name);  // "csv", ...; throws UsageError listing the names

// Reads column names, one per line (blank lines and lines that start with # are skipped), and finds
// them in `names`. Error lists unknown names.
std::vector<Index> read_column_list(const std::string& path, std::span<const std::string> names);

// Writes a temporary file in the same folder and renames it when complete: `path` is never half
// written. A file that is replaced keeps its permissions, and its owner if the system allows it. A
// symbolic link stays a link, and the file it points to is replaced. "-" is standard output;
// devices and pipes are written directly. A name that ends in .gz is compressed. `fill` is called
// once with a sink that takes pieces of the content.
using Sink = std::function<void(std::string_view)>;
void write_file(const std::string& path, const std::function<void(const Sink&)>& fill);

// The file that write_file(path) creates or replaces: symbolic links are followed, even if they
// point to no file.
std::string written_path(const std::string& path);

// The open file descriptor that `path` refers to: "-", /dev/stdout, /dev/fd/3.
std::optional<int> descriptor_of(const std::string& path);

// Removes the temporary files that write_file has not yet renamed. Safe to call from the handler of
// a signal that ends the process.
void remove_unfinished_files() noexcept;

// Writes CSV (or TSV by extension; .npy: numbers only, the target last), for simulate and examples.
void write_table(const std::string& path, const Matrix& X, const Vector& y,
                 std::span<const std::string> names, const std::string& target);

}  // namespace lass0
