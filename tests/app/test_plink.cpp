// PLINK genotypes from the command line: fit, choose, predict another file.
#include "app/process.hpp"
#include "io/plink_sample.hpp"

namespace lass0 {
namespace {

using test::bed;
using test::bim;
using test::fam;
using test::Genotypes;

class PlinkProgram : public ProgramTest {
 protected:
  // y = 2 * rs3 - rs8 + something small, of 60 samples and 30 variants.
  PlinkProgram() {
    std::vector<std::string> phenotypes;
    std::string table = "IID,y,age,fold\n";
    unsigned state = 1;
    for (std::size_t i = 0; i < 60; ++i) {
      std::vector<int> row;
      for (int j = 0; j < 30; ++j) {
        state = state * 1664525U + 1013904223U;
        row.push_back(static_cast<int>(state >> 24U) % 3);
      }
      if (i % 9 == 4) row[12] = test::kNoGenotype;
      const double y = 2 * row[2] - row[7] + 0.01 * static_cast<double>(i % 7);
      phenotypes.push_back(std::to_string(y));
      table += "I" + std::to_string(i + 1) + "," + std::to_string(3 * y) + "," +
               std::to_string(i % 13) + "," + std::to_string(i % 4) + "\n";
      genotypes_.push_back(std::move(row));
    }
    write_all("d", genotypes_, phenotypes);
    write("p.csv", table);
  }
  void write_all(const std::string& name, const Genotypes& genotypes,
                 const std::vector<std::string>& phenotypes) const {
    write(name + ".bed", bed(genotypes));
    write(name + ".bim", bim(genotypes.front().size()));
    write(name + ".fam", fam(phenotypes));
  }

  Genotypes genotypes_;
};

TEST_F(PlinkProgram, FitsThePhenotypeOfTheFamFile) {
  const Json fit = json({"fit", "d.bed", "--k", "2"});
  EXPECT_EQ(fit["target"], "phenotype");
  EXPECT_EQ(fit["p"], 30);
  EXPECT_EQ(fit["support"], (Json{"rs3", "rs8"}));
  EXPECT_NEAR(fit["coefficients"]["rs3"].get<double>(), 2, 0.05);
  EXPECT_EQ(fit["alleles"], (Json{{"rs3", "A"}, {"rs8", "A"}}));
  const Outcome text = run({"fit", "d.bed", "--k", "2"});
  EXPECT_NE(text.out.find("7 missing genotypes in 1 variant"), std::string::npos) << text.out;
}

TEST_F(PlinkProgram, TheTargetCanComeFromATableOfTheSamples) {
  const Json cv = json({"cv", "d.bed", "--phenotypes", "p.csv", "--target", "y", "--include", "age",
                        "--fold-column", "fold", "--tune", "k", "--max-k", "5"});
  EXPECT_EQ(cv["folds"], 4);
  const Json support = cv["model"]["support"];
  EXPECT_NE(std::find(support.begin(), support.end(), "rs3"), support.end());
  EXPECT_EQ(support.back(), "age");
  const Json path =
      json({"path", "d.bed", "--phenotypes", "p.csv", "--target", "y", "--max-k", "2"});
  EXPECT_EQ(path["steps"][2]["support"], (Json{"rs3", "rs8"}));
  expect_failure(2, {"fit", "p.csv", "--phenotypes", "p.csv", "--target", "y", "--k", "1"},
                 {"--phenotypes is for PLINK"});
  expect_failure(1, {"fit", "d.bed", "--phenotypes", "p.csv", "--target", "bmi", "--k", "1"},
                 {"d.bed", "no column 'bmi'"});
}

TEST_F(PlinkProgram, PredictsAnotherFileWithTheMeansOfTheFit) {
  json({"fit", "d.bed", "--k", "2", "--model", "m.json"});
  Genotypes others = {{genotypes_[4]}, {genotypes_[5]}, {genotypes_[6]}};
  const double of_last =
      Json::parse(run({"predict", "m.json", "d.bed", "--format", "json"}).out)["predictions"][6];
  others[0][2] = test::kNoGenotype;
  write_all("new", others, {"-9", "-9", "-9"});
  const Json model = Json::parse(read("m.json"));
  const Json found = json({"predict", "m.json", "new.bed", "--id", "IID"});
  EXPECT_EQ(found["ids"], (Json{"I1", "I2", "I3"}));
  EXPECT_DOUBLE_EQ(found["predictions"][2].get<double>(), of_last);
  const double expected =
      model["intercept"].get<double>() +
      model["coefficients"]["rs3"].get<double>() * model["imputed"]["rs3"].get<double>() +
      model["coefficients"]["rs8"].get<double>() * others[0][7];
  EXPECT_NEAR(found["predictions"][0].get<double>(), expected, 1e-12);
  const Outcome known = run({"predict", "m.json", "d.bed"});
  EXPECT_NE(known.err.find("the 60 rows of the fit"), std::string::npos) << known.err;
}

TEST_F(PlinkProgram, TheFilesBesideAreNotWrittenOver) {
  expect_failure(2, {"fit", "d.bed", "--k", "1", "--model", "d.fam"}, {"the same file", "d.fam"});
  expect_failure(
      2, {"fit", "d.bed", "--phenotypes", "p.csv", "--target", "y", "--k", "1", "--model", "p.csv"},
      {"--phenotypes and --model are the same file"});
}

}  // namespace
}  // namespace lass0
