#include "exact/glm_candidates.hpp"

#include <algorithm>
#include <lass0/prove.hpp>
#include <limits>

#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of standardised columns: one is a multiple of the other.
bool is_multiple(const Vector& a, const Vector& b) {
  const double square = a.squaredNorm(), product = a.dot(b);
  return (b - (product / square) * a).norm() <= kDependentNorm * b.norm();
}

}  // namespace

std::vector<Index> eligible_columns(const GlmRows& rows) {
  std::vector<Index> columns;
  for (Index j = 0; j < rows.cols(); ++j) {
    if (rows.eligible(j)) columns.push_back(j);
  }
  return columns;
}

GlmCandidates::GlmCandidates(Panel& panel, const Budget& budget)
    : GlmCandidates(panel, budget, eligible_columns(panel.rows())) {}

GlmCandidates::GlmCandidates(Panel& panel, const Budget& budget, std::vector<Index> eligible)
    : panel_((panel.add(eligible), panel)), bounds_(panel), search_(panel, bounds_, columns_) {
  merge_copies(eligible);
  budget.check();
  all_ = bounds_.fit(columns_);
  lower_ = bounds_.by_size(columns_, bounds_.fit_alone({}), count());
  for (double& lower : lower_) lower = std::max(lower, all_.lower);
}

// With a ridge two duplicates are better than one: the ridge term of the sum of both is smaller.
void GlmCandidates::merge_copies(const std::vector<Index>& eligible) {
  representative_.assign(static_cast<std::size_t>(panel_.rows().cols()), -1);
  for (const Index j : eligible) {
    const Index n = panel_.rows().rows();
    const Eigen::Map<const Vector> z(panel_.column(j), n);
    Index& number = representative_[static_cast<std::size_t>(j)];
    for (Index r = 0; r < count() && number < 0 && !bounds_.has_ridge(); ++r) {
      if (is_multiple(Eigen::Map<const Vector>(panel_.column(copies(r).front()), n), z)) number = r;
    }
    if (number >= 0) {
      copies_[static_cast<std::size_t>(number)].push_back(j);
      continue;
    }
    number = count();
    columns_.push_back(j);
    copies_.push_back({j});
  }
}

Subproblem GlmCandidates::everything() const {
  Subproblem all;
  for (Index j = 0; j < count(); ++j) all.free.push_back(j);
  all.lower = lower_;
  return all;
}

double GlmCandidates::loss(const std::vector<Index>& support) const {
  std::vector<Index> columns;
  for (const Index r : support) columns.push_back(columns_[static_cast<std::size_t>(r)]);
  const GlmFit fit = bounds_.fit_alone(std::move(columns));
  return fit.fitted() ? fit.loss : kInfinity;
}

// By what the fit on all columns says.
std::vector<OneSidedBounds> GlmCandidates::one_sided_bounds(const Goal&, const Budget&) const {
  std::vector<OneSidedBounds> bounds(static_cast<std::size_t>(count()));
  for (Index r = 0; r < count(); ++r) {
    OneSidedBounds& sides = bounds[static_cast<std::size_t>(r)];
    sides.with.assign(static_cast<std::size_t>(count()) + 1, all_.lower);
    sides.without.assign(static_cast<std::size_t>(count()) + 1, all_.lower + all_.worth[r]);
    sides.with.front() = sides.without.back() = kInfinity;
  }
  return bounds;
}

std::unique_ptr<const Candidates> glm_candidates_of(Panel& panel, const Budget& budget,
                                                    Status& status) try {
  check_provable(panel.rows().problem());
  status = Status::gap;
  const Index most =
      panel.rows().ridge() > 0 ? kMostColumnsOfRidgedGlmProofs : kMostColumnsOfGlmProofs;
  if (std::ssize(eligible_columns(panel.rows())) > most) return nullptr;
  budget.check();
  return std::make_unique<GlmCandidates>(panel, budget);
} catch (const Stop& stop) {
  if (stop.status == Status::interrupted) status = stop.status;
  return nullptr;
}

}  // namespace lass0
