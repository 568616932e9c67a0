#include "files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <lass0/error.hpp>
#include <lass0/io.hpp>

#include "interrupt.hpp"

namespace lass0::app {
namespace {

// What a path stands for: a file that exists by its number, so that links do not matter, another
// one by its place.
struct File {
  const FileOption* option;
  bool open_already = false;  // written to as it is: others may write to it as well
  bool special = false;       // a terminal, /dev/null: never a loss
  bool exists = false;
  dev_t device = 0;
  ino_t number = 0;
  std::string place = {};
};

File identify(const FileOption& option, bool input) {
  const std::string& path = *option.path;
  if (path.empty()) throw UsageError(fmt::format("{} needs the name of a file", option.name));
  File file{.option = &option};
  struct stat info = {};
  if (path == "-") {
    file.open_already = true;
    file.exists = ::fstat(input ? STDIN_FILENO : STDOUT_FILENO, &info) == 0;
  } else {
    file.open_already = !input && descriptor_of(path).has_value();
    file.exists = ::stat(path.c_str(), &info) == 0;
    if (!file.exists) file.place = written_path(path);
  }
  // A terminal or a connection may well be both where data come from and where results go.
  file.special = file.exists && (S_ISCHR(info.st_mode) || S_ISSOCK(info.st_mode));
  file.device = info.st_dev;
  file.number = info.st_ino;
  return file;
}

bool same(const File& a, const File& b) {
  if (a.special || b.special || a.exists != b.exists) return false;
  if (!a.exists) return a.place == b.place && !a.place.empty();
  return a.device == b.device && a.number == b.number;
}

void check_writable(const File& file) {
  if (file.open_already) return;
  const std::string& path = *file.option->path;
  const auto cannot = [&](std::string_view why) {
    throw Error(fmt::format("{}: can't be written: {}", path, why));
  };
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) cannot(std::strerror(EISDIR));
  if (file.exists && !std::filesystem::is_regular_file(path, problem)) return;
  // A file that its owner has protected is not replaced, though its folder would allow it.
  if (file.exists && ::access(path.c_str(), W_OK) != 0) cannot(std::strerror(errno));
  const std::filesystem::path folder = std::filesystem::path(written_path(path)).parent_path();
  const bool exists = std::filesystem::exists(folder, problem);
  if (exists && !std::filesystem::is_directory(folder, problem)) cannot(std::strerror(ENOTDIR));
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
  cannot(errno == ENOENT ? "there is no such folder" : std::strerror(errno));
}

}  // namespace

void check_files(const std::vector<FileOption>& inputs, const std::vector<FileOption>& outputs) {
  std::vector<File> others;
  const FileOption* from_standard_input = nullptr;
  for (const FileOption& input : inputs) {
    if (!input.path) continue;
    if (*input.path == "-") {
      if (from_standard_input)
        throw UsageError(fmt::format("{} and {} can't both come from standard input",
                                     from_standard_input->name, input.name));
      from_standard_input = &input;
    }
    others.push_back(identify(input, true));
  }
  const std::size_t read = others.size();
  for (const FileOption& output : outputs) {
    if (!output.path) continue;
    const File file = identify(output, false);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const bool shared = i >= read && file.open_already && others[i].open_already;
      if (!shared && same(file, others[i]))
        throw UsageError(fmt::format("{} and {} are the same file, {}: name another one for {}",
                                     others[i].option->name, output.name, *output.path,
                                     output.name));
    }
    others.push_back(file);
  }
  for (std::size_t i = read; i < others.size(); ++i) check_writable(others[i]);
}

void save(const std::string& path, std::string_view content) {
  const RemoveUnfinishedFiles guard;
  write_file(path, [&](const Sink& sink) { sink(content); });
}

}  // namespace lass0::app
