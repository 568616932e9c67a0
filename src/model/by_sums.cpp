// Least squares: every question is one for the moments.
#include "l1/path.hpp"
#include "model/solver.hpp"
#include "search/stand_ins.hpp"

namespace lass0 {
namespace {

class BySums final : public Solver {
 public:
  explicit BySums(Moments moments) : moments_(std::move(moments)) {}

  const Problem& problem() const override { return moments_.problem(); }
  const Moments& moments() const override { return moments_; }
  std::unique_ptr<Solver> at_ridge(double ridge) const override {
    return solver_by_sums(ridge == problem().ridge ? moments_ : moments_.with_ridge(ridge));
  }
  std::unique_ptr<Solver> on_rows(Moments rows, const Vector&) const override {
    return solver_by_sums(std::move(rows));
  }

  SupportTable best_supports(const TableOptions& options) const override {
    return lass0::best_supports(moments_, options);
  }
  SearchResult search(Columns start, const Penalty& penalty, const Control& control,
                      Index stand_ins) const override {
    return lass0::search(moments_, start, penalty, control, stand_ins);
  }
  StandIns stand_ins(Columns support, Index per_member, const Budget& budget) const override {
    return nearest_stand_ins(moments_, support, per_member, budget);
  }

  std::vector<std::vector<Index>> forward(Index steps, const Budget& budget) const override {
    SupportState state(moments_, {}, SupportState::Detail::gains, budget);
    std::vector<std::vector<Index>> supports = {{}};
    while (std::ssize(supports) <= steps) {
      budget.check();
      Index best = -1;
      for (Index j = 0; j < moments_.cols(); ++j) {
        if (state.addable(j) && (best < 0 || state.add_gain(j) > state.add_gain(best))) best = j;
      }
      if (best < 0) break;
      state.add(best);
      supports.push_back(state.support());
    }
    return supports;
  }

  double lasso_lambda_max() const override { return lass0::lasso_lambda_max(moments_); }
  LassoPoint lasso(double lambda, const LassoOptions& options) const override {
    return lass0::lasso(moments_, lambda, options);
  }
  LassoPath lasso_path(const LassoOptions& options) const override {
    return lass0::lasso_path(moments_, options);
  }
  LassoPath lasso_path_at(std::span<const double> lambdas,
                          const LassoOptions& options) const override {
    return lass0::lasso_path_at(moments_, lambdas, options);
  }

  ProvenSupport prove_at_lambda(Columns best, double lambda,
                                const Control& control) const override {
    return lass0::prove_at_lambda(moments_, best, lambda, control);
  }
  ProvenSupport prove_at_size(Columns best, const Control& control) const override {
    return lass0::prove_at_size(moments_, best, control);
  }
  Proof prove_table(SupportTable& table, std::optional<Index> max_k,
                    const Control& control) const override {
    return lass0::prove_table(moments_, table, max_k, control);
  }
  NearOptimal near_optimal(Columns best, std::optional<double> lambda,
                           const NearOptimalOptions& options,
                           const Control& control) const override {
    return lambda ? near_optimal_at_lambda(moments_, best, *lambda, options, control)
                  : near_optimal_of_size(moments_, best, options, control);
  }
  double distance_within(const Within& within, double objective, std::optional<double> lambda,
                         double loss) const override {
    const double n = std::max(moments_.weight(), static_cast<double>(moments_.rows()));
    return lass0::distance_within(within, objective, lambda, loss, n);
  }

  Refit refit(Columns support) const override { return refit_on_data(moments_, support); }
  TableModels refit_table(const SupportTable& table) const override {
    return lass0::refit_table(moments_, table);
  }
  double null_loss() const override {
    return moments_.target_square() * moments_.target_scale() * moments_.target_scale();
  }

 private:
  const Moments moments_;
};

}  // namespace

std::unique_ptr<Solver> solver_by_sums(Moments moments) {
  return std::make_unique<BySums>(std::move(moments));
}

}  // namespace lass0
