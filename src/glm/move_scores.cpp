#include "glm/move_scores.hpp"

#include <algorithm>
#include <numeric>

#include "util/blas.hpp"
#include "util/cholesky.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// The best few of many steps.
class BestSteps {
 public:
  explicit BestSteps(Index count) : count_(count) {}
  double least() const {
    return std::ssize(steps_) < count_ || steps_.empty() ? 0 : steps_.back().gain;
  }
  void offer(const Step& step) {
    if (count_ == 0 || (std::ssize(steps_) == count_ && !(step.gain > steps_.back().gain))) return;
    const auto after =
        std::upper_bound(steps_.begin(), steps_.end(), step,
                         [](const Step& one, const Step& other) { return one.gain > other.gain; });
    steps_.insert(after, step);
    if (std::ssize(steps_) > count_) steps_.pop_back();
  }
  std::vector<Step> take() { return std::move(steps_); }

 private:
  Index count_;
  std::vector<Step> steps_;
};

std::vector<Index> all_columns(const Panel& panel) {
  std::vector<Index> columns(static_cast<std::size_t>(panel.rows().cols()));
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

}  // namespace

MoveScores::MoveScores(const Panel& panel, const GlmFit& fit, Among among)
    : panel_(panel),
      of_panel_(among == Among::panel),
      fit_(fit),
      first_(panel.rows().problem().intercept ? 1 : 0) {
  use_rows(among);
  score();
}

MoveScores::MoveScores(const Panel& panel, const GlmFit& fit, const PanelCurvature& nearby,
                       Vector products)
    : panel_(panel),
      of_panel_(true),
      fit_(fit),
      first_(panel.rows().problem().intercept ? 1 : 0),
      columns_(panel.columns()) {
  const GlmRows& rows = panel.rows();
  std::vector<Index> places(static_cast<std::size_t>(first_), 0);
  for (const auto* list : {&rows.included(), &fit.support}) {
    for (const Index j : *list) places.push_back(first_ + panel.place(j));
  }
  const Matrix& C = nearby.matrix();
  ZMZ_ = C(places, places);
  P_ = C.bottomRows(panel.size())(Eigen::all, places);
  if (panel.size() > 0) squares_ = C.diagonal().tail(panel.size());
  r_ = std::move(products);
  score();
}

MoveScores::MoveScores(const Panel& panel, const GlmFit& fit, const SharedCurvature& nearby,
                       std::size_t s)
    : panel_(panel),
      of_panel_(nearby.among() == SharedCurvature::Among::panel),
      outside_(!of_panel_),
      fit_(fit),
      first_(panel.rows().problem().intercept ? 1 : 0),
      columns_(of_panel_ ? panel.columns() : all_columns(panel)),
      ZMZ_(nearby.among_own(s)),
      P_(nearby.with_own(s)),
      r_(nearby.residual_products(s)),
      squares_(nearby.squares()) {
  score();
}

void MoveScores::use_rows(Among among) {
  const GlmRows& rows = panel_.rows();
  const Index n = rows.rows(), d = dimension();
  const Response response = rows.response();
  const Vector u = rows.loss().residual(response, fit_.eta);
  const auto curvature = rows.loss().curvature(response, fit_.eta);
  const Vector* M = curvature->diagonal();

  Matrix Z(n, d), MZ(n, d);
  if (first_ > 0) Z.col(0).setOnes();
  Index c = first_;
  for (const auto* list : {&rows.included(), &fit_.support}) {
    for (const Index j : *list) Z.col(c++) = Eigen::Map<const Vector>(panel_.column(j), n);
  }
  for (c = 0; c < d; ++c) MZ.col(c) = M ? M->cwiseProduct(Z.col(c)) : curvature->times(Z.col(c));
  ZMZ_.resize(d, d);
  if (d > 0) blas::transposed_times(d, d, n, Z.data(), n, MZ.data(), n, ZMZ_.data(), d);

  Matrix P;  // columns x (d + 1): with MZ, and with u
  if (among == Among::panel) {
    columns_ = panel_.columns();
    const Index m = panel_.size();
    Matrix V(n, d + 1);
    V << MZ, u;
    P.resize(m, d + 1);
    const auto all = panel_.matrix();
    blas::transposed_times(m, d + 1, n, all.data(), n, V.data(), n, P.data(), m);
    squares_.resize(m);
    for (Index l = 0; l < m; ++l)
      squares_[l] = M ? (M->array() * all.col(l).array().square()).sum()
                      : all.col(l).dot(curvature->times(all.col(l)));
  } else {
    columns_ = all_columns(panel_);
    RowMatrix V(n, d + 1);
    V << MZ, u;
    P = rows.products(V);
    // Without a diagonal: the case weights bound nothing, but rank well enough for a first look.
    const Vector ones = M ? *M : curvature->times(Vector::Ones(n));
    squares_ = rows.squares(ones);
  }
  r_ = P.col(d);
  P.conservativeResize(P.rows(), d);
  P_ = std::move(P);
}

void MoveScores::score() {
  const Index d = dimension();
  const double ridge = panel_.rows().ridge();
  b_.resize(d);
  if (first_ > 0) b_[0] = fit_.intercept;
  b_.tail(fit_.b.size()) = fit_.b;
  for (Index l = first_; l < d; ++l) ZMZ_(l, l) += ridge;
  squares_.array() += ridge;
  const Cholesky factor(ZMZ_);
  valid_ = factor.positive_definite();
  if (!valid_) return;
  H_ = factor.inverse();
  B_.resize(P_.rows(), d);
  if (d > 0)
    blas::product(P_.rows(), d, d, P_.data(), P_.rows(), H_.data(), d, B_.data(), P_.rows());
  s_ = squares_ - B_.cwiseProduct(P_).rowwise().sum();
}

bool MoveScores::candidate(Index place) const {
  const Index j = columns_[static_cast<std::size_t>(place)];
  const GlmRows& rows = panel_.rows();
  if (outside_ && panel_.place(j) >= 0) return false;
  return rows.eligible(j) && s_[place] > kAliasTolerance * squares_[place] &&
         !std::binary_search(fit_.support.begin(), fit_.support.end(), j);
}

Index MoveScores::position(Index column) const {
  const auto at = std::lower_bound(fit_.support.begin(), fit_.support.end(), column);
  return first_ + std::ssize(panel_.rows().included()) + (at - fit_.support.begin());
}

double MoveScores::worth(Index position) const {
  return b_[position] * b_[position] / H_(position, position);
}

std::vector<Step> MoveScores::adds(Index count) const {
  if (!valid_) return {};
  BestSteps best(count);
  for (Index l = 0; l < std::ssize(columns_); ++l) {
    if (!(r_[l] * r_[l] > best.least() * s_[l]) || !candidate(l)) continue;
    best.offer({-1, columns_[static_cast<std::size_t>(l)], r_[l] * r_[l] / s_[l]});
  }
  return best.take();
}

std::vector<Step> MoveScores::removes(Index count) const {
  if (!valid_) return {};
  BestSteps best(count);
  for (const Index j : fit_.support) best.offer({j, -1, -worth(position(j))});
  return best.take();
}

std::vector<Step> MoveScores::swaps(Index count, Columns members) const {
  if (!valid_) return {};
  BestSteps best(count);
  std::vector<Index> places;
  for (Index l = 0; l < std::ssize(columns_); ++l) {
    if (candidate(l)) places.push_back(l);
  }
  const double no_limit = std::numeric_limits<double>::infinity();
  for (const Index i : members) {
    const Index at = position(i);
    const double inverse_h = 1 / H_(at, at);
    const Replaced member{inverse_h, b_[at] * inverse_h, worth(at)};
    const auto B = B_.col(at);
    for (const Index l : places) {
      const double unexplained = member.unexplained(s_[l], B[l]);
      const double correlation = member.correlation(r_[l], B[l]);
      const double gain = member.gain(correlation, unexplained, no_limit);
      // The best few are refitted even where no gain is expected: scores are to second order only.
      best.offer({i, columns_[static_cast<std::size_t>(l)], gain});
    }
  }
  return best.take();
}

GlmStart MoveScores::start(const Step& step) const {
  // Coefficients after the remove, then after the add; both by the formulas of least squares.
  Vector b = b_;
  Index out = -1;
  if (step.remove >= 0) {
    out = position(step.remove);
    b -= H_.col(out) * (b_[out] / H_(out, out));
  }
  double added = 0;
  Index l = -1;
  if (step.add >= 0) {
    l = of_panel_ ? panel_.place(step.add) : step.add;
    Vector B = B_.row(l).transpose();
    double r = r_[l], s = s_[l];
    if (out >= 0) {
      const double inverse_h = 1 / H_(out, out);
      r += B[out] * b_[out] * inverse_h;
      s += B[out] * B[out] * inverse_h;
      B -= H_.col(out) * (B[out] * inverse_h);
    }
    added = r / s;
    b -= B * added;
  }
  // Where each coefficient of the new support stands in the old one; -1: the one added.
  std::vector<Index> from;
  const Index fixed = first_ + std::ssize(panel_.rows().included());
  for (Index c = 0; c < fixed; ++c) from.push_back(c);
  bool placed = step.add < 0;
  for (std::size_t m = 0; m < fit_.support.size(); ++m) {
    if (!placed && step.add < fit_.support[m]) {
      from.push_back(-1);
      placed = true;
    }
    if (fit_.support[m] != step.remove) from.push_back(fixed + static_cast<Index>(m));
  }
  if (!placed) from.push_back(-1);

  const Index d = std::ssize(from);
  const auto old = [&](Index c) { return from[static_cast<std::size_t>(c)]; };
  GlmStart start{.intercept = first_ > 0 ? b[0] : 0, .b = Vector(d - first_), .H = Matrix(d, d)};
  for (Index c = 0; c < d; ++c) {
    if (c >= first_) start.b[c - first_] = old(c) >= 0 ? b[old(c)] : added;
    for (Index a = 0; a < d; ++a) {
      const Index one = old(a), other = old(c);
      start.H(a, c) = one >= 0 && other >= 0 ? ZMZ_(one, other)
                      : one == other         ? squares_[l]
                                             : P_(l, std::max(one, other));
    }
  }
  return start;
}

}  // namespace lass0
