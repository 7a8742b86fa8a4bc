/// @file
/// Messages to whoever is there to take them: GASPI's passive communication (GASPI 17.1, section 10).
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

struct passive_options {
  std::size_t largest = std::size_t{64} << 10;  ///< bytes of a message. The same on all ranks
  int under_way = 64;                           ///< messages of this rank that may be under way at once, each copied
  std::string name{};                           ///< what you call them, for errors; ranks may call them differently
};

/// What has come.
struct passive_message {
  int from;
  std::size_t bytes;
};

/// Requests for a rank that works on them in a loop of its own, of any other rank, in no order but that of each sender:
///
///     wherry::passive_messages requests(comm);                       // collective
///     requests.send(0, std::as_bytes(std::span(&job, 1)));           // anybody
///     while (auto come = requests.receive(buffer)) serve(come->from, buffer);   // rank 0, in a thread or not
///
/// Several threads may send and receive where MPI was started with MPI_THREAD_MULTIPLE.
class passive_messages {
 public:
  /// Collective. @throws error on all ranks alike: argument, mismatch (of `largest`), resource
  explicit passive_messages(const communicator& comm, const passive_options& options = {});
  passive_messages(passive_messages&&) noexcept;
  passive_messages& operator=(passive_messages&&) noexcept;
  /// Local. What is under way arrives; what has arrived and was not received is lost.
  ~passive_messages();

  /// Local. The data may be overwritten at once. Waits while too many messages of this rank are under way.
  /// @return false: they still are after `seconds`, and nothing was sent
  /// @throws error(argument) for no such rank and too much data; error(timeout) without a limit
  bool send(int to, std::span<const std::byte> data, double seconds = no_limit);
  /// Local. The next message of any rank, itself included; nothing after `seconds`.
  /// @throws error(argument) where `into` is too small for it: it is there for the next call; error(timeout) without a
  ///   limit
  std::optional<passive_message> receive(std::span<std::byte> into, double seconds = no_limit);

  /// "passive_messages 'requests' of 3 ranks, up to 65536 bytes each: 2 of 64 under way, by messages of MPI's"
  std::string explain() const;
  /// "two_sided"
  std::string transport() const;
  /// Messages that this rank has sent (as exchanges), and the bytes of those and of what it has received.
  exchange_statistics statistics() const;

 private:
  struct state;
  detail::owned<std::unique_ptr<state>> state_;
};

}  // namespace wherry
