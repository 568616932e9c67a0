// Held-out errors from the rows themselves, for any family and measure.
#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <map>
#include <numeric>

#include "problem/likelihood.hpp"
#include "problem/weights.hpp"
#include "select/fold_error.hpp"

namespace lass0 {
namespace {

// Pairs of a row of each class whose order is wrong, by weight and ties as half, over all pairs:
// 1 - AUC.
double pairs_in_wrong_order(const Response& rows, const ConstVec& eta) {
  std::vector<Index> order;
  for (Index i = 0; i < eta.size(); ++i) {
    if (rows.weight(i) > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return eta[a] < eta[b]; });
  double zeros = 0, ones = 0, wrong = 0;  // ones: those with a lower eta so far
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    double tied_ones = 0, tied_zeros = 0;
    for (; last < order.size() && eta[order[last]] == eta[order[first]]; ++last) {
      const Index i = order[last];
      (rows.y[static_cast<std::size_t>(i)] > 0 ? tied_ones : tied_zeros) += rows.weight(i);
    }
    wrong += tied_zeros * (ones + 0.5 * tied_ones);
    ones += tied_ones;
    zeros += tied_zeros;
  }
  if (!(ones > 0 && zeros > 0))
    throw Error(
        "the rows that a fold holds out are all of one class, but the measure auc needs both: ask "
        "for fewer folds or another measure");
  return wrong / (ones * zeros);
}

template <class Term>
double sum_over(const Response& rows, const ConstVec& eta, const Term& term) {
  double sum = 0;
  for (Index i = 0; i < eta.size(); ++i) {
    const double w = rows.weight(i);
    if (w > 0) sum += w * term(rows.y[static_cast<std::size_t>(i)], eta[i]);
  }
  return sum;
}

class RowErrors final : public HeldOutErrors {
 public:
  RowErrors(const TrainingSet& training, const Problem& all, Measure measure)
      : training_(training), all_(all), measure_(measure) {
    const Vector weights = row_weights(all);
    for (Index i = 0; i < weights.size(); ++i) {
      if (training.labels[static_cast<std::size_t>(i)] == training.fold && weights[i] > 0)
        rows_.push_back(i);
    }
    weights_ = weights(rows_);
    if ((weights_.array() == 1).all()) weights_.resize(0);
    y_ = Eigen::Map<const Vector>(all.y.data(), weights.size())(rows_);
    if (!all.offset.empty())
      offset_ = Eigen::Map<const Vector>(all.offset.data(), weights.size())(rows_);
  }

  double of(const Candidate& candidate) override {
    const Iterate at =
        candidate.model ? *candidate.model : training_.solver->model(candidate.support);
    Vector eta = Vector::Constant(std::ssize(rows_), at.intercept);
    if (offset_.size() > 0) eta += offset_;
    for (std::size_t l = 0; l < at.support.size(); ++l)
      eta += at.coefficients[static_cast<Index>(l)] * column(at.support[l]);
    return measured(measure_, loss_of(all_), response(), eta);
  }

 private:
  Response response() const {
    const auto span_of = [](const Vector& v) {
      return std::span(v.data(), static_cast<std::size_t>(v.size()));
    };
    return {.y = span_of(y_), .weights = span_of(weights_), .offset = span_of(offset_)};
  }

  // Of the held-out rows, kept because the models of a curve share most of their columns.
  const Vector& column(Index j) {
    const auto [at, fresh] = columns_.try_emplace(j);
    if (fresh) {
      Vector all = Vector::Zero(all_.design->rows());
      all_.design->add_column(j, 1.0, all);
      at->second = all(rows_);
    }
    return at->second;
  }

  const TrainingSet& training_;
  const Problem& all_;
  const Measure measure_;
  std::vector<Index> rows_;
  Vector y_, weights_, offset_;
  std::map<Index, Vector> columns_;
};

}  // namespace

double measured(Measure measure, const Loss& loss, const Response& rows, const ConstVec& eta) {
  switch (measure) {
    case Measure::deviance:
    case Measure::mse:
      break;
    case Measure::auc: {
      double weight = 0;
      for (Index i = 0; i < eta.size(); ++i) weight += rows.weight(i);
      return weight * pairs_in_wrong_order(rows, eta);
    }
    case Measure::error:
      return sum_over(rows, eta,
                      [](double y, double e) { return (e >= 0) == (y > 0) ? 0.0 : 1.0; });
    case Measure::brier:
      return sum_over(rows, eta, [&](double y, double e) { return std::pow(y - loss.mean(e), 2); });
  }
  return loss.deviance(rows, eta);
}

std::unique_ptr<HeldOutErrors> row_errors(const TrainingSet& training, const Problem& all,
                                          Measure measure) {
  return std::make_unique<RowErrors>(training, all, measure);
}

}  // namespace lass0
