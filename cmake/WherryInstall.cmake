# Headers, libraries, the CMake package and wherry.pc.
include(CMakePackageConfigHelpers)
set(wherry_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Wherry")

list(TRANSFORM wherry_modules PREPEND wherry_ OUTPUT_VARIABLE wherry_targets)
install(TARGETS wherry ${wherry_targets} ${wherry_compat_targets} EXPORT WherryTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(WHERRY_HAS_COARRAYS)
  install(TARGETS wherry_coarrays EXPORT WherryTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
if(EXISTS "${PROJECT_SOURCE_DIR}/compat")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/compat/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wherry_compat
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.hxx" PATTERN "*.f90" REGEX "/(gaspi|crestacoll)/[a-z_]*\\.hpp$" EXCLUDE PATTERN "preload" EXCLUDE)
endif()

install(EXPORT WherryTargets NAMESPACE Wherry:: DESTINATION ${wherry_cmake_dir})
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/WherryConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/WherryConfig.cmake" INSTALL_DESTINATION ${wherry_cmake_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/WherryConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/WherryConfig.cmake" "${PROJECT_BINARY_DIR}/WherryConfigVersion.cmake"
        DESTINATION ${wherry_cmake_dir})

# pkg-config: static libraries want their dependants first, so high floors come before low ones.
set(wherry_floors notify collective deep blocks halo motion transport channel plan geometry core)
set(wherry_ordered "")
foreach(module IN LISTS wherry_modules)
  if(NOT module IN_LIST wherry_floors)
    list(APPEND wherry_ordered ${module})
  endif()
endforeach()
foreach(module IN LISTS wherry_floors)
  if(module IN_LIST wherry_modules)
    list(APPEND wherry_ordered ${module})
  endif()
endforeach()
set(WHERRY_PC_LIBS "")
add_custom_target(wherry_installed COMMENT "All that is installed is built")
add_dependencies(wherry_installed wherry_compat_gaspi wherry_compat_preload wherry_compat_crestacoll
  wherry_crestacoll_static)
foreach(module IN LISTS wherry_ordered)
  get_target_property(kind wherry_${module} TYPE)
  if(NOT kind STREQUAL "INTERFACE_LIBRARY")
    string(APPEND WHERRY_PC_LIBS " -lwherry_${module}")
    add_dependencies(wherry_installed wherry_${module})
  endif()
endforeach()
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
configure_file("${PROJECT_SOURCE_DIR}/cmake/wherry.pc.in" "${PROJECT_BINARY_DIR}/wherry.pc" @ONLY)
set(wherry_packages "${PROJECT_BINARY_DIR}/wherry.pc")
foreach(name gaspi crestacoll)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/wherry_${name}.pc.in" "${PROJECT_BINARY_DIR}/wherry_${name}.pc" @ONLY)
  list(APPEND wherry_packages "${PROJECT_BINARY_DIR}/wherry_${name}.pc")
endforeach()
install(FILES ${wherry_packages} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
