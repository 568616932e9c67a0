// A sparse X: products come from its non-zeros whenever they are asked for, and none is kept.
#include "moments/gram_block.hpp"
#include "moments/sparse_products.hpp"

namespace lass0 {
namespace {

// Means of at most this many standard deviations, squared: products from non-zeros have their
// squares subtracted. No column with as many zeros as other values of one sign has more.
constexpr double kSmallMeanSquared = 2;
constexpr double kShareOfRows = 0.5;  // of the room, for X once more by rows

SparseProducts products_of(const AllRows& rows, std::shared_ptr<const SparseRows> by_rows,
                           const GramView& view) {
  const Vector unit = rows.unit();
  Vector mu, weights = rows.weights_without(view.held_out);
  Vector target = Eigen::Map<const Vector>(rows.problem().y.data(), weights.size());
  target = (target.array() - rows.target_centre()) / rows.target_scale();
  if (rows.problem().intercept) {
    target.array() -= view.target_sum / view.weight;
    mu.resize(rows.cols());
    for (Index j = 0; j < rows.cols(); ++j)
      mu[j] = unit[j] * (rows.centre()[j] + rows.scale()[j] * view.sums[j] / view.weight);
  }
  target = (weights.array() > 0).select(target, 0.0);
  return {*rows.problem().design, std::move(by_rows), unit,
          std::move(mu),          std::move(weights), std::move(target)};
}

class SparseSource final : public GramSource {
 public:
  SparseSource(std::shared_ptr<const AllRows> rows, std::shared_ptr<const SparseRows> by_rows,
               std::shared_ptr<const GramView> view)
      : rows_(std::move(rows)),
        view_(std::move(view)),
        products_(products_of(*rows_, std::move(by_rows), *view_)),
        block_(*rows_, *view_) {}

  void prefetch(Columns, const Budget*) override {}
  void prefetch_block(Columns columns) override { block_.fetch(columns); }
  bool cached(Index) const override { return true; }
  bool cached_over_all_rows(Index) const override { return true; }

  void columns(Columns columns, MutMat out) override {
    for (Index l = 0; l < std::ssize(columns); ++l)
      times(columns.subspan(static_cast<std::size_t>(l), 1), Matrix::Ones(1, 1), out.col(l));
  }
  void block(Columns rows, Columns columns, MutMat out) override;
  void times(Columns columns, const ConstMat& V, MutMat out) override;

  SumOfTerms held_out_square(Columns support, const ConstVec& b) override {
    Matrix G;
    if (!block_.copy_held_out(support, G))
      G = products_over_rows(*rows_, block_.held_out_rows(), support);
    return square_of(G, b);
  }
  const SparseProducts* sparse() const override { return &products_; }

 private:
  double ridge(Index j) const { return view_->ridge.size() > 0 ? view_->ridge[j] : 0.0; }

  std::shared_ptr<const AllRows> rows_;
  std::shared_ptr<const GramView> view_;
  SparseProducts products_;
  ViewBlock block_;
};

void SparseSource::block(Columns rows, Columns columns, MutMat out) {
  if (block_.copy(rows, columns, out)) return;
  products_.block(rows, columns, out);
  const Matrix& explained = view_->explained;
  for (Index l = 0; l < std::ssize(columns); ++l) {
    const Index j = columns[static_cast<std::size_t>(l)];
    for (Index r = 0; r < std::ssize(rows); ++r) {
      const Index i = rows[static_cast<std::size_t>(r)];
      if (i == j) out(r, l) += ridge(j);
      if (explained.size() > 0) out(r, l) -= explained.row(i).dot(explained.row(j));
    }
  }
}

void SparseSource::times(Columns columns, const ConstMat& V, MutMat out) {
  rows_->count_pass();
  products_.times(columns, V, rows_->threads(), out);
  const Matrix& explained = view_->explained;
  for (Index m = 0; m < V.cols(); ++m) {
    for (Index l = 0; l < std::ssize(columns); ++l) {
      const Index j = columns[static_cast<std::size_t>(l)];
      out(j, m) += ridge(j) * V(l, m);
    }
    if (explained.size() > 0) out.col(m) -= explained * view_->explained_times(columns, V.col(m));
  }
}

class SparsePlan final : public GramPlan {
 public:
  SparsePlan(std::shared_ptr<const AllRows> rows, std::shared_ptr<const SparseRows> by_rows)
      : GramPlan(std::move(rows)), by_rows_(std::move(by_rows)) {
    this->rows().room().take(by_rows_->bytes());
  }

  std::shared_ptr<GramSource> source(std::shared_ptr<const GramView> view) override {
    return std::make_shared<SparseSource>(shared_rows(), by_rows_, std::move(view));
  }
  GramUse::Plan kind() const override { return GramUse::Plan::sparse; }
  Index kept_columns() const override { return 0; }

 private:
  std::shared_ptr<const SparseRows> by_rows_;
};

}  // namespace

std::shared_ptr<GramPlan> sparse_gram(std::shared_ptr<const AllRows> rows) {
  if (!rows->small_means(kSmallMeanSquared)) return nullptr;
  auto by_rows = SparseRows::of(*rows->problem().design, rows->unit(),
                                kShareOfRows * rows->room().asked_for());
  if (!by_rows) return nullptr;
  return std::make_shared<SparsePlan>(std::move(rows), std::move(by_rows));
}

}  // namespace lass0
