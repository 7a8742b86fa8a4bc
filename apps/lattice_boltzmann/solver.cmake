# The solver and all versions of its halo exchange, for the application and for bench/lattice_boltzmann_simulated.
set(here "${CMAKE_CURRENT_LIST_DIR}")
include("${here}/../common/UserLines.cmake")
include("${here}/../common/ProcessorKernels.cmake")
# Populations are the same bit for bit however rows are cut, so a multiplication is never fused with an addition.
wherry_processor_kernels(lattice_boltzmann SOURCE "${here}/kernels.cpp" HEADER "${here}/kernels.hpp" OPTIONS -ffp-contract=off)

set(sources solver flow subdomain pack halo_versions halo_datatype halo_packed halo_segments halo_layouts halo_wherry halo_limit halo_fields)
list(TRANSFORM sources REPLACE "(.+)" "${here}/\\1.cpp")
add_library(lattice_boltzmann_solver STATIC ${sources})
target_compile_features(lattice_boltzmann_solver PUBLIC cxx_std_20)
target_link_libraries(lattice_boltzmann_solver PRIVATE lattice_boltzmann_kernels)
wherry_compile_options(lattice_boltzmann_solver)
wherry_user_lines(lines_datatype "${here}/halo_datatype.cpp")
wherry_user_lines(lines_packed "${here}/halo_packed.cpp" "${here}/pack.cpp")
wherry_user_lines(lines_segments "${here}/halo_segments.cpp" "${here}/pack.cpp")
wherry_user_lines(lines_layouts "${here}/halo_layouts.cpp" "${here}/halo_fields.cpp")
wherry_user_lines(lines_wherry "${here}/halo_wherry.cpp" "${here}/halo_fields.cpp")
set_source_files_properties("${here}/halo_versions.cpp" PROPERTIES COMPILE_DEFINITIONS
  "LINES_DATATYPE=${lines_datatype};LINES_PACKED=${lines_packed};LINES_SEGMENTS=${lines_segments};LINES_LAYOUTS=${lines_layouts};LINES_WHERRY=${lines_wherry}")
