// What MPI's datatypes mean to those who move bytes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace wherry::collective {

/// The numbers that reductions have code of ours for.
enum class number : std::uint8_t { none, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

struct datatype_facts {
  std::int64_t size = 0;    ///< bytes of data
  std::int64_t extent = 0;  ///< bytes from one to the next
  /// `count` of them are `count * size` bytes that lie together, in the order in which MPI packs them.
  bool dense = true;
  bool predefined = false;
  number what = number::none;
};

datatype_facts facts_of(MPI_Datatype type);

}  // namespace wherry::collective
