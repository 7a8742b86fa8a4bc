/// @file
/// A segment: memory of each rank that the other ranks write to and read from, with notifications, without a call of
/// its owner. These are GASPI's segments (GASPI 17.1, sections 7 to 9), over node-shared memory and MPI windows.
///
///     wherry::byte_segment halo(comm, 4096);                               // collective: 4096 bytes on this rank
///     halo.write_notify(right, 0, std::as_bytes(std::span(edge)), 0);  // the data first, then notification 0
///     if (halo.wait(0, 1.0)) use(halo.memory());                         // 1.0: for at most one second
///
/// This class moves bytes. Use `segment` (notify/segment.hpp) for typed elements, and `segment_space` if one rank at a
/// time makes its part.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "wherry/channel/notification_word.hpp"
#include "wherry/channel/notification_words.hpp"
#include "wherry/channel/statistics.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/owned.hpp"

namespace wherry {

namespace detail {

/// The ways in which a segment reaches user memory on the same node. Ranks may differ.
struct segment_ways {
  bool through_kernel = true;  ///< by process_vm_writev, if the system allows it; else by MPI's puts and gets
};

}  // namespace detail

/// Options of a segment.
struct segment_options {
  int notifications = 1024;  ///< number of notifications of each rank, 4 bytes each. The same on all ranks
  /// True: WHERRY_STATS and WHERRY_TRACE report the segment. Patterns that are made of segments set it to false and
  /// count themselves.
  bool counted = true;
  /// A name of your choice, e.g. "halo", for errors, `explain()`, statistics and traces. Ranks may choose different
  /// names.
  std::string name{};
  detail::segment_ways ways{};  ///< for patterns that are made of segments
};

/// A window that MPI_Win_allocate_shared made. (It is a type of its own because MPI_Win is an int in some MPIs.)
struct shared_window {
  MPI_Win window = MPI_WIN_NULL;
};

namespace channels {

/// One piece of a list of writes, or of reads.
struct segment_write {
  std::size_t at;  ///< bytes from the beginning of the target's segment
  std::span<const std::byte> data;
};
struct segment_read {
  std::size_t at;
  std::span<std::byte> into;
};

/// One of several notifications that are sent together.
struct segment_notice {
  int to;
  int id;
  std::uint32_t value;
};

}  // namespace channels

class segment_queue;
namespace channels {

class segment_space;

/// Describes one rank's part of a segment in a `segment_space`, so that other ranks can reach it. It is plain data
/// without pointers; send it in any way.
struct segment_ticket {
  std::uint64_t bytes, block, data;  // `block` and `data` are places in the owner's arena
  std::uint64_t words_at, data_at;   // addresses in the window of the space; 0: the part is not in the window
  std::uint64_t aligned;
  std::uint64_t process, token_at, token, address;  // of the owner, for access through the kernel
};

}  // namespace channels

/// The part of a rank lies in the arena of its node, in an MPI shared window, or in any memory of the user's. Other
/// ranks of the node reach the first two by loads and stores, and the third through the kernel. Memory that can be
/// reached in neither way, and memory on other nodes, is reached by MPI's passive-target puts and gets.
///
/// **Order.** A notification becomes visible after all data that the same rank wrote to the same target before it.
/// Nothing else is ordered. The target may read that data in place until it tells the writer that the data may be
/// overwritten.
///
/// **Completion.** In memory that both ranks share, a call is complete when it returns. Otherwise the source of a
/// `write` must not change, and the result of a `read` is not there, until `flush` or `segment_queue::wait`. A
/// notification to another node flushes by itself. The target makes no call for this, but an MPI that carries out puts
/// in software waits until the target calls MPI; any call will do, also `wait_some`.
///
/// **User memory on the same node.** When a write to it returns, its data may be in staging, and the source may be
/// overwritten. The data is in the target's memory once one of these has happened: a rank has seen a notification that
/// the writer sent there later (by `wait_some`, `wait`, `value`, `reset` or `copy_out`); the writer has called `flush`,
/// or `wait` of the queue that it gave; the target's segment has ended. The memory must exist until then.
///
/// **Time.** `seconds` limits calls that MPI offers no way to interrupt (MPI_Win_flush, for other nodes and for memory
/// that is reached by MPI_Put), if MPI was started with MPI_THREAD_MULTIPLE: another thread then makes the MPI call.
/// Without it there is no limit. If time runs out, the same call, with or without `seconds`, continues the operation.
///
/// **Threads.** Several threads may use one segment if MPI was started with MPI_THREAD_MULTIPLE, or if all ranks share
/// memory.
///
/// **Errors.** All functions but the collective constructors are local. They find wrong arguments before anything
/// moves: error(argument) names the argument and both ranks. error(lost) names a rank of another node that is known to
/// be dead, and to which nothing is sent any more. error(state) means that the segment was moved from, that MPI has
/// ended, or that the kernel refuses an access. error(mpi) quotes MPI.
class byte_segment : private channels::notification_words {
 public:
  /// Collective over `comm`. Makes `bytes` bytes of zeros on this rank, aligned to a cache line. Ranks may differ, and
  /// may have none.
  /// @throws error on all ranks alike: argument; resource (too little memory); mismatch (different options)
  byte_segment(const communicator& comm, std::size_t bytes, const segment_options& options = {});
  /// Collective over `comm`. Uses memory of the user's, which the user still owns and which stays where it is. Pieces
  /// of fields, of `node_memory` and of other node-shared memory of Wherry's are recognised as such.
  byte_segment(const communicator& comm, std::span<std::byte> memory, const segment_options& options = {});
  /// Collective over `comm`. Uses this rank's part of a window that MPI_Win_allocate_shared made, which the ranks of
  /// the node then read in place. The user owns the window; it must outlive the segment on all ranks.
  byte_segment(const communicator& comm, shared_window memory, const segment_options& options = {});
  /// Local. Makes a segment of which no rank has a part yet. Each rank `offer`s its part and gives the ticket to the
  /// ranks that are to `meet` it. The options must be the same on all ranks, which is not checked. See `segment_space`.
  explicit byte_segment(const channels::segment_space& space, const segment_options& options = {});
  /// Afterwards the source of the move has an empty `memory()` and 0 `notifications()`, and its other functions throw
  /// error(state).
  byte_segment(byte_segment&&) noexcept;
  byte_segment& operator=(byte_segment&&) noexcept;
  /// Local. Later writes to this rank's part go to memory that no rank reads. User memory must outlive the writes of
  /// other ranks to it.
  ~byte_segment();

  /// Local, for a segment of a `segment_space`. Makes this rank's part as the collective constructors do: `bytes` bytes
  /// of zeros, or memory of the user's. Other threads may use other ranks' parts meanwhile.
  /// @throws error(state) if this rank has a part already, or if the segment belongs to no space; error(resource) if
  ///   there is too little memory, or if MPI cannot attach it to the window
  channels::segment_ticket offer(std::size_t bytes);
  channels::segment_ticket offer(std::span<std::byte> memory);
  /// Local. Gives up this rank's part. Ranks that have met it must not use it any more.
  void withdraw();
  /// Local. `meet` makes the part of `rank` reachable, in place of one met before. `forget` makes it unreachable.
  void meet(int rank, const channels::segment_ticket& theirs);
  void forget(int rank);
  /// True if this rank has a part. Without a part it has no notifications, either.
  bool has_part() const;

  const communicator& comm() const;
  int notifications() const { return notifications_; }
  /// This rank's part.
  std::span<std::byte> memory() const { return mine_; }
  std::size_t bytes_of(int rank) const { return peer_at("rank", rank).bytes; }
  /// Another rank's part, to be read or written in place; null if this rank does not see it in its memory. The other
  /// rank learns of data that is written so by a notification.
  std::byte* memory_of(int rank) const { return peer_at("rank", rank).memory; }
  /// True if `fetch_add` and `compare_swap` can change words of the rank's part, because it is aligned to 8 bytes.
  bool is_aligned(int rank) const;
  /// The ways in which this rank reaches the others, in words: "segment 'halo' of 800 bytes and 64 notifications: 2
  /// ranks by loads and stores, 1 through the kernel, 1 by MPI_Put".
  std::string explain() const;
  /// The name of the transport in statistics and traces: "notified writes".
  std::string transport() const;
  /// The bytes that this rank has written and read, and the number of notifications that it has sent (as `exchanges`).
  /// They are counted only if WHERRY_STATS or WHERRY_TRACE was set before the segment was made.
  exchange_statistics statistics() const;

  /// Writes `data` to the part of rank `to`, `at` bytes from its beginning. See "Completion". `queue` collects the
  /// write for one wait.
  void write(int to, std::size_t at, std::span<const std::byte> data, segment_queue* queue = nullptr) {
    const auto& target = part("to", to, at, data);
    if (counts_ != nullptr) counts_->count_written(data.size());
    if (target.memory != nullptr)
      copy_to(to, target.memory + at, data);
    else
      put(to, at, data, queue);
  }
  /// Reads from the part of rank `from`, `at` bytes from its beginning, into `into`. See "Completion".
  void read(int from, std::size_t at, std::span<std::byte> into, segment_queue* queue = nullptr) {
    const auto& source = part("from", from, at, into);
    if (counts_ != nullptr) counts_->count_read(into.size());
    if (source.memory != nullptr)
      copy(into.data(), source.memory + at, into.size());
    else
      get(from, at, into, queue);
  }
  /// Sends notification `id` with a value to rank `to`. It becomes visible after all data that this rank wrote there
  /// before.
  /// @param value not 0, because 0 means that there is no notification. It replaces the value of an earlier
  /// notification
  ///   with the same id that the target has not taken yet
  void notify(int to, int id, std::uint32_t value = 1) {
    const auto& target = peer_at("to", to);
    check_notification(id, value);
    if (counts_ != nullptr) counts_->count_notification();
    if (target.words != nullptr && target.memory != nullptr)
      detail::notification_word::tell(target.words[id], value);
    else
      notify_far(to, id, value);
  }
  /// Sends notification `id` within `seconds` (see "Time").
  /// @return false if the notification is under way and will come later. The same call continues it, and must come
  /// before another notification to that rank
  bool notify(int to, int id, std::uint32_t value, double seconds);
  /// True if a `notify` with these arguments has run out of time and has not been continued to its end.
  bool is_notifying(int to, int id, std::uint32_t value) const;
  /// Sends several notifications, to any ranks. Those that travel by MPI overlap.
  void notify(std::span<const channels::segment_notice> list);
  /// Sends several notifications within `seconds`, one after the other.
  /// @return the number of notifications that were sent. The same call with the rest of the list continues
  std::size_t notify(std::span<const channels::segment_notice> list, double seconds);
  /// Writes data and then sends a notification. The target sees the notification after the data. The source may be
  /// changed when the call returns.
  void write_notify(int to, std::size_t at, std::span<const std::byte> data, int id, std::uint32_t value = 1) {
    const auto& target = part("to", to, at, data);
    check_notification(id, value);
    if (target.words != nullptr && target.memory != nullptr) {
      if (counts_ != nullptr) count_write_notify(data.size());
      copy_to(to, target.memory + at, data);
      detail::notification_word::tell(target.words[id], value);
    } else {
      write_notify_far(to, at, data, id, value);
    }
  }
  /// Reads data. This rank then gets the notification itself, after the data has arrived in `into`.
  void read_notify(int from, std::size_t at, std::span<std::byte> into, int id, std::uint32_t value = 1);
  /// These calls write or read a list of pieces. All pieces are checked before the first one moves.
  void write(int to, std::span<const channels::segment_write> list, segment_queue* queue = nullptr);
  void write_notify(int to, std::span<const channels::segment_write> list, int id, std::uint32_t value = 1);
  void read(int from, std::span<const channels::segment_read> list, segment_queue* queue = nullptr);
  void read_notify(int from, std::span<const channels::segment_read> list, int id, std::uint32_t value = 1);
  /// These calls write or read, and then notify, within `seconds` (see "Time").
  /// @return false if time has run out. The same call continues and neither writes nor reads the data again. Until it
  /// returns true the data must not change
  bool write_notify(int to, std::span<const channels::segment_write> list, int id, std::uint32_t value, double seconds);
  bool write_notify(int to, std::size_t at, std::span<const std::byte> data, int id, std::uint32_t value,
                    double seconds) {
    const channels::segment_write only{at, data};
    return write_notify(to, std::span(&only, 1), id, value, seconds);
  }
  bool read_notify(int from, std::span<const channels::segment_read> list, int id, std::uint32_t value, double seconds);
  bool read_notify(int from, std::size_t at, std::span<std::byte> into, int id, std::uint32_t value, double seconds) {
    const channels::segment_read only{at, into};
    return read_notify(from, std::span(&only, 1), id, value, seconds);
  }

  /// Writes long data in pieces and sends a notification for each piece: the value of notification `id` counts the
  /// pieces. The target can thus copy the first pieces out while the others are on their way. It must call `copy_out`
  /// once, with the same place, length and id.
  void write_in_pieces(int to, std::size_t at, std::span<const std::byte> data, int id);
  /// Writes in pieces within `seconds` (see "Time"). @return as for `write_notify`
  bool write_in_pieces(int to, std::size_t at, std::span<const std::byte> data, int id, double seconds);
  /// Copies the data of one `write_in_pieces` from this rank's part to `into`, as it arrives, and then resets the
  /// notification.
  /// @return false if not all of it came within `seconds`; the call may be repeated
  /// @throws error(argument) if more pieces came than `into` holds; error(timeout) without a limit, after
  ///   WHERRY_TIMEOUT
  bool copy_out(std::size_t at, std::span<std::byte> into, int id, double seconds = no_limit);

  // This rank's own notifications; see `notification_words`.
  using channels::notification_words::reset;
  using channels::notification_words::value;
  using channels::notification_words::wait;
  using channels::notification_words::wait_some;
  /// The notifications of any rank of this node. Every rank of the node may wait for them and take them; the first one
  /// to take a notification gets it (GASPI in Ludwig, section 4: "visible node-locally across all node-local ranks"). A
  /// notification from another node may arrive only while the owner calls MPI (see "Completion").
  /// @throws error(argument) if the two ranks do not share memory
  channels::notification_words notifications_of(int rank) const;

  /// Changes the 8-byte word at `at`, a multiple of 8, of a rank's part, and returns its old value. Atomic with respect
  /// to other such calls, but not to plain loads and stores. Blocks until it is done.
  /// @throws error(argument) if the word is not aligned
  std::uint64_t fetch_add(int on, std::size_t at, std::uint64_t value);
  std::uint64_t compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired);
  /// These calls change a word within `seconds` (see "Time"). No value is returned if time has run out: the word may
  /// then have been changed or not, and the same call continues.
  std::optional<std::uint64_t> fetch_add(int on, std::size_t at, std::uint64_t value, double seconds);
  std::optional<std::uint64_t> compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired,
                                            double seconds);

  /// Completes all writes, with and without a notification, and all reads of this rank that were not given to a queue.
  /// @return false if not all of them were done within `seconds` (see "Time"); the call may be repeated
  bool flush(double seconds = no_limit);

 private:
  friend class segment_queue;
  friend class staged_arrivals;
  struct state;
  struct peer {
    std::byte* memory = nullptr;  // null: loads and stores do not reach it
    std::size_t bytes = 0;
    std::atomic<std::uint32_t>* words = nullptr;
  };
  class origin;  // the memory: the part in which the constructors differ
  struct announcement;
  byte_segment(const communicator& comm, const origin& from, const segment_options& options);
  void make_together(const origin& from, const segment_options& options);
  announcement announcement_of(bool in_window) const;
  channels::segment_ticket offered(std::byte* users, std::size_t bytes);
  void attach(std::span<std::byte> block, std::span<std::byte> users, channels::segment_ticket& ticket);
  void reach(peer& found, int node_index, const announcement& theirs, const origin& source);
  void reach_by_staging(int rank);
  void has_words(const channels::notification_words& words) {
    static_cast<channels::notification_words&>(*this) = words;
  }

  const peer& peer_at(std::string_view argument, int rank) const {
    detail::require_mpi("segment");
    if (static_cast<std::size_t>(rank) >= peers_.size()) throw_no_such_rank(argument, rank);
    return peers_[static_cast<std::size_t>(rank)];
  }
  const peer& part(std::string_view argument, int rank, std::size_t at, std::size_t bytes) const {
    const auto& there = peer_at(argument, rank);
    if (at > there.bytes || bytes > there.bytes - at) throw_outside(argument, rank, at, bytes);
    return there;
  }
  /// The same, and also checks the data on this side.
  template <class Byte>
  const peer& part(std::string_view argument, int rank, std::size_t at, std::span<Byte> here) const {
    if (here.data() == nullptr && !here.empty()) throw_null(std::is_const_v<Byte> ? "data" : "into", here.size());
    return part(argument, rank, at, here.size());
  }
  void check_notification(int id, std::uint32_t value) const {
    if (static_cast<unsigned>(id) >= static_cast<unsigned>(notifications_)) throw_no_notification(id);
    if (value == 0) throw_no_value();
  }
  /// Empties this object after a move from it.
  void let_go() noexcept;
  static void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes == 8)
      std::memcpy(to, from, 8);  // becomes one store instruction
    else if (bytes != 0)
      std::memcpy(to, from, bytes);
  }
  void copy_to(int rank, std::byte* there, std::span<const std::byte> data) {
    if (data.size() < long_write)
      copy(there, data.data(), data.size());
    else
      copy_long(rank, there, data);
  }
  [[noreturn]] void throw_no_such_rank(std::string_view argument, int rank) const;
  [[noreturn]] void throw_outside(std::string_view argument, int rank, std::size_t at, std::size_t bytes) const;
  [[noreturn]] void throw_null(std::string_view argument, std::size_t bytes) const;
  void throw_no_notification(int id) const;
  [[noreturn]] void throw_no_value() const;
  [[noreturn]] void throw_pieces(int id, std::uint32_t came, std::uint32_t expected) const;
  void check_word(int on, std::size_t at) const;
  void copy_long(int rank, std::byte* there, std::span<const std::byte> data);
  void put(int to, std::size_t at, std::span<const std::byte> data, segment_queue* queue);
  void get(int from, std::size_t at, std::span<std::byte> into, segment_queue* queue);
  void note_unflushed(int rank, segment_queue* queue);
  void begin_to_count(const segment_options& options);
  void count_write_notify(std::size_t bytes);
  void flush_data(int rank);
  void put_word(int to, int id, const std::uint32_t& value);
  void notify_far(int to, int id, std::uint32_t value);
  void write_notify_far(int to, std::size_t at, std::span<const std::byte> data, int id, std::uint32_t value);

  static constexpr std::size_t long_write = 16 << 10;  // from here on, the distance of the core counts

  int notifications_ = 0;  // number of them on each rank
  detail::segment_counts* counts_ = nullptr;
  std::span<std::byte> mine_;
  std::vector<peer> peers_;
  detail::owned<std::shared_ptr<state>> state_;
};

/// Collects writes and reads of one or several segments, so that one call waits for them (GASPI's queues). Local; a
/// program may have any number of them. Only one thread at a time may use a queue.
class segment_queue {
 public:
  /// The number of writes and reads that have not been waited for. Those that were complete at once are not counted.
  std::size_t size() const { return size_; }
  /// Waits until all of them are complete: the sources of writes may change, their data is with the target, and the
  /// results of reads are there.
  /// @return false if not all of them were done within `seconds` (`byte_segment`, "Time"); the call may be repeated
  bool wait(double seconds = no_limit);
  /// Forgets all writes and reads. They will be complete at some time (GASPI's purge).
  void purge();

 private:
  friend class byte_segment;
  struct entry {
    std::shared_ptr<byte_segment::state> segment;
    int target;
  };
  void note(const std::shared_ptr<byte_segment::state>& segment, int target);
  std::vector<entry> entries_;  // each pair once
  std::size_t size_ = 0;
};

}  // namespace wherry
