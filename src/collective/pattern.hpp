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
  neighbor_allgather,
  neighbor_alltoall
};
inline constexpr int patterns = 11;  ///< among all ranks: what the classic algorithms know

/// Among the neighbours of a topology.
constexpr bool is_of_neighbors(pattern what) { return what >= pattern::neighbor_allgather; }

std::string_view name_of(pattern what);

}  // namespace wherry::collective
