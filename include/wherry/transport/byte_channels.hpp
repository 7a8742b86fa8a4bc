/// @file
/// Byte streams between ranks: one to one, one to all, at once or in flight. What a deep copy travels by.
///
/// A stream of up to a few kilobytes is one message. A longer one goes, inside a node, through a ring of windows in
/// shared memory, in which the writer writes and the readers read, at the same time; elsewhere it is a sequence of
/// messages of one window each. Memory is a fixed number of windows, whatever the length. `WHERRY_TRANSPORT` decides
/// for streams, too: "auto" and transports of the table that stay inside a node mean rings, all others messages; for
/// the broadcasts of a communicator what it says at the first one.
///
/// `fingerprint` says what the bytes mean: where the two ends differ nothing is delivered, and an error is thrown.
/// `where` names the public call in errors; it must outlive what it is given to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "wherry/channel/statistics.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/transport/byte_stream.hpp"

namespace wherry {

/// What messages of a stream are recognised by: a user's tag, or one that all ranks of a collective call agree on.
class stream_tag {
 public:
  /// @throws error(argument) when it is negative or greater than `largest`, error(state) after MPI_Finalize
  static stream_tag of_user(const communicator& comm, int tag, std::string_view where);
  /// At least 12,287; half a billion and more with today's MPIs.
  static int largest(const communicator& comm);
  /// Collective in order.
  static stream_tag of_collective(const communicator& comm) { return stream_tag(comm.next_tag()); }

  int mpi() const { return mpi_; }
  /// Later streams may have it too.
  bool is_users() const;

 private:
  explicit stream_tag(int mpi) : mpi_(mpi) {}
  int mpi_;
};

/// @throws error(state) after MPI_Finalize
void check_that_mpi_runs(std::string_view where);
/// @throws error(argument) unless it is a rank of `comm`, error(state) after MPI_Finalize
void check_rank(std::string_view where, const communicator& comm, int rank);

/// The writing end towards rank `to`. `finish` returns once the receiver has accepted the stream, or it is so short
/// that MPI has taken it. To oneself all is kept until it is received, so that it never blocks.
/// @throws error(argument) for a bad rank; while writing: error(mismatch) where the receiver expects something else or
///   gives up, error(timeout)
std::unique_ptr<byte_sink> open_send(std::string_view where, const communicator& comm, int to, stream_tag tag,
                                     std::uint64_t fingerprint);

struct arriving_bytes {
  std::unique_ptr<byte_source> bytes;
  int source = -1;  ///< the rank that sends
};

/// The reading end. Blocks until a stream begins. `from` may be MPI_ANY_SOURCE. Streams of one source and tag arrive in
/// the order in which they were sent.
arriving_bytes open_receive(std::string_view where, const communicator& comm, int from, stream_tag tag,
                            std::uint64_t fingerprint);

/// The root's end of a broadcast, which it may leave before the others come. Collective with `join_broadcast`.
std::unique_ptr<byte_sink> open_broadcast(std::string_view where, const communicator& comm, std::uint64_t fingerprint);
/// The end of everybody else. A rank of another node passes the stream on to others while it reads.
std::unique_ptr<byte_source> join_broadcast(std::string_view where, const communicator& comm, int root,
                                            std::uint64_t fingerprint);

/// Where `WHERRY_CHECK` is set: @throws error(mismatch) on all ranks unless they name the same root and type.
/// Collective.
void compare_calls(std::string_view where, const communicator& comm, int root, std::uint64_t fingerprint);

/// What the streams of a communicator have moved so far on this rank, each counted (as an exchange) by the end that is
/// here once that is over; the waits with WHERRY_STATS or WHERRY_TRACE only. WHERRY_STATS prints it, call by call, when
/// the communicator is freed or MPI ends.
exchange_statistics stream_statistics(const communicator& comm);
/// What they went by, "two_sided + shared".
std::string stream_transport(const communicator& comm);
/// What WHERRY_TRANSPORT means for them, and what has gone how.
std::string explain_streams(const communicator& comm);

/// Where this rank is to receive nothing with this tag. @throws error(mismatch) for what has come all the same, which
/// is thrown away: its sender has named another root
void expect_nothing(std::string_view where, const communicator& comm, stream_tag tag);

class window_list;

/// A sink that keeps everything, in the form in which it can be sent at once.
class packed_stream final : public byte_sink {
 public:
  /// @param limit more is an error(argument) that says how much it would have been; 0: none
  explicit packed_stream(std::string_view where, const communicator& comm, std::size_t limit = 0);
  ~packed_stream() override;
  void finish() override;
  /// What is sent then is the reason.
  void abandon(std::string_view why) noexcept override;
  std::size_t bytes() const;
  std::unique_ptr<window_list> take() &&;

 private:
  void more(std::size_t bytes) override;
  void close_window();

  std::string_view where_;
  communicator comm_;
  std::size_t limit_, before_ = 0;  // bytes in the windows before this one
  std::unique_ptr<window_list> list_;
};

/// A stream in flight. Movable. Progresses in `test` and `wait`, and whenever this rank waits for anything of ours.
class byte_flight {
 public:
  byte_flight();
  byte_flight(byte_flight&&) noexcept;
  byte_flight& operator=(byte_flight&&) noexcept;
  /// Waits, where that is worth it; what is in flight then stays so by itself, and what it brings is thrown away.
  ~byte_flight();

  /// True when all has left or arrived. @throws error(mismatch) where the other end writes something else, gives up, …;
  /// error(state) when nothing has been started here, or it has been moved from, or MPI has ended
  bool test();
  /// @throws also error(timeout); it is in flight then as before
  void wait();
  /// The same; but a receive that waits in vain for its stream to begin takes nothing any more.
  void wait_or_withdraw();
  /// Not after a wait in vain, while an exception is under way, or at MPI's end.
  bool is_worth_waiting_for() const;
  /// Of what is received, once complete.
  std::unique_ptr<byte_source> bytes();
  int source() const;
  bool under_way() const;
  /// Of this stream. @throws error(state) when nothing has been started here, or it has been moved from
  std::string transport() const;
  std::string explain() const;
  exchange_statistics statistics() const;

  struct state;
  explicit byte_flight(std::unique_ptr<state> what);
  /// It stays in flight by itself; nobody waits for it.
  void leave() &&;

 private:
  state& live() const;
  void must_be_under_way() const;

  std::unique_ptr<state> state_;
  std::string_view where_;  // what has been moved from keeps it
};

/// None of these blocks. `packed` must be finished.
byte_flight start_send(std::string_view where, const communicator& comm, int to, stream_tag tag,
                       std::uint64_t fingerprint, packed_stream&& packed);
byte_flight start_receive(std::string_view where, const communicator& comm, int from, stream_tag tag,
                          std::uint64_t fingerprint);
/// Collective in order. The root's has no bytes to read.
byte_flight start_broadcast(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                            packed_stream&& packed);
byte_flight start_broadcast(std::string_view where, const communicator& comm, int root, std::uint64_t fingerprint);

}  // namespace wherry
