// lass0 predict: what a saved model says about new rows.
#include <cmath>
#include <lass0/io.hpp>
#include <lass0/model.hpp>
#include <lass0/options.hpp>
#include <memory>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "streams.hpp"
#include "text.hpp"
#include "text/classes_text.hpp"

namespace lass0::app {
namespace {

// As RFC 4180 has it: quoted where a reader would take it for something else.
std::string csv_field(const std::string& text) {
  const bool blanks = text.starts_with(' ') || text.ends_with(' ');
  if (!blanks && text.find_first_of(",;\t\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string json_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      quoted += c;
  }
  return quoted + "\"";
}

enum class Type { response, link, class_name };

struct PredictCommand {
  std::string model_path;
  std::string id;
  DataOptions data;
  std::string output = "-";
  OutputFormat format = OutputFormat::text;
  ModelChoice choice;
  std::optional<double> intervals;
  Type type = Type::response;

  void check() const {
    if (choice.k && choice.lambda) throw_lambda_and_k(FrontEnd::program);
    if (choice.k) check_value(Option::k, static_cast<double>(*choice.k), FrontEnd::program);
    if (choice.lambda) check_value(Option::lambda, *choice.lambda, FrontEnd::program);
    if (!intervals) return;
    if (!(*intervals > 0 && *intervals < 1))
      throw UsageError(
          fmt::format("--intervals is {}, but must be above 0 and below 1", *intervals));
    if (choice.k || choice.lambda)
      throw UsageError(
          "--intervals works with the chosen model only: the models of the folds are kept at that "
          "lambda or size");
    if (type == Type::class_name)
      throw UsageError("--intervals does not work with --type class: classes have no intervals");
  }

  void check(const Model& model) const {
    if (type == Type::class_name && model.family != Family::binomial)
      throw UsageError(
          fmt::format("{}: --type class works with models of --family binomial only", model_path));
    if (!intervals) return;
    if (model.family != Family::gaussian)
      throw UsageError(fmt::format(
          "{}: --intervals works with models of --family gaussian only: a probability says how "
          "uncertain the class is",
          model_path));
    if (model.folds.empty())
      throw Error(fmt::format(
          "{}: the file has no fold models, which --intervals needs: lass0 cv --model FILE keeps "
          "them, unless the run was stopped before all folds were finished",
          model_path));
  }

  Intervals predict(const Model& model, const Table& table) const {
    if (intervals) return model.predict_interval(table, *intervals);
    // A class is that of its link: 0 and above is probability 1/2 and above.
    const bool response = type == Type::response;
    return {model.predict(table, response ? Prediction::response : Prediction::link), {}, {}};
  }

  void run() const {
    check();
    std::vector<FileOption> inputs = data.files();
    inputs.insert(inputs.begin(), {"MODEL", model_path});
    check_files(inputs, {{"--output", output}});
    Model model = load_model(model_path, choice);
    if (!intervals) model.folds.clear();  // their columns need not be there
    check(model);
    ReadOptions options = for_prediction(model);
    options.target = model.target;  // compared where it is there
    options.id = id;
    Progress progress;
    const Table table = data.read(std::move(options), progress);
    const Intervals values = predict(model, table);
    const Vector& predictions = values.prediction;
    for (const Vector* part : {&predictions, &values.lower, &values.upper})
      check_finite(table, *part);
    check_ids(table);
    {
      const RemoveUnfinishedFiles guard;
      write_file(output, [&](const Sink& sink) { write(model, table, values, sink); });
    }
    if (table.y().size() == predictions.size() && predictions.size() > 0) note_errors(model, table);
  }

  static void check_finite(const Table& table, const Vector& predictions) {
    for (Index i = 0; i < predictions.size(); ++i) {
      if (!std::isfinite(predictions[i]))
        throw Error(fmt::format("{}: row {}: the prediction is too large for a double",
                                table.source, i + 1));
    }
  }

  void check_ids(const Table& table) const {
    if (format != OutputFormat::json) return;
    for (std::size_t i = 0; i < table.ids.size(); ++i) {
      if (is_utf8(table.ids[i])) continue;
      throw Error(fmt::format(
          "{}: row {}, column '{}': the ID is not valid UTF-8, which JSON needs: convert the data, "
          "for instance with iconv -f latin1 -t utf-8",
          table.source, i + 1, table.id));
    }
  }

  // A list with one text for each row, handed on in pieces.
  template <class Text>
  static void write_rows(Index rows, std::string_view separator, const Sink& sink,
                         const Text& text) {
    std::string piece;
    for (Index i = 0; i < rows; ++i) {
      if (i > 0) piece += separator;
      piece += text(i);
      if (piece.size() > (1 << 16)) {
        sink(piece);
        piece.clear();
      }
    }
    sink(piece);
  }

  void write(const Model& model, const Table& table, const Intervals& values,
             const Sink& sink) const {
    const Index rows = values.prediction.size();
    const auto id_of = [&](Index i) { return table.ids[static_cast<std::size_t>(i)]; };
    // {fmt} writes the shortest digits that read back as the same double.
    const auto text_of = [](const Vector& numbers) {
      return [&numbers](Index i) { return fmt::format("{}", numbers[i]); };
    };
    const auto class_of = [&](Index i) {
      const bool one = values.prediction[i] >= 0;
      return model.classes.empty() ? std::string(one ? "1" : "0") : model.classes[one ? 1 : 0];
    };
    if (format == OutputFormat::json) {
      sink("{");
      if (!id.empty()) {
        sink("\"ids\": [");
        write_rows(rows, ", ", sink, [&](Index i) { return json_string(id_of(i)); });
        sink("], ");
      }
      sink("\"predictions\": [");
      if (type == Type::class_name)
        write_rows(rows, ", ", sink, [&](Index i) { return json_string(class_of(i)); });
      else
        write_rows(rows, ", ", sink, text_of(values.prediction));
      if (intervals) {
        sink("], \"lower\": [");
        write_rows(rows, ", ", sink, text_of(values.lower));
        sink("], \"upper\": [");
        write_rows(rows, ", ", sink, text_of(values.upper));
      }
      sink("]}\n");
      return;
    }
    sink(id.empty() ? "" : csv_field(table.id) + ",");
    sink(intervals ? "prediction,lower,upper\n" : "prediction\n");
    write_rows(rows, "\n", sink, [&](Index i) {
      std::string line = id.empty() ? "" : csv_field(id_of(i)) + ",";
      line += type == Type::class_name ? csv_field(class_of(i))
                                       : fmt::format("{}", values.prediction[i]);
      return intervals ? fmt::format("{},{},{}", line, values.lower[i], values.upper[i]) : line;
    });
    if (rows > 0) sink("\n");
  }

  static std::string errors(const Model& model, const Table& table) {
    const Vector& y = table.y();
    if (model.family == Family::binomial)
      return to_text(class_scores(y, model.predict(table, Prediction::link), table.weights()));
    const double rss = (y - model.predict(table)).squaredNorm();
    const double tss = (y.array() - y.mean()).matrix().squaredNorm();
    return fmt::format("RMSE {}{}", number(std::sqrt(rss / static_cast<double>(y.size()))),
                       tss > 0 ? fmt::format(", R^2 {}", number(1 - rss / tss, 4)) : "");
  }

  // The data happen to have the target: how well does the model do? Rows that it was fitted to say
  // little about others, so they are called by their name.
  static void note_errors(const Model& model, const Table& table) {
    const Vector& y = table.y();
    const bool of_the_fit =
        model.target_checksum == checksum({y.data(), static_cast<std::size_t>(y.size())});
    const std::string rows = count(y.size(), "row");
    tell(fmt::format("note: the data contain {}: {} on {}\n", printable(table.target),
                     errors(model, table),
                     of_the_fit ? fmt::format("the {} of the fit, not on new rows", rows)
                                : fmt::format("these {}", rows)));
  }
};

}  // namespace

Command add_predict(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("predict", "Predict with a saved model");
  const auto command = std::make_shared<PredictCommand>();
  parser
      ->add_option("MODEL", command->model_path,
                   "Model file, written by --model of lass0 fit or lass0 cv, or by lass0 path "
                   "--format json; - is standard input")
      ->required()
      ->type_name("");
  command->data.declare(*parser);
  parser->get_option("DATA")->description(
      "The rows to predict: CSV, TSV, ARFF, LIBSVM, NPY, NPZ or Matrix Market, also gzipped, or "
      "PLINK .bed; - is standard input");
  parser->add_option("--output", command->output, "File for the predictions; - is standard output")
      ->type_name("FILE")
      ->default_str("-");
  parser
      ->add_option("--id", command->id,
                   "A column to copy to the output before the predictions, by name or number")
      ->type_name("C");
  add_option(*parser, Option::k, command->choice.k,
             "Predict with the model of this size, of a file of lass0 cv or lass0 path")
      ->type_name("K");
  add_option(*parser, Option::lambda, command->choice.lambda,
             "Predict with the best model at this lambda, of a file of lass0 cv or lass0 path")
      ->type_name("L");
  parser
      ->add_option("--intervals", command->intervals,
                   "Add columns lower and upper: the ends of prediction intervals of this nominal "
                   "coverage, e.g. 0.9, for a file of lass0 cv")
      ->type_name("P");
  add_choice(*parser, "--type", command->type,
             {{"response", Type::response}, {"link", Type::link}, {"class", Type::class_name}},
             "What to predict. response: the target or, of two classes, the probability of the "
             "second; link: the linear predictor (log odds); class: the class with probability 0.5 "
             "or more");
  declare_output_format(*parser, command->format, "CSV with a header, or JSON");
  parser->footer(
      "Columns are found by name. DATA may have other columns, and needs no target.\n"
      "Example:\n"
      "  lass0 predict model.json new.csv --id customer --output predictions.csv\n"
      "  lass0 predict model.json new.csv --intervals 0.9\n"
      "  lass0 predict loans.json new.csv --type class");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
