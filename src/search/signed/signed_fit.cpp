#include "search/signed/signed_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

namespace lass0 {
namespace {

struct Face {
  std::vector<Index> columns;
  std::vector<int> signs;
  Matrix G;
  Vector c, squares;
};

Face gather(const Moments& moments, Columns columns, Index extra) {
  const Index known = std::ssize(columns), k = known + (extra >= 0 ? 1 : 0);
  Face face{{columns.begin(), columns.end()}, {}, Matrix(k, k), Vector(k), Vector(k)};
  moments.gram_block(columns, columns, face.G.topLeftCorner(known, known));
  if (extra >= 0) {
    face.columns.push_back(extra);
    moments.gram_block(Columns(&extra, 1), columns, face.G.bottomLeftCorner(1, known));
    face.G.col(known).head(known) = face.G.row(known).head(known).transpose();
    face.G(known, known) = moments.diagonal()[extra];
  }
  for (Index i = 0; i < k; ++i) {
    const Index j = face.columns[static_cast<std::size_t>(i)];
    face.c[i] = moments.xty()[j];
    face.squares[i] = moments.squares()[j];
    face.signs.push_back(moments.problem().sign(j));
  }
  return face;
}

Vector solve(const Matrix& G, const Vector& q, const std::vector<Index>& places) {
  return Eigen::LLT<Matrix>(G(places, places)).solve(q(places));
}

// The places to begin with: those of the plain fit, without the coefficients of wrong sign, until
// there is none. Most often that is the answer, and one solve.
std::vector<Index> first_places(const Face& face, Vector& x) {
  std::vector<Index> places(face.columns.size());
  for (Index i = 0; i < std::ssize(places); ++i) places[static_cast<std::size_t>(i)] = i;
  for (;;) {
    x.setZero();
    x(places) = solve(face.G, face.c, places);
    const auto wrong = std::erase_if(places, [&](Index i) {
      return !keeps_sign(face.signs[static_cast<std::size_t>(i)], x[i]);
    });
    if (wrong == 0) return places;
  }
}

// The place outside whose coming in, by itself, lowers the loss most, and by how much.
struct Entry {
  Index place = -1;
  double gain = 0;
};
Entry best_entry(const Face& face, const std::vector<Index>& places, const Vector& x,
                 const std::vector<char>& refused) {
  const Vector r = face.c - face.G * x;
  Entry best;
  const Eigen::LLT<Matrix> factor(face.G(places, places));
  for (Index i = 0; i < x.size(); ++i) {
    const bool inside = std::find(places.begin(), places.end(), i) != places.end();
    if (inside || refused[static_cast<std::size_t>(i)] ||
        !keeps_sign(face.signs[static_cast<std::size_t>(i)], r[i]))
      continue;
    const Vector G_i = face.G(places, i);
    const double unexplained = face.G(i, i) - factor.matrixL().solve(G_i).squaredNorm();
    if (unexplained <= kAliasTolerance * face.squares[i]) continue;
    const double gain = r[i] * r[i] / unexplained;
    if (gain > best.gain) best = {i, gain};
  }
  return best;
}

}  // namespace

bool descend_on_places(const Matrix& G, const Vector& q, const std::vector<int>& signs,
                       std::vector<Index>& places, Vector& x) {
  while (!places.empty()) {
    const Vector z = solve(G, q, places);
    if (!z.allFinite()) return false;
    // As far towards the minimum without signs as the signs allow.
    double step = 1;
    for (Index l = 0; l < z.size(); ++l) {
      const Index i = places[static_cast<std::size_t>(l)];
      if (!keeps_sign(signs[static_cast<std::size_t>(i)], z[l]))
        step = std::min(step, x[i] == z[l] ? 0.0 : x[i] / (x[i] - z[l]));
    }
    std::vector<Index> left;
    for (Index l = 0; l < z.size(); ++l) {
      const Index i = places[static_cast<std::size_t>(l)];
      const bool wrong = !keeps_sign(signs[static_cast<std::size_t>(i)], z[l]);
      const bool first = wrong && (x[i] == z[l] || x[i] / (x[i] - z[l]) <= step);
      x[i] = first ? 0.0 : step == 1 ? z[l] : x[i] + step * (z[l] - x[i]);
      if (!first) left.push_back(i);
    }
    if (left.size() == places.size()) return true;
    places = std::move(left);
  }
  return true;
}

FittedSupport signed_fit(const Moments& moments, Columns columns, Index extra) {
  const Face face = gather(moments, columns, extra);
  const Index k = face.c.size();
  Vector x(k);
  std::vector<Index> places = first_places(face, x);
  // What came in and went out again without lowering the loss is rounding, and must not go on.
  std::vector<char> refused(static_cast<std::size_t>(k), 0);
  const auto value = [&] { return moments.yty() - 2 * face.c.dot(x) + x.dot(face.G * x); };
  while (std::ssize(places) < k) {
    const double before = value();
    const Entry entry = best_entry(face, places, x, refused);
    if (entry.place < 0 || !(entry.gain > slack(before, moments.target_square()))) break;
    const std::vector<Index> old_places = places;
    const Vector old_x = x;
    places.push_back(entry.place);
    if (descend_on_places(face.G, face.c, face.signs, places, x) && value() < before) continue;
    places = old_places;
    x = old_x;
    refused[static_cast<std::size_t>(entry.place)] = 1;
  }
  FittedSupport fit;
  for (const Index i : places) fit.support.push_back(face.columns[static_cast<std::size_t>(i)]);
  std::sort(fit.support.begin(), fit.support.end());
  // The column that has no Gram column of its own yet is given as such again.
  std::vector<Index> known = fit.support;
  const bool has_extra = std::erase(known, extra) > 0;
  const SupportFit plain = fit_support(moments, known, has_extra ? extra : -1);
  fit.loss = plain.loss;
  fit.rounding = plain.rounding;
  fit.independent = plain.independent;
  return fit;
}

}  // namespace lass0
