# The page of --report, embedded in the library: sets LASS0_REPORT_SOURCE, the source file that has it.
#
# The page is built by Node.js from report/ and its packages (report/node_modules: `npm ci` in report/, which scripts/setup
# does). Everything else builds without it; --report then says how to get it. Who installs the Python package has not run scripts/setup:
# there a page that an earlier build left in build/report (an sdist brings it along) is taken, or else npm is asked for the packages.
set(LASS0_REPORT AUTO CACHE STRING "Embed the page of --report: AUTO (where Node.js and its packages are there), ON or OFF")
set(LASS0_REPORT_PAGE "" CACHE FILEPATH "A page that was built before (report.html), to embed without Node.js")

set(report_dir ${PROJECT_SOURCE_DIR}/report)
set(page ${LASS0_REPORT_PAGE})
set(packages_dir ${report_dir})
set(LASS0_HAS_REPORT TRUE)
if(NOT page AND LASS0_REPORT)
  find_program(LASS0_NODE NAMES node nodejs)
  # A glob is looked at in every build, so packages that are installed later are seen.
  file(GLOB packages CONFIGURE_DEPENDS ${report_dir}/node_modules/.package-lock.json)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${report_dir}/src/*)
  list(APPEND page_sources ${report_dir}/build.mjs ${report_dir}/package-lock.json)
  if(LASS0_BUILD_PYTHON AND NOT (LASS0_NODE AND packages))
    include(ReportPageElsewhere)
  endif()
endif()
if(NOT page)
  if(LASS0_NODE AND packages AND LASS0_REPORT)
    set(page ${PROJECT_BINARY_DIR}/report/report.html)
    add_custom_command(
      OUTPUT ${page}
      COMMAND ${LASS0_NODE} ${packages_dir}/build.mjs ${page}
      DEPENDS ${page_sources} ${packages}
      COMMENT "Bundling the page of --report" VERBATIM)
  elseif(LASS0_REPORT STREQUAL "AUTO" OR NOT LASS0_REPORT)
    message(STATUS "--report is left out: it needs Node.js and, once, `npm ci` in report/")
    set(LASS0_HAS_REPORT FALSE)
  else()
    message(FATAL_ERROR "LASS0_REPORT is ${LASS0_REPORT}, but Node.js or its packages are missing: run `npm ci` in report/")
  endif()
endif()

set(LASS0_REPORT_SOURCE ${PROJECT_BINARY_DIR}/report/page.cpp)
set(embed ${CMAKE_CURRENT_LIST_DIR}/embed_page.cmake)
add_custom_command(
  OUTPUT ${LASS0_REPORT_SOURCE}
  COMMAND ${CMAKE_COMMAND} -D PAGE=${page} -D OUTPUT=${LASS0_REPORT_SOURCE} -P ${embed}
  DEPENDS ${embed} ${page}
  COMMENT "Embedding the page of --report" VERBATIM)
