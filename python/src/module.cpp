// lass0._core: the library's calls for the package's own classes. X is what Matrix takes; `options`
// is a dictionary with all that the call needs, made and checked by the package (_options.py), so
// that defaults stand in one place.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <lass0/fit_with_table.hpp>
#include <lass0/io.hpp>
#include <lass0/options.hpp>
#include <lass0/report.hpp>
#include <lass0/separation_error.hpp>
#include <lass0/stability.hpp>
#include <lass0/version.hpp>
#include <optional>

#include "arrays.hpp"
#include "moments.hpp"
#include "results.hpp"
#include "run.hpp"
#include "text/cv_text.hpp"
#include "text/fit_text.hpp"

namespace nb = nanobind;

namespace lass0::python {
namespace {

PyObject* separation_error = nullptr;  // a ValueError, for as long as the module lives

template <class T>
T get(const nb::dict& options, const char* name) {
  return nb::cast<T>(options[name]);
}

// The value of this name; UsageError lists all names where there is none.
template <class Value>
Value choice(const nb::dict& options, const char* option, std::initializer_list<Value> values) {
  const auto name = get<std::string>(options, option);
  std::vector<std::string_view> words;
  for (const Value value : values) {
    if (to_string(value) == name) return value;
    words.push_back(to_string(value));
  }
  throw_unknown_word(option, name, words);
}

// A number of the caller's, by the name of its parameter.
void check_parameter(std::string_view parameter, double value) {
  for (const OptionInfo& info : all_options()) {
    if (info.parameter == parameter) return check_value(info.option, value, FrontEnd::python);
  }
  throw nb::key_error(std::string(parameter).c_str());
}

nb::list shared_options() {
  nb::list list;
  for (const OptionInfo& info : all_options()) {
    nb::dict dict;
    dict["name"] = info.name;
    dict["flag"] = info.flag;
    dict["parameter"] = info.parameter;
    dict["default"] = info.fallback;
    dict["words"] = nb::cast(info.words);
    list.append(dict);
  }
  return list;
}

Family family_of(const nb::dict& options) {
  const auto name = get<std::string>(options, "family");
  if (const auto family = family_from(name)) return *family;
  throw_unknown_word("family", name, option_info(Option::family).words);
}

// A Problem with all that it views.
class Data {
  using OneHot = std::map<std::string, std::vector<std::string>>;

 public:
  Data(nb::handle X, nb::handle y, nb::handle weights, const nb::dict& options)
      : X_(X),
        y_(y),
        include_(get<std::vector<Index>>(options, "include")),
        given_names_(get<std::vector<std::string>>(options, "names")),
        numbers_(get<std::vector<Index>>(options, "numbers")),
        names_(names(0)),
        signs_(get<std::vector<int>>(options, "signs")),
        target_(get<std::string>(options, "target")),
        classes_(get<std::vector<std::string>>(options, "classes")),
        offset_name_(get<std::string>(options, "offset_name")),
        one_hot_(get<OneHot>(options, "one_hot")),
        summed_(get<std::shared_ptr<SummedRows>>(options, "summed")) {
    if (!weights.is_none()) weights_.emplace(weights);
    if (const nb::object offset = options["offset"]; !offset.is_none()) offset_.emplace(offset);
    problem_.design = &X_.design();
    problem_.y = y_.values<double>();
    if (weights_) problem_.weights = weights_->values<double>();
    problem_.names = names_;
    problem_.include = include_;
    problem_.signs = signs_;
    problem_.intercept = get<bool>(options, "intercept");
    problem_.standardize = get<bool>(options, "standardize");
    problem_.ridge = get<double>(options, "ridge");
    problem_.family = family_of(options);
    if (offset_) problem_.offset = offset_->values<double>();
    problem_.summed = summed_.get();
  }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;

  const Problem& problem() const { return problem_; }

  // The names of the JSON: those of a file, which the program reads.
  std::vector<std::string> file_names() const { return names(1); }
  const std::string& target() const { return target_; }

  // What a model keeps of the target, for later tables.
  void describe_target(Model& model) const {
    model.target = target_;
    model.classes = classes_;
    model.offset = offset_name_;
    model.one_hot = one_hot_;
  }

  // The data as the program's texts see them. X is a view: these data outlive the table.
  Table table(std::string source) const {
    const std::shared_ptr<const Design> view(std::shared_ptr<void>(), problem_.design);
    Table table(view, vector(problem_.y), names_);
    if (weights_) table.set_weights(vector(problem_.weights));
    if (offset_) table.set_offset(vector(problem_.offset));
    table.source = std::move(source);
    table.target = target_;
    table.classes = classes_;
    table.offset_name = offset_name_;
    table.one_hot = one_hot_;
    table.summed = summed_;
    return table;
  }

 private:
  static Vector vector(std::span<const double> values) {
    return Eigen::Map<const Vector>(values.data(), std::ssize(values));
  }

  // Columns without names have the number they have in the X of the caller, from which some may
  // have been excluded. Python counts from 0, the program from 1.
  std::vector<std::string> names(Index first) const {
    if (!given_names_.empty()) return given_names_;
    std::vector<std::string> names(static_cast<std::size_t>(X_.design().cols()));
    for (std::size_t j = 0; j < names.size(); ++j) {
      const Index number = numbers_.empty() ? static_cast<Index>(j) : numbers_[j];
      names[j] = "x" + std::to_string(number + first);
    }
    return names;
  }

  Matrix X_;
  Buffer y_;
  std::optional<Buffer> weights_;
  std::vector<Index> include_;
  std::vector<std::string> given_names_;
  std::vector<Index> numbers_;
  std::vector<std::string> names_;
  std::vector<int> signs_;
  std::string target_;
  std::vector<std::string> classes_;
  std::optional<Buffer> offset_;
  std::string offset_name_;
  OneHot one_hot_;
  std::shared_ptr<SummedRows> summed_;  // of moments
  Problem problem_;
};

Start::Method start_of(const nb::dict& options) {
  using enum Start::Method;
  return choice(options, "start", {table, paper, empty, support});
}

Effort effort_of(const nb::dict& options) {
  return choice(options, "effort", {Effort::quick, Effort::full});
}

Rule rule_of(const nb::dict& options) {
  const auto name = get<std::string>(options, "rule");
  for (const RuleInfo& info : rules()) {
    if (info.name == name) return info.rule;
  }
  throw_unknown_word("rule", name, option_info(Option::rule).words);
}

Measure measure_of(const nb::dict& options) {
  const auto name = get<std::string>(options, "measure");
  for (const MeasureInfo& info : measures()) {
    if (info.name == name) return info.measure;
  }
  throw_unknown_word("measure", name, option_info(Option::measure).words);
}

// The fit with its JSON.
nb::dict fit_to_python(Fit& fit, const Data& data) {
  data.describe_target(fit.model);
  return to_python(fit, data.file_names());
}

nb::dict fit_at(nb::handle X, nb::handle y, nb::handle weights, const nb::dict& options) {
  const Data data(X, y, weights, options);
  FitOptions fit;
  const auto k = get<std::optional<Index>>(options, "k");
  const auto lambda = get<std::optional<double>>(options, "lambda0");
  if (k && lambda) throw_lambda_and_k(FrontEnd::python);
  const auto power = get<double>(options, "power");
  if (k && (power != 0 || start_of(options) != Start::Method::table))
    throw_k_with_search(FrontEnd::python);
  if (k) {
    fit.goal = OfSize{*k};
  } else {
    fit.goal =
        AtLambda{.penalty = {lambda.value(), power},
                 .start = {start_of(options), get<std::vector<Index>>(options, "start_columns")}};
  }
  fit.prove = get<bool>(options, "prove");
  if (const auto within = get<std::optional<std::string>>(options, "within"))
    fit.near_optimal = {.within = parse_within(*within, FrontEnd::python),
                        .max_models = get<Index>(options, "max_models")};
  fit.effort = effort_of(options);
  check(fit, has_signs(data.problem()), FrontEnd::python);
  const auto shown = get<std::optional<Index>>(options, "max_k");
  FitWithTable found = run(options, [&](const Control& control) {
    fit.control = control;
    return fit_with_table(data.problem(), fit, shown);
  });
  nb::dict result = fit_to_python(found.fit, data);
  result["table"] = found.table ? nb::object(to_python(*found.table, found.models)) : nb::none();
  result["kept"] = nb::cast(std::move(found.fit));
  return result;
}

nb::dict fit_by_criterion(nb::handle X, nb::handle y, nb::handle weights, const nb::dict& options) {
  const Data data(X, y, weights, options);
  CriterionOptions criterion{.max_k = get<std::optional<Index>>(options, "max_k"), .models = true};
  {
    using enum Criterion;
    criterion.criterion = choice(options, "criterion", {aic, bic, ebic, gic, cp});
  }
  check(criterion, data.problem().ridge > 0, FrontEnd::python);
  CriterionSelection selection = run(options, [&](const Control& control) {
    criterion.control = control;
    return select_by_criterion(data.problem(), criterion);
  });
  nb::dict result = fit_to_python(selection.fit, data);
  result["table"] = to_python(selection.table, selection.models);
  result["criterion"] = to_python(selection);
  result["kept"] = nb::cast(std::move(selection));
  return result;
}

CrossValidation cross_validation(const Data& data, const nb::dict& options) {
  const auto groups = get<std::vector<int>>(options, "groups");
  const auto fold_labels = get<std::vector<int>>(options, "fold_labels");
  std::vector<Split> splits;
  for (const nb::handle split : nb::cast<nb::list>(options["splits"])) {
    const Buffer train(split[0]), test(split[1]);
    const auto rows = [](const Buffer& buffer) {
      const auto values = buffer.values<std::int64_t>();
      return std::vector<Index>(values.begin(), values.end());
    };
    splits.push_back({rows(train), rows(test)});
  }
  CrossValidateOptions cv;
  cv.folds = get<Index>(options, "folds");
  cv.groups = groups;
  cv.fold_labels = fold_labels;
  cv.splits = splits;
  cv.seed = get<std::uint64_t>(options, "seed");
  cv.tune = choice(options, "tune", {Tune::lambda, Tune::k});
  cv.rule = rule_of(options);
  cv.measure = measure_of(options);
  cv.inference = choice(options, "inference", {Inference::none, Inference::splits});
  cv.lambdas = get<int>(options, "lambdas");
  cv.max_k = get<std::optional<Index>>(options, "max_k");
  cv.start = start_of(options);
  cv.models = true;
  cv.fold_models = data.problem().family == Family::gaussian;  // for intervals
  cv.tune_ridge = get<bool>(options, "tune_ridge");
  cv.effort = effort_of(options);
  check(cv, has_signs(data.problem()), FrontEnd::python);
  return run(options, [&](const Control& control) {
    cv.control = control;
    return cross_validate(data.problem(), cv);
  });
}

nb::dict cross_validated(nb::handle X, nb::handle y, nb::handle weights, const nb::dict& options) {
  const Data data(X, y, weights, options);
  CrossValidation cv = cross_validation(data, options);
  data.describe_target(cv.fit.model);
  nb::dict result = to_python(cv, data.file_names());
  result["kept"] = nb::cast(std::move(cv));
  return result;
}

// The page of a result for these data, which Python has kept.
std::string report_of(nb::handle X, nb::handle y, nb::handle weights, const nb::dict& options) {
  const Data data(X, y, weights, options);
  ReportContext context;
  context.source = get<std::string>(options, "source");
  context.target = data.target();
  context.command = get<std::string>(options, "command");
  if (get<bool>(options, "random")) context.seed = get<std::uint64_t>(options, "seed");
  const nb::object kept = options["kept"];
  const auto page = [&](const auto& result) {
    return run(options, [&](const Control& control) {
      context.control = control;
      return render_report(report_json(data.problem(), result, context));
    });
  };
  if (nb::isinstance<Fit>(kept)) return page(nb::cast<const Fit&>(kept));
  if (nb::isinstance<CriterionSelection>(kept))
    return page(nb::cast<const CriterionSelection&>(kept));
  return page(nb::cast<const CrossValidation&>(kept));
}

// What the program prints of a result for these data, which Python has kept.
std::string summary_of(nb::handle X, nb::handle y, nb::handle weights, const nb::dict& options) {
  const Data data(X, y, weights, options);
  const Table table = data.table(get<std::string>(options, "source"));
  const nb::object kept = options["kept"];
  if (nb::isinstance<Fit>(kept)) return app::fit_text(nb::cast<const Fit&>(kept), table);
  if (nb::isinstance<CriterionSelection>(kept))
    return app::criterion_text(nb::cast<const CriterionSelection&>(kept), table);
  return app::cv_text(nb::cast<const CrossValidation&>(kept), table);
}

// The ends of CV+ intervals, as two arrays; the predictions row by row.
nb::tuple cv_plus_of(nb::handle fold_predictions, const nb::list& residuals, double coverage) {
  const Buffer predictions(fold_predictions);
  const auto values = predictions.values<double>();
  std::vector<std::vector<double>> folds;
  for (const nb::handle one : residuals) {
    const Buffer list(one);
    const auto numbers = list.values<double>();
    folds.emplace_back(numbers.begin(), numbers.end());
  }
  const auto count = static_cast<Index>(folds.size());
  const Index rows = count > 0 ? std::ssize(values) / count : 0;
  return to_python(
      cv_plus(Eigen::Map<const RowMatrix>(values.data(), rows, count), folds, coverage));
}

nb::dict path_of(nb::handle X, nb::handle y, nb::handle weights, const nb::dict& options) {
  const Data data(X, y, weights, options);
  PathOptions path{.max_k = get<std::optional<Index>>(options, "max_k"),
                   .effort = effort_of(options),
                   .prove = get<bool>(options, "prove")};
  check(path, has_signs(data.problem()), FrontEnd::python);
  return to_python(run(options, [&](const Control& control) {
    path.control = control;
    return lass0::path(data.problem(), path);
  }));
}

nb::dict stability_of(nb::handle X, nb::handle y, nb::handle weights, const nb::dict& options) {
  const Data data(X, y, weights, options);
  StabilityOptions stability{.k = get<std::optional<Index>>(options, "k"),
                             .lambda = get<std::optional<double>>(options, "lambda0"),
                             .pairs = get<Index>(options, "pairs"),
                             .threshold = get<double>(options, "threshold"),
                             .seed = get<std::uint64_t>(options, "seed"),
                             .effort = effort_of(options)};
  check(stability, FrontEnd::python);
  Stability found = run(options, [&](const Control& control) {
    stability.control = control;
    return lass0::stability(data.problem(), stability);
  });
  nb::dict result = to_python(found, data.file_names());
  result["kept"] = nb::cast(std::move(found));
  return result;
}

// The page of a stability selection, which Python has kept. It shows nothing of the data but names.
std::string stability_report(const Stability& found, const nb::dict& options) {
  const auto names = get<std::vector<std::string>>(options, "names");
  Problem problem;
  problem.names = names;
  return render_report(report_json(problem, found,
                                   {.source = get<std::string>(options, "source"),
                                    .target = get<std::string>(options, "target"),
                                    .command = get<std::string>(options, "command")}));
}

// What is left of the time, for calls that follow one another.
class Clock {
 public:
  explicit Clock(const Control& control) : control_(control) {}

  Control remaining() const {
    Control control = control_;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    control.time_limit = std::max(0.0, control.time_limit - passed.count());
    return control;
  }

 private:
  Control control_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

nb::dict lasso_path_of(nb::handle X, nb::handle y, nb::handle weights, const nb::dict& options) {
  const Data data(X, y, weights, options);
  LassoOptions lasso;
  lasso.tolerance = get<double>(options, "tolerance");
  lasso.lambdas = get<std::vector<double>>(options, "lambdas");
  lasso.count = get<int>(options, "count");
  lasso.ratio = get<double>(options, "ratio");
  lasso.max_support = get<Index>(options, "max_support");
  return to_python(run(options, [&](const Control& control) {
    const Clock clock(control);
    const Moments moments(data.problem(), {.control = control});
    lasso.control = clock.remaining();
    return lasso_path(moments, lasso);
  }));
}

}  // namespace
}  // namespace lass0::python

NB_MODULE(_core, module) {
  using namespace lass0;
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const SeparationError& error) {
      PyErr_SetString(python::separation_error, error.what());
    } catch (const Error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  const auto define = [&](const char* name, auto function) {
    module.def(name, function, nb::arg("X"), nb::arg("y"), nb::arg("weights").none(),
               nb::arg("options"));
  };
  python::separation_error = PyErr_NewExceptionWithDoc(
      "lass0.SeparationError",
      "Some columns tell the two classes apart without an error, so the model has no finite "
      "coefficients: add a ridge, or ask for fewer columns.",
      PyExc_ValueError, nullptr);
  module.attr("SeparationError") = nb::borrow(python::separation_error);
  nb::class_<Fit>(module, "Fit");  // kept for report, as the next two
  nb::class_<CriterionSelection>(module, "CriterionSelection");
  nb::class_<CrossValidation>(module, "CrossValidation");
  define("fit", &python::fit_at);
  define("fit_by_criterion", &python::fit_by_criterion);
  define("cross_validate", &python::cross_validated);
  define("report", &python::report_of);
  define("summary", &python::summary_of);
  define("path", &python::path_of);
  define("stability", &python::stability_of);
  nb::class_<Stability>(module, "Stability");  // kept for stability_report
  module.def("stability_report", &python::stability_report, nb::arg("kept"), nb::arg("options"));
  define("lasso_path", &python::lasso_path_of);
  module.def("cv_plus", &python::cv_plus_of, nb::arg("fold_predictions"), nb::arg("residuals"),
             nb::arg("coverage"));
  python::define_moments(module);
  module.def("check_value", &python::check_parameter, nb::arg("parameter"), nb::arg("value"));
  module.attr("OPTIONS") = python::shared_options();
  module.attr("__version__") = std::string(version());
}
