#include "help.hpp"

#include <fmt/format.h>

#include "text.hpp"

namespace lass0::app {
namespace {

constexpr int kNameColumn = 28;

}  // namespace

Help::Help() { column_width(kNameColumn); }

std::string Help::make_option_opts(const CLI::Option* option) const {
  const std::string type = option->get_type_size() == 0 ? "" : option->get_type_name();
  return type.empty() ? "" : " " + type;
}

std::string Help::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  if (option->get_required() && option->nonpositional()) text += " (required)";
  if (const std::string value = option->get_default_str(); !value.empty())
    text += fmt::format(" [{}]", value);
  text = wrap(words(text), {.width = kLineWidth - kNameColumn});
  text.pop_back();  // CLI11 ends the line
  return text;
}

}  // namespace lass0::app
