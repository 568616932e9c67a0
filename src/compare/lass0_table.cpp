// Lass0 by the table of best supports: without a ridge, with one that is tuned too (as `lass0 cv
// --ridge auto`), and with every row of every table proven to be the best of its size.
#include <lass0/prove.hpp>

#include "compare/method.hpp"

namespace lass0 {
namespace {

enum class Kind { plain, ridge, exact };

class Lass0Table final : public Method {
 public:
  explicit Lass0Table(Kind kind) : kind_(kind) {}

  MethodName name() const override {
    switch (kind_) {
      case Kind::ridge:
        return {"lass0-ridge", "Lass0 with a ridge"};
      case Kind::exact:
        return {"exact", "the proven optimum"};
      case Kind::plain:
        break;
    }
    return {"lass0", "Lass0"};
  }

  std::vector<Tuning> grid(const Moments& training, const Budget& budget) const override {
    std::vector<double> ridges = {training.problem().ridge};
    if (kind_ == Kind::ridge) ridges = ridge_grid(training);
    std::vector<Tuning> grid;
    for (const double ridge : ridges) {
      const Moments moments = training.with_ridge(ridge);
      const std::vector<Tuning> lambdas =
          lambda_grid_of(moments, whole_table(moments, budget), ridge);
      grid.insert(grid.end(), lambdas.begin(), lambdas.end());
    }
    return grid;
  }

  std::vector<Candidate> fit(const Moments& rows, std::span<const Tuning> grid,
                             const Budget& budget) const override {
    std::vector<Candidate> candidates;
    SupportTable table;
    for (std::size_t l = 0; l < grid.size(); ++l) {
      if (l == 0 || grid[l].ridge != grid[l - 1].ridge)
        table = table_at(rows.with_ridge(grid[l].ridge), budget);
      candidates.push_back({table.at_lambda(grid[l].lambda).support});
    }
    return candidates;
  }

 private:
  SupportTable table_at(const Moments& moments, const Budget& budget) const {
    SupportTable table = whole_table(moments, budget);
    if (kind_ != Kind::exact) return table;
    const Proof proof = prove_table(moments, table, -1, budget.remaining());
    if (proof.status == Status::gap) throw Stop{Status::time_limit};
    if (proof.status == Status::interrupted) throw Stop{proof.status};
    return table;
  }

  Kind kind_;
};

}  // namespace

std::unique_ptr<Method> make_lass0() { return std::make_unique<Lass0Table>(Kind::plain); }
std::unique_ptr<Method> make_lass0_ridge() { return std::make_unique<Lass0Table>(Kind::ridge); }
std::unique_ptr<Method> make_exact() { return std::make_unique<Lass0Table>(Kind::exact); }

}  // namespace lass0
