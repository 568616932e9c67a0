// The exact fit of every row of a table. With included columns all of them go by QR, which would
// take n times the cube of the largest size: there one QR of all columns that occur leaves a small
// problem with the same fits.
#include <Eigen/QR>
#include <algorithm>
#include <lass0/model.hpp>
#include <lass0/support_table.hpp>

#include "model/included.hpp"
#include "model/refit_moments.hpp"
#include "problem/standardise.hpp"
#include "problem/weights.hpp"
#include "util/memory.hpp"

namespace lass0 {
namespace {

// The columns of all rows of the table and the included ones, ascending.
std::vector<Index> columns_of(const Moments& moments, const SupportTable& table) {
  std::vector<Index> all = include_list(moments.problem());
  for (const TableRow& row : table.rows)
    all.insert(all.end(), row.support.begin(), row.support.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Some columns of a problem and its target, centred, weighted and rotated, so that as many rows as
// there are columns hold all that a fit on any of them depends on.
class RotatedProblem {
 public:
  RotatedProblem(const Problem& problem, std::vector<Index> columns)
      : columns_(std::move(columns)), units_(columns_.size() + 1) {
    const Index n = problem.design->rows(), m = std::ssize(columns_);
    const auto [w, root] = scaled_weights(problem);
    unit_ = root * root;
    Matrix A = allocate_matrix(n, m + 1, "the columns of a table");
    A.setZero();
    for (Index c = 0; c < m; ++c)
      problem.design->add_column(columns_[static_cast<std::size_t>(c)], 1.0, A.col(c));
    A.col(m) = Eigen::Map<const Vector>(problem.y.data(), n);
    for (Index c = 0; c <= m; ++c)
      units_[static_cast<std::size_t>(c)] = standardise(problem, w, A.col(c));
    const Eigen::HouseholderQR<Eigen::Ref<Matrix>> qr(A);
    R_ = qr.matrixQR().topRows(std::min(n, m + 1)).triangularView<Eigen::Upper>();
    for (Index c = 0; c <= m; ++c) R_.col(c) *= units_[static_cast<std::size_t>(c)].norm;

    design_.emplace(R_.data(), R_.rows(), m, R_.rows());
    for (const Index j : columns_) signs_.push_back(problem.sign(j));
    rotated_.design = &*design_;
    rotated_.y = {R_.col(m).data(), static_cast<std::size_t>(R_.rows())};
    rotated_.signs = signs_;
    rotated_.intercept = false;
    rotated_.standardize = problem.standardize;
    // A standard deviation is the norm over the root of the sum of weights: here 1 per row.
    const double weights = problem.standardize ? static_cast<double>(R_.rows()) / w.sum() : 1.0;
    rotated_.ridge = problem.ridge / unit_ * weights;
  }
  RotatedProblem(const RotatedProblem&) = delete;
  RotatedProblem& operator=(const RotatedProblem&) = delete;

  Refit refit(Columns support) const {
    std::vector<Index> places;
    for (const Index j : support)
      places.push_back(std::lower_bound(columns_.begin(), columns_.end(), j) - columns_.begin());
    Refit result{lass0::refit(rotated_, places), 0};
    result.rss = unit_ * residual_sum_of_squares(rotated_, result.at);
    result.at.intercept = units_.back().mean;
    for (std::size_t l = 0; l < places.size(); ++l) {
      const auto c = static_cast<std::size_t>(places[l]);
      result.at.intercept -= result.at.coefficients[static_cast<Index>(l)] * units_[c].mean;
      result.at.support[l] = columns_[c];
    }
    return result;
  }

 private:
  std::vector<Index> columns_;
  std::vector<Standardised> units_;  // of the columns and of the target
  double unit_ = 1;                  // of squares: weights are scaled by it
  Matrix R_;
  std::optional<DenseDesign> design_;
  std::vector<int> signs_;
  Problem rotated_;
};

}  // namespace

TableModels refit_table(const Moments& moments, const SupportTable& table) {
  std::optional<RotatedProblem> rotated;
  if (!moments.problem().include.empty())
    rotated.emplace(moments.problem(), columns_of(moments, table));
  TableModels result;
  for (const TableRow& row : table.rows) {
    auto [at, rss] =
        rotated ? rotated->refit(with_included(moments, row.support)) : refit(moments, row.support);
    result.models.push_back(std::move(at));
    result.rss.push_back(rss);
  }
  return result;
}

}  // namespace lass0
