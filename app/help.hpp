// The text of --help in 80 columns: descriptions are wrapped, and defaults stand behind them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lass0::app {

class Help final : public CLI::Formatter {
 public:
  Help();
  std::string make_help(const CLI::App* parser, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace lass0::app
