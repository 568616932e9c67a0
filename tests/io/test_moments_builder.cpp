// Files of moments: parts make the whole, and no file that is not whole is believed.
#include <cmath>
#include <lass0/cross_validate.hpp>
#include <lass0/moments_builder.hpp>
#include <lass0/path.hpp>
#include <lass0/stability.hpp>

#include "io/temporary_folder.hpp"
#include "support/random_problem.hpp"

namespace lass0 {
namespace {

using lass0::testing::Data;
using lass0::testing::Rng;

class MomentsFiles : public test::FileTest {
 protected:
  static MomentsSchema schema(Index p, Index folds = 10) {
    MomentsSchema schema;
    for (Index j = 0; j < p; ++j) schema.names.push_back("x" + std::to_string(j + 1));
    schema.folds = folds;
    return schema;
  }

  static MomentsBuilder of_rows(const Data& data, Index first, Index last, Index folds = 10,
                                Index first_row = 1) {
    MomentsBuilder builder(schema(data.p(), folds), first_row);
    const Matrix X = data.X.middleRows(first, last - first);
    const Vector y = data.y.segment(first, last - first);
    std::vector<double> w;
    for (Index i = first; i < last && data.w.size() > 0; ++i) w.push_back(data.w[i]);
    builder.add(X, y, w);
    return builder;
  }

  static Table rows(const Data& data) {
    Table table = Table::dense(data.X, data.y, schema(data.p()).names);
    if (data.w.size() > 0) table.set_weights(data.w);
    return table;
  }

  static void expect_same_path(const Table& moments, const Table& data, double tolerance) {
    const Path by_moments = path(moments, {.max_k = 6}), by_rows = path(data, {.max_k = 6});
    ASSERT_EQ(by_moments.rss.size(), by_rows.rss.size());
    EXPECT_EQ(by_moments.problem.n, by_rows.problem.n);
    EXPECT_NEAR(by_moments.problem.weight, by_rows.problem.weight, 1e-9 * by_rows.problem.weight);
    for (std::size_t k = 0; k < by_rows.rss.size(); ++k) {
      EXPECT_EQ(by_moments.models[k].support, by_rows.models[k].support);
      EXPECT_NEAR(by_moments.rss[k], by_rows.rss[k], tolerance * by_rows.rss[k]) << "k " << k;
    }
  }
};

Data large_means(std::uint64_t seed, Index n) {
  Data data = lass0::testing::random_data(seed, {.n = n, .p = 12, .k = 4, .rho = 0.4, .snr = 2});
  for (Index j = 0; j < data.p(); ++j) {
    const double deviation =
        std::sqrt((data.X.col(j).array() - data.X.col(j).mean()).square().mean());
    data.X.col(j) = (data.X.col(j) / deviation).array() + 1e6;
  }
  return data;
}

TEST_F(MomentsFiles, OfThreePartsGiveThePathOfTheWhole) {
  const Data data = large_means(1, 900);
  of_rows(data, 0, 250).save(folder_.path("a.moments"));
  of_rows(data, 250, 251, 10, 251).save(folder_.path("b.moments"));
  of_rows(data, 251, 900, 10, 252).save(folder_.path("c.moments"));
  MomentsBuilder all = MomentsBuilder::load(folder_.path("c.moments"));  // in any order
  all.merge(MomentsBuilder::load(folder_.path("a.moments")));
  all.merge(MomentsBuilder::load(folder_.path("b.moments")));
  EXPECT_EQ(all.rows(), 900);
  EXPECT_EQ(all.next_row(), 901);
  all.save(folder_.path("all.moments"));
  expect_same_path(read_table(folder_.path("all.moments"), {}), rows(data), 1e-7);
  expect_same_path(of_rows(data, 0, 900).table(), rows(data), 1e-7);
}

TEST_F(MomentsFiles, GiveThePathOfTheRowsOfAnyProblem) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Data data = lass0::testing::random_data(seed, 12);
    MomentsBuilder moments = of_rows(data, 0, data.n(), 3);
    const ProblemChoices choices{data.intercept, data.standardize, seed % 3 == 0 ? 2.0 : 0.0};
    const Path by_moments = path(moments.table(), {}, choices),
               by_rows = path(rows(data), {}, choices);
    ASSERT_EQ(by_moments.rss.size(), by_rows.rss.size());
    for (std::size_t k = 0; k < by_rows.rss.size(); ++k) {
      const double tss = by_rows.problem.tss;
      EXPECT_NEAR(by_moments.rss[k], by_rows.rss[k], 1e-9 * by_rows.rss[k] + 1e-13 * tss);
    }
  }
}

TEST_F(MomentsFiles, GiveTheCrossValidationOfTheRows) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const auto weights = static_cast<lass0::testing::WeightKind>(seed % 3);
    const Data data = lass0::testing::random_data(
        seed, {.n = 90, .p = 8, .k = 3, .snr = 2, .weights = weights, .intercept = seed % 4 != 0});
    MomentsBuilder moments = of_rows(data, 0, data.n(), 5);
    CrossValidateOptions options;
    options.folds = 5;
    options.tune = seed % 2 == 0 ? Tune::k : Tune::lambda;
    const ProblemChoices choices{.intercept = data.intercept};
    const CrossValidation by_rows = cross_validate(rows(data), options, choices),
                          by_moments = cross_validate(moments.table(), options, choices);
    ASSERT_EQ(by_rows.curve.size(), by_moments.curve.size());
    EXPECT_EQ(by_rows.fold_rows, by_moments.fold_rows);
    for (std::size_t i = 0; i < by_rows.curve.size(); ++i) {
      const CurvePoint &a = by_rows.curve[i], &b = by_moments.curve[i];
      EXPECT_NEAR(a.mean_error, b.mean_error, 1e-9 * a.mean_error);
      EXPECT_NEAR(a.se, b.se, 1e-7 * a.se + 1e-12 * a.mean_error);
      EXPECT_EQ(a.mean_size, b.mean_size);
    }
    EXPECT_EQ(by_rows.chosen, by_moments.chosen);
    EXPECT_EQ(by_rows.model().at.support, by_moments.model().at.support);
  }
}

TEST_F(MomentsFiles, HaveFoldsByLabelsInTheOrderOfTheLabels) {
  const Data data = lass0::testing::random_data(7, {.n = 120, .p = 5, .k = 2});
  MomentsSchema labelled = schema(5);
  labelled.fold_column = "site";
  std::vector<std::string> labels;
  std::vector<int> fold;
  for (Index i = 0; i < 120; ++i) {
    labels.push_back(i % 7 < 3 ? "10" : i % 7 < 5 ? "9" : "100");
    fold.push_back(labels.back() == "9" ? 0 : labels.back() == "10" ? 1 : 2);
  }
  MomentsBuilder one(labelled), two(labelled);
  one.add(data.X.topRows(50), data.y.head(50), {}, std::span(labels).first(50));
  two.add(data.X.bottomRows(70), data.y.tail(70), {}, std::span(labels).subspan(50));
  two.merge(std::move(one));
  two.save(folder_.path("m"));
  Table table = rows(data);
  table.folds = fold;
  const CrossValidation by_rows = cross_validate(table),
                        by_moments = cross_validate(read_table(folder_.path("m"), {}));
  EXPECT_EQ(by_rows.fold_rows, by_moments.fold_rows);
  EXPECT_NEAR(by_rows.best().mean_error, by_moments.best().mean_error,
              1e-9 * by_rows.best().mean_error);
}

TEST_F(MomentsFiles, CanHaveAnotherTargetAndFewerColumns) {
  const Data data = lass0::testing::random_data(8, {.n = 80, .p = 5, .k = 2});
  of_rows(data, 0, 80).save(folder_.path("m"));
  const Table moments =
      read_table(folder_.path("m"), {.target = "x2", .exclude = {"x1"}, .include = {"y"}});
  Matrix X(80, 4);
  X << data.X.rightCols(3), data.y;
  Table table = Table::dense(X, data.X.col(1), {"x3", "x4", "x5", "y"});
  table.include = {3};
  EXPECT_EQ(moments.names(), table.names());
  EXPECT_EQ(moments.include, table.include);
  const Path a = path(moments), b = path(table);
  for (std::size_t k = 0; k < b.rss.size(); ++k) EXPECT_NEAR(a.rss[k], b.rss[k], 1e-10 * b.rss[k]);
}

TEST_F(MomentsFiles, RefuseWhatNeedsRows) {
  const Data data = lass0::testing::random_data(9, {.n = 60, .p = 4, .k = 2});
  const Table table = of_rows(data, 0, 60, 2).table();
  const auto refused = [&](CrossValidateOptions options) {
    EXPECT_THROW(cross_validate(table, options), UsageError);
  };
  refused({.repeats = 2});
  refused({.blocks = true});
  refused({.folds = kLeaveOneOut});
  refused({.inference = Inference::splits});
  EXPECT_THROW(path(table, {}, {.family = Family::binomial}), UsageError);
  EXPECT_THROW(stability(table, {.k = 2}), Error);  // two folds are too few
  of_rows(data, 0, 60).save(folder_.path("m"));
  for (const ReadOptions& options :
       {ReadOptions{.weights = "x1"}, ReadOptions{.folds = "x1"}, ReadOptions{.groups = "x1"},
        ReadOptions{.one_hot = {"x1"}}, ReadOptions{.only_columns = true}})
    EXPECT_THROW(read_table(folder_.path("m"), options), UsageError);
}

TEST_F(MomentsFiles, StabilityHalvesAreUnionsOfFolds) {
  const Data data = lass0::testing::random_data(10, {.n = 200, .p = 6, .k = 2, .snr = 10});
  const Stability found = stability(of_rows(data, 0, 200, 20).table(), {.k = 2, .pairs = 10});
  EXPECT_EQ(found.pairs_done, 10);
  EXPECT_EQ(found.problem.n, 200);
  EXPECT_EQ(found.mean_size, 2);
}

TEST_F(MomentsFiles, MergeOnlyWhatBelongsTogether) {
  const Data data = lass0::testing::random_data(11, {.n = 60, .p = 3, .k = 2});
  const auto merged = [&](MomentsSchema other, Index first_row = 61) {
    MomentsBuilder one = of_rows(data, 0, 60), two(std::move(other), first_row);
    two.add(data.X, data.y);
    return message_of([&] { one.merge(std::move(two)); });
  };
  EXPECT_EQ(merged(schema(3)), "no error");
  EXPECT_EQ(merged(schema(3), 31),
            "both have the rows 31 to 60: if these are other rows, make one of the files again "
            "with --first-row 61");
  EXPECT_EQ(merged(schema(3, 5)), "can't be merged: the sums are of 10 and 5 folds");
  MomentsSchema other = schema(3);
  other.seed = 2;
  EXPECT_EQ(merged(other), "can't be merged: the seeds of the folds are 1 and 2");
  other = schema(3);
  other.names[1] = "z";
  EXPECT_EQ(merged(other), "can't be merged: the columns differ: column 2 is 'x2' and 'z'");
  other = schema(3);
  other.weights = "w";
  EXPECT_EQ(merged(other), "can't be merged: the weights are none and 'w'");
  other = schema(3);
  other.target = "z";
  EXPECT_EQ(merged(other), "can't be merged: the targets are 'y' and 'z'");
  other = schema(3);
  other.fold_column = "site";
  MomentsBuilder one = of_rows(data, 0, 60), sites(other);
  EXPECT_EQ(message_of([&] { one.merge(std::move(sites)); }),
            "can't be merged: the folds differ: 10 random folds and folds by 'site'");
}

TEST_F(MomentsFiles, ARefusedMergeChangesNoBit) {
  const Data data = lass0::testing::random_data(14, {.n = 90, .p = 3, .k = 2});
  const Matrix X = data.X.bottomRows(30);
  const Vector y = data.y.tail(30);
  MomentsBuilder one = of_rows(data, 0, 60), never = of_rows(data, 0, 60);
  const std::string message = message_of([&] { one.merge(of_rows(data, 0, 40, 10, 31)); });
  EXPECT_TRUE(message.starts_with("both have the rows 31 to 60")) << message;
  one.add(X, y);
  never.add(X, y);
  EXPECT_EQ(one.to_bytes(), never.to_bytes());
}

TEST_F(MomentsFiles, FoldsWithoutMemoryLeaveTheSumsAsTheyWere) {
  MomentsSchema labelled = schema(1000);
  labelled.fold_column = "site";
  MomentsBuilder one(labelled), never(labelled);
  const Matrix X = Matrix::Random(3, 1000);
  const Vector y = Vector::LinSpaced(3, 0, 1);
  const std::vector<std::string> first = {"a", "b", "a"}, second = {"c", "b", "a"};
  one.add(X, y, {}, first);
  never.add(X, y, {}, first);
  // Sums of 10 MB for each of these labels are 1 TB. The rows overlap in memory.
  const Index n = 100'000;
  const Vector values = Vector::Ones(n + 1000), many = Vector::Zero(n);
  const Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>> rows(values.data(), n, 1000,
                                                                  Eigen::OuterStride<>(1));
  std::vector<std::string> ids;
  for (Index i = 0; i < n; ++i) ids.push_back("id " + std::to_string(i));
  EXPECT_TRUE(
      message_of([&] { one.add_rows(rows, many, {}, ids); }).starts_with("not enough memory: "));
  EXPECT_EQ(one.labels(), (std::vector<std::string>{"a", "b"}));
  one.add(X, y, {}, second);
  never.add(X, y, {}, second);
  EXPECT_EQ(one.to_bytes(), never.to_bytes());
}

TEST_F(MomentsFiles, WithoutFoldsMergeWithThoseOfRowsWithoutNumbers) {
  const Data data = lass0::testing::random_data(11, {.n = 60, .p = 3, .k = 2});
  const auto sums = [&](bool numbered, std::string target = "y") {
    MomentsSchema what = schema(3, 1);
    what.target = std::move(target);
    if (!numbered) what.fold_column = "none";
    MomentsBuilder builder(what);
    const std::vector<std::string> labels(60, "none");
    builder.add(data.X, data.y, {}, numbered ? std::vector<std::string>() : labels);
    return builder;
  };
  for (const bool numbered : {true, false}) {
    MomentsBuilder one = sums(numbered);
    EXPECT_EQ(message_of([&] { one.merge(sums(!numbered, "z")); }),
              "can't be merged: the targets are 'y' and 'z'");
    EXPECT_EQ(one.schema().fold_column, numbered ? "" : "none");  // as it was
    one.merge(sums(!numbered));
    one.merge(sums(numbered));
    EXPECT_EQ(one.rows(), 180);
    EXPECT_EQ(one.folds(), 1);
    EXPECT_EQ(one.schema().fold_column, "none");
    EXPECT_NEAR(one.table().weights().sum(), 180, 1e-9);
  }
}

TEST_F(MomentsFiles, ThatAreDamagedAreRefusedWhereverTheDamageIs) {
  const Data data = lass0::testing::random_data(12, {.n = 60, .p = 3, .k = 2});
  of_rows(data, 0, 60, 2).save(folder_.path("good"));
  const std::string good = folder_.content("good");
  const auto loaded = [&](const std::string& content) {
    folder_.write("bad", content);
    return message_of([&] { MomentsBuilder::load(folder_.path("bad")); });
  };
  EXPECT_EQ(loaded(good), "no error");
  for (std::size_t size = 0; size < good.size(); size += 1 + size % 9) {
    const std::string message = loaded(good.substr(0, size));
    EXPECT_TRUE(message.starts_with("bad: ")) << size << ": " << message;
  }
  for (std::size_t at = 0; at < good.size(); at += 1 + at % 9) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_TRUE(loaded(bad).starts_with("bad: ")) << at;
  }
  EXPECT_EQ(loaded(good + "x"), "bad: the file of moments is damaged: make it again");
  EXPECT_EQ(loaded("a,b\n1,2\n"), "bad: this is not a file of moments, which lass0 moments writes");
  EXPECT_FALSE(is_moments_file(folder_.path("bad")));
  EXPECT_TRUE(is_moments_file(folder_.path("good")));
}

TEST_F(MomentsFiles, RowsWithFoldsOfTheirOwnHaveNoNumbers) {
  MomentsSchema labelled = schema(1);
  labelled.fold_column = "site";
  EXPECT_EQ(message_of([&] { MomentsBuilder builder(labelled, 7); }),
            "first_row is 7, but the folds come from column 'site': leave first_row out, which is "
            "for random folds");
  EXPECT_EQ(message_of([&] { MomentsBuilder builder(labelled, 1); }), "no error");
}

TEST_F(MomentsFiles, TextsThatAreNotUtf8AreRefusedBeforeThereIsAFile) {
  const std::string way_out =
      " is not valid UTF-8: convert the data, for instance with iconv -f latin1 -t utf-8";
  folder_.write("data.csv", "x,c,site,y\n1,red,M\xfcnchen,3\n2,r\xf6t,M\xfcnster,5\n3,red,a,4\n");
  const auto sums = [&](ReadOptions options) {
    options.target = "y";
    const std::vector<std::string> paths = {folder_.path("data.csv")};
    return message_of([&] {
      moments_of_files(paths, {.read = options}).save(folder_.path("m"));
      MomentsBuilder::load(folder_.path("m"));
    });
  };
  EXPECT_EQ(sums({.exclude = {"c", "site"}}), "no error");
  const std::string source = "data.csv: ";
  EXPECT_EQ(sums({.folds = "site", .exclude = {"c"}}),
            source + "the label of a fold 'M\\xfcnchen'" + way_out);
  EXPECT_EQ(sums({.exclude = {"site"}, .one_hot = {"c"}}),
            source + "column 'c': the level 'r\\xf6t'" + way_out);
  folder_.write("data.csv", "z,y,gr\xf6\xdf\n1,2,1\n3,4,2\n2,2,2\n");
  EXPECT_EQ(sums({}), source + "the name of the column 'gr\\xf6\\xdf'" + way_out);

  // Others stay as they are, and a builder that has refused a block is as it was before.
  MomentsSchema labelled = schema(1);
  labelled.fold_column = "Größe";
  MomentsBuilder builder(labelled);
  const Vector y = Vector::LinSpaced(3, 0, 1);
  const Matrix X = y.cwiseAbs2();
  const std::vector<std::string> good = {"München", "東京", ""}, bad = {"new", "\xff", "\xfe"};
  builder.add(X, y, {}, good);
  EXPECT_EQ(message_of([&] { builder.add(X, y, {}, bad); }),
            "fold column 'Größe': the label '\\xff'" + way_out);
  const MomentsBuilder loaded = MomentsBuilder::from_bytes(builder.to_bytes());
  EXPECT_EQ(loaded.labels(), good);
  EXPECT_EQ(loaded.schema().fold_column, "Größe");
}

TEST_F(MomentsFiles, AreThoseOfEitherOrder) {
  const Data data = lass0::testing::random_data(13, {.n = 70, .p = 6, .k = 2});
  MomentsBuilder columns = of_rows(data, 0, 70), rows(schema(6));
  rows.add_rows(data.X, data.y);
  columns.save(folder_.path("columns"));
  rows.save(folder_.path("rows"));
  EXPECT_EQ(folder_.content("columns"), folder_.content("rows"));
}

TEST_F(MomentsFiles, ValuesThatAreNoNumbersAreRefused) {
  MomentsBuilder builder(schema(2));
  Matrix X = Matrix::Random(5, 2);
  X(3, 1) = std::nan("");
  EXPECT_EQ(message_of([&] { builder.add(X, Vector::Zero(5)); }),
            "row 4 of the block, column 'x2': the value is not a finite number");
  EXPECT_EQ(builder.rows(), 0);
}

}  // namespace
}  // namespace lass0
