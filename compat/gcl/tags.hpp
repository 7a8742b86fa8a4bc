/// @file
/// Where the data is and how it is packed: the last two template arguments of GCL's patterns (paper 1, section 4).
#pragma once

#include "wherry/device/device.hpp"
#include "wherry/halo/descriptor.hpp"

namespace GCL {

/// minus, plus, begin, end, length: `halo_descriptor(2, 3, 3, 8, 13)` is figure 3.
using wherry::halo_descriptor;

/// Fields are in ordinary memory.
struct gcl_cpu {
  static constexpr auto space = wherry::memory_space::host;
};
/// Fields are in the memory of a GPU: the device in use (wherry/device/device.hpp). Packing and unpacking are in the
/// order of its main stream. What is packed by MPI (`version_mpi_pack`, `version_datatype`) is so from pinned memory.
struct gcl_gpu {
  static constexpr auto space = wherry::memory_space::device;
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

/// While it lives, what is exchanged is in the order of the device's main stream, if it is of fields there.
template <class Arch> struct in_order {
  in_order() {}
};
template <> struct in_order<gcl_gpu> {
  wherry::in_stream main{wherry::device_stream{}};
};

}  // namespace detail
}  // namespace GCL
