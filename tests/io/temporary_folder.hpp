// A folder for the files of one test, and the shortest ways to fill it and to look at what was
// read.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <string>
#include <string_view>

namespace lass0::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lass0-test-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }

  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  std::string write_gzip(const std::string& name, std::string_view content) const {
    gzFile file = gzopen(path(name).c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return path(name);
  }

  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::ptrdiff_t count() const {
    return std::distance(std::filesystem::directory_iterator(path_),
                         std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path path_;
};

// A test with a folder of its own.
class FileTest : public testing::Test {
 protected:
  Table read(const std::string& name, std::string_view content, const ReadOptions& options) const {
    return read_table(folder_.write(name, content), options);
  }

  // The message of the Error that reading throws, with the folder taken off the file's name.
  std::string message(const std::string& name, std::string_view content,
                      const ReadOptions& options) const {
    return message_of([&] { read(name, content, options); });
  }

  template <typename Action>
  std::string message_of(const Action& action) const {
    try {
      action();
    } catch (const Error& error) {
      std::string text = error.what();
      const std::string prefix = folder_.path("");
      for (std::size_t at; (at = text.find(prefix)) != std::string::npos;)
        text.erase(at, prefix.size());
      return text;
    }
    return "no error";
  }

  TemporaryFolder folder_;
};

inline Matrix values(const Table& table) {
  Matrix X(table.design().rows(), table.design().cols());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) X(i, j) = table.design().value(i, j);
  return X;
}

inline Matrix matrix(std::initializer_list<std::initializer_list<double>> rows) {
  return Matrix(rows);
}
inline Vector vector(std::initializer_list<double> entries) {
  Vector out(static_cast<Index>(entries.size()));
  std::copy(entries.begin(), entries.end(), out.data());
  return out;
}

using Names = std::vector<std::string>;

}  // namespace lass0::test
