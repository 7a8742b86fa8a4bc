/// @file
/// The memory of the data, and the way in which messages are packed: the last two template arguments of GCL's patterns
/// (GCL, section 4).
#pragma once

#include "wherry/device/device.hpp"
#include "wherry/halo/descriptor.hpp"

namespace GCL {

/// GCL's five integers minus, plus, begin, end and length: `halo_descriptor(2, 3, 3, 8, 13)` is figure 3.
using wherry::halo_descriptor;

/// Fields are in host memory.
struct gcl_cpu {
  static constexpr auto space = wherry::memory_space::host;
};
/// Fields are in the memory of the device in use (wherry/device/device.hpp). Packing and unpacking follow the order of
/// its main stream. For `version_mpi_pack` and `version_datatype` MPI packs from pinned memory on the host.
struct gcl_gpu {
  static constexpr auto space = wherry::memory_space::device;
};

/// How messages are packed. The result is the same; each version is a transport of Wherry. Programs may also give the
/// numbers.
enum packing_version {
  version_mpi_pack = 0,  ///< MPI_Pack and MPI_Unpack
  version_datatype = 1,  ///< MPI derived datatypes straight from the fields
  version_manual = 2     ///< Wherry's own packing, by the transport that `auto` chooses
};

/// The names in the text of the GCL paper.
inline constexpr packing_version manual_packing = version_manual;
inline constexpr packing_version mpi_pack = version_mpi_pack;
inline constexpr packing_version mpi_datatype = version_datatype;

namespace detail {

template <int Version> constexpr const char* transport_of() {
  static_assert(Version >= version_mpi_pack && Version <= version_manual,
                "GCL's packing versions are version_mpi_pack, version_datatype and version_manual: 0, 1 and 2");
  return Version == version_mpi_pack ? "mpi_pack" : Version == version_datatype ? "datatype" : "auto";
}

/// Lives while a call exchanges fields in device memory: the exchange follows the order of the device's main stream.
template <class Arch> struct in_order {
  in_order() {}
};
template <> struct in_order<gcl_gpu> {
  wherry::in_stream main{wherry::device_stream{}};
};

}  // namespace detail
}  // namespace GCL
