// Few of many columns: their products among themselves, what all others have in common with the
// residuals of models on them, and moments of these columns alone.
#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>

#include "moments/parts.hpp"
#include "util/blas.hpp"

namespace lass0 {
namespace {

// Each column of any of the supports once, ascending.
std::vector<Index> all_members(std::span<const Moments::Coefficients> models) {
  std::vector<Index> members;
  for (const auto& model : models)
    members.insert(members.end(), model.support.begin(), model.support.end());
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

}  // namespace

// Over the rows themselves: with e = u - Z b, about its mean, and v = w e, that is Z'v.
void Moments::residual_correlations(std::span<const Coefficients> models, MutMat out) const {
  if (parts_->subset) throw Error("moments among some columns do not contain the others");
  const AllRows& all = parts_->rows();
  const std::vector<Index>& included = parts_->included;
  const Vector& w = all.row_weights();
  const Index n = w.size(), m = std::ssize(models);
  // The included columns belong to every model.
  std::vector<Coefficients> whole(models.begin(), models.end());
  for (Coefficients& model : whole) {
    const Vector a = parts_->included_coefficients(model.support, model.b);
    model.support.insert(model.support.end(), included.begin(), included.end());
    model.b.conservativeResize(std::ssize(model.support));
    model.b.tail(a.size()) = a;
  }
  const std::vector<Index> members = all_members(whole);
  Matrix b = Matrix::Zero(std::ssize(members), m);
  for (Index l = 0; l < m; ++l) {
    const Coefficients& model = whole[static_cast<std::size_t>(l)];
    for (Index i = 0; i < model.b.size(); ++i) {
      const auto at = std::lower_bound(members.begin(), members.end(),
                                       model.support[static_cast<std::size_t>(i)]);
      b(at - members.begin(), l) = model.b[i];
    }
  }

  const Eigen::Map<const Vector> y(problem_.y.data(), n);
  const Vector u =
      (w.array() > 0).select((y.array() - all.target_centre()) / all.target_scale(), 0.0);
  Matrix residuals = u.replicate(1, m);
  const Vector used = (w.array() > 0).cast<double>();
  const Index width = all.columns_at_a_time();
  for (Index first = 0; first < b.rows(); first += width) {
    const Index count = std::min(width, b.rows() - first);
    const Matrix Z = all.internal_columns(
        Columns(members).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)),
        used);
    blas::subtract_product(n, m, count, Z.data(), n, &b(first, 0), b.rows(), residuals.data(), n);
  }

  const Vector kept = all.weights_without(parts_->view->held_out);
  for (Index from = 0; from < m; from += kGramBatch) {
    const Index count = std::min(kGramBatch, m - from);
    RowMatrix V = RowMatrix::Zero(n, kGramBatch);
    for (Index l = 0; l < count; ++l) {
      const auto e = residuals.col(from + l);
      const double mean = problem_.intercept ? kept.dot(e) / parts_->view->weight : 0.0;
      V.col(l) = (kept.array() > 0).select(kept.array() * (e.array() - mean), 0.0);
    }
    out.middleCols(from, count) = all.times(V).leftCols(count);
  }
  for (Index l = 0; l < m; ++l) {
    const Coefficients& model = models[static_cast<std::size_t>(l)];
    for (Index i = 0; i < std::ssize(model.support); ++i) {
      const Index j = model.support[static_cast<std::size_t>(i)];
      out(j, l) -= ridge(j) * model.b[i];
    }
    for (Index j = 0; j < cols(); ++j)
      if (!eligible(j)) out(j, l) = 0;
  }
}

Moments Moments::among(Columns columns) const {
  const Index m = std::ssize(columns);
  prefetch_block(columns);
  Matrix G(m, m);
  gram_block(columns, columns, G);
  // As everywhere, the diagonal is that of the sums of squares, exactly 0 where not eligible.
  for (Index l = 0; l < m; ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    if (!eligible(j)) G.col(l).setZero(), G.row(l).setZero();
    G(l, l) = diagonal_[j];
  }
  const auto of = [&](const Vector& all) {
    Vector some(all.size() > 0 ? m : 0);
    for (Index l = 0; l < some.size(); ++l) some[l] = all[columns[static_cast<std::size_t>(l)]];
    return some;
  };
  const GramView& view = *parts_->view;
  GramView small_view{.sums = of(view.sums),
                      .weight = view.weight,
                      .target_sum = view.target_sum,
                      .ridge = of(view.ridge),
                      .explained = {}};
  auto parts = std::make_shared<Parts>();
  parts->plan = parts_->plan;
  parts->view = std::make_shared<const GramView>(std::move(small_view));
  parts->gram = subset_gram(std::move(G), parts_->rows().threads());
  parts->subset = true;
  parts->rows_used = parts_->rows_used;
  parts->lost_digits = parts_->lost_digits;
  parts->scale = std::make_shared<const Vector>(of(*parts_->scale));
  parts->centre = std::make_shared<const Vector>(of(*parts_->centre));

  Moments small;
  small.problem_ = problem_;
  small.control_ = control_;
  small.yty_ = yty_;
  small.target_square_ = target_square_;
  small.xty_ = of(xty_);
  small.diagonal_ = of(diagonal_);
  small.squares_ = of(squares_);
  small.l1_weights_ = of(l1_weights_);
  small.ridge_ = of(ridge_);
  small.parts_ = std::move(parts);
  return small;
}

}  // namespace lass0
