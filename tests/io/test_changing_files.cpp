// Files that another program cuts short while they are read: an error, not the end of the process;
// and what a reader tells of its progress.
#include <signal.h>

#include <cmath>

#include "io/binary_files.hpp"
#include "io/temporary_folder.hpp"

namespace lass0::test {
namespace {

class ChangingFiles : public FileTest {
 protected:
  // Options that cut `path` to `size` bytes when a pass over it begins: the file is open by then.
  static ReadOptions cutting(const std::string& path, std::size_t size, const std::string& pass) {
    ReadOptions options = {.target = "2"};
    options.progress = [path, size, pass](std::string_view what, double) {
      if (what.starts_with(pass) && std::filesystem::file_size(path) > size)
        std::filesystem::resize_file(path, size);
    };
    return options;
  }
  static std::string csv(int rows) {
    std::string text = "a,b\n";
    for (int i = 0; i < rows; ++i) text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
    return text;
  }
};

TEST_F(ChangingFiles, AFileThatIsCutWhileItIsReadIsAnError) {
  struct sigaction before = {}, after = {};
  sigaction(SIGBUS, nullptr, &before);
  std::string table(80'000, '\0');
  std::string coordinates = "%%MatrixMarket matrix coordinate real general\n5000 2 10000\n", libsvm;
  for (int i = 1; i <= 5000; ++i) {
    coordinates += std::to_string(i) + " 1 1.5\n" + std::to_string(i) + " 2 2.5\n";
    libsvm += "1 1:2 2:3\n";
  }
  const std::string array = npy("<f8", false, "(5000, 2)", table);
  const std::vector<std::pair<std::string, std::string>> files = {
      {"large.csv", csv(20'000)},
      {"small.csv", csv(20)},
      {"large.npy", array},
      {"small.npy", npy("<f8", false, "(4, 2)", table.substr(0, 64))},
      {"large.npz", zip({{"X.npy", array}}, false)},
      {"large.mtx", coordinates},
      {"large.arff",
       "@relation r\n@attribute a real\n@attribute b real\n@data\n" + csv(9000).substr(4)},
      {"large.svm", libsvm},
  };
  for (const auto& [name, content] : files) {
    for (const double share : {0.0, 0.3, 0.9}) {
      const std::string path = folder_.write(name, content);
      ReadOptions options = cutting(
          path, static_cast<std::size_t>(std::floor(share * static_cast<double>(content.size()))),
          "reading");
      if (name.ends_with(".svm")) options.target.clear();
      EXPECT_EQ(message_of([&] { read_table(path, options); }),
                name +
                    ": the file became shorter while it was read; try again when no program "
                    "changes it")
          << share;
    }
  }
  sigaction(SIGBUS, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST_F(ChangingFiles, APackedFileThatIsCutIsAnError) {
  const std::string path = folder_.write_gzip("a.csv.gz", csv(200'000));
  EXPECT_EQ(message_of([&] { read_table(path, cutting(path, 100, "unpacking")); }),
            "a.csv.gz: the file became shorter while it was read; try again when no program "
            "changes it");
}

TEST_F(ChangingFiles, OtherSignalsOfTheKindAreLeftToThoseWhoMindThem) {
  const std::string path = folder_.write("a.csv", csv(20));
  ReadOptions options = {.target = "2"};
  options.progress = [](std::string_view, double) { raise(SIGBUS); };
  const auto read_data = [&] {
    ::signal(SIGBUS, SIG_DFL);  // a sanitizer minds them, too
    read_table(path, options);
  };
  EXPECT_EXIT(read_data(), testing::KilledBySignal(SIGBUS), "");
}

TEST_F(ChangingFiles, ProgressRisesFromZeroWithTheBytesRead) {
  const std::string content = csv(600'000);
  for (const std::string& path :
       {folder_.write("a.csv", content), folder_.write_gzip("b.csv.gz", content)}) {
    std::map<std::string, std::vector<double>> told;
    ReadOptions options = {.target = "2"};
    options.progress = [&](std::string_view what, double fraction) {
      told[std::string(what)].push_back(fraction);
    };
    read_table(path, options);
    const std::vector<double>& reading = told["reading " + path];
    EXPECT_GE(reading.size(), 4U);
    EXPECT_EQ(told.count("unpacking " + path), path.ends_with(".gz") ? 1U : 0U);
    for (const auto& [what, fractions] : told) {
      EXPECT_EQ(fractions.front(), 0) << what;
      EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end())) << what;
      EXPECT_LE(fractions.back(), 1) << what;
    }
    EXPECT_GT(reading.back(), 0.6);
  }
}

}  // namespace
}  // namespace lass0::test
