// What moves where. The "v" and "w" forms of a collective have the pattern of that.
#pragma once

#include <cstdint>
#include <string_view>

namespace wherry::collective {

enum class pattern : std::uint8_t {
  barrier,
  bcast,
  gather,
  scatter,
  reduce,
  allgather,
  allreduce,
  reduce_scatter,
  scan,
  exscan,
  alltoall,
  neighbors  ///< of a topology: MPI's alone
};
inline constexpr int patterns = 11;  ///< that algorithms know: without neighbours

std::string_view name_of(pattern what);

}  // namespace wherry::collective
