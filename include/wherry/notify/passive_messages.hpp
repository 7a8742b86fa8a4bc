/// @file
/// Passive messages: any rank sends requests to a rank that receives them in a loop, without knowing the senders in
/// advance (GASPI 17.1, section 10).
///
///     wherry::passive_messages requests(comm);                                  // collective
///     requests.send(0, std::as_bytes(std::span(&job, 1)));                      // on any rank
///     while (auto come = requests.receive(buffer)) serve(come->from, buffer);   // on rank 0, perhaps in a thread
///
/// If all ranks know which messages to expect, use `alltoall_exchange` (halo/alltoall_exchange.hpp) or a segment
/// (segment.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/channel/statistics.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/owned.hpp"

namespace wherry {

/// Options of passive messages.
struct passive_options {
  std::size_t largest = std::size_t{64} << 10;  ///< size of the largest message in bytes; the same on all ranks
  int under_way = 64;                           ///< largest number of this rank's messages in flight; each is copied
  std::string name{};                           ///< a name for error texts; may differ between ranks
};

/// The sender and the size of a received message.
struct passive_message {
  int from;
  std::size_t bytes;
};

/// Sends messages to any rank and receives messages from any rank. Messages of one sender arrive in the order in which
/// they were sent; there is no order between senders. Several threads may send and receive if MPI was started with
/// MPI_THREAD_MULTIPLE. Movable.
class passive_messages {
 public:
  /// Collective over `comm`. @throws error on all ranks alike: argument for options out of range, mismatch if `largest`
  /// differs between ranks
  explicit passive_messages(const communicator& comm, const passive_options& options = {});
  passive_messages(passive_messages&&) noexcept;
  passive_messages& operator=(passive_messages&&) noexcept;
  /// Local. Messages in flight still arrive. Messages for this rank that were not received are lost.
  ~passive_messages();

  /// Sends a copy of `data`, which may be overwritten as soon as the call returns. Waits while `under_way` messages of
  /// this rank are in flight. Local.
  /// @return false if there was no room within `seconds`; nothing was sent then
  /// @throws error(argument) for a rank that does not exist or more data than `largest`; error(lost) for a dead
  ///         rank; error(timeout) after WHERRY_TIMEOUT, if `seconds` sets no limit
  bool send(int to, std::span<const std::byte> data, double seconds = no_limit);
  /// Receives the next message of any rank, this one included. Local.
  /// @return nothing if no message arrived within `seconds`
  /// @throws error(argument) if `into` is too small for the message, which the next call then receives; error(lost) if
  ///         a rank has died; error(timeout) after WHERRY_TIMEOUT, if `seconds` sets no limit
  std::optional<passive_message> receive(std::span<std::byte> into, double seconds = no_limit);

  /// A readable line, such as "passive_messages 'requests' of 3 ranks, up to 65536 bytes each: 2 of 64 under way, by
  /// messages of MPI's".
  std::string explain() const;
  /// The string "two_sided".
  std::string transport() const;
  /// Counts the messages that this rank has sent as exchanges, and the bytes that it has sent and received.
  exchange_statistics statistics() const;

 private:
  struct state;
  detail::owned<std::unique_ptr<state>> state_;
};

}  // namespace wherry
