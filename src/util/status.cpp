#include <lass0/status.hpp>

namespace lass0 {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::proven_optimal:
      return "proven_optimal";
    case Status::gap:
      return "gap";
    case Status::local_optimum:
      return "local_optimum";
    case Status::add_remove_optimum:
      return "add_remove_optimum";
    case Status::second_order_optimum:
      return "second_order_optimum";
    case Status::unchecked:
      return "unchecked";
    case Status::time_limit:
      return "time_limit";
    case Status::interrupted:
      return "interrupted";
  }
  return "";
}

std::string_view explanation(Status status) {
  switch (status) {
    case Status::proven_optimal:
      return "no other support has a lower objective";
    case Status::gap:
      return "the time limit came before the proof";
    case Status::local_optimum:
      return "no add, remove or swap of any column lowers the objective";
    case Status::add_remove_optimum:
      return "no single add or remove of a column lowers the objective";
    case Status::second_order_optimum:
      return "of all adds, removes and swaps, the most promising do not lower the objective";
    case Status::unchecked:
      return "the best of a quick search, which does not check every move";
    case Status::time_limit:
      return "the best found within the time limit";
    case Status::interrupted:
      return "the best found before the run was interrupted";
  }
  return "";
}

std::string explanation_at_a_size(Status status, std::string_view loss) {
  std::string text(status == Status::local_optimum ? "no swap of a column for another lowers the "
                   : status == Status::second_order_optimum
                       ? "of all swaps, the most promising do not lower the "
                       : "");
  return text.empty() ? std::string(explanation(status)) : text.append(loss);
}

}  // namespace lass0
