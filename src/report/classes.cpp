#include "report/classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/confusion.hpp"
#include "problem/likelihood.hpp"

namespace lass0 {
namespace {

constexpr double kNormalQuantile = 1.959963984540054;  // of 97.5 %

// All rows with one and the same linear predictor. They are never told apart, so that no result
// depends on the order of rows.
struct Tied {
  double link = 0;
  Index rows = 0;
  double first = 0, second = 0;  // weight of the two classes

  double weight() const { return first + second; }
};

// By linear predictor, ascending.
std::vector<Tied> ties(const Problem& problem, const ConstVec& links) {
  const Response response = response_of(problem);
  std::vector<Index> order;
  for (Index i = 0; i < links.size(); ++i) {
    if (!std::isnan(links[i]) && response.weight(i) > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return links[a] < links[b]; });
  std::vector<Tied> groups;
  for (const Index i : order) {
    if (groups.empty() || groups.back().link != links[i]) groups.push_back({.link = links[i]});
    Tied& group = groups.back();
    ++group.rows;
    (response.y[static_cast<std::size_t>(i)] > 0 ? group.second : group.first) +=
        response.weight(i);
  }
  return groups;
}

struct ClassWeights {
  double first = 0, second = 0;
};

ClassWeights total_of(const std::vector<Tied>& groups) {
  ClassWeights total;
  for (const Tied& group : groups) {
    total.first += group.first;
    total.second += group.second;
  }
  return total;
}

double area_under_curve(const std::vector<Tied>& groups, const ClassWeights& total) {
  double below = 0, pairs = 0;
  for (const Tied& group : groups) {
    pairs += group.second * (below + group.first / 2);
    below += group.first;
  }
  return std::clamp(pairs / (total.first * total.second), 0.0, 1.0);
}

// Where the curve goes on straight up or straight to the right, nothing is lost without a point.
bool straight(const RocPoint& a, const RocPoint& b, const RocPoint& c) {
  return (a.false_positive == b.false_positive && b.false_positive == c.false_positive) ||
         (a.true_positive == b.true_positive && b.true_positive == c.true_positive);
}

// Along the curve at equal distances, with both ends.
std::vector<RocPoint> thinned(const std::vector<RocPoint>& all) {
  if (std::ssize(all) <= kMostRocPoints) return all;
  const auto along = [](const RocPoint& at) { return at.false_positive + at.true_positive; };
  std::vector<RocPoint> some = {all.front()};
  const double step = along(all.back()) / static_cast<double>(kMostRocPoints - 1);
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    if (along(all[i]) >= static_cast<double>(some.size()) * step &&
        std::ssize(some) + 1 < kMostRocPoints)
      some.push_back(all[i]);
  }
  some.push_back(all.back());
  return some;
}

std::vector<RocPoint> roc_curve(const std::vector<Tied>& groups, const ClassWeights& total) {
  std::vector<RocPoint> points = {{.from = std::numeric_limits<double>::infinity()}};
  double first = 0, second = 0;
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    first += group->first;
    second += group->second;
    const RocPoint next{.from = group->link,
                        .false_positive = std::min(1.0, first / total.first),
                        .true_positive = std::min(1.0, second / total.second)};
    const std::size_t size = points.size();
    if (size >= 2 && straight(points[size - 2], points[size - 1], next)) points.pop_back();
    points.push_back(next);
  }
  points.back().false_positive = points.back().true_positive = 1;  // without rounding
  return thinned(points);
}

// Bins of about equal weight: a group of ties is in the bin of its middle.
std::vector<CalibrationBin> calibration(const std::vector<Tied>& groups, double total,
                                        const Loss& loss) {
  std::vector<CalibrationBin> bins(static_cast<std::size_t>(kCalibrationBins));
  double below = 0;
  for (const Tied& group : groups) {
    const double middle = (below + group.weight() / 2) / total;
    const auto place =
        std::clamp<Index>(static_cast<Index>(middle * static_cast<double>(kCalibrationBins)), 0,
                          kCalibrationBins - 1);
    CalibrationBin& bin = bins[static_cast<std::size_t>(place)];
    bin.rows += group.rows;
    bin.weight += group.weight();
    bin.predicted += group.weight() * loss.mean(group.link);
    bin.observed += group.second;
    below += group.weight();
  }
  std::erase_if(bins, [](const CalibrationBin& bin) { return bin.rows == 0; });
  for (CalibrationBin& bin : bins) {
    bin.predicted = std::clamp(bin.predicted / bin.weight, 0.0, 1.0);
    bin.observed = std::clamp(bin.observed / bin.weight, 0.0, 1.0);
    const double n = std::max(bin.weight, static_cast<double>(bin.rows));
    const ShareInterval interval = wilson_interval(bin.observed, n);
    bin.lower = interval.lower;
    bin.upper = interval.upper;
  }
  return bins;
}

}  // namespace

ShareInterval wilson_interval(double share, double n) {
  const double z2 = kNormalQuantile * kNormalQuantile;
  const double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double half =
      kNormalQuantile / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  return {std::clamp(centre - half, 0.0, share), std::clamp(centre + half, share, 1.0)};
}

std::optional<HeldOutClasses> judge_classes(const Problem& problem, const ConstVec& links) {
  const std::vector<Tied> groups = ties(problem, links);
  const ClassWeights total = total_of(groups);
  if (!(total.first > 0 && total.second > 0)) return std::nullopt;
  HeldOutClasses judged;
  for (const Tied& group : groups) judged.rows += group.rows;
  judged.roc = roc_curve(groups, total);
  judged.auc = area_under_curve(groups, total);
  judged.calibration = calibration(groups, total.first + total.second, loss_of(problem));
  judged.confusion = confusion_of(problem, links);
  return judged;
}

}  // namespace lass0
