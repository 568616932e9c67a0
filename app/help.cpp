#include "help.hpp"

#include <fmt/format.h>

#include "text.hpp"

namespace lass0::app {
namespace {

constexpr int kNameColumn = 28;

}  // namespace

Help::Help() {
  column_width(kNameColumn);
  label("Positionals", "Arguments");
  label("SUBCOMMAND", "COMMAND");
}

std::string Help::make_help(const CLI::App* parser, std::string name,
                            CLI::AppFormatMode mode) const {
  const std::string text = Formatter::make_help(parser, std::move(name), mode);
  return CLI::detail::find_and_replace(text, "\n\n\n", "\n\n");
}

std::string Help::make_option_opts(const CLI::Option* option) const {
  const std::string type = option->get_type_size() == 0 ? "" : option->get_type_name();
  return type.empty() ? "" : " " + type;
}

std::string Help::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  if (option->get_required() && option->nonpositional()) text += " (required)";
  if (const std::string value = option->get_default_str(); !value.empty())
    text += fmt::format(" [{}]", value);
  text = wrap(words(text), {.width = line_width() - kNameColumn});
  text.pop_back();  // CLI11 ends the line
  return text;
}

}  // namespace lass0::app
