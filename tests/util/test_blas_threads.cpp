// BLAS calls from several threads at once give what one thread gives. (A serial OpenBLAS as it
// comes does not: it hands the same work buffer to two threads now and then. See
// src/util/blas/openblas_buffers.cpp.)
#include <gtest/gtest.h>

#include <atomic>
#include <lass0/design.hpp>
#include <thread>
#include <vector>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

TEST(BlasThreads, ProductsFromEightThreadsAtOnceAreThoseOfOne) {
  Rng rng(1);
  Matrix X(700, 64);
  RowMatrix V(700, 40);  // large enough for the kernels that use work buffers
  for (double& x : X.reshaped()) x = rng.normal();
  for (double& v : V.reshaped()) v = rng.normal();
  const DenseDesign design(X);
  const Vector centre = X.colwise().mean();
  const auto products = [&] {
    Matrix out(X.cols(), V.cols());
    design.products(0, X.cols(), centre, RowGroups::single(), V, out);
    return out;
  };
  const Matrix expected = products();
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) wrong += products() == expected ? 0 : 1;
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace lass0::testing
