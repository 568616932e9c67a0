// How many bytes of CSV are read in a second, by one core, from a file that is in the page cache:
// numbers of 6 and of 17 digits, few columns and many. Every file is checked against the numbers
// written before it is timed.
#include <benchmark/benchmark.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <lass0/io.hpp>
#include <random>
#include <string>

namespace {

constexpr std::size_t file_size = std::size_t{300} * 1000 * 1000;

class CsvFile {
 public:
  CsvFile(int columns, int digits) {
    path_ = std::filesystem::temp_directory_path() /
            ("lass0-bench-" + std::to_string(columns) + "-" + std::to_string(digits) + ".csv");
    std::ofstream file(path_, std::ios::binary);
    for (int j = 0; j < columns; ++j) file << (j ? ",x" : "x") << j;
    file << '\n';
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::string row;
    char field[32];
    while (size_ < file_size) {
      row.clear();
      for (int j = 0; j < columns; ++j) {
        const auto end = std::to_chars(field, field + sizeof(field), normal(random),
                                       std::chars_format::general, digits);
        if (j > 0) row += ',';
        row.append(field, end.ptr);
        if (j == 0) sum_ += std::strtod(row.c_str(), nullptr);
      }
      row += '\n';
      file << row;
      size_ += row.size();
    }
  }
  ~CsvFile() { std::filesystem::remove(path_); }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  std::string path() const { return path_.string(); }
  std::size_t size() const { return size_; }
  double first_column_sum() const { return sum_; }

 private:
  std::filesystem::path path_;
  std::size_t size_ = 0;
  double sum_ = 0;
};

void read_csv(benchmark::State& state) {
  const CsvFile file(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  const double sum = lass0::read_table(file.path(), {.target = "x0"}).y().sum();
  if (std::abs(sum - file.first_column_sum()) > 1e-6) {
    state.SkipWithError("the numbers read are not the numbers written");
    return;
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(lass0::read_table(file.path(), {.target = "x0"}).y().data());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.size()));
}

BENCHMARK(read_csv)
    ->ArgNames({"columns", "digits"})
    ->ArgsProduct({{10, 1000}, {6, 17}})
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2);

}  // namespace
