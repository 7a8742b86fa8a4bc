// Sends bytes to ranks that do not know their senders, by non-blocking consensus (Hoefler, Siebert, Lumsdaine 2010):
// synchronous sends to the known peers, then an agreement that a rank enters when its sends have been received. When
// the agreement ends, no message is under way.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// The bytes to or from each peer, in ascending order of the ranks. A peer may be the rank itself.
using bytes_by_peer = std::map<int, std::vector<std::byte>>;

/// The synchronous sends of one rank, which read the bytes where they are until `received()`. Long lists travel in
/// pieces, of which only some are under way to a peer at a time: Open MPI 5.0.7 loses acknowledgements in shared memory
/// beyond about 128 synchronous sends to one rank (its issues 12816 and 12979).
class consensus_sends {
 public:
  static constexpr std::size_t usual_piece = std::size_t{1} << 30;  ///< bytes; MPI counts in ints
  static constexpr int most_under_way = 32;                         ///< pieces under way to a peer

  /// @param tag a tag that all ranks have for this exchange alone
  void begin(MPI_Comm comm, int tag, std::size_t at_once = usual_piece);
  /// Begins to send a list, which may be empty.
  void add(int peer, std::span<const std::byte> list);
  /// Sends further pieces. Returns true when all lists have been received.
  bool received();
  /// True if MPI still reads the bytes.
  bool under_way() const;
  void append_missing(std::vector<int>& ranks) const;

 private:
  struct list {
    int peer;
    std::span<const std::byte> rest;
  };
  void send_piece(std::size_t slot);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  std::size_t at_once_ = usual_piece;
  std::vector<list> lists_;
  // The pieces under way; a slot sends the next piece of its list when one has been received.
  std::vector<MPI_Request> requests_;
  std::vector<std::size_t> list_of_slot_;
  std::vector<int> received_;  // the slots that MPI has just completed
};

/// Receives one piece, if one has come, and appends it to the list of its sender. Returns true if there was one.
bool receive_piece(MPI_Comm comm, int tag, bytes_by_peer& received);

/// Collective. Sends `mine[peer]` to each peer, and returns the bytes that others sent to this rank, empty lists
/// included. Time and memory depend on the number of a rank's peers, not on the number of ranks. Calls may follow each
/// other directly, because each has its own tag. If it throws, buffers that MPI may still read are left to MPI.
/// @param at_once longer lists travel in pieces of this many bytes
/// @throws error(timeout) and error(mismatch) that name `pattern`, on all ranks alike, as in consensus.hpp
bytes_by_peer exchange_sparsely(const communicator& comm, bytes_by_peer mine, std::string_view pattern,
                                std::size_t at_once = consensus_sends::usual_piece);

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
