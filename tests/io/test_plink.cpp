// PLINK genotypes: what the bits mean, how the samples get their target, and what is said of files
// that don't belong together.
#include <cmath>
#include <lass0/cross_validate.hpp>
#include <lass0/fit.hpp>
#include <lass0/model.hpp>
#include <lass0/path.hpp>

#include "io/plink_sample.hpp"
#include "io/temporary_folder.hpp"
#include "support/random_problem.hpp"

namespace lass0::test {
namespace {

using testing::Rng;

const Genotypes kSmall = {{0, 2, 1}, {1, kNoGenotype, 2}, {2, 0, 0}, {0, 1, 1}, {1, 0, 2}};

Genotypes random_genotypes(std::uint64_t seed, Index n, Index p, double missing) {
  Rng rng(seed);
  Genotypes all(static_cast<std::size_t>(n), std::vector<int>(static_cast<std::size_t>(p)));
  for (auto& row : all)
    for (int& copies : row)
      copies = rng.chance(missing) ? kNoGenotype : static_cast<int>(rng.below(3));
  return all;
}

// As doubles, with the means of the kept rows in place of what is missing.
Matrix dense(const Genotypes& genotypes) {
  Matrix X(std::ssize(genotypes), std::ssize(genotypes.front()));
  for (Index j = 0; j < X.cols(); ++j) {
    double sum = 0, known = 0;
    for (Index i = 0; i < X.rows(); ++i) {
      X(i, j) = genotypes[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      if (X(i, j) != kNoGenotype) sum += X(i, j), known += 1;
    }
    for (Index i = 0; i < X.rows(); ++i)
      if (X(i, j) == kNoGenotype) X(i, j) = known > 0 ? sum / known : 0;
  }
  return X;
}

class Plink : public FileTest {
 protected:
  std::string write(const Genotypes& genotypes, const std::vector<std::string>& phenotypes,
                    const std::vector<std::size_t>& swapped = {},
                    const std::string& name = "d") const {
    folder_.write(name + ".bim", bim(genotypes.front().size(), swapped));
    folder_.write(name + ".fam", fam(phenotypes));
    return folder_.write(name + ".bed", bed(genotypes));
  }
  std::string problem(const ReadOptions& options = {}) const {
    return message_of([&] { read_table(folder_.path("d.bed"), options); });
  }
};

TEST_F(Plink, ColumnsCountTheFirstAllele) {
  const Table table = read_table(write(kSmall, {"1.5", "2", "3", "4", "7"}), {});
  EXPECT_EQ(table.names(), (Names{"rs1", "rs2", "rs3"}));
  EXPECT_EQ(table.alleles, (Names{"A", "A", "A"}));
  EXPECT_EQ(table.target, "phenotype");
  EXPECT_EQ(table.y(), vector({1.5, 2, 3, 4, 7}));
  EXPECT_EQ(values(table), matrix({{0, 2, 1}, {1, 0.75, 2}, {2, 0, 0}, {0, 1, 1}, {1, 0, 2}}));
  EXPECT_EQ(table.genotypes->missing(0), 0);
  EXPECT_EQ(table.genotypes->missing(1), 1);
}

TEST_F(Plink, VariantsWithoutAnIdAreNamedByTheirPlace) {
  const std::string path = write(kSmall, {"1", "2", "3", "4", "7"});
  folder_.write("d.bim", "1 . 0 100 A G\nX . 0 7 AT C\n1 rs3 0 300 T 0\n");
  const Table table = read_table(path, {});
  EXPECT_EQ(table.names(), (Names{"1:100:A:G", "X:7:AT:C", "rs3"}));
  EXPECT_EQ(table.alleles, (Names{"A", "AT", "T"}));
  folder_.write("d.bim", "1 rs1 0 100 A G\n1 rs1 0 7 AT C\n1 rs3 0 300 T 0\n");
  EXPECT_EQ(problem(),
            "d.bed: a column name appears more than once: rs1; rename or exclude (by number) all "
            "but one");
  EXPECT_EQ(read_table(path, {.exclude = {"2"}}).names(), (Names{"rs1", "rs3"}));
}

TEST_F(Plink, MissingPhenotypesAreMissingValues) {
  write(kSmall, {"1.5", "-9", "0", "NA", "7"});
  EXPECT_EQ(problem(),
            "d.bed: 2 missing values in 1 column: phenotype (2, first in row 2); use --missing "
            "drop or --missing mean");
  for (const MissingValues missing : {MissingValues::drop, MissingValues::mean}) {
    const Table table = read_table(folder_.path("d.bed"), {.missing = missing});
    EXPECT_EQ(table.y(), vector({1.5, 0, 7}));
    EXPECT_EQ(table.rows_dropped, (std::vector<Index>{2, 4}));
    EXPECT_EQ(values(table), matrix({{0, 2, 1}, {2, 0, 0}, {1, 0, 2}}));
  }
  // Of cases and controls, 0 is missing too.
  write(kSmall, {"1", "2", "0", "-9", "2"});
  const Table cases =
      read_table(folder_.path("d.bed"), {.classes = true, .missing = MissingValues::drop});
  EXPECT_EQ(cases.classes, (Names{"1", "2"}));
  EXPECT_EQ(cases.y(), vector({0, 1, 1}));
  write(kSmall, {"0", "1", "0", "1", "1"});  // no case and control
  EXPECT_EQ(read_table(folder_.path("d.bed"), {}).y(), vector({0, 1, 0, 1, 1}));
}

TEST_F(Plink, MeansAreThoseOfTheRowsThatAreUsedWithTheirWeights) {
  const std::string path = write(kSmall, {"1", "2", "-9", "4", "7"});
  const std::string table_path = folder_.write("p.csv", "IID,w\nI1,3\nI2,1\nI3,5\nI4,1\nI5,0\n");
  const Table table =
      read_table(path, {.weights = "w", .missing = MissingValues::drop, .phenotypes = table_path});
  EXPECT_DOUBLE_EQ(table.genotypes->mean(1), (3 * 2 + 1 * 1 + 0) / 4.0);
  EXPECT_DOUBLE_EQ(values(table)(1, 1), 7.0 / 4);
}

TEST_F(Plink, ATableOfTheSamplesIsJoinedById) {
  const std::string path = write(kSmall, {"-9", "-9", "-9", "-9", "-9"});
  for (const auto& [name, content] : std::vector<std::pair<std::string, std::string>>{
           {"p.csv", "IID,age,\"bmi\"\nI4,40,2.5\n\"I1\",10,-1\nI9,90,9\nI3,30,3e-1\nI2,20,\n"},
           {"p.tsv",
            "#FID\tIID\tage\tbmi\nF2\tI4\t40\t2.5\nF1\tI1\t10\t-1\nF7\tI4\t1\t1\n"
            "F2\tI3\t30\t.3\nF1\tI2\t20\tNA\n"},
           {"p.txt", "FID IID age bmi\nF2 I4 40 2.5\nF1  I1 10 -1\nF2 I3 30 .3\nF1 I2 20 nan\n"}}) {
    const std::string phenotypes = folder_.write(name, content);
    ReadOptions options = {
        .target = "bmi", .missing = MissingValues::drop, .phenotypes = phenotypes};
    const Table table = read_table(path, options);
    EXPECT_EQ(table.y(), vector({-1, 0.3, 2.5})) << name;
    EXPECT_EQ(table.names(), (Names{"rs1", "rs2", "rs3"}));
    EXPECT_EQ(values(table), matrix({{0, 2, 1}, {2, 0, 0}, {0, 1, 1}}));
    // What is included comes after the variants, is never an allele, and has --missing for itself.
    options.include = {"age"};
    const Table more = read_table(path, options);
    EXPECT_EQ(more.names(), (Names{"rs1", "rs2", "rs3", "age"}));
    EXPECT_EQ(more.alleles, (Names{"A", "A", "A", ""}));
    EXPECT_EQ(more.include, std::vector<Index>{3});
    EXPECT_EQ(values(more).col(3), vector({10, 30, 40}));
    options.target = "age";
    options.include = {"bmi", "rs2"};
    options.missing = MissingValues::mean;  // I5 has no target at all
    const Table imputed = read_table(path, options);
    EXPECT_EQ(imputed.rows_dropped, std::vector<Index>{5});
    EXPECT_EQ(imputed.include, (std::vector<Index>{1, 3}));
    EXPECT_DOUBLE_EQ(values(imputed)(1, 3), (2.5 - 1 + 0.3) / 3);
  }
  EXPECT_EQ(problem({.target = "weight", .phenotypes = folder_.path("p.csv")}).substr(0, 50),
            std::string("d.bed: there is no column 'weight' for the target; the").substr(0, 50));
}

TEST_F(Plink, TheFamFileHasGroupsAndSex) {
  const std::string path = write(kSmall, {"1", "2", "3", "4", "5"});
  const Table table =
      read_table(path, {.groups = "FID", .include = {"sex"}, .missing = MissingValues::drop});
  EXPECT_EQ(table.rows_dropped, (std::vector<Index>{1, 4}));  // sex 0 is not known
  EXPECT_EQ(table.groups, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(values(table).col(3), vector({1, 2, 1}));
}

TEST_F(Plink, FitsAreThoseOfTheSameNumbersInATable) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Genotypes genotypes = random_genotypes(seed, 61, 14, seed % 2 ? 0.1 : 0);
    Matrix X = dense(genotypes);
    Rng rng(seed);
    Vector y = X.col(2) - 0.7 * X.col(5) + X.col(11);
    std::vector<std::string> phenotypes;
    for (double& value : y) {
      value += 0.5 * rng.normal();
      phenotypes.push_back(std::to_string(value));
      value = std::stod(phenotypes.back());
    }
    const Table table = read_table(write(genotypes, phenotypes), {});
    const Table copy = Table::dense(X, y, table.names());
    for (const Index k : {1, 3, 5}) {
      const Fit found = fit(table, {.goal = OfSize{k}}), wanted = fit(copy, {.goal = OfSize{k}});
      EXPECT_EQ(found.model.names, wanted.model.names);
      EXPECT_NEAR(found.objective, wanted.objective, 1e-9 * wanted.objective);
    }
    const CrossValidation found = cross_validate(table, {.folds = 5, .seed = seed});
    const CrossValidation wanted = cross_validate(copy, {.folds = 5, .seed = seed});
    EXPECT_EQ(found.fit.model.names, wanted.fit.model.names);
    EXPECT_NEAR(found.best().mean_error, wanted.best().mean_error, 1e-9);
  }
}

// Models keep the means and the alleles: another file may miss other genotypes, and have the
// alleles the other way round.
TEST_F(Plink, PredictionsCountTheAllelesOfTheFit) {
  const Genotypes genotypes = random_genotypes(3, 40, 6, 0.1);
  const Matrix X = dense(genotypes);
  std::vector<std::string> phenotypes;
  for (Index i = 0; i < 40; ++i)
    phenotypes.push_back(
        std::to_string(3 * X(i, 1) - 2 * X(i, 4) + 0.1 * static_cast<double>(i % 5)));
  const Table table = read_table(write(genotypes, phenotypes), {});
  const Fit fitted = fit(table, {.goal = OfSize{2}});
  const Model model = model_from_json(to_json(fitted));
  EXPECT_EQ(model.alleles, (std::map<std::string, std::string>{{"rs2", "A"}, {"rs5", "A"}}));
  EXPECT_EQ(model.imputed.at("rs2"), table.genotypes->mean(1));

  Genotypes others = random_genotypes(4, 23, 6, 0.2), turned = others;
  for (auto& row : turned)
    if (row[4] != kNoGenotype) row[4] = 2 - row[4];
  const std::vector<std::string> none(23, "-9");
  const Vector expected =
      model.predict(read_table(write(others, none, {}, "plain"), for_prediction(model)));
  const Vector found =
      model.predict(read_table(write(turned, none, {4}, "turned"), for_prediction(model)));
  EXPECT_EQ(found, expected);
  for (Index i = 0; i < 23; ++i) {
    double want = model.at.intercept;
    for (std::size_t l = 0; l < 2; ++l) {
      const std::size_t j = l == 0 ? 1 : 4;
      const int copies = others[static_cast<std::size_t>(i)][j];
      want += model.at.coefficients[static_cast<Index>(l)] *
              (copies == kNoGenotype ? table.genotypes->mean(static_cast<Index>(j)) : copies);
    }
    EXPECT_NEAR(found[i], want, 1e-12);
  }

  folder_.write("plain.bim", bim(4) + "1 rs5 0 500 A T\n1 rs6 0 600 A G\n");
  EXPECT_EQ(model.predict(read_table(folder_.path("plain.bed"), for_prediction(model))), expected);
  folder_.write("plain.bim", bim(4) + "1 rs5 0 500 C T\n1 rs6 0 600 A G\n");
  EXPECT_EQ(message_of([&] { read_table(folder_.path("plain.bed"), for_prediction(model)); }),
            "plain.bed: variant 'rs5' has the alleles C and T, but the model counts copies of A");
}

TEST_F(Plink, ModelsOfAllSizesKeepTheirAlleles) {
  const Genotypes genotypes = random_genotypes(8, 50, 9, 0.1);
  std::vector<std::string> phenotypes;
  for (std::size_t i = 0; i < 50; ++i) phenotypes.push_back(std::to_string((i * i) % 17));
  const Table table = read_table(write(genotypes, phenotypes), {});
  const Path sizes = path(table, {.max_k = 4});
  for (Index k = 0; k <= 4; ++k) {
    const Model model = model_from_json(to_json(sizes), {.k = k});
    for (const std::string& name : model.names) EXPECT_EQ(model.alleles.at(name), "A");
    const Table again = read_table(folder_.path("d.bed"), for_prediction(model));
    EXPECT_LE((model.predict(again) - model.predict(table)).norm(), 1e-10);
  }
}

TEST_F(Plink, FilesThatDoNotBelongTogetherAreNamed) {
  const std::string path = write(kSmall, {"1", "2", "3", "4", "5"});
  const std::string content = folder_.content("d.bed");
  folder_.write("d.bed", content.substr(0, 8));
  EXPECT_EQ(problem(),
            "d.bed: 5 samples (.fam) and 3 variants (.bim) need 9 bytes, but the file has 8; it is "
            "truncated, or of other samples or variants");
  folder_.write("d.bed", content + "x");
  EXPECT_EQ(problem(),
            "d.bed: 5 samples (.fam) and 3 variants (.bim) need 9 bytes, but the file has 10; it "
            "is of other samples or variants");
  folder_.write("d.bed", std::string("\x6c\x1b\0", 3) + content.substr(3));
  EXPECT_EQ(problem(),
            "d.bed: the genotypes stand sample by sample, as old versions of PLINK wrote them; "
            "write them variant by variant with plink --make-bed");
  folder_.write("d.bed", "rs1,rs2\n1,2\n");
  EXPECT_EQ(problem(), "d.bed: this is not a PLINK 1 .bed file");
  folder_.write("d.bed", content);
  folder_.write("d.fam", "F1 I1 0 0 1 2\nF1 I2 0 0 1\n");
  EXPECT_EQ(problem(),
            "d.fam: line 2 has 5 fields where 6 are expected: FID, IID, father, mother, sex and "
            "phenotype");
  std::filesystem::remove(folder_.path("d.fam"));
  EXPECT_EQ(problem(), "d.fam: no such file");
  folder_.write("d.bim", "\n");
  EXPECT_EQ(problem(), "d.bim: there are no variants");
}

TEST_F(Plink, TablesOfSamplesThatAreWrongAreNamed) {
  write(kSmall, {"1", "2", "3", "4", "5"});
  const auto with = [&](const std::string& table) {
    return problem({.target = "bmi", .phenotypes = folder_.write("p.csv", table)});
  };
  EXPECT_EQ(with("id,bmi\nI1,2\n"),
            "p.csv: there is no column IID, by which the samples are found; the first row has id, "
            "bmi");
  EXPECT_EQ(with("IID,bmi\nI1,2\nI3,1\nI1,4\n"), "p.csv: line 4: IID I1 already has line 2");
  EXPECT_EQ(with("IID,bmi\nI1,2\nI3\n"), "p.csv: line 3 has 1 fields where 2 are expected");
  EXPECT_EQ(with("FID,IID,bmi\nF1,J1,2\n"),
            "p.csv: none of the 5 samples of the .fam file is in it, such as FID F1, IID I1");
  EXPECT_EQ(with("IID,bmi\nI1,tall\nI2,2\nI3,3\n"),
            "d.bed: row 1 (line 2), column 'bmi': 'tall' is not a number");
  folder_.write("d.fam",
                "F1 I1 0 0 1 1\nF2 I1 0 0 1 1\nF1 I3 0 0 1 1\nF1 I4 0 0 1 1\nF1 I5 0 0 1 1\n");
  EXPECT_EQ(with("IID,bmi\nI1,2\n"),
            "p.csv: the samples of the .fam file are not told apart: IID I1 occurs twice; add a "
            "column FID");
  folder_.write("d.csv", "a,b\n1,2\n2,3\n");
  EXPECT_EQ(message_of(
                [&] { read_table(folder_.path("d.csv"), {.target = "a", .phenotypes = "p.csv"}); }),
            "d.csv: --phenotypes is for PLINK .bed files: a file of the format csv has its target "
            "itself");
}

TEST_F(Plink, AFileThatIsCutWhileItIsInUseIsAnError) {
  const Genotypes genotypes = random_genotypes(5, 300, 200, 0.05);
  std::vector<std::string> phenotypes;
  for (std::size_t i = 0; i < 300; ++i) phenotypes.push_back(std::to_string((i * 7) % 19));
  const std::string path = write(genotypes, phenotypes);
  const Table table = read_table(path, {});
  std::filesystem::resize_file(path, 5000);
  EXPECT_EQ(message_of([&] { fit(table, {.goal = OfSize{2}}); }),
            "d.bed: the file became shorter while it was read; try again when no program changes "
            "it");
}

}  // namespace
}  // namespace lass0::test
