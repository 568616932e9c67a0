// How to choose: Lass0 with and without a ridge by every rule, tuned by cross-validation, on the
// paper's data; and how often it chooses columns where there is nothing to find.
#include <fmt/format.h>

#include <lass0/compare.hpp>
#include <lass0/io.hpp>
#include <numeric>
#include <random>

#include "experiments.hpp"

namespace lass0::experiments {
namespace {

constexpr Index kSmall = 2000;  // rows of the data sets whose targets are permuted

// The same permutation on every machine (std::shuffle is not).
std::vector<double> permuted(std::span<const double> y, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> mixed(y.begin(), y.end());
  for (std::size_t i = mixed.size(); i > 1; --i) std::swap(mixed[i - 1], mixed[random() % i]);
  return mixed;
}

}  // namespace

void choice(const std::string& folder, const std::string& csv, Size size) {
  std::vector<std::string> rows;
  for (const std::string& name : data_sets(folder, size)) {
    const Table table = read_table(folder + "/" + name, {.target = "target"});
    CompareOptions options{.methods = {"lasso", "relaxed", "lass0", "lass0-ridge"}};
    options.control.threads = 0;
    if (size == Size::tiny) options.outer = options.inner = 3;
    const std::string data = name.substr(0, name.find('.'));
    const Comparison result = compare(table.problem(), options);
    for (const ComparedMethod& method : result.methods) {
      for (const RuleInfo& rule : rules()) {
        for (std::size_t f = 0; f < method.folds.size(); ++f) {
          const ComparedModel& model = method.folds[f].by[rule.rule];
          rows.push_back(fmt::format("{},{},{},{},{:.6g},{}\n", data, method.name, rule.name, f + 1,
                                     model.nrmse, model.size));
        }
      }
    }
    fmt::print(stderr, "choice: {}\n", data);
  }
  write_csv(csv, "data,method,rule,fold,nrmse,size", rows);
}

void nothing(const std::string& folder, const std::string& csv, Size size) {
  const Index runs = size == Size::tiny ? 4 : 100;
  std::vector<std::string> rows;
  for (const std::string& name : data_sets(folder, size)) {
    const Table table = read_table(folder + "/" + name, {.target = "target"});
    if (table.design().rows() > kSmall) continue;
    const std::string data = name.substr(0, name.find('.'));
    const std::vector<std::string> some = in_parallel(runs, [&](Index run) {
      Problem problem = table.problem();
      const std::vector<double> y = permuted(problem.y, static_cast<unsigned>(run + 1));
      problem.y = y;
      const std::vector<std::string> methods = {"lasso", "relaxed", "lass0", "lass0-ridge"};
      const auto tuned = tuned_methods(problem, {.seed = 1, .methods = methods});
      std::string lines;
      for (std::size_t m = 0; m < methods.size(); ++m) {
        for (const RuleInfo& rule : rules())
          lines += fmt::format("{},{},{},{},{}\n", data, run + 1, methods[m], rule.name,
                               tuned[m].by[rule.rule].size);
      }
      return lines;
    });
    rows.insert(rows.end(), some.begin(), some.end());
    fmt::print(stderr, "nothing: {}\n", data);
  }
  write_csv(csv, "data,permutation,method,rule,size", rows);
}

}  // namespace lass0::experiments
