# cmake -D PAGE=report.html -D OUTPUT=page.cpp -P embed_page.cmake: the page as a C++ string; an empty one without a page.
set(text "")
if(PAGE)
  file(READ ${PAGE} text)
  string(FIND "${text}" ")lass0page\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${PAGE} holds the end of the string it is put into")
  endif()
endif()
file(WRITE ${OUTPUT} "#include <lass0/report.hpp>

std::string_view lass0::report_template() {
  static constexpr char page[] = R\"lass0page(${text})lass0page\";
  return {page, sizeof page - 1};
}
")
