/// @file
/// Byte streams between ranks: from one rank to another, or from one to all. Deep copies travel by them.
///
///     const auto tag = wherry::detail::stream_tag::of_user(comm, 7, "example");
///     if (comm.rank() == 0) {
///       auto out = wherry::detail::open_send("example", comm, 1, tag, fingerprint);
///       out->write(data.data(), data.size());
///       out->finish();
///     } else if (comm.rank() == 1) {
///       auto in = wherry::detail::open_receive("example", comm, 0, tag, fingerprint);
///       in.bytes->read(data.data(), data.size());
///       in.bytes->finish();
///     }
///
/// Deep copies open and carry streams by the functions in `detail`. Programs want `deep/deep.hpp`, which sends whole
/// data structures, and call only the three functions here that say what the streams of a communicator have done:
/// `stream_statistics`, `stream_transport` and `explain_streams`.
///
/// A stream of up to a few kilobytes is one message. Inside a node, a longer stream goes through a ring of windows in
/// shared memory, which one rank writes while others read. Between nodes it is a sequence of messages, one for each
/// window. The memory is a fixed number of windows, whatever the length. `WHERRY_TRANSPORT` decides: "auto" and the
/// transports that stay inside a node mean rings, all others mean messages. Broadcasts on a communicator use the value
/// at the first one.
///
/// `fingerprint` stands for the type of the data. If the two ends differ in it, nothing is delivered and both get an
/// error. `where` is the name of the public call in errors; the text must outlive the objects to which it is given.
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

namespace detail {

/// The tag by which the messages of a stream are recognised: one of the user's, or one that all ranks of a collective
/// call agree on.
class stream_tag {
 public:
  /// Local. @throws error(argument) if `tag` is negative or greater than `largest`; error(state) after MPI_Finalize
  static stream_tag of_user(const communicator& comm, int tag, std::string_view where);
  /// The largest tag of a user. It is at least 12,287, and more than half a billion with present MPIs.
  static int largest(const communicator& comm);
  /// Local, but all ranks must call it in the same order: then they get the same tag.
  static stream_tag of_collective(const communicator& comm) { return stream_tag(comm.next_tag()); }

  int mpi() const { return mpi_; }
  /// True if later streams may have the same tag.
  bool is_users() const;

 private:
  explicit stream_tag(int mpi) : mpi_(mpi) {}
  int mpi_;
};

/// Local. @throws error(state) after MPI_Finalize
void check_that_mpi_runs(std::string_view where);
/// Local. @throws error(argument) unless `rank` is a rank of `comm`; error(state) after MPI_Finalize
void check_rank(std::string_view where, const communicator& comm, int rank);

/// Opens the writing end of a stream to rank `to`. Local. `finish` returns when the receiver has accepted the stream,
/// or earlier if it is so short that MPI has taken it. A stream to the rank itself is kept until it is received, so
/// that it never blocks.
/// @throws error(argument) for a bad rank. Calls of the sink throw error(mismatch) if the receiver expects another type
///   or gives up, and error(timeout)
std::unique_ptr<byte_sink> open_send(std::string_view where, const communicator& comm, int to, stream_tag tag,
                                     std::uint64_t fingerprint);

/// The reading end of a stream.
struct arriving_bytes {
  std::unique_ptr<byte_source> bytes;
  int source = -1;  ///< the rank that sends it
};

/// Opens the reading end of a stream. Local. Blocks until a stream begins. `from` may be MPI_ANY_SOURCE. Streams with
/// the same source and tag arrive in the order in which they were sent.
/// @throws error(mismatch) if the sender writes another type or has given up; error(timeout); error(argument) for a bad
///   rank
arriving_bytes open_receive(std::string_view where, const communicator& comm, int from, stream_tag tag,
                            std::uint64_t fingerprint);

/// Opens the root's end of a broadcast. Collective: the other ranks call `join_bcast`. The root may finish before
/// the others have come.
std::unique_ptr<byte_sink> open_bcast(std::string_view where, const communicator& comm, std::uint64_t fingerprint);
/// Opens the end of a rank that is not the root. Collective with `open_bcast`. A rank of another node passes the
/// stream on to others while it reads.
std::unique_ptr<byte_source> join_bcast(std::string_view where, const communicator& comm, int root,
                                        std::uint64_t fingerprint);

/// Collective under `WHERRY_CHECK`; otherwise it does nothing. @throws error(mismatch) on all ranks unless they name
/// the same root and type
void compare_calls(std::string_view where, const communicator& comm, int root, std::uint64_t fingerprint);

}  // namespace detail

/// The amounts that the streams of a communicator have moved on this rank. Local. Each stream is counted, as one
/// exchange, when its end on this rank is finished. Waits are timed only with WHERRY_STATS or WHERRY_TRACE.
/// WHERRY_STATS prints the figures, call by call, when the communicator is freed or MPI ends.
exchange_statistics stream_statistics(const communicator& comm);
/// The transports that they used: "two_sided + shared". Local.
std::string stream_transport(const communicator& comm);
/// The meaning of WHERRY_TRANSPORT for the streams of `comm`, and the ways that they went. Local.
std::string explain_streams(const communicator& comm);

namespace detail {

/// Checks that no stream with this tag has come, on a rank that is to receive none. Local.
/// @throws error(mismatch) if one has come, and drops it: its sender has named another root
void expect_nothing(std::string_view where, const communicator& comm, stream_tag tag);

}  // namespace detail

class window_list;

namespace detail {

/// A sink that keeps everything that is written to it, in a form that can be sent at once.
class packed_stream final : public byte_sink {
 public:
  /// @param limit the largest number of bytes; 0: any. If more is written, `finish` throws error(argument) with the
  ///   size
  explicit packed_stream(std::string_view where, const communicator& comm, std::size_t limit = 0);
  ~packed_stream() override;
  void finish() override;
  /// Gives up. `why` is then sent as the reason.
  void abandon(std::string_view why) noexcept override;
  /// Bytes that were written.
  std::size_t bytes() const;
  std::unique_ptr<window_list> take() &&;

 private:
  void more(std::size_t bytes) override;
  void close_window();

  std::string_view where_;
  communicator comm_;
  std::size_t limit_, before_ = 0;  // bytes in the windows before the current one
  std::unique_ptr<window_list> list_;
};

/// A stream in flight. Movable. It progresses in `test` and `wait`, and whenever this rank waits for any other work of
/// Wherry's. All functions are local.
class byte_flight {
 public:
  byte_flight();
  byte_flight(byte_flight&&) noexcept;
  byte_flight& operator=(byte_flight&&) noexcept;
  /// Waits, if `is_worth_waiting_for`. A stream that is still in flight then goes on by itself, and data that it brings
  /// is dropped.
  ~byte_flight();

  /// Makes progress. Returns true when all data has left or arrived.
  /// @throws error(mismatch) if the other end writes another type or gives up; error(state) if nothing was started
  ///   here, the object was moved from, or MPI has ended
  bool test();
  /// Returns when all data has left or arrived. @throws as `test`; also error(timeout), after which the stream is still
  /// in flight
  void wait();
  /// Waits as `wait` does, but withdraws a receive whose stream has not begun within the time limit; no stream can
  /// arrive in it any more.
  void wait_or_withdraw();
  /// False after a wait that timed out, while an exception unwinds, and when MPI ends.
  bool is_worth_waiting_for() const;
  /// The received data, once the stream is complete.
  std::unique_ptr<byte_source> bytes();
  /// The rank that sends; -1 if nothing was started here.
  int source() const;
  /// True while the stream is in flight.
  bool under_way() const;
  /// The transport, a description, and the figures of this stream. @throws error(state) if nothing was started here, or
  /// the object was moved from
  std::string transport() const;
  std::string explain() const;
  exchange_statistics statistics() const;

  struct state;
  explicit byte_flight(std::unique_ptr<state> what);
  /// Leaves the stream in flight. The stream goes on by itself, and no call waits for it.
  void leave() &&;

 private:
  state& live() const;
  void must_be_under_way() const;

  std::unique_ptr<state> state_;
  std::string_view where_;  // an object that was moved from keeps it
};

/// Starts one end of a stream. Local. None of these functions blocks. `packed` must be finished.
byte_flight start_send(std::string_view where, const communicator& comm, int to, stream_tag tag,
                       std::uint64_t fingerprint, packed_stream&& packed);
byte_flight start_receive(std::string_view where, const communicator& comm, int from, stream_tag tag,
                          std::uint64_t fingerprint);
/// Starts a broadcast: the root calls the first function, the others the second one. Collective, in the same order on
/// all ranks. The root's flight has no bytes to read.
byte_flight start_bcast(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                        packed_stream&& packed);
byte_flight start_bcast(std::string_view where, const communicator& comm, int root, std::uint64_t fingerprint);

}  // namespace detail

}  // namespace wherry
