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

/// How data is gathered and scattered. The result is the same; each names one of Wherry's transports.
struct version_manual {
  static constexpr const char* transport = "auto";  ///< Wherry's own packing, over what is fastest here
};
struct version_mpi_pack {
  static constexpr const char* transport = "mpi_pack";  ///< MPI_Pack and MPI_Unpack
};
struct version_datatype {
  static constexpr const char* transport = "datatype";  ///< MPI derived datatypes straight from the fields
};

/// The same by the names that the paper's text has.
using manual_packing = version_manual;
using mpi_pack = version_mpi_pack;
using mpi_datatype = version_datatype;

namespace detail {

template <class Arch> constexpr void require_available() {
  static_assert(
      Arch::available,
      "GCL::gcl_gpu: fields in GPU memory come with Wherry's GPU part, which this release does not have; use gcl_cpu");
}

}  // namespace detail
}  // namespace GCL
