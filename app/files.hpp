// The files of a command: that none of them is written over another, and writing them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lass0::app {

// An option and its file, where there is one; "-" is standard input or standard output.
struct FileOption {
  const char* name;
  std::optional<std::string> path;
};

inline const FileOption kResultOnStandardOutput = {"standard output", "-"};

// Before anything is read. Throws UsageError where an output is one of the inputs or another
// output, by whatever names and links, and Error where one can't be written: hours later the result
// would be lost.
void check_files(const std::vector<FileOption>& inputs, const std::vector<FileOption>& outputs);

// Writes a file whose content is known. No signal leaves a part of it behind.
void save(const std::string& path, std::string_view content);

}  // namespace lass0::app
