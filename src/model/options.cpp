#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>
#include <lass0/compare.hpp>
#include <lass0/error.hpp>
#include <lass0/options.hpp>

namespace lass0 {
namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();
constexpr double kFinite = std::numeric_limits<double>::max();

OptionInfo number(OptionInfo info, std::string_view allowed, double least = 0,
                  double most = kFinite) {
  info.allowed = allowed;
  info.least = least;
  info.most = most;
  return info;
}

template <class... Values>
OptionInfo choice(OptionInfo info, Values... values) {
  info.words = {to_string(values)...};
  return info;
}

// Of a list that has all values with their names.
OptionInfo choice_of(OptionInfo info, auto list) {
  for (const auto& entry : list) info.words.push_back(entry.name);
  return info;
}

std::string text(std::string_view word) { return std::string(word); }

std::vector<OptionInfo> make_options() {
  const AtLambda at;
  const CriterionOptions criterion;
  const CrossValidateOptions cv;
  const CompareOptions compare;
  const StabilityOptions stability;
  using Method = Start::Method;
  const std::string_view from_0 = "0 or more, and finite", natural = "0 or more";
  return {
      number({Option::lambda, "lambda", "--lambda", "lambda0"}, from_0),
      number({Option::k, "k", "--k", "k"}, natural),
      number({Option::power, "power", "--power", "power", fmt::format("{}", at.penalty.power)},
             "at least 0 and below 1", 0, std::nextafter(1.0, 0.0)),
      choice({Option::start, "start", "--start", "start", text(to_string(at.start.method))},
             Method::table, Method::paper, Method::empty),
      number({Option::l1_tolerance, "l1_tolerance", "--l1-tolerance", "l1_tolerance", "1e-7"},
             "above 0", std::numeric_limits<double>::denorm_min()),
      {Option::prove, "prove", "--prove", "prove"},
      number({Option::within, "within", "--within", "within"}, from_0),
      number({Option::max_models, "max_models", "--max-models", "max_models",
              std::to_string(NearOptimalOptions{}.max_models)},
             "1 or more", 1),
      choice({Option::effort, "effort", "--effort", "effort"}, Effort::quick, Effort::full),
      number({Option::max_k, "max_k", "--max-k", "max_k"}, natural),
      number(
          {Option::ridge, "ridge", "--ridge", "ridge", fmt::format("{}", ProblemChoices{}.ridge)},
          from_0),
      {Option::include, "include", "--include", "include"},
      {Option::exclude, "exclude", "--exclude", "exclude"},
      {Option::signs, "signs", "--positive and --negative", "signs"},
      {Option::weights, "weights", "--weights", "sample_weight"},
      choice_of({Option::family, "family", "--family", "family",
                 text(to_string(ProblemChoices{}.family))},
                families()),
      {Option::offset, "offset", "--offset", "offset"},
      number({Option::folds, "folds", "--folds", "cv", std::to_string(cv.folds)}, "2 or more", 2),
      number({Option::repeats, "repeats", "--repeats", "repeats", std::to_string(cv.repeats)},
             "1 or more", 1),
      {Option::seed, "seed", "--seed", "random_state", std::to_string(cv.seed)},
      choice({Option::tune, "tune", "--tune", "tune", text(to_string(cv.tune))}, Tune::lambda,
             Tune::k),
      choice_of({Option::rule, "rule", "--rule", "rule", text(to_string(cv.rule))}, rules()),
      choice({Option::inference, "inference", "--inference", "inference"}, Inference::none,
             Inference::splits),
      choice_of({Option::measure, "measure", "--measure", "measure", text(to_string(cv.measure))},
                measures()),
      number({Option::lambdas, "lambdas", "--lambdas", "n_lambdas", std::to_string(cv.lambdas)},
             "from 2 to 100000", 2, kMostLambdas),
      choice({Option::criterion, "criterion", "--criterion", "criterion",
              text(to_string(criterion.criterion))},
             Criterion::aic, Criterion::bic, Criterion::ebic, Criterion::gic, Criterion::cp),
      number({Option::outer, "outer", "--outer", "outer", std::to_string(compare.outer)},
             "2 or more", 2),
      number({Option::inner, "inner", "--inner", "inner", std::to_string(compare.inner)},
             "2 or more", 2),
      number({Option::pairs, "pairs", "--pairs", "pairs", std::to_string(stability.pairs)},
             "from 1 to 1000", 1, kMostPairs),
      number({Option::threshold, "threshold", "--threshold", "threshold",
              fmt::format("{}", stability.threshold)},
             "above 0.5 and at most 1", std::nextafter(0.5, 1.0), 1),
      number({Option::threads, "threads", "--threads", "n_jobs", "0"}, natural),
      number({Option::time_limit, "time_limit", "--time-limit", "time_limit"}, natural, 0, kNoEnd),
      {Option::memory, "memory", "--memory", "memory"},
  };
}

// What does not work together. The names are those of one front end.
class Conflicts {
 public:
  explicit Conflicts(FrontEnd names) : names_(names) {}

  std::string name(Option option) const { return std::string(name_of(option, names_)); }

  std::string name(Option option, std::string_view word) const {
    return names_ == FrontEnd::program ? fmt::format("{} {}", name(option), word)
                                       : fmt::format("{}='{}'", name(option), word);
  }

  void only_with(bool wrong, const std::string& what, const std::string& other,
                 std::string_view why = "") const {
    if (wrong) throw UsageError(fmt::format("{} works with {} only{}", what, other, why));
  }
  void not_with(bool wrong, const std::string& what, const std::string& other,
                std::string_view why = "") const {
    if (wrong) throw UsageError(fmt::format("{} does not work with {}{}", what, other, why));
  }
  void not_with_signs(bool wrong, const std::string& what) const {
    if (wrong) throw UsageError(fmt::format("{} do not work with {}", name(Option::signs), what));
  }

  void proof(bool prove, Effort effort, bool signs) const {
    only_with(prove && effort == Effort::quick, name(Option::prove), name(Option::effort, "full"),
              ": a proof considers all columns");
    not_with_signs(prove && signs, name(Option::prove));
  }
  void near_optimal(const std::optional<NearOptimalOptions>& options, bool prove) const {
    if (!options) return;
    only_with(!prove, name(Option::within), name(Option::prove),
              ": models are near-optimal relative to the proven optimum");
    check_value(Option::within, options->within.value, names_);
    check_value(Option::max_models, static_cast<double>(options->max_models), names_);
  }
  void start(Start::Method start, bool signs) const {
    not_with_signs(signs && start == Start::Method::paper, name(Option::start, "paper"));
  }
  void independent_rows(Inference inference, bool groups, bool blocks) const {
    if (inference == Inference::none) return;
    not_with(groups || blocks, name(Option::inference, to_string(inference)),
             groups ? (names_ == FrontEnd::program ? "--group-column" : "groups")
             : names_ == FrontEnd::program ? "--blocks"
                                           : "blocks",
             ": its tests assume independent rows");
  }
  void sizes(const std::optional<Index>& max_k) const {
    if (max_k) check_value(Option::max_k, static_cast<double>(*max_k), names_);
  }

 private:
  FrontEnd names_;
};

}  // namespace

std::span<const OptionInfo> all_options() {
  static const std::vector<OptionInfo> options = make_options();
  return options;
}

const OptionInfo& option_info(Option option) {
  return all_options()[static_cast<std::size_t>(option)];
}

std::string_view name_of(Option option, FrontEnd names) {
  const OptionInfo& info = option_info(option);
  switch (names) {
    case FrontEnd::program:
      return info.flag;
    case FrontEnd::python:
      return info.parameter;
    case FrontEnd::library:
      break;
  }
  return info.name;
}

void check_value(Option option, double value, FrontEnd names) {
  const OptionInfo& info = option_info(option);
  if (!(value >= info.least && value <= info.most))
    throw UsageError(
        fmt::format("{} is {}, but must be {}", name_of(option, names), value, info.allowed));
}

void throw_unknown_word(std::string_view name, std::string_view given,
                        std::span<const std::string_view> words) {
  std::string all;
  for (const std::string_view word : words)
    all += fmt::format("{}'{}'", all.empty() ? "" : ", ", word);
  throw UsageError(fmt::format("{} is '{}', but must be one of {}", name, given, all));
}

Within parse_within(std::string_view text, FrontEnd names) {
  if (text.empty() || text == "auto") return {};
  const bool share = text.ends_with('%');
  const std::string_view digits = share ? text.substr(0, text.size() - 1) : text;
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = fast_float::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value))
    throw UsageError(fmt::format(
        "{} is '{}', but must be a distance in units of the objective such as 2.5, a share such as "
        "1%, or auto",
        name_of(Option::within, names), text));
  check_value(Option::within, value, names);
  return share ? Within{Within::Kind::share, value / 100} : Within{Within::Kind::objective, value};
}

void throw_lambda_and_k(FrontEnd names) {
  throw UsageError(fmt::format("{} and {} exclude each other: give one of them",
                               name_of(Option::lambda, names), name_of(Option::k, names)));
}

void throw_k_with_search(FrontEnd names) {
  throw UsageError(fmt::format(
      "{} does not work with {} or {}: it takes the best support of that size",
      name_of(Option::k, names), name_of(Option::start, names), name_of(Option::power, names)));
}

void check(const FitOptions& options, bool signs, FrontEnd names) {
  const Conflicts conflicts(names);
  conflicts.proof(options.prove, options.effort, signs);
  conflicts.near_optimal(options.near_optimal, options.prove);
  const auto* at = std::get_if<AtLambda>(&options.goal);
  if (!at)
    return check_value(Option::k, static_cast<double>(std::get<OfSize>(options.goal).k), names);
  check_value(Option::lambda, at->penalty.lambda, names);
  check_value(Option::power, at->penalty.power, names);
  check_value(Option::l1_tolerance, at->l1_tolerance, names);
  const std::string power = conflicts.name(Option::power);
  conflicts.not_with(options.prove && at->penalty.power > 0, conflicts.name(Option::prove), power);
  conflicts.not_with_signs(signs && at->penalty.power > 0, power);
  conflicts.start(at->start.method, signs);
  conflicts.only_with(options.effort == Effort::quick && at->start.method != Start::Method::table,
                      conflicts.name(Option::effort, "quick"),
                      conflicts.name(Option::start, "table"));
}

void check(const PathOptions& options, bool signs, FrontEnd names) {
  const Conflicts conflicts(names);
  conflicts.sizes(options.max_k);
  conflicts.proof(options.prove, options.effort, signs);
}

void check(const CrossValidateOptions& options, bool signs, FrontEnd names) {
  const Conflicts conflicts(names);
  if (options.folds != kLeaveOneOut && options.fold_labels.empty() && options.splits.empty())
    check_value(Option::folds, static_cast<double>(options.folds), names);
  check_value(Option::repeats, static_cast<double>(options.repeats), names);
  check_value(Option::lambdas, options.lambdas, names);
  conflicts.sizes(options.max_k);
  const std::string_view starts[] = {to_string(Start::Method::table),
                                     to_string(Start::Method::paper)};
  if (options.start == Start::Method::empty || options.start == Start::Method::support)
    throw_unknown_word(conflicts.name(Option::start), to_string(options.start), starts);
  conflicts.only_with(options.start == Start::Method::paper && options.tune == Tune::k,
                      conflicts.name(Option::start, "paper"),
                      conflicts.name(Option::tune, "lambda"));
  conflicts.start(options.start, signs);
  conflicts.independent_rows(options.inference, !options.groups.empty(), options.blocks);
}

void check(const CriterionOptions& options, bool ridge, FrontEnd names) {
  const Conflicts conflicts(names);
  conflicts.sizes(options.max_k);
  const std::string way_out = names == FrontEnd::program ? "leave out --criterion to cross-validate"
                              : names == FrontEnd::python ? "give k or lambda0, or use Lass0CV"
                                                          : "use cross-validation";
  conflicts.not_with(ridge, conflicts.name(Option::criterion), conflicts.name(Option::ridge),
                     ": the size is then not the number of free coefficients; " + way_out);
}

void check(const StabilityOptions& options, FrontEnd names) {
  if (options.k && options.lambda) throw_lambda_and_k(names);
  if (options.k) check_value(Option::k, static_cast<double>(*options.k), names);
  if (options.lambda) check_value(Option::lambda, *options.lambda, names);
  check_value(Option::pairs, static_cast<double>(options.pairs), names);
  check_value(Option::threshold, options.threshold, names);
}

void check(const ProblemChoices& choices, FrontEnd names) {
  check_value(Option::ridge, choices.ridge, names);
}

}  // namespace lass0
