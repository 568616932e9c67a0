#include <algorithm>
#include <cmath>
#include <iterator>
#include <lass0/compare.hpp>
#include <lass0/error.hpp>
#include <mutex>

#include "compare/method.hpp"
#include "problem/likelihood.hpp"
#include "problem/weights.hpp"
#include "select/fold_engine.hpp"
#include "util/blas_buffers.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

// Of y over rows of these weights, as a sample of sum(w) rows, or of the rows that there are where
// the weights are smaller.
double deviation(std::span<const double> y, const Vector& w) {
  Index heaviest = 0;
  w.maxCoeff(&heaviest);
  // About one of the values, so that a constant target has a deviation of exactly 0.
  const Vector values = Eigen::Map<const Vector>(y.data(), std::ssize(y)).array() -
                        y[static_cast<std::size_t>(heaviest)];
  const Vector share = w / w[heaviest] / (w / w[heaviest]).sum();  // whatever the weights' size
  const double mean = share.dot(values);
  const double variance = share.dot((values.array() - mean).square().matrix());
  const double rows = std::max(w.sum(), static_cast<double>((w.array() > 0).count()));
  return rows > 1 ? std::sqrt(variance * (rows / (rows - 1))) : 0.0;
}

// What each rule chooses by the inner folds, fitted on the whole training set. Throws Stop.
ComparedFold tune(const Method& method, const Solver& training, const Batch& inner,
                  const Budget& budget) {
  const Budget watch({});
  FoldEngine engine(method, training, {&inner, 1}, budget);
  engine.run();
  if (stopped(engine.status())) throw Stop{engine.status()};
  const ErrorCurve curve = engine.curve();
  const Choice choice = choose(curve);
  const auto model = [&](Index value) {
    const Tuning& tuning = curve.values[static_cast<std::size_t>(value)];
    const Candidate chosen = engine.candidate(curve, value);
    ComparedModel fitted;
    fitted.tuning = tuning;
    fitted.at = model_of(training, chosen, tuning.ridge);
    fitted.size = std::ssize(chosen.support);
    return fitted;
  };
  ComparedFold fold;
  for (const RuleInfo& rule : rules()) fold.by[rule.rule] = model(choice[rule.rule]);
  fold.seconds = watch.seconds();
  return fold;
}

class Comparer {
 public:
  Comparer(const Problem& problem, const CompareOptions& options)
      : problem_(problem),
        options_(options),
        methods_(make_methods(options.methods, problem.family)),
        budget_(options.control) {}

  Comparison run() {
    if (options_.truth) check_support(problem_, *options_.truth);
    const Partition outer =
        make_partitions(problem_, {.folds = options_.outer, .seed = options_.seed}).front();
    describe(outer);
    folds_.resize(static_cast<std::size_t>(outer.folds));
    const int threads = options_.control.threads;
    const int inside = thread_count(threads) > 1 ? 1 : threads;
    reserve_blas_buffers(thread_count(threads));  // before threads take the memory
    for_each_block(outer.folds, threads, [&](Index fold) { run_fold(outer, fold, inside); });
    gather();
    result_.seconds = budget_.seconds();
    return std::move(result_);
  }

 private:
  struct Fold {
    bool done = false;
    Index rows = 0;
    double deviation = 0;
    std::vector<ComparedFold> methods;
  };

  void describe(const Partition& outer) {
    result_.n = rows_used(problem_);
    result_.p = problem_.design->cols();
    result_.outer = outer.folds;
    result_.inner = problem_.summed ? outer.folds - 1 : options_.inner;
    result_.seed = problem_.summed ? problem_.summed->seed.value_or(0) : options_.seed;
    result_.family = problem_.family;
    result_.deviation = scale(row_weights(problem_));
    if (!(result_.deviation > 0))
      throw Error("the target is constant: there is nothing to compare");
    result_.truth = options_.truth;
    if (result_.truth) std::sort(result_.truth->begin(), result_.truth->end());
    for (const NamedMethod& method : methods_)
      result_.methods.push_back({method.name.name, method.name.description, {}});
  }

  void run_fold(const Partition& outer, Index fold, int threads) try {
    const Budget budget(fold_control(threads));
    budget.check();
    const SplitWeights weights = split_weights(problem_, outer.labels, fold);
    const Problem training = with_weights(problem_, weights.kept),
                  test = with_weights(problem_, weights.held_out);
    Fold result;
    result.rows = rows_used(test);
    result.deviation = scale(weights.held_out);
    // Another partition for every training set, from the one seed.
    const auto seed = options_.seed + 1 + static_cast<std::uint64_t>(fold);
    Control summing = budget.remaining();
    summing.progress = [this](std::string_view what, double) { report(what); };
    Partition inner = make_partitions(training, {.folds = options_.inner, .seed = seed}).front();
    const Batch batch{std::move(inner.labels), inner.folds};
    const auto solver = solver_within(training, batch.labels, Budget(summing));
    for (const NamedMethod& method : methods_) {
      report(method.name.name, 1);
      result.methods.push_back(tune(*method.method, *solver, batch, budget));
      for (ComparedModel& model : result.methods.back().by.all) judge(model, test);
    }
    result.done = true;
    folds_[static_cast<std::size_t>(fold)] = std::move(result);
  } catch (const Stop& stop) {
    const std::lock_guard lock(mutex_);
    result_.status = stop.status;
  }

  // What errors on rows of these weights are compared with: the standard deviation of y, or the
  // deviance per row of the model with no column.
  double scale(const Vector& weights) const {
    if (problem_.family == Family::gaussian) return deviation(problem_.y, weights);
    return null_deviance(problem_, row_weights(problem_), weights) / weights.sum();
  }

  void judge(ComparedModel& model, const Problem& test) const {
    double weight = 0;
    for (const double w : test.weights) weight += w;
    const double error = deviance(test, model.at) / weight;
    model.rmse = problem_.family == Family::gaussian ? std::sqrt(error) : error;
    model.nrmse = 100 * model.rmse / result_.deviation;
    if (!std::isfinite(model.nrmse))
      throw Error("the errors are too large for a double: rescale the target");
    if (result_.truth) {
      std::vector<Index> differ;
      std::set_symmetric_difference(model.at.support.begin(), model.at.support.end(),
                                    result_.truth->begin(), result_.truth->end(),
                                    std::back_inserter(differ));
      model.hamming = std::ssize(differ);
    }
  }

  // The caller's functions are called by one thread at a time.
  Control fold_control(int threads) {
    Control control = budget_.remaining();
    control.threads = threads;
    control.progress = {};
    if (control.keep_going) {
      control.keep_going = [this] {
        const std::lock_guard lock(mutex_);
        return options_.control.keep_going();
      };
    }
    return control;
  }

  void report(std::string_view what, Index begins = 0) {
    const std::lock_guard lock(mutex_);
    const auto all = static_cast<double>(result_.outer * std::ssize(methods_));
    budget_.progress("comparing " + std::to_string(result_.outer) + " folds: " + std::string(what),
                     static_cast<double>(begun_) / all);
    begun_ += begins;
  }

  void gather() {
    for (Fold& fold : folds_) {
      if (!fold.done) continue;
      result_.fold_rows.push_back(fold.rows);
      result_.fold_deviations.push_back(fold.deviation);
      for (std::size_t m = 0; m < fold.methods.size(); ++m)
        result_.methods[m].folds.push_back(std::move(fold.methods[m]));
    }
    if (result_.fold_rows.empty()) {
      throw Error(stopped_before(result_.status, "one outer fold was finished") +
                  ": allow more time or name fewer methods");
    }
  }

  const Problem& problem_;
  const CompareOptions& options_;
  const std::vector<NamedMethod> methods_;
  const Budget budget_;
  std::mutex mutex_;  // guards the caller's functions, begun_ and the status while folds run
  Index begun_ = 0;   // methods in folds
  std::vector<Fold> folds_;
  Comparison result_;
};

void check(const Problem& problem) {
  validate(problem);
  if (has_signs(problem))
    throw UsageError("compare does not work with sign constraints: most of its methods have none");
}

}  // namespace

Spread spread(std::span<const double> values) {
  Spread spread;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / count;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.sd = std::sqrt(squares / (count - 1));
  return spread;
}

Spread spread(const ComparedMethod& method, Rule rule, ComparedNumber measure) {
  std::vector<double> values;
  for (const ComparedFold& fold : method.folds) {
    const ComparedModel& model = fold.by[rule];
    switch (measure) {
      case ComparedNumber::nrmse:
        values.push_back(model.nrmse);
        break;
      case ComparedNumber::size:
        values.push_back(static_cast<double>(model.size));
        break;
      case ComparedNumber::hamming:
        values.push_back(static_cast<double>(model.hamming.value()));
        break;
      case ComparedNumber::seconds:
        values.push_back(fold.seconds);
        break;
    }
  }
  return spread(values);
}

std::vector<Difference> differences(const Comparison& comparison, Rule rule) {
  const std::vector<ComparedMethod>& methods = comparison.methods;
  const auto mean = [&](const ComparedMethod& method) {
    return spread(method, rule, ComparedNumber::nrmse).mean;
  };
  const auto best =
      std::min_element(methods.begin(), methods.end(),
                       [&](const auto& a, const auto& b) { return mean(a) < mean(b); });
  std::vector<Difference> all;
  for (const ComparedMethod& method : methods) {
    std::vector<double> values;
    for (std::size_t f = 0; f < method.folds.size(); ++f)
      values.push_back(method.folds[f].by[rule].nrmse - best->folds[f].by[rule].nrmse);
    const Spread over_folds = spread(values);
    Difference one{std::max(0.0, over_folds.mean),
                   over_folds.sd / std::sqrt(static_cast<double>(values.size()))};
    // Of one fold nothing can be told.
    one.distinct = values.size() > 1 && one.mean > kDistinct * one.se;
    all.push_back(one);
  }
  return all;
}

Comparison compare(const Problem& problem, const CompareOptions& options) {
  check(problem);
  return Comparer(problem, options).run();
}

std::vector<ComparedFold> tuned_methods(const Problem& problem, const CompareOptions& options) {
  check(problem);
  const std::vector<NamedMethod> methods = make_methods(options.methods, problem.family);
  const Budget budget(options.control);
  Partition folds =
      make_partitions(problem, {.folds = options.inner, .seed = options.seed}).front();
  const Batch batch{std::move(folds.labels), folds.folds};
  std::vector<ComparedFold> tuned;
  try {
    const auto solver = solver_within(problem, batch.labels, budget);
    for (const NamedMethod& method : methods)
      tuned.push_back(tune(*method.method, *solver, batch, budget));
  } catch (const Stop& stop) {
    throw Error(stopped_before(stop.status, "all methods were tuned") + ": allow more time");
  }
  return tuned;
}

MethodCurve method_curve(const Problem& problem, const std::string& method,
                         const Control& control) {
  check(problem);
  const NamedMethod named = std::move(make_methods({method}, problem.family).front());
  const Budget budget(control);
  const auto solver = make_solver(problem, {}, budget.remaining());
  MethodCurve curve;
  try {
    for (const double ridge : named.method->ridges(*solver)) {
      const auto rows = solver->at_ridge(ridge);
      std::vector<Tuning> values = named.method->grid(*rows, budget).values;
      const Models models = named.method->fit(*rows, values, budget);
      if (values.empty()) values = named.method->values(models, {}, kAllValues);
      std::size_t last = 0;
      for (std::size_t place = 0; place < values.size(); ++place) {
        budget.check();
        const std::size_t i = models.at(values[place], place);
        values[place].ridge = ridge;
        curve.tunings.push_back(values[place]);
        curve.models.push_back(place > 0 && models.same(last, i)
                                   ? curve.models.back()
                                   : model_of(*rows, models.candidates[i], ridge));
        last = i;
      }
    }
  } catch (const Stop& stop) {
    throw Error(stopped_before(stop.status, "the curve of " + method + " was finished") +
                ": allow more time");
  }
  return curve;
}

}  // namespace lass0
