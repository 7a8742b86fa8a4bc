# The switches of a build, and what they mean for the compiler.
if(PROJECT_IS_TOP_LEVEL)
  set(top_level ON)
else()
  set(top_level OFF)
endif()

set(WHERRY_MODULES "" CACHE STRING "Modules to build, e.g. halo;blocks, with those that they stand on; empty: all")
option(WHERRY_BUILD_TOOLS "Build the programs that are installed: wherry_info, wherry_plan, wherry_calibrate, wherry_tune, wherry_overlap" ${top_level})
# What is for those who work on Wherry: the presets, and so ./run, switch it on.
option(WHERRY_BUILD_FORTRAN "Compile the Fortran modules, where there is a Fortran compiler" ${top_level})
option(WHERRY_BUILD_TESTS "Build the tests" OFF)
option(WHERRY_BUILD_APPS "Build the applications in apps/" OFF)
option(WHERRY_BUILD_BENCH "Build the benchmarks in bench/" OFF)
option(WHERRY_INSTALL "Make the install rules" ON)
option(WHERRY_WARNINGS "Ask the compiler for many warnings" ${WHERRY_BUILD_TESTS})
option(WHERRY_WERROR "Turn warnings into errors" OFF)
set(WHERRY_TEST_OPTIONS "" CACHE STRING "Compiler options of the tests alone, e.g. -O0: most of a build is spent on optimising them")
set(WHERRY_COMPUTING_OPTIONS "" CACHE STRING "Compiler options of what computes much, in a build that is not optimised, e.g. -O1: copies of data, and tests of many cases")
set(WHERRY_SANITIZE "" CACHE STRING "Sanitizers for everything built here, e.g. address;undefined or thread")

if(top_level AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
if(top_level)
  set(CMAKE_CXX_STANDARD 20)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# wherry_compile_options(target): the warnings of our own code. Users of the library never see them.
function(wherry_compile_options target)
  if(WHERRY_WARNINGS)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow>
      $<$<COMPILE_LANGUAGE:CXX>:-Wconversion;-Wno-sign-conversion;-Wnon-virtual-dtor;-Woverloaded-virtual>)
    # Clang blames us for what libstdc++ 12 does inside std::stable_sort.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)
    if(WHERRY_WERROR)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
    endif()
  endif()
endfunction()

# What all modules' code is compiled with. Nobody replaces a function inside it, so that the compiler may put one into
# another, as it does in programs. (compat/gaspi stays out: its weak names are there to be replaced.)
function(wherry_library_options target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
endfunction()

if(WHERRY_SANITIZE)
  list(JOIN WHERRY_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
  # Programs with sanitizers are large: LLVM's linker takes a third of the time for them.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld WHERRY_HAS_LLD)
  if(WHERRY_HAS_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_link_options(-fuse-ld=lld)
  endif()
  if(WHERRY_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

macro(wherry_add_if_present folder)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    add_subdirectory(${folder})
  endif()
endmacro()
