#include "glm/best_fits.hpp"

#include <cmath>

namespace lass0 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

BestFits::BestFits(Panel& panel, Index max_k, double settled, const Budget& budget)
    : panel_(panel),
      settled_(settled),
      budget_(budget),
      last_(max_k),
      fits_(static_cast<std::size_t>(max_k) + 1),
      separated_(fits_.size(), kInfinity),
      separated_by_(fits_.size()) {
  for (GlmFit& fit : fits_) fit.loss = kInfinity;
  fits_[0] = Newton(panel_, settled_).fit({});
  total_ = fits_[0].loss;
}

bool BestFits::reached(Index k) const {
  return k >= 0 && k <= last_ && std::isfinite((*this)[k].loss);
}

bool BestFits::separated(Index k) const {
  return separated_[static_cast<std::size_t>(k)] < (*this)[k].loss;
}

bool BestFits::fit(std::vector<WantedFit> wanted, FitsToKeep keep) {
  bool better = false;
  for (GlmFit& found : fit_together(panel_, std::move(wanted), settled_, budget_, keep))
    better = offer(std::move(found)) || better;
  return better;
}

bool BestFits::offer(GlmFit fit) {
  const Index k = std::ssize(fit.support);
  if (k >= std::ssize(fits_)) return false;
  switch (fit.state) {
    case GlmFit::State::dependent:
      return false;
    case GlmFit::State::beaten:
      beaten_.insert(std::move(fit.support));
      return false;
    case GlmFit::State::separated:
      if (fit.loss < separated_[static_cast<std::size_t>(k)]) {
        separated_[static_cast<std::size_t>(k)] = fit.loss;
        separated_by_[static_cast<std::size_t>(k)] = std::move(fit.support);
      }
      return false;
    case GlmFit::State::fitted:
      break;
  }
  const double before = (*this)[k].loss;
  if (!(fit.loss < before - (std::isfinite(before) ? slack(before) : 0))) return false;
  (*this)[k] = std::move(fit);
  unsettled_.insert(k);
  changed_.insert(k);
  return true;
}

}  // namespace lass0
