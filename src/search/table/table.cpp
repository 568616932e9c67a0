#include "search/table/table.hpp"

#include <algorithm>

#include "moments/access.hpp"
#include "moments/fetch.hpp"
#include "search/table/free_table.hpp"
#include "search/table/short_list.hpp"

namespace lass0 {
namespace {

using Supports = std::vector<std::vector<Index>>;

TableRow null_row(const Moments& moments) {
  return {.support = {}, .loss = moments.yty() * moments.target_scale() * moments.target_scale()};
}

// What a search of all sizes begins with, beside the empty support.
struct Starts {
  Supports supports;
  bool of_all_sizes = false;  // and so good that it is enough to improve them
};

template <class Kind>
SupportTable fill_table(const Moments& moments, Index rows, const TableOptions& options,
                        const Budget& budget, bool larger_moves = true, const Starts& starts = {}) {
  FreeTable<Kind> builder(moments, rows, options.effort, budget, larger_moves);
  Status status = Status::local_optimum;
  try {
    for (const std::vector<Index>& support : starts.supports) builder.start_from(support);
    if (starts.of_all_sizes) {
      builder.settle();
    } else {
      builder.run();
    }
    builder.extend(rows, largest_size_asked(moments, options));
  } catch (const Stop& stop) {
    status = stop.status;
  }
  SupportTable table = table_of(moments, builder.rows());
  table.larger_moves = builder.larger_moves();
  std::vector<Index>& tried = table.larger_moves.sizes;  // some of them twice
  std::sort(tried.begin(), tried.end());
  tried.erase(std::unique(tried.begin(), tried.end()), tried.end());
  table.status = status;
  table.effort = options.effort;
  return table;
}

// More columns are too many for a quick search to look at all of them.
constexpr Index kListBeyond = 1024;
constexpr int kRoundsNearRows = 2;
// More rows would need a longer list: they are found among all columns.
constexpr Index kMostListedRows = kTableauColumns / 2;

// What is fixed while tables of lists are made.
struct ListedRows {
  const Moments& moments;
  Index standard;  // rows, whatever was asked for
  Index rows;      // those and further steps, as far as a list goes
  const Budget& budget;
};

// The supports of a table as places of a list, which holds them.
Supports places_of(const SupportTable& table, const std::vector<Index>& list) {
  Supports supports;
  for (const TableRow& row : table.rows) {
    std::vector<Index> places;
    for (const Index j : row.support) {
      const auto at = std::lower_bound(list.begin(), list.end(), j);
      if (at != list.end() && *at == j) places.push_back(at - list.begin());
    }
    if (places.size() == row.support.size()) supports.push_back(std::move(places));
  }
  return supports;
}

// The table of a list of columns, from the rows of another to begin with.
SupportTable table_of_list(const ListedRows& of, const std::vector<Index>& list, bool larger_moves,
                           const SupportTable& starts = {}, Effort effort = Effort::quick) {
  const Moments few = of.moments.among(list);
  const TableOptions options{.max_k = of.rows, .effort = effort};
  const Starts from{places_of(starts, list)};
  const auto fill =
      few.cols() <= kTableauColumns ? fill_table<FewColumns> : fill_table<ManyColumns>;
  SupportTable table = fill(few, of.standard, options, of.budget, larger_moves, from);
  for (TableRow& row : table.rows) {
    for (Index& j : row.support) j = list[static_cast<std::size_t>(j)];
    row.swap_optimal = row.support.empty();
  }
  return table;
}

// Of both tables the better row of every size, as long as the loss falls. The rows of one that was
// stopped are taken only where that leaves all further rows.
void take_better_rows(SupportTable& table, const SupportTable& other) {
  const bool whole = !stopped(other.status);
  if (!whole) table.status = other.status;
  std::vector<TableRow>& rows = table.rows;
  for (std::size_t k = std::min(rows.size(), other.rows.size()); k-- > 0;) {
    const bool falls = whole || k + 1 >= rows.size() || rows[k + 1].loss < other.rows[k].loss;
    if (falls && other.rows[k].loss < rows[k].loss) rows[k] = other.rows[k];
  }
  const auto not_below = [](const TableRow& a, const TableRow& b) { return !(b.loss < a.loss); };
  const auto end = std::adjacent_find(rows.begin(), rows.end(), not_below);
  if (end != rows.end()) rows.erase(end + 1, rows.end());
}

// Where many columns are true and rows are few: the table of a long list, then of what is near its
// rows.
void search_long_list(const ListedRows& of, const std::vector<Index>& first, SupportTable& table) {
  const std::vector<Index> list = long_list(of.moments, first, of.standard, of.budget);
  const SupportTable longer = table_of_list(of, list, true);
  take_better_rows(table, longer);
  table.larger_moves = longer.larger_moves;
  for (int round = 0; round < kRoundsNearRows && !stopped(table.status); ++round) {
    const std::vector<Index> near = list_near(of.moments, table, of.standard, of.budget);
    take_better_rows(table, table_of_list(of, near, true, table));
  }
}

bool many_may_be_true(const ListedRows& of, const SupportTable& table) {
  const Index last = std::min(of.standard, table.max_k());
  return falls_faster_than_noise(of.moments, last, [&](Index k) { return table.at_k(k).loss; });
}

SupportTable table_of_lists(const ListedRows& of) {
  const std::vector<Index> list = short_list(of.moments, of.standard, of.budget);
  SupportTable table = table_of_list(of, list, false);
  if (stopped(table.status) || !many_may_be_true(of, table)) return table;
  try {
    search_long_list(of, list, table);
  } catch (const Stop& stop) {
    table.status = stop.status;
  }
  return table;
}

// Beyond this many columns a full search of large data is one of a list first. Where few columns
// are true nearly all of its moves are among few of the others, and to score one among all takes
// much longer. (Not where products are those of few non-zeros: a list costs more than it saves.)
constexpr Index kListFirstBeyond = 8192;
constexpr int kRoundsAroundRows = 3;

// False: these rows are no good to begin with, as many columns may be true and rows are few.
bool find_rows_in_lists(const ListedRows& of, SupportTable& table) {
  table = table_of_list(of, short_list(of.moments, of.standard, of.budget), false);
  if (stopped(table.status) || many_may_be_true(of, table)) return false;
  for (int round = 0; round < kRoundsAroundRows; ++round) {
    const std::vector<Index> around = list_around(of.moments, table, of.budget);
    table = table_of_list(of, around, false, table, Effort::full);
    if (stopped(table.status)) return false;
  }
  return table.max_k() >= of.standard;
}

std::vector<Index> members_of_rows(const SupportTable& table) {
  std::vector<Index> members;
  for (const TableRow& row : table.rows)
    members.insert(members.end(), row.support.begin(), row.support.end());
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

SupportTable supports_from_list_first(const Moments& moments, Index rows,
                                      const TableOptions& options, const Budget& budget) {
  SupportTable table;
  table.rows = {null_row(moments)};
  Starts starts;
  try {
    starts.of_all_sizes = find_rows_in_lists({moments, rows, rows, budget}, table);
    if (stopped(table.status)) throw Stop{table.status};
    if (starts.of_all_sizes) {
      // All that is sure to be looked at, before single columns are asked for with likely others.
      fetch_within_budget(moments, members_of_rows(table), budget);
      for (const TableRow& row : table.rows) starts.supports.push_back(row.support);
    }
  } catch (const Stop& stop) {
    table.status = stop.status;
    table.effort = options.effort;
    return table;
  }
  return fill_table<ManyColumns>(moments, rows, options, budget, true, starts);
}

// Rows that a short list is too short for, after those of the list.
void extend_among_all(const Moments& moments, Index from, SupportTable& table,
                      const TableOptions& options, const Budget& budget) {
  FreeTable<ManyColumns> builder(moments, 0, Effort::quick, budget);
  const double unit = moments.target_scale() * moments.target_scale();
  std::vector<Row> first;
  for (const TableRow& row : table.rows)
    first.push_back({row.support, row.loss / unit, row.swap_optimal, true, true});
  builder.begin_with(std::move(first));
  try {
    // Where the list holds little but duplicates, from the step that it did not finish.
    Index step = default_max_k(moments);
    while (step < from && step <= table.max_k()) step = next_table_size(step);
    if (table.max_k() < step) builder.extend_to(step);
    builder.extend(step, largest_size_asked(moments, options));
  } catch (const Stop& stop) {
    table.status = stop.status;
  }
  const SupportTable longer = table_of(moments, builder.rows());
  if (longer.rows.size() > table.rows.size())
    table.rows.insert(table.rows.end(), longer.rows.begin() + std::ssize(table.rows),
                      longer.rows.end());
}

SupportTable supports_from_list(const Moments& moments, const TableOptions& options) {
  const Budget budget(options.control);
  SupportTable table;
  try {
    const Index asked = largest_size_asked(moments, options);
    Index listed = default_max_k(moments);
    while (listed < asked && next_table_size(listed) <= kMostListedRows)
      listed = next_table_size(listed);
    table = table_of_lists({moments, default_max_k(moments), listed, budget});
    if ((asked > listed || table.max_k() < listed) && !stopped(table.status))
      extend_among_all(moments, listed, table, options, budget);
  } catch (const Stop& stop) {
    table.status = stop.status;
    table.rows = {null_row(moments)};
  }
  table.effort = Effort::quick;
  if (!stopped(table.status)) table.status = Status::unchecked;
  finish(table, options, budget);
  return table;
}

}  // namespace

SupportTable best_free_supports(const Moments& moments, const TableOptions& options) {
  if (options.effort == Effort::quick && moments.cols() > kListBeyond)
    return supports_from_list(moments, options);
  const Budget budget(options.control);
  const Index rows = default_max_k(moments);
  const bool list_first =
      moments.cols() > kListFirstBeyond && is_large(moments) && !sparse_products(moments);
  SupportTable table = list_first ? supports_from_list_first(moments, rows, options, budget)
                       : moments.cols() <= kTableauColumns
                           ? fill_table<FewColumns>(moments, rows, options, budget)
                           : fill_table<ManyColumns>(moments, rows, options, budget);
  if (moments.cols() <= kSameEffort) table.effort = Effort::full;
  finish(table, options, budget);
  return table;
}

}  // namespace lass0
