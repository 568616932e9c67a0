# For ReportPage.cmake, where report/node_modules is not there: sets `page` to a page that is no older than its sources, or `packages` and
# `packages_dir` to a copy of report/ in the build folder with the packages of its lock file. The source folder stays as it is.
set(built ${PROJECT_SOURCE_DIR}/build/report/report.html)
set(fresh TRUE)
foreach(source IN LISTS page_sources)
  if(NOT EXISTS ${built} OR ${source} IS_NEWER_THAN ${built})
    set(fresh FALSE)
  endif()
endforeach()
if(EXISTS ${built} AND NOT EXISTS ${PROJECT_SOURCE_DIR}/Makefile)
  set(fresh TRUE)  # an sdist, whose files have no times of their own
endif()

find_program(LASS0_NPM NAMES npm)
if(fresh)
  set(page ${built})
elseif(LASS0_NODE AND LASS0_NPM)
  set(packages_dir ${PROJECT_BINARY_DIR}/report/packages)
  file(COPY ${report_dir}/src ${report_dir}/build.mjs ${report_dir}/package.json ${report_dir}/package-lock.json
       DESTINATION ${packages_dir})
  if(NOT EXISTS ${packages_dir}/node_modules/.package-lock.json)
    message(STATUS "npm ci: the packages of the page of --report")
    execute_process(COMMAND ${LASS0_NPM} ci --omit=dev --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${packages_dir}
                    RESULT_VARIABLE failed OUTPUT_QUIET TIMEOUT 120)
    if(failed)
      message(STATUS "npm ci failed")
      file(REMOVE_RECURSE ${packages_dir}/node_modules)
    endif()
  endif()
  file(GLOB packages ${packages_dir}/node_modules/.package-lock.json)
endif()
