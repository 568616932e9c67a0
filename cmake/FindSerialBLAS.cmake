# Finds a single-threaded OpenBLAS and gives it as SerialBLAS::SerialBLAS.
#
# lass0 runs its own threads over fixed blocks, so that the same input gives the same bits for any number of
# threads; a BLAS with threads of its own would undo that. The static library is needed: it picks its kernels
# for the CPU at run time, inside liblass0.so it can neither be replaced by nor clash with another BLAS, and only there can its
# buffers be guarded (src/util/blas/openblas_buffers.cpp).
find_path(SerialBLAS_INCLUDE_DIR cblas.h
          PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial openblas-serial openblas)
find_library(SerialBLAS_LIBRARY NAMES libopenblas.a PATH_SUFFIXES openblas-serial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  SerialBLAS REQUIRED_VARS SerialBLAS_LIBRARY SerialBLAS_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian and Ubuntu: apt-get install libopenblas-serial-dev")
if(SerialBLAS_FOUND AND NOT TARGET SerialBLAS::SerialBLAS)
  add_library(SerialBLAS::SerialBLAS UNKNOWN IMPORTED)
  set_target_properties(SerialBLAS::SerialBLAS PROPERTIES
                        IMPORTED_LOCATION ${SerialBLAS_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${SerialBLAS_INCLUDE_DIR})
endif()
