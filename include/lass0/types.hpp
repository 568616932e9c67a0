// Names for the few types that every header shares.
#pragma once

#include <Eigen/Core>
#include <span>

namespace lass0 {

using Index = Eigen::Index;  // signed: a column, a row, or a count of them

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // column-major
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

using ConstVec = Eigen::Ref<const Vector>;
using MutVec = Eigen::Ref<Vector>;
using ConstMat = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using MutMat = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
using ConstRowMat = Eigen::Ref<const RowMatrix, 0, Eigen::OuterStride<>>;

using Columns = std::span<const Index>;  // a set of columns, 0-based

}  // namespace lass0
