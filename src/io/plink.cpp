// PLINK 1 genotypes: NAME.bed, with the variants in NAME.bim and the samples in NAME.fam beside it.
// The genotypes stay in the file, two bits each.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <lass0/error.hpp>

#include "io/assemble.hpp"
#include "io/formats.hpp"
#include "io/mapped_design.hpp"
#include "io/plink_files.hpp"

namespace lass0::io {
namespace {

constexpr std::string_view kMagic = "\x6c\x1b";
constexpr std::size_t kHeader = 3;
constexpr const char* kPhenotype = "phenotype";

void check_header(const Input& input) {
  if (!input.bytes.starts_with(kMagic) || input.bytes.size() < kHeader)
    throw Error(fmt::format("{}: this is not a PLINK 1 .bed file", input.source));
  if (input.bytes[2] == 0) {
    throw Error(
        fmt::format("{}: the genotypes stand sample by sample, as old versions of PLINK "
                    "wrote them; write them variant by variant with plink --make-bed",
                    input.source));
  }
  if (input.bytes[2] != 1)
    throw Error(fmt::format("{}: this is not a PLINK 1 .bed file", input.source));
}

void check_size(const Input& input, Index samples, Index variants) {
  const std::size_t per_variant = static_cast<std::size_t>((samples + 3) / 4);
  const std::size_t expected = kHeader + per_variant * static_cast<std::size_t>(variants);
  if (input.bytes.size() == expected) return;
  throw Error(fmt::format(
      "{}: {} samples (.fam) and {} variants (.bim) need {} bytes, but the file has {}; it is {}",
      input.source, samples, variants, expected, input.bytes.size(),
      input.bytes.size() < expected ? "truncated, or of other samples or variants"
                                    : "of other samples or variants"));
}

// The columns of the model whose first and second alleles have changed places in this file, with
// the genotypes the other way round.
class SwappedColumns {
 public:
  const std::uint8_t* swapped(const std::uint8_t* column, std::size_t bytes) {
    std::vector<std::uint8_t>& copy = copies_.emplace_back(column, column + bytes);
    for (std::uint8_t& byte : copy) {
      // Both bits of a genotype are the same (00, 11) or it stays as it is (01, 10).
      const unsigned same = ~(byte ^ (byte >> 1U)) & 0x55U;
      byte = static_cast<std::uint8_t>(byte ^ (same | same << 1U));
    }
    return copy.data();
  }

 private:
  std::vector<std::vector<std::uint8_t>> copies_;
};

// The columns of variants in X, and the alleles that they count.
struct Genotypes {
  std::vector<const std::uint8_t*> columns;
  std::vector<std::string> names, alleles;
  std::shared_ptr<SwappedColumns> swapped = std::make_shared<SwappedColumns>();
};

Genotypes genotypes_of(const Input& input, const Plan& plan, const ColumnNames& names,
                       Variants& variants, Index samples) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(input.bytes.data()) + kHeader;
  const auto per_variant = static_cast<std::size_t>((samples + 3) / 4);
  Genotypes found;
  for (const Plan::Feature& feature : plan.features) {
    const auto j = static_cast<std::size_t>(feature.column);
    if (j >= variants.first.size()) continue;
    const std::uint8_t* column = data + j * per_variant;
    std::string name = names.name(feature.column), allele = std::move(variants.first[j]);
    const auto known = input.options.known_alleles.find(name);
    if (known != input.options.known_alleles.end() && known->second != allele) {
      if (known->second != variants.second[j]) {
        throw Error(
            fmt::format("{}: variant '{}' has the alleles {} and {}, but the model counts "
                        "copies of {}",
                        input.source, name, allele, variants.second[j], known->second));
      }
      column = found.swapped->swapped(column, per_variant);
      allele = known->second;
    }
    found.columns.push_back(column);
    found.names.push_back(std::move(name));
    found.alleles.push_back(std::move(allele));
  }
  return found;
}

// The means of the fit, for predictions.
void set_known_means(const Input& input, const std::vector<std::string>& names,
                     GenotypesDesign& design) {
  for (Index j = 0; j < design.cols(); ++j) {
    const auto known = input.options.known_means.find(names[at(j)]);
    if (known != input.options.known_means.end()) {
      design.set_mean(j, known->second);
    } else if (design.missing(j) > 0) {
      throw Error(fmt::format("{}: variant '{}' has {}, and the model has no mean for it",
                              input.source, names[at(j)],
                              plural(design.missing(j), "missing genotype")));
    }
  }
}

ColumnsInPlace in_place(const Input& input, Genotypes genotypes, Index samples, Index variants) {
  ColumnsInPlace columns;
  columns.columns = variants;
  columns.names = genotypes.names;
  columns.design = [file = input.file, source = input.source, &input, samples,
                    genotypes = std::move(genotypes)](std::optional<std::vector<Index>> kept,
                                                      const Vector& weights, Table& about) {
    // The swapped columns live as long as the design.
    struct Owner {
      std::shared_ptr<SwappedColumns> swapped;
      GenotypesDesign design;
    };
    const auto owner = std::make_shared<Owner>(Owner{
        genotypes.swapped, GenotypesDesign(samples, genotypes.columns, std::move(kept), weights)});
    if (input.options.only_columns) set_known_means(input, genotypes.names, owner->design);
    about.genotypes = {owner, &owner->design};
    about.alleles = genotypes.alleles;
    return std::make_shared<const MappedDesign>(file, source, about.genotypes);
  };
  return columns;
}

// NAME of NAME.bed.
std::string stem_of(const Input& input) {
  if (input.path == "-") {
    throw UsageError(
        "PLINK genotypes can't come from standard input: the .bim and .fam files must be beside "
        "the .bed file");
  }
  std::string stem = input.path;
  const auto drop = [&](std::string_view extension) {
    const auto same = [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == b;
    };
    if (stem.size() > extension.size() &&
        std::equal(stem.end() - std::ssize(extension), stem.end(), extension.begin(), same))
      stem.resize(stem.size() - extension.size());
  };
  drop(".gz");
  drop(".bed");
  return stem;
}

}  // namespace

RawTable read_plink(const Input& input) {
  check_header(input);
  const std::string stem = stem_of(input);
  Variants variants = read_variants(stem + ".bim");
  const std::vector<Sample> samples = read_samples(stem + ".fam");
  const auto n = std::ssize(samples), p = std::ssize(variants.names);
  check_size(input, n, p);
  const SampleColumns about(samples, input.options.phenotypes);
  std::vector<std::string> all = std::move(variants.names);
  all.insert(all.end(), about.names().begin(), about.names().end());
  const ColumnNames names(input.source, std::move(all));
  Plan plan = plan_columns(names, input.options, kPhenotype);
  if (!input.options.only_columns) {
    // What is known of the samples is in X only where it was asked for.
    std::erase_if(plan.features, [&](const Plan::Feature& feature) {
      return feature.column >= p && !feature.include;
    });
  }
  Genotypes genotypes = genotypes_of(input, plan, names, variants, n);
  RawTable raw(input, names, std::move(plan), n, in_place(input, std::move(genotypes), n, p));
  for (Index j = p; j < names.count(); ++j) {
    for (Index i = 0; i < n; ++i) {
      const auto [text, line] = about.field(i, at(j - p));
      raw.put(j, text, i, line);
    }
  }
  return raw;
}

bool looks_like_plink(std::string_view bytes) { return bytes.starts_with(kMagic); }

}  // namespace lass0::io
