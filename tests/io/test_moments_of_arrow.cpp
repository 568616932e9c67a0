// Sums of Arrow streams are those of the same numbers in a matrix, wherever the stream was cut and
// whatever the types of its columns are.
#include <lass0/arrow.hpp>
#include <lass0/error.hpp>
#include <lass0/path.hpp>
#include <limits>
#include <memory>

#include "io/temporary_folder.hpp"
#include "support/random_problem.hpp"
#include "util/stable_hash.hpp"

namespace lass0 {
namespace {

using lass0::testing::Data;

// A column with its buffers: what an ArrowArray shows.
struct Column {
  std::string name, format;
  std::vector<unsigned char> valid;  // bits; empty: all values are there
  std::vector<double> doubles;
  std::vector<std::int32_t> ints;  // or the ends of texts
  std::string text;
  std::int64_t offset = 0;

  std::vector<const void*> buffers() const {
    const void* bits = valid.empty() ? nullptr : valid.data();
    if (format == "g") return {bits, doubles.data()};
    if (format == "u") return {bits, ints.data(), text.data()};
    return {bits, ints.data()};
  }
};

Column numbers(std::string name, std::vector<double> values) {
  return {std::move(name), "g", {}, std::move(values), {}, {}, 0};
}

Column whole(std::string name, std::vector<std::int32_t> values) {
  return {std::move(name), "i", {}, {}, std::move(values), {}, 0};
}

Column texts(std::string name, const std::vector<std::string>& values) {
  Column column{std::move(name), "u", {}, {}, {0}, {}, 0};
  for (const std::string& value : values) {
    column.text += value;
    column.ints.push_back(static_cast<std::int32_t>(column.text.size()));
  }
  return column;
}

// A stream of batches with the same columns, and what it has given away and not got back.
class Batches {
 public:
  struct Batch {
    std::int64_t length, offset;
    std::vector<Column> columns;
  };

  explicit Batches(std::vector<Batch> batches) : batches_(std::move(batches)) {
    stream_.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      return of(self).give_schema(*out);
    };
    stream_.get_next = [](ArrowArrayStream* self, ArrowArray* out) { return of(self).give(*out); };
    stream_.get_last_error = [](ArrowArrayStream*) { return "the disk is gone"; };
    stream_.release = [](ArrowArrayStream* self) { self->release = nullptr; };
    stream_.private_data = this;
  }
  ~Batches() { EXPECT_EQ(given_away, 0) << "not released"; }

  ArrowArrayStream& stream() { return stream_; }
  bool released() const { return stream_.release == nullptr; }

  std::size_t fails_at = std::numeric_limits<std::size_t>::max();
  int given_away = 0;

 private:
  static Batches& of(ArrowArrayStream* self) { return *static_cast<Batches*>(self->private_data); }

  struct Schema {
    Batches* owner;
    std::vector<ArrowSchema> children;
    std::vector<ArrowSchema*> pointers;
  };
  struct Array {
    Batches* owner;
    std::vector<std::vector<const void*>> buffers;
    std::vector<ArrowArray> children;
    std::vector<ArrowArray*> pointers;
    const void* none = nullptr;
  };

  int give_schema(ArrowSchema& out) {
    auto kept = std::make_unique<Schema>();
    kept->owner = this;
    for (const Column& column : batches_.front().columns)
      kept->children.push_back({column.format.c_str(), column.name.c_str(), nullptr, 0, 0, nullptr,
                                nullptr, nullptr, nullptr});
    for (ArrowSchema& child : kept->children) kept->pointers.push_back(&child);
    out = {"+s",    "",      nullptr, 0, std::ssize(kept->pointers), kept->pointers.data(),
           nullptr, nullptr, nullptr};
    out.release = [](ArrowSchema* self) {
      const std::unique_ptr<Schema> mine(static_cast<Schema*>(self->private_data));
      --mine->owner->given_away;
      self->release = nullptr;
    };
    out.private_data = kept.release();
    ++given_away;
    return 0;
  }

  int give(ArrowArray& out) {
    out = {};
    if (next_ == fails_at) return 5;
    if (next_ == batches_.size()) return 0;
    const Batch& batch = batches_[next_++];
    auto kept = std::make_unique<Array>();
    kept->owner = this;
    for (const Column& column : batch.columns) kept->buffers.push_back(column.buffers());
    for (std::size_t j = 0; j < batch.columns.size(); ++j) {
      const Column& column = batch.columns[j];
      kept->children.push_back({batch.length, column.valid.empty() ? 0 : -1, column.offset,
                                std::ssize(kept->buffers[j]), 0, kept->buffers[j].data(), nullptr,
                                nullptr, nullptr, nullptr});
    }
    for (ArrowArray& child : kept->children) kept->pointers.push_back(&child);
    out = {batch.length,
           0,
           batch.offset,
           1,
           std::ssize(kept->pointers),
           &kept->none,
           kept->pointers.data(),
           nullptr,
           nullptr,
           nullptr};
    out.release = [](ArrowArray* self) {
      const std::unique_ptr<Array> mine(static_cast<Array*>(self->private_data));
      --mine->owner->given_away;
      self->release = nullptr;
    };
    out.private_data = kept.release();
    ++given_away;
    return 0;
  }

  std::vector<Batch> batches_;
  std::size_t next_ = 0;
  ArrowArrayStream stream_ = {};
};

std::string error_of(std::vector<Column> columns, std::int64_t rows, ArrowSumOptions options) {
  Batches batches({{rows, 0, std::move(columns)}});
  MomentsOfArrow sums(std::move(options));
  std::string what;
  try {
    sums.add(batches.stream());
  } catch (const Error& error) {
    what = error.what();
  }
  EXPECT_TRUE(batches.released());
  return what;
}

std::vector<double> part_of(const ConstVec& values, Index first, Index count) {
  return {values.data() + first, values.data() + first + count};
}

// The columns of rows `first` and on, of which every array has two rows more at the front.
Batches::Batch batch_of(const Data& data, Index first, Index count) {
  Batches::Batch batch{count, 1, {}};
  const auto add = [&](const std::string& name, std::vector<double> values) {
    values.insert(values.begin(), {1e300, -1e300});
    batch.columns.push_back(numbers(name, std::move(values)));
    batch.columns.back().offset = 1;
  };
  add("y", part_of(data.y, first, count));
  for (Index j = 0; j < data.p(); ++j)
    add("x" + std::to_string(j + 1), part_of(data.X.col(j), first, count));
  return batch;
}

TEST(MomentsOfArrow, HaveTheBitsOfTheSameRowsInAMatrix) {
  const Data data =
      lass0::testing::random_data(3, {.n = 3000, .p = 7, .k = 3, .rho = 0.3, .snr = 2});
  MomentsSchema schema;
  for (Index j = 0; j < data.p(); ++j) schema.names.push_back("x" + std::to_string(j + 1));
  MomentsBuilder expected(schema);
  expected.add(data.X, data.y);
  for (const int threads : {1, 3}) {
    Batches batches({batch_of(data, 0, 1100), batch_of(data, 1100, 0), batch_of(data, 1100, 1),
                     batch_of(data, 1101, 1899)});
    MomentsOfArrow sums({.threads = threads});
    sums.add(batches.stream());
    EXPECT_TRUE(batches.released());
    MomentsBuilder found = sums.take();
    EXPECT_EQ(found.rows(), 3000);
    EXPECT_EQ(found.to_bytes(), expected.to_bytes());
  }
}

TEST(MomentsOfArrow, StreamsFollowOneAnotherAndColumnsAreFoundByName) {
  const Data data =
      lass0::testing::random_data(4, {.n = 900, .p = 4, .k = 2, .rho = 0.3, .snr = 2});
  Batches whole_data({batch_of(data, 0, 900)});
  MomentsOfArrow once({});
  once.add(whole_data.stream());
  Batches::Batch other = batch_of(data, 500, 400);
  std::reverse(other.columns.begin(), other.columns.end());
  Batches first({batch_of(data, 0, 500)}), second({other});
  MomentsOfArrow parts({});
  parts.add(first.stream());
  parts.add(second.stream());
  EXPECT_EQ(parts.take().to_bytes(), once.take().to_bytes());
}

TEST(MomentsOfArrow, WeightsLabelsLevelsAndMissingValues) {
  Column gaps = whole("a", {4, 7, 9, 2, 5, 8});
  gaps.valid = {0b110111};  // not row 3
  Batches batches({{6,
                    0,
                    {numbers("y", {1, 2, 3, 4, 5, 7}), gaps,
                     texts("colour", {"red", "blue", "red", "red", "green", "blue"}),
                     whole("w", {1, 2, 1, 1, 0, 3}), texts("site", {"n", "s", "n", "s", "n", "n"}),
                     texts("note", {"", "", "", "", "", ""})}}});
  MomentsOfArrow sums({.weights = "w",
                       .fold_column = "site",
                       .exclude = {"note"},
                       .one_hot = {{"colour", {"red", "blue", "green"}}},
                       .drop_missing = true});
  sums.add(batches.stream());
  MomentsBuilder found = sums.take();
  EXPECT_EQ(found.schema().names, (std::vector<std::string>{"a", "colour=blue", "colour=green"}));
  EXPECT_EQ(found.rows(), 4);  // neither row 3 nor the one of weight 0

  MomentsBuilder expected({.names = found.schema().names,
                           .weights = "w",
                           .fold_column = "site",
                           .one_hot = found.schema().one_hot});
  Matrix X(4, 3);
  X << 4, 0, 0, 7, 1, 0, 9, 0, 0, 8, 1, 0;
  const Vector y = Eigen::Vector4d(1, 2, 3, 7);
  const std::vector<double> w{1, 2, 1, 3};
  const std::vector<std::string> labels{"n", "s", "n", "n"};
  expected.add(X, y, w, labels);
  EXPECT_EQ(found.to_bytes(), expected.to_bytes());
}

TEST(MomentsOfArrow, FoldsByTheHashOfAnIdDoNotDependOnTheOrderOfRows) {
  const Data data =
      lass0::testing::random_data(5, {.n = 400, .p = 3, .k = 2, .rho = 0.3, .snr = 2});
  const auto sums_of = [&](bool reversed) {
    std::vector<std::int32_t> ids;
    std::vector<double> y, x;
    for (Index i = 0; i < 400; ++i) {
      const Index row = reversed ? 399 - i : i;
      ids.push_back(static_cast<std::int32_t>(row / 2));
      y.push_back(data.y[row]);
      x.push_back(data.X(row, 0));
    }
    Batches batches({{400, 0, {numbers("y", y), numbers("x", x), whole("id", ids)}}});
    MomentsOfArrow sums({.id_column = "id", .folds = 4, .seed = 9});
    sums.add(batches.stream());
    return sums.take();
  };
  MomentsBuilder one = sums_of(false), other = sums_of(true);
  EXPECT_EQ(one.folds(), 4);
  const Table a = one.table(), b = other.table();
  EXPECT_EQ(a.summed->count, b.summed->count);
  const Path here = path(a, {}), there = path(b, {});
  ASSERT_EQ(here.rss.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(here.rss[k], there.rss[k], 1e-9 * here.rss[k]);
}

// By another program. They are part of the promise: folds stay the same.
TEST(StableHash, IsTheSameForever) {
  EXPECT_EQ(stable_hash("", 0), 0xf52a15e9a9b5e89bU);
  EXPECT_EQ(stable_hash("a", 0), 0x2c0bdbf481420f8U);
  EXPECT_EQ(stable_hash("patient 17", 1), 0xa2a23a793d4f8870U);
}

TEST(MomentsOfArrow, SayWhatIsWrongAndWhere) {
  const Column y = numbers("y", {1, 2}), x = numbers("x", {3, 4});
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of({y, x}, 2, {.target = "z"}),
            "the data have no column 'z', which is the target: the columns are y, x");
  EXPECT_EQ(error_of({y, x, x}, 2, {}), "two columns have the name 'x': rename one of them");
  EXPECT_EQ(error_of({y, texts("s", {"a", "b"})}, 2, {}),
            "column 's' has texts: exclude it, or give all its levels for one-hot coding (levels)");
  EXPECT_EQ(error_of({y, numbers("x", {1, infinite})}, 2, {}),
            "row 1, counted from 0, column 'x': the value is infinite");
  EXPECT_EQ(
      error_of({y, numbers("x", {1, std::nan("")})}, 2, {}),
      "row 1, counted from 0, column 'x': the value is missing: fill it in, or drop such rows "
      "(missing=\"drop\")");
  EXPECT_EQ(
      error_of({y, x, numbers("w", {1, -2})}, 2, {.weights = "w"}),
      "row 1, counted from 0, column 'w': the weight is -2, but must be a finite number, 0 or "
      "more");
  EXPECT_EQ(error_of({y, texts("s", {"a", "c"})}, 2, {.one_hot = {{"s", {"a", "b"}}}}),
            "row 1, counted from 0, column 's': 'c' is not one of its levels, which are a, b");
  EXPECT_EQ(error_of({y, x}, 2, {.fold_column = "x"}), "sums need at least one column of X");
  EXPECT_EQ(error_of({y, x, numbers("f", {1, 2})}, 2, {.fold_column = "f"}),
            "column 'f' must have texts or whole numbers: cast it to one of them");
  EXPECT_EQ(error_of({y, x}, 2, {.numbered = false}),
            "rows of a cluster have no stable number, so they can't have random folds: name a "
            "column of folds (fold_column) or of IDs (id_column), or ask for one fold (folds=1), "
            "for fit and path only");
  EXPECT_EQ(error_of({y, numbers("x", {1, infinite})}, 2, {.numbered = false, .folds = 1}),
            "row 1 of its partition, counted from 0, column 'x': the value is infinite");
  EXPECT_EQ(error_of({texts("y", {"a", "b"}), x}, 2, {}),
            "column 'y' is the target, but has texts: convert it to numbers");
  EXPECT_EQ(error_of({y, x, texts("w", {"a", "b"})}, 2, {.weights = "w"}),
            "column 'w' is the weights, but has texts: convert it to numbers");
  for (const ArrowSumOptions& options : {ArrowSumOptions{.fold_column = "s", .first_row = 3},
                                         ArrowSumOptions{.id_column = "s", .first_row = 3}}) {
    try {
      MomentsOfArrow{options};
      FAIL() << "no error";
    } catch (const UsageError& error) {
      EXPECT_STREQ(error.what(),
                   "first_row is 3, but the folds come from column 's': leave first_row out, which "
                   "is for random folds");
    }
  }

  Batches failing({{2, 0, {y, x}}});
  failing.fails_at = 1;
  MomentsOfArrow sums({});
  EXPECT_THROW(MomentsOfArrow({.folds = 0}), UsageError);
  EXPECT_THROW(sums.add(failing.stream()), Error);
  EXPECT_THROW(sums.add(failing.stream()), Error);  // it is released
}

using ArrowFiles = test::FileTest;

TEST_F(ArrowFiles, AreForPython) {
  EXPECT_EQ(message("data", "PAR1\x15\x04\x15", {}),
            "data: this is a Parquet file, which lass0 reads from Python only: make a file of "
            "moments of it, python -m lass0 moments DATA --target Y --output FILE");
  EXPECT_NE(message("data", std::string("ARROW1\0\0", 8), {}).find("an Arrow file"),
            std::string::npos);
  EXPECT_EQ(read("data.csv", "PAR1,PAR2,y\n1,2,3\n4,5,7\n", {.target = "y"}).names()[0], "PAR1");
  EXPECT_EQ(read("data.csv", "ARROW1,y\n1,2\n4,5\n", {.target = "y"}).names()[0], "ARROW1");
}

TEST(MomentsOfArrow, CanBeInterrupted) {
  Batches batches({{2, 0, {numbers("y", {1, 2}), numbers("x", {3, 4})}}});
  MomentsOfArrow sums({});
  EXPECT_THROW(sums.add(batches.stream(), {.keep_going = [] { return false; }}), Error);
}

}  // namespace
}  // namespace lass0
