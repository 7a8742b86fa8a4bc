# wherry_processor_kernels(name SOURCE file HEADER file [OPTIONS option...] [AVX2 option...]): target NAME_kernels, the arithmetic of an
# application, compiled for two kinds of processor; the program chooses when it starts.
#
# The files are relative to the folder of the caller. The header declares, in namespace NAME, `struct kernel_set` and `const kernel_set& kernels()`, which is written here. The source
# defines `const kernel_set KERNELS`, whose name in words is KERNELS_NAME. It is compiled several times: so nothing there may come
# from a header with inline functions, of which the linker would keep one copy, perhaps the one that a processor cannot run.
set(wherry_choose_kernels "${CMAKE_CURRENT_LIST_DIR}/choose_kernels.cpp")

function(wherry_processor_kernels name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE;HEADER" "OPTIONS;AVX2")
  set(kinds baseline)
  get_filename_component(header "${arg_HEADER}" ABSOLUTE)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND kinds avx2)
  endif()
  add_library(${name}_choose_kernels OBJECT ${wherry_choose_kernels})
  target_compile_definitions(${name}_choose_kernels PRIVATE KERNELS_NAMESPACE=${name}
                             KERNELS_HEADER="${header}")
  add_library(${name}_kernels INTERFACE)
  target_sources(${name}_kernels INTERFACE $<TARGET_OBJECTS:${name}_choose_kernels>)
  foreach(kind IN LISTS kinds)
    set(target ${name}_${kind})
    add_library(${target} OBJECT ${arg_SOURCE})
    target_compile_definitions(${target} PRIVATE KERNELS=${kind}_kernels KERNELS_NAME="${kind}")
    target_compile_options(${target} PRIVATE -O3 -fopenmp-simd ${arg_OPTIONS})
    if(kind STREQUAL "avx2")
      target_compile_options(${target} PRIVATE -mavx2 ${arg_AVX2})
      target_compile_definitions(${name}_choose_kernels PRIVATE KERNELS_AVX2)
    endif()
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(${target} PRIVATE -Wno-pass-failed)  # sanitizers keep loops from being vectorised
    endif()
    target_sources(${name}_kernels INTERFACE $<TARGET_OBJECTS:${target}>)
  endforeach()
  foreach(target IN LISTS kinds ITEMS choose_kernels)
    target_compile_features(${name}_${target} PRIVATE cxx_std_20)
    wherry_compile_options(${name}_${target})
  endforeach()
endfunction()
