#include "support/logistic_supports.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace lass0::testing {
namespace {

bool has_both_classes(const Data& data) {
  bool ones = false, zeros = false;
  for (Index i = 0; i < data.n(); ++i)
    if (data.weight(i) > 0) (data.y[i] > 0 ? ones : zeros) = true;
  return ones && zeros;
}

bool independent(const Data& data, const std::vector<Index>& columns) {
  const Index first = data.intercept ? 1 : 0;
  Matrix A(data.n(), first + std::ssize(columns));
  if (A.cols() == 0) return true;
  if (first > 0) A.col(0).setOnes();
  for (std::size_t c = 0; c < columns.size(); ++c)
    A.col(first + static_cast<Index>(c)) = data.X.col(columns[c]);
  for (Index i = 0; i < data.n(); ++i) A.row(i) *= std::sqrt(data.weight(i));
  Eigen::ColPivHouseholderQR<Matrix> qr(A);
  qr.setThreshold(1e-7);
  return qr.rank() == A.cols();
}

}  // namespace

LogisticData logistic_of_any_kind(std::uint64_t seed) {
  Rng rng(seed * 131 + 17);
  LogisticData logistic;
  do {
    LogisticSpec spec;
    spec.n = rng.between(25, 90);
    spec.p = rng.between(3, 6);
    spec.k = 2;
    spec.rho = 0.9 * rng.uniform();
    spec.signal = rng.uniform(0.3, 2.5);
    spec.weights = rng.chance(0.3);
    spec.offset = rng.chance(0.3);
    spec.intercept = rng.chance(0.8);
    spec.standardize = rng.chance(0.7);
    if (rng.chance(0.4)) spec.ridge = rng.chance(0.5) ? 0.3 : 12;
    logistic = random_logistic(spec, rng);
  } while (!has_both_classes(logistic.data));
  Data& data = logistic.data;
  if (rng.chance(0.3)) data.append(scaled_copy(data, 0, -2));
  if (rng.chance(0.3)) data.append(data.X.col(1) + data.X.col(2));
  if (rng.chance(0.15)) data.append(Vector::Constant(data.n(), 5));
  if (rng.chance(0.25)) data.include = {rng.below(3)};
  return logistic;
}

LogisticSubject::LogisticSubject(LogisticData data) : LogisticRows(std::move(data)) {
  for (Index j = 0; j < rows.cols(); ++j)
    if (rows.eligible(j)) eligible.push_back(j);
  for (std::uint64_t set = 0; set < (std::uint64_t{1} << eligible.size()); ++set) {
    std::vector<Index> support;
    for (std::size_t a = 0; a < eligible.size(); ++a)
      if ((set >> a) & 1) support.push_back(eligible[a]);
    std::vector<Index> columns = support;
    columns.insert(columns.end(), rows.included().begin(), rows.included().end());
    std::sort(columns.begin(), columns.end());
    if (problem.ridge == 0 && !independent(logistic.data, columns)) continue;
    if (const auto fit = logistic_by_definition(logistic, columns)) losses[support] = fit->loss;
  }
}

double LogisticSubject::objective(const std::vector<Index>& support, double loss,
                                  std::optional<double> lambda, Index size) {
  if (!lambda)
    return std::ssize(support) == size ? loss / 2 : std::numeric_limits<double>::infinity();
  return loss / 2 + *lambda * static_cast<double>(support.size());
}

double LogisticSubject::least(std::optional<double> lambda, Index size, Index j, bool with) const {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [support, loss] : losses) {
    if (j >= 0 && std::binary_search(support.begin(), support.end(), j) != with) continue;
    best = std::min(best, objective(support, loss, lambda, size));
  }
  return best;
}

std::vector<Index> LogisticSubject::random_model(Rng& rng, Index size) const {
  std::vector<std::vector<Index>> models;
  for (const auto& [support, loss] : losses)
    if (std::ssize(support) == size) models.push_back(support);
  return models[static_cast<std::size_t>(rng.below(std::ssize(models)))];
}

Index LogisticSubject::largest() const {
  Index most = 0;
  for (const auto& [support, loss] : losses) most = std::max(most, std::ssize(support));
  return most;
}

}  // namespace lass0::testing
