// A few columns, with their products among themselves in one matrix.
#include "moments/gram_columns.hpp"

namespace lass0 {

std::shared_ptr<GramSource> subset_gram(Matrix G, int threads) {
  return std::make_shared<MatrixSource>(std::make_shared<const Matrix>(std::move(G)), threads);
}

}  // namespace lass0
