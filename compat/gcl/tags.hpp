/// @file
/// Where the data is and how it is packed: the last two template arguments of GCL's patterns (paper 1, section 4).
#pragma once

#include "wherry/halo/descriptor.hpp"

namespace GCL {

/// minus, plus, begin, end, length: `halo_descriptor(2, 3, 3, 8, 13)` is figure 3.
using wherry::halo_descriptor;

/// Fields are in ordinary memory.
struct gcl_cpu {
  static constexpr bool available = true;
};
/// Fields are in the memory of a GPU. Not in this release: using it does not compile.
struct gcl_gpu {
  static constexpr bool available = false;
};

/// How data is gathered and scattered. The result is the same; each is one of Wherry's transports. Programs may give
/// the numbers as well.
enum packing_version {
  version_mpi_pack = 0,  ///< MPI_Pack and MPI_Unpack
  version_datatype = 1,  ///< MPI derived datatypes straight from the fields
  version_manual = 2     ///< Wherry's own packing, over what is fastest here
};

/// The same by the names that the paper's text has.
inline constexpr packing_version manual_packing = version_manual;
inline constexpr packing_version mpi_pack = version_mpi_pack;
inline constexpr packing_version mpi_datatype = version_datatype;

namespace detail {

template <int Version> constexpr const char* transport_of() {
  static_assert(Version >= version_mpi_pack && Version <= version_manual,
                "GCL's packing versions are version_mpi_pack, version_datatype and version_manual: 0, 1 and 2");
  return Version == version_mpi_pack ? "mpi_pack" : Version == version_datatype ? "datatype" : "auto";
}

template <class Arch> constexpr void require_available() {
  static_assert(
      Arch::available,
      "GCL::gcl_gpu: fields in GPU memory come with Wherry's GPU part, which this release does not have; use gcl_cpu");
}

}  // namespace detail
}  // namespace GCL
