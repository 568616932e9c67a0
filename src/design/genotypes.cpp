// Genotypes of two bits each. Two rows of a column are a number from 0 to 15. For eight vectors at
// a time, a table says for every such number what these two rows add to the products; a product is
// then a sum of entries, half as many as there are rows, and nothing is unpacked.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <lass0/design.hpp>
#include <lass0/error.hpp>
#include <string>

#include "util/eight.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

constexpr Index kRowsInByte = 4;
constexpr Index kChunkBytes = 16;  // tables of 64 rows: 32 KiB, which stay in the first cache
constexpr Index kChunkRows = kChunkBytes * kRowsInByte;
constexpr Index kPairs = kChunkRows / 2;
constexpr Index kEntries = 16;
constexpr Index kColumnsTogether = 512;  // so that their sums and bytes stay in the cache

// What a genotype counts, by its bits.
using Values = std::array<double, 4>;
constexpr std::size_t kMissing = 1;
constexpr Values kCopies = {2, 0, 1, 0};

// Copies are counted from a whole number near the centre of the column: sums of a column that
// hardly varies then have few terms other than 0, and those of a constant one none.
constexpr std::size_t kReferences = 3;
Values copies_from(std::size_t reference) {
  Values values = kCopies;
  for (std::size_t code = 0; code < 4; ++code)
    if (code != kMissing) values[code] -= static_cast<double>(reference);
  return values;
}

// One of the eight vectors that are multiplied at a time: what the genotypes count for it, and its
// number for each row.
struct Lane {
  std::array<Values, kReferences> values = {};  // by the reference of the column
  const double* numbers = nullptr;              // of row i of the design: at(i)
  Index step = 1;
  const std::int32_t* group_of_row = nullptr;  // null: of all rows; or else 0 in other groups
  std::int32_t group = 0;

  double at(Index i) const {
    return group_of_row && group_of_row[i] != group ? 0.0 : numbers[i * step];
  }
};

// Tables of one chunk of rows, from eight numbers for each of them.
LASS0_TARGET_CLONES
void fill_tables(const double* V, const Eight* values, double* tables) {
  for (Index pair = 0; pair < kPairs; ++pair) {
    const Eight first = load(V + 2 * pair * kEight), second = load(V + (2 * pair + 1) * kEight);
    auto* entries = reinterpret_cast<Eight*>(tables + pair * kEntries * kEight);
    for (Index high = 0; high < 4; ++high) {
      const Eight of_second = second * values[high];
      for (Index low = 0; low < 4; ++low) entries[4 * high + low] = first * values[low] + of_second;
    }
  }
}

// sum += the entries of some bytes of a column.
LASS0_TARGET_CLONES
void add_entries(const std::uint8_t* bytes, Index count, const double* tables, double* sum) {
  Eight low = load(sum), high{};
  for (Index b = 0; b < count; ++b) {
    const double* pair = tables + 2 * b * kEntries * kEight;
    low += load(pair + (bytes[b] & 15) * kEight);
    high += load(pair + (kEntries + (bytes[b] >> 4)) * kEight);
  }
  *reinterpret_cast<Eight*>(sum) = low + high;
}

// Calls visit(stored row) for the missing genotypes among the first rows of a column.
template <class Visit>
void for_each_missing(const std::uint8_t* bytes, Index stored_rows, const Visit& visit) {
  constexpr Index kWordRows = 32;
  const Index size = (stored_rows + kRowsInByte - 1) / kRowsInByte;
  for (Index first = 0; first < size; first += 8) {
    std::uint64_t word = 0;
    if (std::endian::native == std::endian::little && first + 8 <= size) {
      std::memcpy(&word, bytes + first, sizeof word);
    } else {
      for (Index b = 0; b < std::min<Index>(8, size - first); ++b)
        word |= std::uint64_t{bytes[first + b]} << (8 * b);
    }
    for (std::uint64_t bits = word & ~(word >> 1) & 0x5555555555555555; bits != 0;
         bits &= bits - 1) {
      const Index row = first / 8 * kWordRows + std::countr_zero(bits) / 2;
      if (row < stored_rows) visit(row);
    }
  }
}

// Eight lanes over all stored rows, and their sums over columns.
class Lanes {
 public:
  template <class StoredRow>
  Lanes(Index stored_rows, Index rows, std::span<const Lane> lanes, const StoredRow& stored_row)
      : bytes_((stored_rows + kRowsInByte - 1) / kRowsInByte),
        V_(RowMatrix::Zero((stored_rows + kChunkRows - 1) / kChunkRows * kChunkRows, kEight)),
        tables_(static_cast<std::size_t>(kPairs * kEntries * kEight)) {
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      for (std::size_t r = 0; r < kReferences; ++r)
        for (std::size_t code = 0; code < 4; ++code)
          values_[r][code][static_cast<Index>(l)] = lanes[l].values[r][code];
      for (Index i = 0; i < rows; ++i) V_(stored_row(i), static_cast<Index>(l)) = lanes[l].at(i);
    }
  }

  // One row of sums for each column. `references`: one per column, or empty: 0.
  void sums(std::span<const std::uint8_t* const> columns, std::span<const std::uint8_t> references,
            RowMatrix& out) {
    out.setZero(std::ssize(columns), kEight);
    for (std::size_t r = 0; r < (references.empty() ? 1 : kReferences); ++r) {
      some_.clear();
      for (std::size_t j = 0; j < columns.size(); ++j)
        if (references.empty() || references[j] == r) some_.push_back(j);
      for (Index chunk = 0; chunk < bytes_ && !some_.empty(); chunk += kChunkBytes) {
        fill_tables(V_.data() + chunk * kRowsInByte * kEight, values_[r], tables_.data());
        const Index count = std::min(kChunkBytes, bytes_ - chunk);
        for (const std::size_t j : some_)
          add_entries(columns[j] + chunk, count, tables_.data(), &out(static_cast<Index>(j), 0));
      }
    }
  }

  const RowMatrix& numbers() const { return V_; }

 private:
  Index bytes_;
  RowMatrix V_;  // of stored rows; 0 for those that are not kept
  Eight values_[kReferences][4] = {};
  std::vector<double> tables_;
  std::vector<std::size_t> some_;  // columns
};

// Eight lanes at a time, some columns at a time: use(first lane, first column, sums, lanes).
template <class StoredRow, class Use>
void for_all_lanes(Index stored_rows, Index rows, std::span<const Lane> lanes,
                   std::span<const std::uint8_t* const> columns,
                   std::span<const std::uint8_t> references, const StoredRow& stored_row,
                   const Use& use) {
  RowMatrix sums;
  for (std::size_t l = 0; l < lanes.size(); l += kEight) {
    const auto some = lanes.subspan(l, std::min<std::size_t>(kEight, lanes.size() - l));
    Lanes eight(stored_rows, rows, some, stored_row);
    for (std::size_t j = 0; j < columns.size(); j += kColumnsTogether) {
      const std::size_t count = std::min<std::size_t>(kColumnsTogether, columns.size() - j);
      eight.sums(columns.subspan(j, count),
                 references.empty() ? references : references.subspan(j, count), sums);
      use(static_cast<Index>(l), static_cast<Index>(j), sums, eight.numbers());
    }
  }
}

}  // namespace

GenotypesDesign::GenotypesDesign(Index stored_rows, std::vector<const std::uint8_t*> columns,
                                 std::optional<std::vector<Index>> kept, const Vector& weights)
    : stored_rows_(stored_rows),
      rows_(kept ? std::ssize(*kept) : stored_rows),
      columns_(std::move(columns)),
      kept_(std::move(kept)),
      mean_(std::ssize(columns_)),
      missing_(columns_.size()) {
  if (stored_rows < 0) throw Error("a design needs rows >= 0");
  for (std::size_t i = 0; kept_ && i < kept_->size(); ++i) {
    const Index row = (*kept_)[i];
    if (row < 0 || row >= stored_rows || (i > 0 && row <= (*kept_)[i - 1]))
      throw Error("the rows to keep must ascend from 0 to below " + std::to_string(stored_rows));
  }
  if (weights.size() > 0 && weights.size() != rows_)
    throw Error("there are " + std::to_string(weights.size()) + " weights but " +
                std::to_string(rows_) + " rows");
  const Vector ones = Vector::Ones(rows_);
  const double* w = weights.size() > 0 ? weights.data() : ones.data();
  std::array<Lane, 3> lanes = {Lane{.numbers = w}, Lane{.numbers = w},
                               Lane{.numbers = ones.data()}};
  lanes[0].values[0] = kCopies;
  lanes[1].values[0] = {1, 0, 1, 1};
  lanes[2].values[0] = {0, 1, 0, 0};
  for_all_lanes(
      stored_rows_, rows_, lanes, columns_, {}, [&](Index i) { return stored_row(i); },
      [&](Index, Index first, const RowMatrix& sums, const RowMatrix&) {
        for (Index j = 0; j < sums.rows(); ++j) {
          const double known = sums(j, 1);
          mean_[first + j] = known > 0 ? sums(j, 0) / known : 0.0;
          missing_[static_cast<std::size_t>(first + j)] = static_cast<std::int32_t>(sums(j, 2));
        }
      });
}

void GenotypesDesign::products(Index first, Index count, const ConstVec& centre,
                               const RowGroups& groups, const ConstRowMat& V, MutMat out) const {
  const Index m = V.cols(), all = groups.count * m;
  Lane lane;
  for (std::size_t r = 0; r < kReferences; ++r) lane.values[r] = copies_from(r);
  lane.step = V.outerStride();
  lane.group_of_row = groups.count > 1 ? groups.of_row.data() : nullptr;
  std::vector<Lane> lanes;
  Vector total = Vector::Zero(all);
  for (Index g = 0; g < groups.count; ++g) {
    lane.group = static_cast<std::int32_t>(g);
    for (Index l = 0; l < m; ++l) {
      lane.numbers = V.data() + l;
      lanes.push_back(lane);
      for (Index i = 0; i < rows_; ++i) total[g * m + l] += lane.at(i);
    }
  }
  std::vector<std::uint8_t> references;
  for (Index j = 0; j < count; ++j)
    references.push_back(static_cast<std::uint8_t>(std::clamp(std::round(centre[j]), 0.0, 2.0)));
  const auto columns =
      std::span(columns_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  for_all_lanes(
      stored_rows_, rows_, lanes, columns, references, [&](Index i) { return stored_row(i); },
      [&](Index from_lane, Index from, const RowMatrix& sums, const RowMatrix& numbers) {
        const Index width = std::min(kEight, all - from_lane);
        for (Index j = from; j < from + sums.rows(); ++j) {
          const double reference = references[static_cast<std::size_t>(j)];
          out.row(j).segment(from_lane, width) =
              sums.row(j - from).head(width) +
              (reference - centre[j]) * total.segment(from_lane, width).transpose();
          if (missing(first + j) == 0) continue;
          Eight of_missing{};
          for_each_missing(column(first + j), stored_rows_,
                           [&](Index row) { of_missing += load(&numbers(row, 0)); });
          for (Index l = 0; l < width; ++l)
            out(j, from_lane + l) += (mean_[first + j] - reference) * of_missing[l];
        }
      });
}

// From the weights of the rows with 2, with 1, with 0 copies and with none known: without
// differences, so that no digit is lost.
void GenotypesDesign::squares(Index first, Index count, const ConstVec& centre,
                              const RowGroups& groups, const ConstVec& weights, MutMat out) const {
  std::vector<Lane> lanes;
  for (Index g = 0; g < groups.count; ++g) {
    for (std::size_t code = 0; code < 4; ++code) {
      Lane lane{.numbers = weights.data(),
                .group_of_row = groups.count > 1 ? groups.of_row.data() : nullptr,
                .group = static_cast<std::int32_t>(g)};
      lane.values[0][code] = 1;
      lanes.push_back(lane);
    }
  }
  const auto columns =
      std::span(columns_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  for_all_lanes(
      stored_rows_, rows_, lanes, columns, {}, [&](Index i) { return stored_row(i); },
      [&](Index lane, Index from, const RowMatrix& sums, const RowMatrix&) {
        for (Index j = from; j < from + sums.rows(); ++j) {
          Values value = kCopies;
          value[kMissing] = mean_[first + j];
          for (Index g = lane / 4; g < std::min(groups.count, lane / 4 + 2); ++g) {
            double sum = 0;
            for (Index code = 0; code < 4; ++code) {
              const double d = value[static_cast<std::size_t>(code)] - centre[j];
              sum += sums(j - from, 4 * g - lane + code) * d * d;
            }
            out(j, g) = sum;
          }
        }
      });
}

void GenotypesDesign::add_column(Index j, double a, MutVec out) const {
  const std::uint8_t* bytes = column(j);
  Values value = kCopies;
  value[kMissing] = mean_[j];
  for (double& each : value) each *= a;
  for (Index i = 0; i < rows_; ++i) {
    const Index row = stored_row(i);
    out[i] += value[bytes[row / kRowsInByte] >> (2 * (row % kRowsInByte)) & 3];
  }
}

double GenotypesDesign::value(Index i, Index j) const {
  const Index row = stored_row(i);
  const std::size_t code = column(j)[row / kRowsInByte] >> (2 * (row % kRowsInByte)) & 3;
  return code == kMissing ? mean_[j] : kCopies[code];
}

bool GenotypesDesign::gather(std::span<const Index> rows, MutMat out) const {
  for (Index j = 0; j < cols(); ++j) {
    for (Index r = 0; r < std::ssize(rows); ++r)
      out(r, j) = value(rows[static_cast<std::size_t>(r)], j);
  }
  return true;
}

}  // namespace lass0
