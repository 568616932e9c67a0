// The Lasso path of lass0 for the benchmark against peers: there is no such command in the program,
// whose path is that of L0.
//
//   lasso_path DATA TARGET EXCLUDE LAMBDAS TOLERANCE THREADS OUTPUT
//
// DATA, TARGET and EXCLUDE (a column to leave out) as in `lass0 path`; LAMBDAS is a text file of
// lambda1, largest first. OUTPUT gets one line "point column coefficient" for every non-zero, both
// counted from 0; standard output gets the seconds that the moments and the path took.
#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>
#include <lass0/lass0.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::vector<double> read_numbers(const std::string& path) {
  std::ifstream file(path);
  std::vector<double> numbers;
  for (double number = 0; file >> number;) numbers.push_back(number);
  if (numbers.empty()) throw std::runtime_error(path + ": no lambdas");
  return numbers;
}

void write_coefficients(const std::string& path, const lass0::LassoPath& result) {
  std::ofstream file(path);
  file.precision(17);
  for (std::size_t point = 0; point < result.points.size(); ++point) {
    const lass0::Iterate& at = result.points[point].at;
    for (std::size_t i = 0; i < at.support.size(); ++i)
      file << point << ' ' << at.support[i] << ' ' << at.coefficients[static_cast<long>(i)] << '\n';
  }
  if (!file.flush()) throw std::runtime_error(path + ": could not be written");
}

void run(const std::vector<std::string>& arguments) {
  const lass0::Table table =
      lass0::read_table(arguments[0], {.target = arguments[1], .exclude = {arguments[2]}});
  lass0::LassoOptions options;
  options.lambdas = read_numbers(arguments[3]);
  options.tolerance = std::stod(arguments[4]);
  options.control.threads = std::stoi(arguments[5]);

  const auto start = std::chrono::steady_clock::now();
  const lass0::Moments moments(table.problem(), {.control = options.control});
  const lass0::LassoPath result = lass0::lasso_path(moments, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  write_coefficients(arguments[6], result);
  std::cout << seconds.count() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::cerr << "usage: lasso_path DATA TARGET EXCLUDE LAMBDAS TOLERANCE THREADS OUTPUT\n";
    return 2;
  }
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "lasso_path: " << error.what() << '\n';
    return 1;
  }
}
