#include "io/plink_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <unordered_map>

#include "io/lines.hpp"
#include "io/numbers.hpp"

namespace lass0::io {
namespace {

// The next `fields` words of a line; what follows them is left.
std::vector<std::string_view> words(std::string_view line, std::size_t fields) {
  std::vector<std::string_view> found;
  while (found.size() < fields) {
    const std::string_view word = take_word(line);
    if (word.empty()) break;
    found.push_back(word);
  }
  return found;
}

// Calls use(words, line number) for every line that is not empty, and checks that all have as many.
template <class Use>
void for_each_row(const std::string& path, std::size_t fields, std::string_view what,
                  const Use& use) {
  const Bytes bytes = Bytes::read(path);
  const std::string source = source_name(path);
  Lines lines(bytes.view());
  while (const auto line = lines.next()) {
    const auto found = words(*line, fields);
    if (found.empty()) continue;
    if (found.size() < fields) {
      throw Error(fmt::format("{}: line {} has {} fields where {} are expected: {}", source,
                              lines.number(), found.size(), fields, what));
    }
    use(found, lines.number());
  }
  bytes.check(source);
}

char delimiter_of(std::string_view header) {
  for (const char c : {',', ';', '\t'})
    if (header.find(c) != std::string_view::npos) return c;
  return ' ';
}

// The fields of a line; quotes as in CSV.
std::vector<std::string> split(std::string_view line, char delimiter) {
  std::vector<std::string> fields;
  if (delimiter == ' ') {
    for (const std::string_view word : words(line, line.size())) fields.emplace_back(word);
    return fields;
  }
  for (bool more = true; more;) {
    std::string field;
    std::string_view rest = line;
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (rest.starts_with('"')) {
      rest.remove_prefix(1);
      while (!rest.empty() && !(rest[0] == '"' && !rest.substr(1).starts_with('"'))) {
        if (rest[0] == '"') rest.remove_prefix(1);  // of two quotes, one is meant
        field += rest[0];
        rest.remove_prefix(1);
      }
      line = rest.substr(std::min<std::size_t>(1, rest.size()));
      const std::size_t end = std::min(line.find(delimiter), line.size());
      more = end < line.size();
      line.remove_prefix(std::min(end + 1, line.size()));
    } else {
      const std::size_t end = std::min(line.find(delimiter), line.size());
      field = trim(line.substr(0, end));
      more = end < line.size();
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

constexpr std::string_view kNone = {};

std::string key_of(std::string_view family, std::string_view id) {
  return fmt::format("{}\t{}", family, id);
}

std::string shown(std::string_view family, std::string_view id) {
  return family.empty() ? fmt::format("IID {}", id) : fmt::format("FID {}, IID {}", family, id);
}

}  // namespace

Variants read_variants(const std::string& path) {
  Variants variants;
  for_each_row(path, 6, "chromosome, ID, position in centimorgans, position and two alleles",
               [&](const std::vector<std::string_view>& row, Index) {
                 variants.names.push_back(
                     row[1] == "." ? fmt::format("{}:{}:{}:{}", row[0], row[3], row[4], row[5])
                                   : std::string(row[1]));
                 variants.first.emplace_back(row[4]);
                 variants.second.emplace_back(row[5]);
               });
  if (variants.names.empty()) throw Error(fmt::format("{}: there are no variants", path));
  return variants;
}

std::vector<Sample> read_samples(const std::string& path) {
  std::vector<Sample> samples;
  for_each_row(path, 6, "FID, IID, father, mother, sex and phenotype",
               [&](const std::vector<std::string_view>& row, Index line) {
                 samples.push_back({std::string(row[0]), std::string(row[1]), std::string(row[4]),
                                    std::string(row[5]), line});
               });
  if (samples.empty()) throw Error(fmt::format("{}: there are no samples", path));
  return samples;
}

std::vector<bool> missing_phenotypes(const std::vector<Sample>& samples) {
  const auto is = [](const Sample& sample, double value) {
    return parse_number(sample.phenotype) == value;
  };
  const auto none = [&](const Sample& sample) {
    return is_missing(sample.phenotype) || is(sample, -9);
  };
  const bool case_control = std::ranges::all_of(samples, [&](const Sample& sample) {
    return none(sample) || is(sample, 0) || is(sample, 1) || is(sample, 2);
  });
  const bool any_case =
      std::ranges::any_of(samples, [&](const Sample& sample) { return is(sample, 2); });
  std::vector<bool> missing;
  missing.reserve(samples.size());
  for (const Sample& sample : samples)
    missing.push_back(none(sample) || (case_control && any_case && is(sample, 0)));
  return missing;
}

SampleColumns::SampleColumns(const std::vector<Sample>& samples, const std::string& path)
    : samples_(samples), no_phenotype_(missing_phenotypes(samples)) {
  if (!path.empty()) read_table(path);
  for (const std::string_view name : {"FID", "IID", "sex", "phenotype"}) {
    if (std::ranges::find(names_, name) != names_.end()) continue;
    names_.emplace_back(name);
    fam_.push_back(name);
  }
}

void SampleColumns::read_table(const std::string& path) {
  const std::vector<Sample>& samples = samples_;
  const Bytes bytes = Bytes::read(path);
  const std::string source = source_name(path);
  Lines lines(bytes.view());
  const std::string_view header = lines.next().value_or(kNone);
  const char delimiter = delimiter_of(header);
  std::vector<std::string> names = split(header, delimiter);
  const auto place = [&](std::string_view name) {
    const auto found = std::ranges::find_if(names, [&](std::string_view column) {
      return column == name || (column.starts_with('#') && column.substr(1) == name);
    });
    return found == names.end() ? names.size() : static_cast<std::size_t>(found - names.begin());
  };
  const std::size_t family = place("FID"), id = place("IID");
  if (id == names.size()) {
    throw Error(fmt::format(
        "{}: there is no column IID, by which the samples are found; the first row has {}", source,
        fmt::join(names, ", ")));
  }
  const bool by_family = family < names.size();
  for (std::size_t c = 0; c < names.size(); ++c)
    if (c != family && c != id) names_.push_back(names[c]);

  std::unordered_map<std::string, Index> sample_of;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const std::string_view of_family = by_family ? std::string_view(samples[s].family) : kNone;
    if (!sample_of.emplace(key_of(of_family, samples[s].id), static_cast<Index>(s)).second) {
      throw Error(fmt::format(
          "{}: the samples of the .fam file are not told apart: {} occurs "
          "twice{}",
          source, shown(of_family, samples[s].id), by_family ? "" : "; add a column FID"));
    }
  }
  row_of_.assign(samples.size(), -1);
  while (const auto line = lines.next()) {
    if (trim(*line).empty()) continue;
    std::vector<std::string> fields = split(*line, delimiter);
    if (fields.size() != names.size()) {
      throw Error(fmt::format("{}: line {} has {} fields where {} are expected", source,
                              lines.number(), fields.size(), names.size()));
    }
    const std::string_view of_family = by_family ? std::string_view(fields[family]) : kNone;
    const auto found = sample_of.find(key_of(of_family, fields[id]));
    if (found == sample_of.end()) continue;
    Index& row = row_of_[static_cast<std::size_t>(found->second)];
    if (row >= 0) {
      throw Error(fmt::format("{}: line {}: {} already has line {}", source, lines.number(),
                              shown(of_family, fields[id]),
                              rows_[static_cast<std::size_t>(row)].line));
    }
    row = std::ssize(rows_);
    Row kept{{}, lines.number()};
    for (std::size_t c = 0; c < fields.size(); ++c)
      if (c != family && c != id) kept.fields.push_back(std::move(fields[c]));
    rows_.push_back(std::move(kept));
  }
  bytes.check(source);
  if (rows_.empty()) {
    throw Error(fmt::format("{}: none of the {} samples of the .fam file is in it, such as {}",
                            source, samples.size(),
                            shown(by_family ? samples[0].family : "", samples[0].id)));
  }
}

SampleColumns::Field SampleColumns::field(Index sample, std::size_t column) const {
  const std::size_t of_table = names_.size() - fam_.size();
  if (column >= of_table) {
    const Sample& known = samples_[static_cast<std::size_t>(sample)];
    const std::string_view name = fam_[column - of_table];
    if (name == "FID") return {known.family, known.line};
    if (name == "IID") return {known.id, known.line};
    if (name == "sex") return {known.sex == "0" ? std::string_view() : known.sex, known.line};
    return {no_phenotype_[static_cast<std::size_t>(sample)] ? std::string_view() : known.phenotype,
            known.line};
  }
  const Index row = row_of_[static_cast<std::size_t>(sample)];
  if (row < 0) return {};
  const Row& found = rows_[static_cast<std::size_t>(row)];
  return {found.fields[column], found.line};
}

}  // namespace lass0::io
