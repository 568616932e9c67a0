// Families other than gaussian: Newton fits on the rows themselves (src/glm/), with the moments of
// least squares for what depends on X alone.
#include <algorithm>
#include <lass0/error.hpp>
#include <map>

#include "exact/glm_near_optimal.hpp"
#include "exact/glm_prove.hpp"
#include "glm/fit_together.hpp"
#include "glm/glm_forward.hpp"
#include "glm/glm_lasso.hpp"
#include "glm/glm_search.hpp"
#include "glm/glm_table.hpp"
#include "glm/separation.hpp"
#include "model/included.hpp"
#include "model/solver.hpp"
#include "problem/likelihood.hpp"
#include "problem/weights.hpp"

namespace lass0 {
namespace {

// Fits by rows cost far more than by sums, and larger models hardly ever predict better.
constexpr Index kMostColumns = 50;
// What is left to gain, of F: nothing but rounding (newton.hpp).
constexpr double kExactFit = 1e-22;

// The supports that tables have found: where the next one starts.
struct KnownTables {
  std::vector<std::vector<std::vector<Index>>> tables;

  // A quick search starts from the last of them, which is of a ridge nearby.
  std::vector<std::vector<Index>> starts(Effort effort) const {
    std::vector<std::vector<Index>> all;
    const bool last_alone = effort == Effort::quick && !tables.empty();
    for (auto table = last_alone ? std::prev(tables.end()) : tables.begin(); table != tables.end();
         ++table)
      all.insert(all.end(), table->begin(), table->end());
    return all;
  }
};

class ByRows final : public Solver {
 public:
  ByRows(const Problem& problem, Moments base)
      : problem_(problem), base_(std::move(base)), rows_(problem_, base_) {
    panel_.emplace(rows_);
  }
  // At another ridge, where the columns are the same and good supports nearly so.
  ByRows(const Problem& problem, Moments base, const ByRows& parent)
      : problem_(problem),
        base_(std::move(base)),
        rows_(problem_, base_),
        parent_(&parent),
        known_(parent.known_) {
    panel_.emplace(rows_, *parent.panel_);
  }

  const Problem& problem() const override { return problem_; }
  const Moments& moments() const override { return base_; }

  std::unique_ptr<Solver> at_ridge(double ridge) const override {
    Problem other = problem_;
    other.ridge = ridge;
    return std::make_unique<ByRows>(other, base_.with_ridge(ridge), *this);
  }

  std::unique_ptr<Solver> on_rows(Moments rows, const Vector& kept) const override {
    return std::make_unique<ByRows>(with_weights(problem_, kept), std::move(rows));
  }

  double curvature() const override {
    const Response response = rows_.response();
    const Loss& loss = rows_.loss();
    Vector eta = rows_.offset();
    if (problem_.intercept) eta.array() += loss.null_intercept(response);
    return loss.curvature(response, eta)->times(Vector::Ones(eta.size())).sum() / rows_.weight();
  }

  bool makes_lists() const override { return base_.cols() > kAllInPanel; }

  Index default_max_k() const override {
    return std::min(kMostColumns, lass0::default_max_k(base_));
  }

  SupportTable best_supports(const TableOptions& options) const override {
    const Index last = std::max(default_max_k(), options.max_k.value_or(0));
    SupportTable table = table_of(last, options.effort, options.control);
    if (options.max_k && *options.max_k < table.max_k()) {
      table.rows.resize(static_cast<std::size_t>(*options.max_k) + 1);
      table.separated_by.clear();
    }
    return table;
  }
  std::optional<SupportTable> supports_up_to(Index last, const Control& control) const override {
    return table_of(last, Effort::full, control);
  }

  SearchResult search(Columns start, const Penalty& penalty, const Control& control,
                      Index stand_ins) const override {
    return glm_search(*panel_, start, penalty, searched_, control, stand_ins);
  }
  StandIns stand_ins(Columns support, Index per_member, const Budget& budget) const override {
    return glm_stand_ins(*panel_, support, per_member, budget);
  }

  std::vector<std::vector<Index>> forward(Index steps, const Budget& budget) const override {
    return glm_forward(*panel_, steps, budget);
  }

  double lasso_lambda_max() const override { return glm_lasso_lambda_max(rows_); }
  LassoPoint lasso(double lambda, const LassoOptions& options) const override {
    return glm_lasso(rows_, lambda, options);
  }
  LassoPath lasso_path(const LassoOptions& options) const override {
    return glm_lasso_path(rows_, options);
  }
  LassoPath lasso_path_at(std::span<const double> lambdas,
                          const LassoOptions& options) const override {
    LassoOptions at = options;
    at.lambdas.assign(lambdas.begin(), lambdas.end());
    return lasso_path(at);
  }

  ProvenSupport prove_at_lambda(Columns best, double lambda,
                                const Control& control) const override {
    return glm_prove_at_lambda(*panel_, best, lambda, control);
  }
  ProvenSupport prove_at_size(Columns best, const Control& control) const override {
    return glm_prove_at_size(*panel_, best, control);
  }
  Proof prove_table(SupportTable& table, std::optional<Index> max_k,
                    const Control& control) const override {
    return glm_prove_table(*panel_, table, max_k, control);
  }
  NearOptimal near_optimal(Columns best, std::optional<double> lambda,
                           const NearOptimalOptions& options,
                           const Control& control) const override {
    return lambda ? glm_near_optimal_at_lambda(*panel_, best, *lambda, options, control)
                  : glm_near_optimal_of_size(*panel_, best, options, control);
  }
  double distance_within(const Within& within, double objective, std::optional<double> lambda,
                         double) const override {
    return glm_distance_within(within, objective, lambda);
  }

  void check_finite(const SupportTable& table, double lambda, double objective) const override {
    if (table.separated_by.empty()) return;
    const double size = static_cast<double>(table.separated_by.size());
    const GlmFit fit = Newton(*panel_).fit(table.separated_by);
    if (0.5 * fit.loss + lambda * size < objective) throw_separated(problem_, table.separated_by);
  }

  // To the last digits, from what is known of it.
  Refit refit(Columns support) const override {
    std::vector<Index> columns(support.begin(), support.end());
    const auto known = fits_.find(columns);
    GlmStart start;
    if (known != fits_.end()) start = {known->second.intercept, known->second.b, known->second.H};
    const Newton newton(*panel_, kExactFit);
    const GlmFit fit = newton.fit(std::move(columns), known != fits_.end() ? &start : nullptr);
    if (fit.state == GlmFit::State::separated) throw_separated(problem_, fit.support);
    const Iterate at = newton.model(fit);
    return {at, deviance(problem_, at)};
  }

  // That of the table, if it has one: many of them are compared on held-out rows. A quick table may
  // hold a support that separates some rows; its model is as far as the fit got before that showed.
  Iterate model(Columns support, const Iterate* near) const override {
    const Newton newton(*panel_, kExactFit);
    std::vector<Index> columns(support.begin(), support.end());
    const auto known = fits_.find(columns);
    if (known != fits_.end()) return newton.model(known->second);
    if (!near) return newton.model(newton.fit(std::move(columns)));
    const GlmStart start = newton.start(*near, columns);
    return newton.model(newton.fit(std::move(columns), &start));
  }

  TableModels refit_table(const SupportTable& table) const override {
    const Newton newton(*panel_, kExactFit);
    std::vector<WantedFit> wanted;
    for (const TableRow& row : table.rows) {
      const auto known = fits_.find(row.support);
      if (known == fits_.end()) fits_.emplace(row.support, newton.fit(row.support));
      const GlmFit& fit = fits_.at(row.support);
      wanted.push_back({row.support, {fit.intercept, fit.b, fit.H}});
    }
    TableModels models;
    for (const GlmFit& fit :
         fit_together(*panel_, std::move(wanted), kExactFit, Budget(Control()))) {
      if (fit.state == GlmFit::State::separated) throw_separated(problem_, fit.support);
      models.models.push_back(newton.model(fit));
      models.rss.push_back(deviance(problem_, models.models.back()));
    }
    return models;
  }

  double null_loss() const override {
    const Vector weights = row_weights(problem_);
    return null_deviance(problem_, weights, weights);
  }

 private:
  SupportTable table_of(Index last, Effort effort, const Control& control) const {
    const Budget budget(control);
    GlmTable found = best_glm_supports(
        *panel_, {.max_k = last, .effort = effort, .starts = known_->starts(effort)}, budget);
    std::vector<std::vector<Index>> supports;
    for (std::size_t k = 0; k < found.fits.size(); ++k) {
      if (k > 0) supports.push_back(found.fits[k].support);
      fits_[found.fits[k].support] = std::move(found.fits[k]);
    }
    known_->tables.push_back(std::move(supports));
    if (parent_) parent_->panel_.emplace(parent_->rows_, *panel_);  // for the next ridge
    return std::move(found.table);
  }

  const Problem problem_;
  const Moments base_;
  const GlmRows rows_;
  mutable std::optional<Panel> panel_;
  mutable std::map<std::vector<Index>, GlmFit> fits_;  // that tables leave here
  mutable KnownFits searched_;
  const ByRows* parent_ = nullptr;
  std::shared_ptr<KnownTables> known_ = std::make_shared<KnownTables>();  // at any ridge
};

}  // namespace

std::unique_ptr<Solver> solver_by_rows(const Problem& problem, Moments base) {
  validate(problem);
  if (has_signs(problem))
    throw UsageError(
        "sign constraints work with the family gaussian only: remove them, or use the family "
        "gaussian");
  return std::make_unique<ByRows>(problem, std::move(base));
}

}  // namespace lass0
