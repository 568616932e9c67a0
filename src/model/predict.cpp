#include <bit>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <lass0/model.hpp>

namespace lass0 {

Vector Model::predict(const Design& design) const {
  Vector fitted = Vector::Constant(design.rows(), at.intercept);
  for (Index l = 0; l < std::ssize(at.support); ++l) {
    const Index j = at.support[static_cast<std::size_t>(l)];
    if (j >= design.cols()) {
      throw Error("the model uses column " + std::to_string(j + 1) + " but the design has " +
                  std::to_string(design.cols()));
    }
    design.add_column(j, at.coefficients[l], fitted);
  }
  return fitted;
}

Vector Model::predict(const Table& table) const {
  Model found = *this;
  std::string missing;
  for (std::size_t l = 0; l < names.size(); ++l) {
    found.at.support[l] = table.column(names[l]);
    if (found.at.support[l] < 0) missing += (missing.empty() ? "'" : ", '") + names[l] + "'";
  }
  if (!missing.empty()) {
    throw Error((table.source.empty() ? "the table" : table.source) +
                ": columns of the model are missing: " + missing);
  }
  return found.predict(table.design());
}

// FNV-1a over the bits of the values, lowest first on every machine.
std::uint64_t checksum(std::span<const double> values) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
    for (int shift = 0; shift < 64; shift += 8)
      sum = (sum ^ (bits >> shift & 0xFF)) * 0x100000001b3;
  }
  return sum == 0 ? 1 : sum;
}

}  // namespace lass0
