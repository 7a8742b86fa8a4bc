// Sends bytes to ranks that do not know their senders.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// The bytes to or from each peer, in ascending order of the ranks. A peer may be the rank itself.
using bytes_by_peer = std::map<int, std::vector<std::byte>>;

/// Collective. Sends `mine[peer]` to each peer, and returns the bytes that others sent to this rank, empty lists
/// included. Time and memory depend on the number of a rank's peers, not on the number of ranks. Calls may follow each
/// other directly, because each has its own tag. If it throws, buffers that MPI may still read are left to MPI.
/// @param at_once longer lists travel in pieces of this many bytes, since MPI counts in ints
/// @throws error(timeout) and error(mismatch) that name `pattern`, on all ranks alike, as in consensus.hpp
bytes_by_peer exchange_sparsely(const communicator& comm, bytes_by_peer mine, std::string_view pattern,
                                std::size_t at_once = std::size_t{1} << 30);

/// Trivially copyable values as bytes, and back.
template <class T> std::vector<std::byte> to_bytes(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* first = reinterpret_cast<const std::byte*>(values.data());
  return {first, first + values.size() * sizeof(T)};
}
template <class T> std::vector<T> from_bytes(const std::vector<std::byte>& bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> values(bytes.size() / sizeof(T));
  auto* first = reinterpret_cast<std::byte*>(values.data());
  std::copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(values.size() * sizeof(T)), first);
  return values;
}

}  // namespace wherry
