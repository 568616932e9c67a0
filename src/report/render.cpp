// JSON into the template.
#include <lass0/error.hpp>
#include <lass0/report.hpp>

namespace lass0 {
namespace {

constexpr std::string_view kPlace = "__LASS0_REPORT_DATA__";  // once in the template

// In JSON these characters stand inside strings only, where an escape means the same. So no name
// can end the <script> element it is in, begin a comment, or break a line of JavaScript.
std::string escape_for_html(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<' || c == '>' || c == '&') {
      text += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else if (json.substr(i, 3) == "\u2028" || json.substr(i, 3) == "\u2029") {
      text += json.substr(i, 3) == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string render_report(std::string_view json, std::string_view page) {
  if (page.empty())
    throw Error(
        "this lass0 was built without the report: install Node.js with npm and build again "
        "(docs/report.md), or take the numbers from the JSON");
  const std::size_t place = page.find(kPlace);
  if (place == page.npos) throw Error("the template of the report has no place for the data");
  std::string html(page.substr(0, place));
  html += escape_for_html(json);
  html += page.substr(place + kPlace.size());
  return html;
}

}  // namespace lass0
