// Targets of two classes in words: which of them is 1, how well a model tells them apart, and what
// it means that columns separate them.
#pragma once

#include <lass0/fit.hpp>
#include <lass0/io.hpp>
#include <lass0/support_table.hpp>
#include <string>

namespace lass0::app {

// The name of a class, as it may be printed: that of the table, else 0 or 1.
std::string class_name(const std::vector<std::string>& classes, bool one);

// "classes    yes is 1 (212 rows), no is 0 (788 rows)"; empty unless the target has two classes.
std::string classes_line(const Table& table, Family family);

// "1.42": what one more unit of the column does to the odds of class 1.
std::string odds_ratio(double coefficient);

// Classes that are seen against those that are predicted, with headings.
std::string confusion_text(const Confusion& seen, const std::vector<std::string>& classes);

// Why a table ends early; empty: it does not.
std::string separation_line(const SupportTable& support_table, const Table& table);

// How well linear predictors tell two classes apart, on rows that may have weights.
struct ClassScores {
  double deviance = 0;  // per row
  double error = 0;     // share of rows on the wrong side of probability 1/2
  double brier = 0;     // mean squared error of the probability
  double auc = 0.5;     // area under the ROC curve; 1/2 where there is one class only
  bool both_classes = false;
};
ClassScores class_scores(const Vector& y, const Vector& links, const Vector& weights);

// "deviance 0.62 per row, error rate 14.2 %, AUC 0.83, Brier score 0.11"
std::string to_text(const ClassScores& scores);

}  // namespace lass0::app
