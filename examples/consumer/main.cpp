// Which columns explain y? Data with a known answer: y depends on columns 2 and 5 (counted from 0).
#include <iostream>
#include <lass0/lass0.hpp>

int main() {
  const lass0::Simulated data = lass0::simulate({.n = 100, .p = 8, .k = 0, .rho = 0.5, .seed = 1});
  const lass0::Vector y = 3 * data.X.col(2) - 2 * data.X.col(5) + 0.1 * data.y;

  const lass0::DenseDesign design(data.X);  // a view: X stays where it is
  const lass0::Problem problem{.design = &design, .y = {y.data(), y.data() + y.size()}};
  const lass0::Fit fit = lass0::fit(problem, {.goal = lass0::AtLambda{1.0}});

  const lass0::Iterate& model = fit.model.at;
  std::cout << "support:";
  for (const lass0::Index j : model.support) std::cout << ' ' << j;
  std::cout << "\ncoefficients: " << model.coefficients.transpose()
            << "\nstatus: " << lass0::to_string(fit.status) << '\n';
}
