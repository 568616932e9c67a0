// The names of a file's columns, looked up the way users write them. Columns of files without names
// are called x1, x2, ...: those names are made when somebody asks for one, because a file of two
// lines may claim millions of columns.
#pragma once

#include <lass0/types.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lass0::io {

class ColumnNames {
 public:
  // `source` is what messages call the file.
  ColumnNames(std::string source, std::vector<std::string> names);
  // x1, x2, ... and, where there is one, a last column of another name.
  static ColumnNames numbered(std::string source, Index count, std::string last = {});

  ColumnNames(ColumnNames&&) = default;
  ColumnNames& operator=(ColumnNames&&) = default;
  ColumnNames(const ColumnNames&) = delete;  // views of `names_` are kept
  ColumnNames& operator=(const ColumnNames&) = delete;

  const std::string& source() const { return source_; }
  Index count() const { return numbered_ + std::ssize(names_); }
  std::string name(Index column) const;

  Index find(std::string_view name) const;  // by name only; -1: no such column
  // By name or else by 1-based index; `role` ("target", ...) is for the message.
  Index require(const std::string& wanted, std::string_view role) const;

  // Columns in use must have names of their own.
  void reject_repeated(const std::vector<bool>& used) const;

  std::string first_few() const;  // "a, b, c, ... (12 in all)"

 private:
  explicit ColumnNames(std::string source) : source_(std::move(source)) {}

  std::string source_;
  Index numbered_ = 0;              // this many columns x1, x2, ..., then
  std::vector<std::string> names_;  // those that have names
  std::unordered_map<std::string_view, Index> first_;
  std::unordered_set<std::string_view> repeated_;
};

// "x12" -> 11; -1 for any other form.
Index numbered_column(std::string_view name);

// " (did you mean 'lpsa'?)" when a name is close to `wanted`, else "".
std::string suggestion(std::string_view wanted, std::span<const std::string> names);

// "a, b, c, ... (12 in all)"
std::string first_few(std::span<const std::string> names);

}  // namespace lass0::io
