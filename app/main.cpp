// lass0, the program: parses the command line, runs one command, and turns whatever goes wrong into
// one line and an exit status: 0 done, 1 the data or the model is bad, 2 wrong usage.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <lass0/error.hpp>
#include <lass0/version.hpp>
#include <memory>
#include <new>
#include <vector>

#include "commands.hpp"
#include "help.hpp"
#include "report_option.hpp"
#include "text.hpp"

namespace lass0::app {
namespace {

enum ExitStatus { kDone = 0, kBadData = 1, kBadUsage = 2 };

constexpr int kLongestMessage = 1000;  // a message may quote the data

int fail(const std::string& where, std::string_view why, ExitStatus status) {
  fmt::print(stderr, "{}: {}\n", where, shorten(one_line(why), kLongestMessage));
  return status;
}

// A disk that is full shows only when the last bytes are written.
void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw Error(fmt::format("standard output: {}", std::strerror(errno)));
}

int run(int argc, char** argv) {
  remember_command_line(argc, argv);
  CLI::App program("Sparse linear models by exact local search: the few columns that explain y.",
                   "lass0");
  program.set_version_flag("--version", "lass0 " + std::string(version()), "Print the version");
  program.formatter(std::make_shared<Help>());
  program.set_help_flag("-h,--help", "Print this help");
  program.require_subcommand(0, 1);
  program.footer("lass0 COMMAND --help describes a command. To see it work: lass0 demo");

  std::vector<Command> commands;
  for (const auto add :
       {add_fit, add_path, add_cv, add_compare, add_predict, add_simulate, add_demo})
    commands.push_back(add(program));
  for (const Command& command : commands) command.parser->group("Commands");

  const auto where = [&] {
    const auto parsed = program.get_subcommands();
    return parsed.empty() ? "lass0" : "lass0 " + parsed.front()->get_name();
  };
  try {
    program.parse(argc, argv);
    for (const Command& command : commands) {
      if (!command.parser->parsed()) continue;
      command.run();
      flush_output();
      return kDone;
    }
    fmt::print("{}", program.help());
    return kBadUsage;
  } catch (const CLI::Success& help_or_version) {
    return program.exit(help_or_version);
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what(), option = what.substr(0, what.find(':'));
    return fail(where(), fmt::format("{} takes one value (see {} --help)", option, where()),
                kBadUsage);
  } catch (const CLI::ParseError& error) {
    return fail(where(), fmt::format("{} (see {} --help)", error.what(), where()), kBadUsage);
  } catch (const UsageError& error) {
    return fail(where(), error.what(), kBadUsage);
  } catch (const std::bad_alloc&) {
    return fail(where(), "not enough memory", kBadData);
  } catch (const std::exception& error) {
    return fail(where(), error.what(), kBadData);
  }
}

}  // namespace
}  // namespace lass0::app

int main(int argc, char** argv) { return lass0::app::run(argc, argv); }
