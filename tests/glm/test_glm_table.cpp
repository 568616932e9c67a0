// The table of a logistic problem against all supports.
#include <gtest/gtest.h>

#include "glm/glm_table.hpp"
#include "support/logistic.hpp"

namespace lass0::testing {
namespace {

struct Searched {
  std::vector<TableRow> rows;
  std::optional<Separation> separation;
};

Searched table_of(const LogisticData& logistic, Effort effort, Index max_k) {
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  Problem squares = problem;
  squares.family = Family::gaussian;
  squares.offset = {};
  const Moments base(squares);
  const GlmRows rows(problem, base);
  Panel panel(rows);
  const Budget budget{Control{}};
  GlmTable table = best_glm_supports(panel, {.max_k = max_k, .effort = effort}, budget);
  return {std::move(table.table.rows), table.separation};
}

TEST(GlmTable, IsNearlyAlwaysThatOfAllSupports) {
  Rng rng(1);
  int rows = 0, optimal = 0, quick_optimal = 0;
  for (int problem = 0; problem < 28; ++problem) {
    LogisticSpec spec;
    spec.n = rng.between(80, 150);
    spec.p = rng.between(9, 11);
    spec.rho = rng.uniform(0.3, 0.95);
    const LogisticData logistic = random_logistic(spec, rng);
    const auto best = best_by_brute_force(logistic);
    const Index max_k = std::ssize(best) - 1;
    const Searched full = table_of(logistic, Effort::full, max_k);
    const Searched quick = table_of(logistic, Effort::quick, max_k);
    ASSERT_EQ(std::ssize(full.rows), std::ssize(best));
    for (std::size_t k = 1; k < best.size(); ++k) {
      ++rows;
      EXPECT_GE(full.rows[k].loss, best[k].loss * (1 - 1e-9));
      if (full.rows[k].loss <= best[k].loss * (1 + 1e-9)) ++optimal;
      if (k < quick.rows.size() && quick.rows[k].loss <= best[k].loss * (1 + 1e-9)) ++quick_optimal;
    }
  }
  std::printf("%d rows, full %d, quick %d\n", rows, optimal, quick_optimal);
  EXPECT_GE(optimal, 0.99 * rows);
}

}  // namespace
}  // namespace lass0::testing
