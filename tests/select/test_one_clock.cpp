// A time limit is that of the whole call: what the sums over the rows took is not given twice.
#include <gtest/gtest.h>

#include <chrono>
#include <lass0/compare.hpp>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <lass0/path.hpp>
#include <thread>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

constexpr double kLimit = 0.02;

// Reads its columns for longer than the limit.
class SlowDesign final : public Design {
 public:
  explicit SlowDesign(const Matrix& X) : X_(X) {}

  Index rows() const override { return X_.rows(); }
  Index cols() const override { return X_.cols(); }
  void products(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
                const ConstRowMat& V, MutMat out) const override {
    X_.products(first, count, centre, groups, V, out);
  }
  void squares(Index first, Index count, const ConstVec& centre, const RowGroups& groups,
               const ConstVec& weights, MutMat out) const override {
    std::this_thread::sleep_for(std::chrono::duration<double>(2 * kLimit));
    X_.squares(first, count, centre, groups, weights, out);
  }
  void add_column(Index j, double a, MutVec out) const override { X_.add_column(j, a, out); }
  double value(Index i, Index j) const override { return X_.value(i, j); }
  bool gather(std::span<const Index> rows, MutMat out) const override {
    return X_.gather(rows, out);
  }

 private:
  DenseDesign X_;
};

class OneClock : public ::testing::Test {
 protected:
  OneClock()
      : data_(random_data(1, ProblemSpec{.n = 60, .p = 10, .k = 4})),
        design_(data_.X),
        problem_{.design = &design_, .y = {data_.y.data(), static_cast<std::size_t>(data_.n())}} {
    control_.time_limit = kLimit;
  }

  template <class Call>
  static std::string message_of(const Call& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  Data data_;
  SlowDesign design_;
  Problem problem_;
  Control control_;
};

TEST_F(OneClock, OfAPath) {
  const Path stopped = path(problem_, {.control = control_});
  EXPECT_EQ(stopped.table.status, Status::time_limit);
  EXPECT_GE(stopped.models.size(), 1u);
  EXPECT_EQ(path(problem_).table.status, Status::local_optimum);
}

TEST_F(OneClock, OfATable) {
  EXPECT_EQ(best_supports(problem_, {.control = control_}).status, Status::time_limit);
}

TEST_F(OneClock, OfACriterion) {
  const CriterionSelection stopped = select_by_criterion(problem_, {.control = control_});
  EXPECT_EQ(stopped.table.status, Status::time_limit);
  EXPECT_EQ(stopped.fit.status, Status::time_limit);
}

TEST_F(OneClock, OfAFit) {
  for (const bool prove : {false, true}) {
    FitOptions options{.goal = AtLambda{0.1}, .prove = prove};
    options.control = control_;
    EXPECT_EQ(fit(problem_, options).status, Status::time_limit);
  }
}

TEST_F(OneClock, OfFolds) {
  const std::string what = "the time limit was reached before ";
  EXPECT_EQ(message_of([&] {
              cross_validate(problem_,
                             {.rule = Rule::min, .tune_ridge = false, .control = control_});
            }),
            what + "two folds were finished: allow more time");
  EXPECT_EQ(message_of([&] { compare(problem_, {.control = control_}); }).rfind(what, 0), 0u);
  EXPECT_EQ(message_of([&] { method_curve(problem_, "lass0", control_); }).rfind(what, 0), 0u);
}

// Of more than 256 columns, partitions after the first have sums of their own: when these are
// stopped, the first one's folds are there.
TEST(Repeats, ThatAreStoppedWhileTheyAreSummedKeepTheFoldsBefore) {
  const OwnedProblem problem(random_data(2, ProblemSpec{.n = 20000, .p = 260, .k = 3}));
  bool folds_begun = false, stop = false;
  CrossValidateOptions options{.rule = Rule::min, .tune_ridge = false};
  options.folds = 3;
  options.repeats = 2;
  options.max_k = 3;
  options.tune = Tune::k;
  options.control.keep_going = [&] { return !stop; };
  options.control.progress = [&](std::string_view what, double) {
    if (what.find("fold ") != what.npos) folds_begun = true;
    if (what == "Gram matrix" && folds_begun) stop = true;
  };
  const CrossValidation cv = cross_validate(problem, options);
  EXPECT_EQ(cv.status, Status::interrupted);
  EXPECT_EQ(cv.folds, 6);
  EXPECT_EQ(cv.fold_rows.size(), 3u);
  EXPECT_EQ(cv.curve.size(), 4u);
}

}  // namespace
}  // namespace lass0::testing
