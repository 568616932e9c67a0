// lass0 in a process that keeps its data in memory between runs, as the peers do: the protocol of
// child.py.
//
//   serve TASK DATA TARGET FOLDS LAMBDAS MAX_K THREADS
//
// TASK is one of rivals/__init__.py. DATA, TARGET and FOLDS (the column of folds, which is no
// predictor) as in `lass0 cv`; LAMBDAS is a text file of lambda1 for the Lasso path, largest first.
// A run counts the moments, the search and the final refits.
#include <chrono>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <lass0/lass0.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

struct Arguments {
  std::string task, data, target, folds, lambdas;
  lass0::Index max_k = 0;
  lass0::Control control;
};

using Models = std::vector<lass0::Iterate>;  // one a point
using Run = std::function<Models(const std::string& setting)>;

std::vector<double> read_numbers(const std::string& path) {
  std::ifstream file(path);
  std::vector<double> numbers;
  for (double number = 0; file >> number;) numbers.push_back(number);
  if (numbers.empty()) throw std::runtime_error(path + ": no lambdas");
  return numbers;
}

// "point column coefficient", and "point -1 0" once for each point (models.py).
void write_models(const std::string& path, const Models& models) {
  std::ofstream file(path);
  file.precision(17);
  for (std::size_t point = 0; point < models.size(); ++point) {
    const lass0::Iterate& at = models[point];
    file << point << " -1 0\n";
    for (std::size_t i = 0; i < at.support.size(); ++i)
      file << point << ' ' << at.support[i] << ' ' << at.coefficients[static_cast<long>(i)] << '\n';
  }
  if (!file.flush()) throw std::runtime_error(path + ": could not be written");
}

Run run_of(const Arguments& given, const lass0::Problem& problem, const lass0::Table& table) {
  const lass0::Control control = given.control;
  if (given.task == "lasso_path") {
    return [=, lambdas = read_numbers(given.lambdas)](const std::string& tolerance) {
      const lass0::Moments moments(problem, {.control = control});
      lass0::LassoOptions options;
      options.lambdas = lambdas;
      options.tolerance = std::stod(tolerance);
      options.control = control;
      Models models;
      for (lass0::LassoPoint& point : lass0::lasso_path(moments, options).points)
        models.push_back(std::move(point.at));
      return models;
    };
  }
  if (given.task == "l0_table" || given.task == "logistic_table" || given.task == "exhaustive") {
    const bool prove = given.task == "exhaustive";
    return [=, max_k = given.max_k](const std::string&) {
      return lass0::path(problem, {.max_k = max_k, .prove = prove, .control = control}).models;
    };
  }
  if (given.task == "l0_fit") {
    return [=](const std::string& setting) {  // "table:LAMBDA" or "paper:LAMBDA"
      const bool paper = setting.starts_with("paper:");
      lass0::FitOptions options;
      options.goal =
          lass0::AtLambda{.penalty = {std::stod(setting.substr(setting.find(':') + 1))},
                          .start = paper ? lass0::Start::paper() : lass0::Start::table()};
      options.control = control;
      return Models{lass0::fit(problem, options).model.at};
    };
  }
  if (given.task == "logistic_cross_validation") {
    return [=, &table, max_k = given.max_k](const std::string& setting) {  // "ridges", "no-ridge"
      return Models{lass0::cross_validate(problem, {.fold_labels = table.folds,
                                                    .rule = lass0::Rule::min,
                                                    .max_k = max_k,
                                                    .tune_ridge = setting == "ridges",
                                                    .control = control})
                        .fit.model.at};
    };
  }
  if (given.task == "cross_validation") {
    return [=, &table](const std::string&) {
      return Models{lass0::cross_validate(problem, {.fold_labels = table.folds,
                                                    .rule = lass0::Rule::min,
                                                    .tune_ridge = false,
                                                    .control = control})
                        .fit.model.at};
    };
  }
  throw std::runtime_error("unknown task: " + given.task);
}

void serve(const Arguments& given) {
  const bool logistic = given.task.starts_with("logistic_");
  const lass0::Table table = lass0::read_table(
      given.data, {.target = given.target, .classes = logistic, .folds = given.folds});
  lass0::Problem problem = table.problem();
  if (logistic) problem.family = lass0::Family::binomial;
  const Run run = run_of(given, problem, table);
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::string setting, output;
    std::istringstream(line) >> setting >> output;
    const auto start = std::chrono::steady_clock::now();
    const Models models = run(setting);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::cout << "ran " << seconds.count() << std::endl;
    if (output != "-") write_models(output, models);
    std::cout << "done" << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::cerr << "usage: serve TASK DATA TARGET FOLDS LAMBDAS MAX_K THREADS\n";
    return 2;
  }
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 64 << 20);  // as in the program (app/system_limits.cpp)
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
  try {
    serve({argv[1],
           argv[2],
           argv[3],
           argv[4],
           argv[5],
           std::stol(argv[6]),
           {.threads = std::stoi(argv[7])}});
  } catch (const std::exception& error) {
    std::cerr << "serve: " << error.what() << '\n';
    return 1;
  }
}
