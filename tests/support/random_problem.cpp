#include "support/random_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "design/side_by_side.hpp"
#include "search/tableau/tableau.hpp"

namespace lass0::testing {
namespace {

// What an array on a GPU is to the library: wide blocks, and no rows.
class Elsewhere final : public Design {
 public:
  explicit Elsewhere(const Matrix& X) : X_(X) {}

  Index rows() const override { return X_.rows(); }
  Index cols() const override { return X_.cols(); }
  Index columns_per_call() const override { return 5; }
  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override {
    X_.products(first, count, centre, groups, V, out);
  }
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override {
    X_.squares(first, count, centre, groups, weights, out);
  }
  void add_column(Index j, double a, MutVec out) const override { X_.add_column(j, a, out); }
  double value(Index i, Index j) const override { return X_.value(i, j); }
  bool gather(std::span<const Index>, MutMat) const override { return false; }

 private:
  DenseDesign X_;
};

}  // namespace

std::uint64_t Rng::bits() {  // splitmix64
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double Rng::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Rng::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Rng::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

Index Rng::below(Index count) {
  return static_cast<Index>(bits() % static_cast<std::uint64_t>(count));
}

Index Rng::between(Index low, Index high) { return low + below(high - low + 1); }

bool Rng::chance(double probability) { return uniform() < probability; }

std::vector<Index> Rng::permutation(Index count) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = count - 1; i > 0; --i) std::swap(order[i], order[below(i + 1)]);
  return order;
}

std::vector<Index> Rng::subset(Index count, Index size) {
  std::vector<Index> members = permutation(count);
  members.resize(static_cast<std::size_t>(size));
  std::sort(members.begin(), members.end());
  return members;
}

Data Data::rows(const std::vector<Index>& which) const {
  Data part = *this;
  part.X.resize(std::ssize(which), p());
  part.y.resize(std::ssize(which));
  if (w.size() > 0) part.w.resize(std::ssize(which));
  for (Index i = 0; i < std::ssize(which); ++i) {
    part.X.row(i) = X.row(which[i]);
    part.y[i] = y[which[i]];
    if (w.size() > 0) part.w[i] = w[which[i]];
  }
  return part;
}

Data Data::columns(const std::vector<Index>& which) const {
  Data part = *this;
  part.X.resize(n(), std::ssize(which));
  part.include.clear();
  for (Index j = 0; j < std::ssize(which); ++j) {
    part.X.col(j) = X.col(which[j]);
    if (std::binary_search(include.begin(), include.end(), which[j])) part.include.push_back(j);
  }
  return part;
}

void Data::append(const Vector& column) {
  X.conservativeResize(Eigen::NoChange, p() + 1);
  X.col(p() - 1) = column;
}

Data random_data(std::uint64_t seed, const ProblemSpec& spec) {
  Rng rng(seed * 0x632be59bd9b4e019u + 1);
  Data data;
  data.intercept = spec.intercept;
  data.standardize = spec.standardize;
  data.X.resize(spec.n, spec.p);
  for (Index i = 0; i < spec.n; ++i) {
    const double common = rng.normal();
    for (Index j = 0; j < spec.p; ++j) {
      const double own = rng.normal();
      data.X(i, j) = std::sqrt(spec.rho) * common + std::sqrt(1 - spec.rho) * own;
      if (rng.chance(spec.zeros)) data.X(i, j) = 0;
    }
  }
  Vector beta = Vector::Zero(spec.p);
  for (const Index j : rng.subset(spec.p, std::min(spec.k, spec.p))) beta[j] = rng.uniform(-1, 1);
  const Vector signal = data.X * beta;
  const double signal_variance = signal.squaredNorm() / static_cast<double>(spec.n);
  const double noise = signal_variance > 0 ? std::sqrt(signal_variance / spec.snr) : 1.0;
  data.y.resize(spec.n);
  for (Index i = 0; i < spec.n; ++i) data.y[i] = signal[i] + noise * rng.normal();

  if (spec.mean != 0) {
    for (Index j = 0; j < spec.p; ++j) {
      const double mean = spec.mean * rng.uniform(0.5, 1.0) * (rng.chance(0.5) ? 1 : -1);
      if (spec.zeros == 0) data.X.col(j).array() += mean;
    }
    data.y.array() += spec.mean;
  }
  if (spec.weights != WeightKind::none) {
    data.w.resize(spec.n);
    for (Index i = 0; i < spec.n; ++i)
      data.w[i] = spec.weights == WeightKind::integers ? static_cast<double>(rng.below(4))
                  : rng.chance(0.1)                    ? 0.0
                                                       : rng.uniform(0.1, 3.0);
    data.w[0] = 1;  // never all zero
  }
  return data;
}

ProblemSpec random_spec(std::uint64_t seed, Index max_p) {
  Rng rng(seed * 0xd1342543de82ef95u + 7);
  ProblemSpec spec;
  spec.p = rng.between(1, max_p);
  spec.n = rng.chance(0.3) ? rng.between(4, std::max<Index>(5, spec.p))
                           : rng.between(spec.p + 2, 4 * max_p);
  spec.k = rng.between(0, std::min<Index>(spec.p, 6));
  spec.rho = rng.chance(0.3) ? 0 : rng.uniform(0, 0.9);
  spec.snr = std::exp(rng.uniform(std::log(0.3), std::log(30)));
  spec.zeros = rng.chance(0.3) ? rng.uniform(0.2, 0.7) : 0;
  spec.mean = rng.chance(0.5) ? 0 : rng.uniform(0.1, 5);
  spec.weights = static_cast<WeightKind>(rng.below(3));
  spec.intercept = rng.chance(0.6);
  spec.standardize = rng.chance(0.6);
  return spec;
}

Data random_data(std::uint64_t seed, Index max_p) {
  Data data = random_data(seed, random_spec(seed, max_p));
  Rng rng(seed + 0x51ed270b);
  if (rng.chance(0.5))
    for (Index j = 0; j < data.p(); ++j) data.X.col(j) *= std::exp(rng.uniform(-1.5, 1.5));
  return data;
}

Data with_random_extras(std::uint64_t seed, Data data) {
  Rng rng(seed + 0x2545f491);
  if (rng.chance(0.4))
    data.include = rng.subset(data.p(), rng.between(1, std::min<Index>(data.p(), 2)));
  if (rng.chance(0.4)) data.ridge = std::exp(rng.uniform(std::log(1e-3), std::log(1e2)));
  return data;
}

Data random_general_data(std::uint64_t seed, Index max_p) {
  return with_random_extras(seed, random_data(seed, max_p));
}

double random_lambda(Rng& rng, const Data& data) {
  double weight = 0, mean = 0, square = 0;
  for (Index i = 0; i < data.n(); ++i) {
    weight += data.weight(i);
    mean += data.weight(i) * data.y[i];
  }
  mean = data.intercept ? mean / weight : 0;
  for (Index i = 0; i < data.n(); ++i) square += data.weight(i) * std::pow(data.y[i] - mean, 2);
  return 0.5 * square * std::exp(rng.uniform(std::log(1e-3), std::log(0.5)));
}

Data data_with_copies(std::uint64_t seed) {
  Rng rng(seed);
  Data data = random_data(seed, ProblemSpec{.n = 30 + rng.below(60),
                                            .p = 8 + rng.below(30),
                                            .k = 4,
                                            .rho = rng.chance(0.5) ? 0.97 * rng.uniform() : 0.0,
                                            .snr = rng.chance(0.5) ? 0.5 : 10.0,
                                            .intercept = rng.chance(0.8)});
  if (rng.chance(0.3)) data.append(scaled_copy(data, 1, -3));
  if (rng.chance(0.3)) {
    Vector near = data.X.col(2);
    for (double& value : near) value += 1e-2 * rng.normal();
    data.append(near);
  }
  return with_random_extras(seed, std::move(data));
}

Data among_many(Data data) {
  const Index p = data.p();
  data.X.conservativeResize(Eigen::NoChange, p + kTableauColumns);
  data.X.rightCols(kTableauColumns).setZero();
  return data;
}

Data sparse_data(std::uint64_t seed, Index max_p) {
  Rng rng(seed + 0x7f4a7c15);
  ProblemSpec spec = random_spec(seed, max_p);
  spec.zeros = rng.uniform(0.5, 0.9);
  Data data = random_data(seed, spec);
  if (rng.chance(0.5))
    for (Index j = 0; j < data.p(); ++j) data.X.col(j) *= std::exp(rng.uniform(-1.5, 1.5));
  if (rng.chance(0.3)) data.append(scaled_copy(data, rng.below(data.p()), -3));
  if (rng.chance(0.3)) data.append(Vector::Zero(data.n()));
  return among_many(with_random_extras(seed, std::move(data)));
}

Vector scaled_copy(const Data& data, Index j, double scale) { return scale * data.X.col(j); }

std::string to_string(Storage storage) {
  switch (storage) {
    case Storage::dense:
      return "dense";
    case Storage::strided:
      return "strided";
    case Storage::rowwise:
      return "rowwise";
    case Storage::sparse:
      return "sparse";
    case Storage::rowwise_part:
      return "rowwise_part";
    case Storage::sparse_wide:
      return "sparse_wide";
    case Storage::side_by_side:
      return "side_by_side";
    case Storage::elsewhere:
      return "elsewhere";
    case Storage::genotypes:
      return "genotypes";
    case Storage::genotypes_part:
      return "genotypes_part";
  }
  return "";
}

bool is_sparse(Storage storage) {
  return storage == Storage::sparse || storage == Storage::sparse_wide;
}

Matrix held_by(Storage storage, Matrix X) {
  if (storage != Storage::genotypes && storage != Storage::genotypes_part) return X;
  for (Index j = 0; j < X.cols(); ++j) {
    double sum = 0, known = 0;
    const auto missing = [&](Index i) { return (i + 3 * j) % 17 == 5; };
    for (Index i = 0; i < X.rows(); ++i) {
      if (missing(i)) continue;
      X(i, j) = std::min(2.0, std::round(1.3 * std::abs(X(i, j))));
      sum += X(i, j);
      known += 1;
    }
    const double mean = known > 0 ? sum / known : 0;
    for (Index i = 0; i < X.rows(); ++i)
      if (missing(i)) X(i, j) = mean;
  }
  return X;
}

Data held_by(Storage storage, Data data) {
  data.X = held_by(storage, std::move(data.X));
  return data;
}

void OwnedDesign::make_sparse(const Matrix& X, bool wide) {
  const Index n = X.rows(), p = X.cols();
  column_start_.push_back(0);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (X(i, j) == 0) continue;
      row_index_.push_back(static_cast<std::int32_t>(i));
      values_.push_back(X(i, j));
    }
    column_start_.push_back(std::ssize(values_));
  }
  if (wide) {
    wide_row_index_.assign(row_index_.begin(), row_index_.end());
    row_index_.clear();
    design_ = std::make_unique<SparseDesign>(n, p, column_start_, wide_row_index_, values_);
  } else {
    design_ = std::make_unique<SparseDesign>(n, p, column_start_, row_index_, values_);
  }
}

void OwnedDesign::make_genotypes(const Matrix& X, bool part) {
  const Index n = X.rows(), p = X.cols();
  std::vector<Index> kept;
  Index stored = 0;
  for (Index i = 0; i < n; ++i) {
    stored += part && i % 3 == 1 ? 2 : 0;
    kept.push_back(stored++);
  }
  if (part) ++stored;
  const Index bytes = (stored + 3) / 4;
  bytes_.assign(static_cast<std::size_t>(bytes * p), 0x6d);  // of other rows
  std::vector<const std::uint8_t*> columns;
  for (Index j = 0; j < p; ++j) {
    std::uint8_t* column = bytes_.data() + bytes * j;
    columns.push_back(column);
    for (Index i = 0; i < n; ++i) {
      const double x = X(i, j);
      const unsigned code = x == 2 ? 0 : x == 1 ? 2 : x == 0 ? 3 : 1;
      const Index row = kept[static_cast<std::size_t>(i)];
      const unsigned shift = 2 * static_cast<unsigned>(row % 4);
      column[row / 4] =
          static_cast<std::uint8_t>((column[row / 4] & ~(3U << shift)) | code << shift);
    }
  }
  if (part) {
    design_ = std::make_unique<GenotypesDesign>(stored, std::move(columns), std::move(kept));
  } else {
    design_ = std::make_unique<GenotypesDesign>(stored, std::move(columns));
  }
}

OwnedDesign::OwnedDesign(const Matrix& X, Storage storage) {
  const Index n = X.rows(), p = X.cols();
  if (is_sparse(storage)) {
    make_sparse(X, storage == Storage::sparse_wide);
    return;
  }
  if (storage == Storage::genotypes || storage == Storage::genotypes_part) {
    make_genotypes(X, storage == Storage::genotypes_part);
    return;
  }
  if (storage == Storage::rowwise || storage == Storage::rowwise_part) {
    // Every tenth column is not of X.
    const Index gap = storage == Storage::rowwise_part ? 10 : p + 2, stride = p + p / (gap - 1);
    rowwise_ = RowMatrix::Constant(n, stride, std::numeric_limits<double>::quiet_NaN());
    std::vector<ColumnView> columns;
    for (Index j = 0; j < p; ++j) {
      const Index place = j + j / (gap - 1);
      rowwise_.col(place) = X.col(j);
      columns.push_back({rowwise_.data() + place, stride * std::ptrdiff_t{sizeof(double)}});
    }
    design_ = std::make_unique<ColumnsDesign>(n, std::move(columns));
    return;
  }
  if (storage == Storage::side_by_side) {
    dense_ = X;
    const Index left = p / 3;
    design_ = std::make_unique<SideBySide>(
        std::make_shared<DenseDesign>(dense_.data(), n, left, n),
        std::make_shared<DenseDesign>(dense_.data() + left * n, n, p - left, n));
    return;
  }
  if (storage == Storage::elsewhere) {
    dense_ = X;
    design_ = std::make_unique<Elsewhere>(dense_);
    return;
  }
  // What lies between the columns of a strided matrix must never be read.
  const Index stride = storage == Storage::strided ? n + 3 : n;
  dense_ = Matrix::Constant(stride, p, std::numeric_limits<double>::quiet_NaN());
  dense_.topRows(n) = X;
  design_ = std::make_unique<DenseDesign>(dense_.data(), n, p, stride);
}

OwnedProblem::OwnedProblem(Data data, Storage storage)
    : data_(held_by(storage, std::move(data))), design_(data_.X, storage) {
  problem_.design = design_.get();
  problem_.y = {data_.y.data(), static_cast<std::size_t>(data_.y.size())};
  problem_.weights = {data_.w.data(), static_cast<std::size_t>(data_.w.size())};
  problem_.intercept = data_.intercept;
  problem_.standardize = data_.standardize;
  problem_.include = data_.include;
  problem_.ridge = data_.ridge;
}

}  // namespace lass0::testing
