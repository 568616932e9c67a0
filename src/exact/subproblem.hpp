// A part of the search space: the supports that hold all of `in`, some of `free`, and nothing else.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

namespace lass0 {

// The moments of the columns that may be chosen, in full: a proof looks at all of them again and
// again. Columns are numbered 0 .. q-1 among themselves here; `columns` says which ones they are.
struct FullGram {
  std::vector<Index> columns;
  Matrix G;
  Vector c;
  Vector square;  // of the columns before anything was projected out: what aliasing is relative to
  double total = 0;  // y'y
};

struct Subproblem {
  std::vector<Index> in, free;
  std::vector<double> lower;  // lower[m]: no support with m of `free` has a lower loss
  std::vector<double> delta;  // one per free column, for relaxation.hpp; empty: none is known
  Index offered = -1;  // its largest support was offered to the goal when it had this many columns

  Index max_size() const { return std::ssize(in) + std::ssize(free); }
};

// Lower bounds on the loss of supports that have a free column, and of those that lack it: by the
// number of free columns kept. Infinite: there are none.
struct OneSidedBounds {
  std::vector<double> with, without;
};

// Least squares on a subproblem, once `in` has been projected out of everything else.
struct Reduced {
  bool feasible = false;    // the columns of `in` are independent
  std::vector<Index> free;  // less those that `in` explains entirely: they can't be chosen
  Matrix G;                 // of free
  Vector c;
  double loss_in = 0;   // of `in` alone
  double loss_all = 0;  // of `in` and `free` together: no support here has a lower one

  // Regular: the free columns are far enough from dependent for H = inv(G) to keep its digits.
  bool regular = false;
  Matrix H;
  Vector b;              // coefficients of free in the fit on all
  double inflation = 1;  // the largest variance inflation factor: what H may lose in digits
  Vector delta;          // of the subproblem, for these free columns; 0: none is known

  // Not regular: some columns (positions in free, the strongest first) that are dependent or nearly
  // so. Deciding about them makes the rest regular.
  std::vector<Index> circuit;
};

Reduced reduce(const FullGram& gram, const Subproblem& sub);

// The loss on a support, from its own Gram matrix; infinity where its columns are dependent.
double exact_loss(const FullGram& gram, const std::vector<Index>& support);

}  // namespace lass0
