// Lass0 to the letter of the paper: at each lambda Algorithm 1 from the support of the Lasso at the
// same lambda.
#include "compare/method.hpp"
#include "select/paper_supports.hpp"

namespace lass0 {
namespace {

class Lass0Paper final : public Method {
 public:
  MethodName name() const override { return {"lass0-paper", "Lass0 as in the paper"}; }

  std::vector<Tuning> grid(const Moments& training, const Budget& budget) const override {
    return lambda_grid_of(training, whole_table(training, budget), training.problem().ridge);
  }

  std::vector<Candidate> fit(const Moments& rows, std::span<const Tuning> grid,
                             const Budget& budget) const override {
    std::vector<double> lambdas;
    for (const Tuning& tuning : grid) lambdas.push_back(tuning.lambda);
    std::vector<Candidate> candidates;
    for (std::vector<Index>& support :
         paper_supports(rows, lambdas, LassoOptions{}.tolerance, budget))
      candidates.push_back({std::move(support)});
    return candidates;
  }
};

}  // namespace

std::unique_ptr<Method> make_lass0_paper() { return std::make_unique<Lass0Paper>(); }

}  // namespace lass0
