// Help, version and wrong usage.
#include <lass0/version.hpp>

#include "app/process.hpp"

namespace lass0 {
namespace {

using Usage = ProgramTest;

TEST_F(Usage, HelpDescribesEveryCommandWithAnExample) {
  const std::string help = output({"--help"});
  for (const std::string command :
       {"fit", "path", "cv", "compare", "stability", "predict", "simulate", "demo"}) {
    EXPECT_NE(help.find(command), std::string::npos);
    EXPECT_NE(output({command, "--help"}).find("Example:\n  lass0 "), std::string::npos) << command;
  }
}

TEST_F(Usage, EveryHelpFitsEightyColumns) {
  std::vector<Arguments> pages = {{"--help"}};
  for (const char* command :
       {"fit", "path", "cv", "compare", "stability", "predict", "simulate", "demo"})
    pages.push_back({command, "--help"});
  for (const Arguments& page : pages) {
    std::istringstream lines(output(page));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST_F(Usage, VersionIsThatOfTheLibrary) {
  EXPECT_EQ(output({"--version"}), "lass0 " + std::string(version()) + "\n");
}

TEST_F(Usage, NoCommandShowsTheHelpAndIsWrongUsage) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, output({"--help"}));
}

TEST_F(Usage, NoFileIsWrittenOverOneThatIsReadOrWrittenToo) {
  const std::string data = "a,y\n1,2\n2,3\n4,4\n";
  write("d.csv", data);
  write("truth.txt", "a\n");
  output({"fit", "d.csv", "--target", "y", "--lambda", "0.1", "--model", "m.json"});
  const std::string model = read("m.json");
  const auto same = [&](Arguments arguments, const std::string& name) {
    expect_failure(2, arguments, {name, "are the same file"});
  };
  for (const std::string again : {"d.csv", "./d.csv"}) {
    same({"fit", "d.csv", "--target", "y", "--lambda", "1", "--model", again}, "--model");
    same({"cv", "d.csv", "--target", "y", "--folds", "3", "--model", again}, "--model");
    same({"predict", "m.json", "d.csv", "--output", again}, "DATA and --output");
  }
  same({"predict", "m.json", "d.csv", "--output", "m.json"}, "MODEL and --output");
  same({"simulate", "--truth", "s.csv", "--output", "s.csv"}, "--truth and --output");
  EXPECT_EQ(read("d.csv"), data);
  EXPECT_EQ(read("m.json"), model);
  output({"fit", "d.csv", "--target", "y", "--lambda", "1", "--model", "/dev/null"});
}

TEST_F(Usage, WrongUsageIsStatus2AndOneLine) {
  write("d.csv", "a,y\n1,2\n2,3\n4,4\n");
  const auto wrong = [&](const Arguments& arguments, const std::vector<std::string>& parts) {
    expect_failure(2, arguments, parts);
  };
  wrong({"frobnicate"}, {"lass0: ", "frobnicate"});
  wrong({"--frobnicate"}, {"lass0: ", "--frobnicate"});
  wrong({"fit"}, {"lass0 fit: "});
  wrong({"fit", "d.csv", "--target", "y"}, {"lass0 fit: ", "--lambda"});
  wrong({"fit", "d.csv", "--lambda", "1"}, {"lass0 fit: ", "--target"});
  wrong({"fit", "d.csv", "--target", "y", "--lambda"}, {"lass0 fit: --lambda takes one value"});
  wrong({"fit", "d.csv", "--target", "y", "--lambda", "1", "--lambda", "2"},
        {"lass0 fit: --lambda takes one value"});
  wrong({"fit", "--target", "y", "--lambda", "1"}, {"lass0 fit: ", "DATA"});
  wrong({"fit", "d.csv", "--target", "y", "--lambda", "1", "--frob"}, {"lass0 fit: ", "--frob"});
  wrong({"fit", "d.csv", "e.csv", "--target", "y", "--lambda", "1"}, {"lass0 fit: ", "e.csv"});
  const auto wrong_fit = [&](const std::string& option, const std::string& value) {
    wrong({"fit", "d.csv", "--target", "y", "--lambda", "1", option, value},
          {"lass0 fit: ", option});
  };
  wrong_fit("--power", "1");
  wrong_fit("--power", "-0.1");
  wrong_fit("--power", "nan");
  wrong_fit("--l1-tolerance", "0");
  for (const std::string ridge : {"-1", "nan", "inf", "some"}) {
    wrong_fit("--ridge", ridge);
    wrong({"path", "d.csv", "--target", "y", "--ridge", ridge}, {"lass0 path: ", "--ridge"});
  }
  wrong_fit("--threads", "-1");
  wrong_fit("--threads", "two");
  wrong_fit("--time-limit", "-1");
  wrong_fit("--time-limit", "nan");
  for (const char* size : {"0", "-1", "two", "2X", "G", "2Gi", "1..5M", ""})
    wrong_fit("--memory", size);
  wrong_fit("--model", "");
  wrong_fit("--start", "");
  wrong({"fit", "", "--target", "y", "--lambda", "1"},
        {"lass0 fit: DATA needs the name of a file"});
  wrong({"cv", "d.csv", "--target", "y", "--lambdas", "2000000000"}, {"lass0 cv: --lambdas"});
  wrong_fit("--missing", "guess");
  wrong_fit("--header", "maybe");
  wrong_fit("--format", "xml");
  wrong_fit("--model", "-");
  for (const std::string lambda : {"-1", "nan", "inf", "one", "1e999", "1,5"})
    wrong({"fit", "d.csv", "--target", "y", "--lambda", lambda}, {"lass0 fit: ", "--lambda"});
  wrong({"fit", "d.csv", "--target", "y", "--lambda", "1", "--input-format", "xls"},
        {"xls", "csv"});
  wrong({"predict", "m.json"}, {"lass0 predict: ", "DATA"});
  wrong({"predict", "-", "-"}, {"lass0 predict: ", "standard input"});
  wrong({"simulate", "--n", "-1"}, {"lass0 simulate: "});
  wrong({"simulate", "--k", "51", "--p", "50"}, {"lass0 simulate: "});
  wrong({"simulate", "--rho", "1"}, {"lass0 simulate: "});
  wrong({"simulate", "--snr", "0"}, {"lass0 simulate: "});
  wrong({"simulate", "--correlation", "none"}, {"lass0 simulate: ", "--correlation"});
  wrong({"simulate", "--truth", "-"}, {"lass0 simulate: ", "--truth"});
  for (const std::string seed : {"x", "-1", "1.5", "+1", "18446744073709551616", ""}) {
    wrong({"demo", "--seed", seed}, {"lass0 demo: ", "--seed"});
    wrong({"simulate", "--seed", seed}, {"lass0 simulate: ", "--seed"});
    wrong({"cv", "d.csv", "--target", "y", "--seed", seed}, {"lass0 cv: ", "--seed"});
    wrong({"compare", "d.csv", "--target", "y", "--seed", seed}, {"lass0 compare: ", "--seed"});
  }
  EXPECT_EQ(files(), std::vector<std::string>{"d.csv"});
}

TEST_F(Usage, AFitThatIsNotToldHowManyColumnsNamesTheCommandThatChooses) {
  expect_failure(2, {"fit", "missing.csv", "--target", "y"}, {"--lambda L", "--k K", "lass0 cv"});
}

TEST_F(Usage, WrongOptionsAreFoundBeforeTheDataAreRead) {
  expect_failure(2, {"fit", "missing.csv", "--target", "y", "--lambda", "-1"}, {"--lambda"});
}

TEST_F(Usage, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const std::string program = LASS0_PROGRAM;
  const auto status = [](const std::string& command) {
    return WEXITSTATUS(std::system((command + " > /dev/full 2> /dev/null").c_str()));
  };
  EXPECT_EQ(status(program + " simulate --n 5 --p 3 --k 1"), 1);
  write("d.csv", "a,y\n1,2\n2,3\n4,4\n");
  EXPECT_EQ(status(program + " fit " + path("d.csv").string() + " --target y --lambda 0.1"), 1);
}

// OpenBLAS takes the slowest kernels on a CPU that is newer than itself:
// src/util/blas/openblas_kernels.cpp.
TEST_F(Usage, TheKernelsAreThoseOfTheCpu) {
  if (std::string(LASS0_BLAS) != "openblas") GTEST_SKIP() << "the kernels are not OpenBLAS's";
#ifdef __x86_64__
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "this CPU has no instructions for which OpenBLAS has better kernels";
  const std::string program = LASS0_PROGRAM, log = path("log").string();
  const auto kernels = [&](const std::string& wish) {
    const std::string command =
        wish + " OPENBLAS_VERBOSE=2 " + program + " --version > /dev/null 2> ";
    EXPECT_EQ(std::system((command + log).c_str()), 0);
    const std::string said = read("log");
    const std::size_t last = said.rfind("Core: ");
    return last == std::string::npos ? "" : said.substr(last + 6);
  };
  EXPECT_NE(kernels("env -u OPENBLAS_CORETYPE"), "Prescott\n");
  EXPECT_EQ(kernels("OPENBLAS_CORETYPE=Prescott"), "Prescott\n");  // the user's own wish
#else
  GTEST_SKIP() << "only OpenBLAS for x86-64 knows too few models of CPUs";
#endif
}

}  // namespace
}  // namespace lass0
