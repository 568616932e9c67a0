// How well held-out rows of two classes are told apart (the ROC curve), and whether the
// probabilities are right (calibration).
#pragma once

#include <lass0/fit.hpp>
#include <optional>

namespace lass0 {

// Predicting the second class from this linear predictor up.
struct RocPoint {
  double from = 0;            // infinite at the first point, where no row is predicted so
  double false_positive = 0;  // share of the rows of the first class, by weight
  double true_positive = 0;   // share of the rows of the second class
};

// Rows with neighbouring probabilities.
struct CalibrationBin {
  Index rows = 0;
  double weight = 0;
  double predicted = 0;         // mean probability of the second class
  double observed = 0;          // the share that is of it
  double lower = 0, upper = 1;  // the 95 % Wilson interval of that share
};

struct HeldOutClasses {
  Index rows = 0;             // with a prediction and positive weight
  std::vector<RocPoint> roc;  // from (0, 0) to (1, 1), thinned
  // The probability that a row of the second class has a larger predictor than one of the first, by
  // weight; equal ones count half. It is the area under the curve of all points.
  double auc = 0;
  std::vector<CalibrationBin> calibration;  // by probability
  Confusion confusion;
};

inline constexpr Index kMostRocPoints = 200;
inline constexpr Index kCalibrationBins = 10;

// `links`: one linear predictor per row; NaN: none. Nothing unless rows of both classes have one.
std::optional<HeldOutClasses> judge_classes(const Problem& problem, const ConstVec& links);

// The 95 % interval of Wilson (1927) for a share of n rows.
struct ShareInterval {
  double lower = 0, upper = 1;
};
ShareInterval wilson_interval(double share, double n);

}  // namespace lass0
