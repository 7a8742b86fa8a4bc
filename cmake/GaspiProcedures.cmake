# gaspi_procedures(result HEADER …): the names of all procedures that these headers of compat/gaspi declare. CMake looks
# again when one has changed.
function(gaspi_procedures result)
  set(names "")
  foreach(header IN LISTS ARGN)
    set(file "${PROJECT_SOURCE_DIR}/compat/gaspi/${header}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(REGEX MATCHALL "(gaspi_return_t|gaspi_string_t|void) gaspi_[a-z_]+\\(" found "${text}")
    list(TRANSFORM found REPLACE ".* (gaspi_[a-z_]+)\\(" "\\1")
    list(APPEND names ${found})
  endforeach()
  set(${result} "${names}" PARENT_SCOPE)
endfunction()
