// lass0 predict: what a saved model says about new rows.
#include <cmath>
#include <lass0/io.hpp>
#include <lass0/model.hpp>
#include <memory>

#include "commands.hpp"
#include "common_options.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "streams.hpp"
#include "text.hpp"

namespace lass0::app {
namespace {

struct PredictCommand {
  std::string model_path;
  DataOptions data;
  std::string output = "-";
  OutputFormat format = OutputFormat::text;

  void run() const {
    if (model_path == "-" && data.path == "-")
      throw UsageError("the model and the data can't both come from standard input");
    check_files({{"MODEL", model_path}, {"DATA", data.path}}, {{"--output", output}});
    const Model model = load_model(model_path);
    ReadOptions options = for_prediction(model);
    options.target = model.target;  // compared where it is there
    options.header = data.header;
    options.format = data.format;
    const Table table = read_table(data.path, options);
    const Vector predictions = model.predict(table);
    check_finite(predictions);
    {
      const RemoveUnfinishedFiles guard;
      write_file(output, [&](const Sink& sink) { write(predictions, sink); });
    }
    if (table.y().size() == predictions.size() && predictions.size() > 0)
      note_errors(table, predictions);
  }

  void check_finite(const Vector& predictions) const {
    for (Index i = 0; i < predictions.size(); ++i) {
      if (!std::isfinite(predictions[i]))
        throw Error(
            fmt::format("{}: row {}: the prediction is too large for a double", data.path, i + 1));
    }
  }

  void write(const Vector& predictions, const Sink& sink) const {
    const bool json = format == OutputFormat::json;
    sink(json ? "{\"predictions\": [" : "prediction\n");
    fmt::memory_buffer piece;
    for (Index i = 0; i < predictions.size(); ++i) {
      // {fmt} writes the shortest digits that read back as the same double.
      fmt::format_to(std::back_inserter(piece), "{}{}", json && i > 0 ? ", " : "", predictions[i]);
      if (!json) piece.push_back('\n');
      if (piece.size() > (1 << 16)) {
        sink({piece.data(), piece.size()});
        piece.clear();
      }
    }
    sink({piece.data(), piece.size()});
    if (json) sink("]}\n");
  }

  // The data happen to have the target: how well does the model do?
  static void note_errors(const Table& table, const Vector& predictions) {
    const Vector& y = table.y();
    const double n = static_cast<double>(y.size());
    const double rss = (y - predictions).squaredNorm();
    const double tss = (y.array() - y.mean()).matrix().squaredNorm();
    const std::string r_squared = tss > 0 ? fmt::format(", R^2 {}", number(1 - rss / tss, 4)) : "";
    tell(fmt::format("note: the data have {}: RMSE {}{} over {}\n", printable(table.target),
                     number(std::sqrt(rss / n)), r_squared, count(y.size(), "row")));
  }
};

}  // namespace

Command add_predict(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("predict", "Predict with a saved model");
  const auto command = std::make_shared<PredictCommand>();
  parser
      ->add_option("MODEL", command->model_path,
                   "A model from lass0 fit --model; - is standard input")
      ->required()
      ->type_name("");
  command->data.declare(*parser);
  parser
      ->add_option("--output", command->output,
                   "Where to write: CSV with the column prediction; - is standard output")
      ->type_name("FILE")
      ->default_str("-");
  declare_output_format(*parser, command->format);
  parser->footer(
      "Columns are found by name; others are ignored, and the target is not needed.\n"
      "Example:\n"
      "  lass0 predict model.json new.csv --output predictions.csv");
  return {parser, [command] { command->run(); }};
}

}  // namespace lass0::app
