// Random regression problems for the tests: everything is owned, so that a problem can be changed,
// copied and kept at will, and everything follows from a seed through our own generator, so that a
// failure can be repeated on any machine.
#pragma once

#include <cstdint>
#include <lass0/problem.hpp>
#include <memory>
#include <string>
#include <vector>

namespace lass0::testing {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits();
  double uniform();                         // [0, 1)
  double uniform(double low, double high);  // [low, high)
  double normal();                          // mean 0, deviation 1
  Index below(Index count);                 // 0 .. count - 1
  Index between(Index low, Index high);     // low .. high
  bool chance(double probability);
  std::vector<Index> permutation(Index count);
  std::vector<Index> subset(Index count, Index size);  // ascending

 private:
  std::uint64_t state_;
};

// A regression problem by value. `w` is empty where all weights are 1.
struct Data {
  Matrix X;
  Vector y;
  Vector w;
  bool intercept = true;
  bool standardize = true;
  std::vector<Index> include;  // ascending
  double ridge = 0;

  Index n() const { return X.rows(); }
  Index p() const { return X.cols(); }
  double weight(Index i) const { return w.size() == 0 ? 1.0 : w[i]; }
  Data rows(const std::vector<Index>& which) const;     // in that order; a row may come twice
  Data columns(const std::vector<Index>& which) const;  // in that order
  void append(const Vector& column);
};

enum class WeightKind { none, integers, reals };  // both kinds have some zeros

struct ProblemSpec {
  Index n = 40, p = 12,
        k = 4;       // k columns have a coefficient, Uniform(-1, 1) in units of their deviation
  double rho = 0.3;  // equicorrelation of the columns
  double snr = 4;
  double zeros = 0;  // this share of X is 0
  double mean = 0;   // the columns' means are of this size, that of y too
  WeightKind weights = WeightKind::none;
  bool intercept = true;
  bool standardize = true;
};

Data random_data(std::uint64_t seed, const ProblemSpec& spec);
// A spec that varies with the seed: n > p and n < p, weights of all kinds, both settings of
// intercept and standardize, correlation up to 0.9, means up to a few deviations, columns of
// different scales.
ProblemSpec random_spec(std::uint64_t seed, Index max_p);
Data random_data(std::uint64_t seed, Index max_p);
// The same, and in some of them one or two included columns or a ridge or both.
Data random_general_data(std::uint64_t seed, Index max_p);
Data with_random_extras(std::uint64_t seed, Data data);
// A lambda between "no column" and "all columns": drawn in log between 1e-3 and 1 times 1/2 y'y
// (centred where there is an intercept).
double random_lambda(Rng& rng, const Data& data);

// Up to 40 columns of which many nearly stand for each other, or hardly any: copies and near copies
// of columns in some.
Data data_with_copies(std::uint64_t seed);
// With columns of zeros after it: enough of them for the search for many columns to be at work.
Data among_many(Data data);

// Most values are 0; of all kinds otherwise, some with a copy of a column or a constant one. Among
// enough columns of zeros for Moments of Storage::sparse to look at non-zeros alone.
Data sparse_data(std::uint64_t seed, Index max_p);

// A column that is `scale` times column j.
Vector scaled_copy(const Data& data, Index j, double scale);

enum class Storage {
  dense,
  strided,
  sparse,
  rowwise,
  rowwise_part,  // some columns between others that are not of X
  sparse_wide,   // row numbers of 64 bits
  side_by_side,
  elsewhere,       // dense, as if in another memory
  genotypes,       // these two hold 0, 1, 2 and means of columns: see held_by
  genotypes_part,  // some rows between others that are not of X
};
// Those that hold any number.
inline constexpr Storage kStorages[] = {
    Storage::dense,        Storage::strided,     Storage::sparse,       Storage::rowwise,
    Storage::rowwise_part, Storage::sparse_wide, Storage::side_by_side, Storage::elsewhere};
inline constexpr Storage kAllStorages[] = {
    Storage::dense,        Storage::strided,       Storage::sparse,       Storage::rowwise,
    Storage::rowwise_part, Storage::sparse_wide,   Storage::side_by_side, Storage::elsewhere,
    Storage::genotypes,    Storage::genotypes_part};
std::string to_string(Storage storage);
bool is_sparse(Storage storage);

// The numbers that a storage can hold nearest to these: for genotypes 0, 1 and 2, and in some
// places the mean of the others in the column.
Matrix held_by(Storage storage, Matrix X);
Data held_by(Storage storage, Data data);

// X in one of the storages that the library knows, with the memory it views. Genotypes must be as
// held_by makes them.
class OwnedDesign {
 public:
  OwnedDesign(const Matrix& X, Storage storage);
  const Design& operator*() const { return *design_; }
  const Design* get() const { return design_.get(); }

 private:
  void make_sparse(const Matrix& X, bool wide);
  void make_genotypes(const Matrix& X, bool part);

  Matrix dense_;
  RowMatrix rowwise_;
  std::vector<std::int64_t> column_start_;
  std::vector<std::int32_t> row_index_;
  std::vector<std::int64_t> wide_row_index_;
  std::vector<double> values_;
  std::vector<std::uint8_t> bytes_;
  std::unique_ptr<Design> design_;
};

// A Problem together with all that it views, of the numbers that the storage holds. Not movable:
// the Problem points into it.
class OwnedProblem {
 public:
  explicit OwnedProblem(Data data, Storage storage = Storage::dense);
  OwnedProblem(const OwnedProblem&) = delete;
  OwnedProblem& operator=(const OwnedProblem&) = delete;
  operator const Problem&() const { return problem_; }
  const Problem& operator*() const { return problem_; }
  const Data& data() const { return data_; }

 private:
  Data data_;
  OwnedDesign design_;
  Problem problem_;
};

}  // namespace lass0::testing
