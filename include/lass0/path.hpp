// The model of every size: the table of best supports with exact coefficients.
#pragma once

#include <lass0/model.hpp>
#include <lass0/prove.hpp>
#include <lass0/support_table.hpp>

namespace lass0 {

struct PathOptions {
  Index max_k = -1;              // as TableOptions
  Effort effort = Effort::full;  // as TableOptions
  bool prove = false;            // that no other support of its size is better, for every row
  Control control = {};
};

struct Path {
  SupportTable table;
  std::vector<Iterate> models;  // models[k] is the exact fit on table.at_k(k) and the included
                                // columns
  std::vector<double> rss;      // of the models
  std::vector<Index> include;   // of the problem, ascending
  std::vector<Index> positive, negative;  // whose coefficients were held to a sign, ascending
  double ridge = 0;                       // of the problem
  Index n = 0;                            // rows with a positive weight
  Index p = 0;
  std::vector<Index> constant;  // columns without variation
  std::optional<Proof> proof;   // where one was asked for, and there was time to begin it
  GramUse gram_use;
  double seconds = 0;
};

Path path(const Problem& problem, const PathOptions& options = {});

// The JSON of `lass0 path`. `names` are those of all columns (empty: x1, x2, ...).
std::string to_json(const Path& path, std::span<const std::string> names = {});

}  // namespace lass0
