# WHERRY_CUDA: whether fields may lie in the memory of CUDA devices. It needs CUDA's toolkit (nvcc in PATH, or CUDAToolkit_ROOT), and
# no device: programs start where there is no driver, too.
set(WHERRY_CUDA AUTO CACHE STRING "Fields in the memory of CUDA devices: AUTO (where nvcc is found), ON or OFF")
set(WHERRY_CUDA_ARCHITECTURES "80;90" CACHE STRING "CUDA devices that the kernels are compiled for; newer ones compile them when they load them")
set(WHERRY_HAS_CUDA OFF)
if(WHERRY_CUDA)
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE AND TARGET CUDA::cudart_static)
    set(WHERRY_HAS_CUDA ON)
    message(STATUS "CUDA: ${CUDAToolkit_VERSION}, for ${WHERRY_CUDA_ARCHITECTURES}")
  elseif(NOT WHERRY_CUDA STREQUAL AUTO)
    message(FATAL_ERROR "WHERRY_CUDA is ${WHERRY_CUDA}, and there is no toolkit with nvcc and a static runtime: see CUDAToolkit_ROOT")
  endif()
endif()

# wherry_cuda_object(VAR file.cu options...): VAR gets the object that nvcc makes of it. CMake's own CUDA knows no C++20 before 3.31.
function(wherry_cuda_object result source)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${source}.o")
  cmake_path(GET object PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  set(architectures "")
  foreach(number IN LISTS WHERRY_CUDA_ARCHITECTURES)
    list(APPEND architectures "--generate-code=arch=compute_${number},code=[compute_${number},sm_${number}]")
  endforeach()
  add_custom_command(OUTPUT "${object}"
    COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" -std=c++20 --expt-relaxed-constexpr -O3 -Xcompiler=-fPIC ${architectures}
      -ccbin "${CMAKE_CXX_COMPILER}" "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}/src" ${ARGN}
      -MD -MF "${object}.d" -c "${CMAKE_CURRENT_SOURCE_DIR}/${source}" -o "${object}"
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${source}" DEPFILE "${object}.d" COMMENT "Building CUDA object ${source}" VERBATIM)
  set(${result} "${object}" PARENT_SCOPE)
endfunction()
