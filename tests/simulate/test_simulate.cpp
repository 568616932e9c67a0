#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/simulate.hpp>
#include <limits>
#include <string>
#include <vector>

namespace lass0 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

Matrix expected_correlation(const SimulateOptions& options) {
  return Matrix::NullaryExpr(options.p, options.p, [&](Index i, Index j) {
    if (i == j) return 1.0;
    return options.correlation == Correlation::equal
               ? options.rho
               : std::pow(options.rho, static_cast<double>(std::abs(i - j)));
  });
}

TEST(Simulate, ASeedFixesTheData) {
  const SimulateOptions options{.n = 20, .p = 6, .k = 3, .seed = 42};
  const Simulated first = simulate(options);
  const Simulated second = simulate(options);
  EXPECT_EQ(first.X, second.X);
  EXPECT_EQ(first.y, second.y);
  EXPECT_EQ(first.support, second.support);

  SimulateOptions other = options;
  other.seed = 43;
  EXPECT_NE(simulate(other).X, first.X);
}

TEST(Simulate, TheValuesOfASeedStayWhatTheyWere) {
  const Simulated data = simulate({.n = 3, .p = 4, .k = 2, .rho = 0.5, .snr = 4, .seed = 1});
  EXPECT_EQ(data.support, (std::vector<Index>{0, 3}));
  EXPECT_NEAR(data.beta[0], -0.054193156936952702, 1e-15);
  EXPECT_NEAR(data.beta[3], 0.91578702077136076, 1e-15);
  EXPECT_NEAR(data.X(0, 0), 1.0935298983701001, 1e-14);
  EXPECT_NEAR(data.X(2, 3), -1.8558382351845575, 1e-14);
  EXPECT_NEAR(data.noise, 0.44496443002070157, 1e-14);
  EXPECT_NEAR(data.y[2], -1.2942958359963781, 1e-14);
}

TEST(Simulate, UnitCoefficientsHaveBothSignsAndTheSameColumns) {
  SimulateOptions options{.n = 4, .p = 300, .k = 200, .rho = 0.5, .seed = 7};
  const Simulated uniform = simulate(options);
  options.coefficients = TrueCoefficients::unit;
  const Simulated unit = simulate(options);
  EXPECT_EQ(unit.X, uniform.X);
  EXPECT_EQ(unit.support, uniform.support);
  EXPECT_EQ(unit.beta.cwiseAbs().sum(), 200);
  EXPECT_EQ((unit.beta.array() * uniform.beta.array() < 0).count(), 0);
  EXPECT_LT(std::abs(unit.beta.sum()), 60);  // 4 standard deviations
}

TEST(Simulate, ColumnsHaveTheCorrelationAskedFor) {
  for (const Correlation correlation : {Correlation::equal, Correlation::ar1})
    for (const double rho : {-0.7, 0.0, 0.5, 0.95}) {
      if (correlation == Correlation::equal && rho < 0) continue;
      SCOPED_TRACE(rho);
      const SimulateOptions options{
          .n = 20000, .p = 8, .k = 0, .rho = rho, .seed = 3, .correlation = correlation};
      const Matrix X = simulate(options).X;
      const Matrix covariance = X.transpose() * X / static_cast<double>(options.n);
      const double sampling = 5 * std::sqrt(2.0 / static_cast<double>(options.n));
      EXPECT_LT((covariance - expected_correlation(options)).cwiseAbs().maxCoeff(), sampling);
      EXPECT_LT((X.colwise().mean()).cwiseAbs().maxCoeff(), sampling);
    }
}

TEST(Simulate, BetaIsUniformOnASupportOfTheSizeAskedFor) {
  for (const Index k : {0, 1, 7, 30}) {
    const Simulated data = simulate({.n = 5, .p = 30, .k = k, .seed = 9});
    EXPECT_EQ(std::ssize(data.support), k);
    EXPECT_EQ((data.beta.array() != 0).count(), k);
    EXPECT_LT(data.beta.cwiseAbs().maxCoeff(), 1);
    for (std::size_t i = 0; i < data.support.size(); ++i) {
      EXPECT_NE(data.beta[data.support[i]], 0);
      if (i > 0) {
        EXPECT_LT(data.support[i - 1], data.support[i]);
      }
    }
  }
  const Simulated many = simulate({.n = 1, .p = 20000, .k = 20000, .seed = 2});
  EXPECT_NEAR(many.beta.mean(), 0, 5 * std::sqrt(1.0 / 3 / 20000));
  EXPECT_NEAR(many.beta.squaredNorm() / 20000, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / 20000));
}

TEST(Simulate, NoiseHasTheSignalToNoiseRatioOfThePopulation) {
  for (const Correlation correlation : {Correlation::equal, Correlation::ar1}) {
    const SimulateOptions options{
        .n = 20000, .p = 12, .k = 5, .rho = 0.8, .snr = 3, .seed = 4, .correlation = correlation};
    const Simulated data = simulate(options);
    const double signal = data.beta.dot(expected_correlation(options) * data.beta);
    EXPECT_NEAR(signal / (data.noise * data.noise), options.snr, 1e-12);

    const double measured = std::sqrt((data.y - data.X * data.beta).squaredNorm() / 20000);
    EXPECT_NEAR(measured / data.noise, 1, 5 / std::sqrt(2.0 * 20000));
  }
}

TEST(Simulate, InfiniteSnrMeansNoNoiseAndNoSignalMeansUnitNoise) {
  const Simulated exact = simulate({.snr = kInfinity, .seed = 6});
  EXPECT_EQ(exact.noise, 0);
  EXPECT_LT((exact.y - exact.X * exact.beta).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(simulate({.k = 0}).noise, 1);
}

TEST(Simulate, AnotherSnrChangesOnlyTheSizeOfTheNoise) {
  const Simulated loud = simulate({.snr = 1, .seed = 8});
  const Simulated quiet = simulate({.snr = 4, .seed = 8});
  EXPECT_EQ(loud.X, quiet.X);
  EXPECT_EQ(loud.beta, quiet.beta);
  const Vector signal = loud.X * loud.beta;
  EXPECT_LT(((loud.y - signal) - 2 * (quiet.y - signal)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Simulate, ClassesAreDrawnWithTheLogOddsOfTheModel) {
  SimulateOptions options{.n = 20000, .p = 6, .k = 3, .rho = 0.4, .snr = 4, .seed = 5};
  options.family = Family::binomial;
  for (const Correlation correlation : {Correlation::equal, Correlation::ar1}) {
    options.correlation = correlation;
    const Simulated data = simulate(options);
    const Vector eta = data.X * data.beta;
    EXPECT_NEAR(eta.squaredNorm() / 20000, 4, 0.15);
    EXPECT_EQ(data.noise, 0);
    // In slices of eta, the share of ones is the probability.
    double shown[6] = {}, expected[6] = {}, rows[6] = {};
    for (Index i = 0; i < options.n; ++i) {
      ASSERT_TRUE(data.y[i] == 0 || data.y[i] == 1);
      const auto slice = static_cast<std::size_t>(std::clamp(eta[i] + 3, 0.0, 5.5));
      shown[slice] += data.y[i];
      expected[slice] += 1 / (1 + std::exp(-eta[i]));
      ++rows[slice];
    }
    for (std::size_t slice = 0; slice < 6; ++slice)
      EXPECT_NEAR(shown[slice] / rows[slice], expected[slice] / rows[slice], 0.05) << slice;
  }
}

TEST(Simulate, ClassesHaveTheColumnsOfTheSeedAndNoSignalIsAFairCoin) {
  SimulateOptions options{.n = 400, .p = 5, .k = 2, .seed = 9};
  const Simulated number = simulate(options);
  options.family = Family::binomial;
  const Simulated one = simulate(options), again = simulate(options);
  EXPECT_EQ(one.X, number.X);
  EXPECT_EQ(one.support, number.support);
  EXPECT_EQ(one.y, again.y);
  options.snr = std::numeric_limits<double>::infinity();
  const Simulated certain = simulate(options);
  EXPECT_EQ(certain.y, Vector((certain.X * certain.beta).array().max(0).sign()));
  options = {.n = 4000, .p = 5, .k = 0, .seed = 9, .family = Family::binomial};
  EXPECT_NEAR(simulate(options).y.mean(), 0.5, 0.04);
}

TEST(Simulate, RefusesOptionsThatMakeNoSenseAndNamesTheValue) {
  const auto message = [](const SimulateOptions& options) -> std::string {
    try {
      simulate(options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message({.n = 0}).find("n is 0"), std::string::npos);
  EXPECT_NE(message({.p = -1}).find("p is -1"), std::string::npos);
  EXPECT_NE(message({.p = 5, .k = 6}).find("k is 6"), std::string::npos);
  EXPECT_NE(message({.k = -1}).find("k is -1"), std::string::npos);
  for (const double rho : {-0.1, 1.0, 1.5, kNotANumber, kInfinity})
    EXPECT_NE(message({.rho = rho}).find("rho is"), std::string::npos) << rho;
  for (const double rho : {-1.0, 1.0, kNotANumber})
    EXPECT_NE(message({.rho = rho, .correlation = Correlation::ar1}).find("rho is"),
              std::string::npos)
        << rho;
  for (const double snr : {0.0, -1.0, kNotANumber})
    EXPECT_NE(message({.snr = snr}).find("snr is"), std::string::npos) << snr;
}

TEST(Simulate, SaysHowMuchMemoryIsMissing) {
  const Index huge = Index{1} << 40;
  try {
    simulate({.n = huge, .p = huge, .k = 0});
    FAIL() << "2^80 values fit nowhere";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("are needed for the data"), std::string::npos);
  }
}

}  // namespace
}  // namespace lass0
