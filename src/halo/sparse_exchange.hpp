// Bytes to ranks that do not know of them: nobody has to know who writes to it.
#pragma once

#include <map>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

using bytes_by_peer = std::map<int, std::vector<std::byte>>;

/// Collective. Delivers `mine[peer]` to each peer and returns what the others had for this rank. Cost and memory depend
/// on the peers of a rank, not on the number of ranks. Peers other than oneself.
bytes_by_peer exchange_sparsely(const communicator& comm, const bytes_by_peer& mine, std::string_view pattern);

/// Trivially copyable values as bytes, and back.
template <class T> std::vector<std::byte> to_bytes(const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const std::byte*>(values.data());
  return {first, first + values.size() * sizeof(T)};
}
template <class T> std::vector<T> from_bytes(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  auto* first = reinterpret_cast<std::byte*>(values.data());
  std::copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(values.size() * sizeof(T)), first);
  return values;
}

}  // namespace wherry
