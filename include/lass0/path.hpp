// The model of every size: the table of best supports with exact coefficients.
#pragma once

#include <lass0/model.hpp>
#include <lass0/problem_info.hpp>
#include <lass0/prove.hpp>
#include <lass0/support_table.hpp>
#include <optional>

namespace lass0 {

struct PathOptions {
  std::optional<Index> max_k = {};  // the largest size; by default that of TableOptions
  Effort effort = Effort::full;     // as TableOptions
  bool prove = false;  // prove for every row that no other support of its size is better
  Control control = {};
};

struct Path {
  SupportTable table;
  std::vector<Iterate> models;  // models[k] is the exact fit on table.at_k(k) and the included
                                // columns
  std::vector<double> rss;      // of the models
  ProblemInfo problem;
  Model
      reading;  // no model: only what predictions need to know of the table (target, one_hot, ...)
  std::optional<Proof> proof;  // if one was asked for, and there was time to begin it
  GramUse gram_use;
  double seconds = 0;
};

Path path(const Problem& problem, const PathOptions& options = {});
Path path(const Table& table, const PathOptions& options = {}, const ProblemChoices& choices = {});

// The JSON of `lass0 path`. `names` as in that of a fit.
std::string to_json(const Path& path, std::span<const std::string> names = {});

}  // namespace lass0
