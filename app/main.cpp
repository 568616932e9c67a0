// lass0, the program: parses the command line, runs one command, and turns whatever goes wrong into
// one line and an exit status: 0 done, 1 the data or the model is bad, 2 wrong usage.
#include <fmt/format.h>

#include <exception>
#include <lass0/error.hpp>
#include <lass0/version.hpp>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "commands.hpp"
#include "help.hpp"
#include "report_option.hpp"
#include "streams.hpp"
#include "system_limits.hpp"
#include "text.hpp"

namespace lass0::app {
namespace {

enum ExitStatus { kDone = 0, kBadData = 1, kBadUsage = 2 };

constexpr int kLongestMessage = 1000;  // a message may quote the data

int fail(const std::string& where, std::string_view why, ExitStatus status) noexcept {
  try {
    tell(fmt::format("{}: {}\n", where, shorten(one_line(why), kLongestMessage)));
  } catch (const std::exception&) {  // not even memory for the message
    tell("lass0: not enough memory\n");
  }
  return status;
}

// The help or the version, where that is what was asked for.
std::optional<std::string> parse(CLI::App& program, int argc, char** argv) {
  try {
    program.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    program.exit(help_or_version, text, text);
    return text.str();
  }
}

// The options of a command that make it need less.
std::string_view out_of_memory(const CLI::App& program) {
  const auto parsed = program.get_subcommands();
  const bool computes = !parsed.empty() && parsed.front()->get_option_no_throw("--threads");
  return computes ? "not enough memory: use --threads 1, a smaller --memory or fewer columns "
                    "(--exclude)"
                  : "not enough memory: use fewer rows or columns";
}

int run(int argc, char** argv) {
  remember_command_line(argc, argv);
  CLI::App program("Sparse linear models by local search: the few columns that explain y.",
                   "lass0");
  program.set_version_flag("--version", "lass0 " + std::string(version()), "Print the version");
  program.formatter(std::make_shared<Help>());
  program.set_help_flag("-h,--help", "Print this help");
  program.require_subcommand(0, 1);
  program.footer("lass0 COMMAND --help describes a command; lass0 demo shows an example.");

  std::vector<Command> commands;
  for (const auto add : {add_fit, add_path, add_cv, add_compare, add_stability, add_moments,
                         add_predict, add_simulate, add_demo})
    commands.push_back(add(program));
  for (const Command& command : commands) command.parser->group("Commands");

  const auto where = [&] {
    const auto parsed = program.get_subcommands();
    return parsed.empty() ? "lass0" : "lass0 " + parsed.front()->get_name();
  };
  try {
    if (const auto text = parse(program, argc, argv)) {
      print(*text);
      return kDone;
    }
    for (const Command& command : commands) {
      if (!command.parser->parsed()) continue;
      command.run();
      return kDone;
    }
    print(program.help());
    return kBadUsage;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what(), option = what.substr(0, what.find(':'));
    return fail(where(), fmt::format("{} takes one value (see {} --help)", option, where()),
                kBadUsage);
  } catch (const CLI::ParseError& error) {
    return fail(where(), fmt::format("{} (see {} --help)", error.what(), where()), kBadUsage);
  } catch (const UsageError& error) {
    return fail(where(), error.what(), kBadUsage);
  } catch (const std::bad_alloc&) {
    return fail(where(), out_of_memory(program), kBadData);
  } catch (const std::exception& error) {
    return fail(where(), error.what(), kBadData);
  }
}

}  // namespace
}  // namespace lass0::app

int main(int argc, char** argv) {
  using namespace lass0::app;
  occupy_standard_streams();
  adapt_to_system_limits();
  try {
    return run(argc, argv);
  } catch (const std::exception&) {  // before there was a command, or while a message was made
    return fail("lass0", "not enough memory", kBadData);
  }
}
