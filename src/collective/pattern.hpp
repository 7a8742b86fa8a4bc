// Patterns of movement. The "v" and "w" forms of a collective have its pattern.
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
inline constexpr int patterns = 11;  ///< patterns among all ranks, which the classic algorithms know

/// True for a pattern among the neighbours of a topology.
constexpr bool is_of_neighbors(pattern what) { return what >= pattern::neighbor_allgather; }

std::string_view name_of(pattern what);

}  // namespace wherry::collective
