# Headers, libraries, the CMake package and wherry.pc.
include(CMakePackageConfigHelpers)
set(wherry_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Wherry")

# A tree in which single targets were built, as by ./run demo, has the rest built first.
if(PROJECT_IS_TOP_LEVEL)
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target wherry_installed --parallel ${cores}
    RESULT_VARIABLE status)
  if(status)
    message(FATAL_ERROR \"what is installed could not be built\")
  endif()")
endif()

list(TRANSFORM wherry_modules PREPEND wherry_ OUTPUT_VARIABLE wherry_targets)
install(TARGETS wherry ${wherry_targets} ${wherry_compat_targets} EXPORT WherryTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(WHERRY_HAS_COARRAYS)
  install(TARGETS wherry_coarrays EXPORT WherryTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
set(headers_left_out ${wherry_modules_left_out})
if(WHERRY_HAS_GPI2)
  install(TARGETS wherry_gpi2 EXPORT WherryTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES "${PROJECT_SOURCE_DIR}/cmake/FindGPI2.cmake" DESTINATION ${wherry_cmake_dir})
else()
  list(APPEND headers_left_out gpi2)
endif()
if(WHERRY_MODULES)  # its wherry.hpp is another
  list(APPEND headers_left_out wherry.hpp)
  install(FILES "${PROJECT_BINARY_DIR}/include/wherry/wherry.hpp" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wherry)
endif()
list(JOIN headers_left_out "|" headers_left_out)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" REGEX "/include/wherry/(${headers_left_out})$" EXCLUDE)
# Headers, and Fortran's sources; what only the libraries themselves include stays here.
set(compat_left_out preload ${wherry_compat_left_out})
if(mel IN_LIST wherry_compat_left_out)
  list(APPEND compat_left_out MEL.*)
endif()
list(JOIN compat_left_out "|" compat_left_out)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/compat/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wherry_compat
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.hxx" PATTERN "*.f90" PATTERN "*.F90" PATTERN "*.inc"
        REGEX "/(gaspi|crestacoll)/[a-z_]*\\.hpp$" EXCLUDE REGEX "/compat/(${compat_left_out})$" EXCLUDE)

install(EXPORT WherryTargets NAMESPACE Wherry:: DESTINATION ${wherry_cmake_dir})
# An MPI without wrappers is named by flags, to the programs as it was here.
set(WHERRY_MPI_BY_FLAGS "")
if(NOT MPI_CXX_COMPILER)
  foreach(language IN ITEMS C CXX)
    set(names "${MPI_${language}_LIB_NAMES}")
    string(APPEND WHERRY_MPI_BY_FLAGS "\n  set(MPI_${language}_LIB_NAMES \"${names}\" CACHE STRING \"MPI's libraries\")"
      "\n  set(MPI_${language}_COMPILER_INCLUDE_DIRS \"${MPI_${language}_INCLUDE_DIRS}\" CACHE STRING \"Where MPI's headers are\")")
    foreach(name IN LISTS names)
      string(APPEND WHERRY_MPI_BY_FLAGS "\n  set(MPI_${name}_LIBRARY \"${MPI_${name}_LIBRARY}\" CACHE FILEPATH \"A library of MPI's\")")
    endforeach()
  endforeach()
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/WherryConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/WherryConfig.cmake" INSTALL_DESTINATION ${wherry_cmake_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/WherryConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/WherryConfig.cmake" "${PROJECT_BINARY_DIR}/WherryConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/WherryMpiWrappers.cmake"
        DESTINATION ${wherry_cmake_dir})

# pkg-config: static libraries want their dependants first, so high floors come before low ones.
set(wherry_floors notify collective deep blocks particles halo motion sparse transport channel flight device plan geometry core)
set(wherry_ordered "")
foreach(module IN LISTS wherry_modules)
  if(NOT module IN_LIST wherry_floors)
    message(FATAL_ERROR "Wherry: the module '${module}' is missing in wherry_floors (cmake/WherryInstall.cmake)")
  endif()
endforeach()
foreach(module IN LISTS wherry_floors)
  if(module IN_LIST wherry_modules)
    list(APPEND wherry_ordered ${module})
  endif()
endforeach()
set(WHERRY_PC_LIBS "")
add_custom_target(wherry_installed COMMENT "All that is installed is built")
foreach(target IN ITEMS wherry_compat_gaspi wherry_compat_preload wherry_compat_crestacoll wherry_crestacoll_static wherry_gpi2)
  if(TARGET ${target})
    add_dependencies(wherry_installed ${target})
  endif()
endforeach()
foreach(module IN LISTS wherry_ordered)
  get_target_property(kind wherry_${module} TYPE)
  if(NOT kind STREQUAL "INTERFACE_LIBRARY")
    string(APPEND WHERRY_PC_LIBS " -lwherry_${module}")
    add_dependencies(wherry_installed wherry_${module})
  endif()
endforeach()
# The programs for users. Those in another folder than the system's find the MPI that they were built with.
foreach(tool IN ITEMS wherry_info wherry_plan_program wherry_calibrate wherry_tune wherry_overlap)
  if(TARGET ${tool})
    set_target_properties(${tool} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    add_dependencies(wherry_installed ${tool})
  endif()
endforeach()
# A parent for each rank of a job that is to outlive one of them, under MPICH.
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/run/outlive.py" DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME wherry_outlive)
if(WHERRY_HAS_CUDA)
  get_filename_component(folder "${CUDA_cudart_static_LIBRARY}" DIRECTORY)
  string(APPEND WHERRY_PC_LIBS " -L${folder} -lcudart_static -ldl -lrt")
endif()
set(WHERRY_PC_MPI_CFLAGS "")
foreach(folder IN LISTS MPI_CXX_INCLUDE_DIRS)
  string(APPEND WHERRY_PC_MPI_CFLAGS " -I${folder}")
endforeach()
set(WHERRY_PC_MPI_LIBS "")
foreach(library IN LISTS MPI_CXX_LIBRARIES)
  string(APPEND WHERRY_PC_MPI_LIBS " ${library}")
  # An MPI outside of the system's folders (a wheel, /opt) must be found at run time too.
  get_filename_component(folder "${library}" DIRECTORY)
  if(IS_ABSOLUTE "${folder}" AND NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES AND NOT folder MATCHES "^/usr/lib")
    string(APPEND WHERRY_PC_MPI_LIBS " -Wl,-rpath,${folder}")
  endif()
endforeach()
# The prefix as seen from the folder of the .pc files, which may be lib/x86_64-linux-gnu/pkgconfig.
file(RELATIVE_PATH WHERRY_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" WHERRY_PC_PREFIX "${WHERRY_PC_PREFIX}")
set(wherry_packages wherry)
foreach(name gaspi crestacoll)
  if(NOT name IN_LIST wherry_compat_left_out)
    list(APPEND wherry_packages wherry_${name})
  endif()
endforeach()
foreach(name IN LISTS wherry_packages)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
