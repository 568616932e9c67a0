// The commands of the program. Each is one file in commands/: a function that declares the
// command's options and returns what to do once they are parsed. To add one, write its file and
// name it here and in the list of main.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace lass0::app {

struct Command {
  CLI::App* parser;
  std::function<void()> run;
};

Command add_fit(CLI::App& program);
Command add_path(CLI::App& program);
Command add_cv(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_stability(CLI::App& program);
Command add_moments(CLI::App& program);
Command add_predict(CLI::App& program);
Command add_simulate(CLI::App& program);
Command add_demo(CLI::App& program);

}  // namespace lass0::app
