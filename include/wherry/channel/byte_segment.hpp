/// @file
/// Memory of each rank that the other ranks write to, read from and notify of, one-sidedly: GASPI's segments
/// (GASPI 17.1, sections 7 to 9) over node-shared memory and MPI's windows. Bytes; `segment` has elements.
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

struct segment_options {
  int notifications = 1024;  ///< of each rank; 4 bytes each. The same on all ranks
  /// The user's memory on the same node is reached through the kernel (process_vm_writev), where the system lets us;
  /// false: by MPI's puts. Each rank as it likes.
  bool through_kernel = true;
  /// What is short goes there through staging instead (WHERRY_STAGED_WRITE); false: nothing does.
  bool through_staging = true;
  /// WHERRY_STATS and WHERRY_TRACE tell of it; false: what stands on it counts by itself.
  bool counted = true;
  /// What you call it, e.g. "halo": errors, `explain()`, statistics and traces tell it by that from other segments.
  /// Ranks may call it differently.
  std::string name{};
};

/// A window by MPI_Win_allocate_shared. (A type of its own: to some MPIs a window is an int.)
struct shared_window {
  MPI_Win window = MPI_WIN_NULL;
};

/// One piece of a list of writes or reads.
struct segment_write {
  std::size_t at;  ///< bytes from the beginning of the target's segment
  std::span<const std::byte> data;
};
struct segment_read {
  std::size_t at;
  std::span<std::byte> into;
};

/// One of several notifications that leave together.
struct segment_notice {
  int to;
  int id;
  std::uint32_t value;
};

class segment_queue;
class segment_space;

/// What another rank must know of a part that was made without it: plain bytes, to be sent by whatever way.
struct segment_ticket {
  std::uint64_t bytes, block, data;  // the latter two: places in the owner's arena
  std::uint64_t words_at, data_at;   // addresses in the window of the space; 0: it is reached without
  std::uint64_t aligned;
  std::uint64_t process, token_at, token, address;  // of the owner, for who reaches it through the kernel
};

/// A rank's part is in the arena of its node, in an MPI shared window, or in any memory of the user's. Other ranks of
/// the node reach the first two by loads and stores, the third through the kernel; what can be reached by neither, and
/// other nodes, by MPI's passive-target puts and gets.
///
/// **Order.** A notification is seen after all that the same rank has written to the same target before. Nothing else
/// is ordered. What a notification tells of may be read in place, until the reader lets the writer overwrite it.
///
/// **When it is done.** In memory that two ranks share a call is done when it returns. Else the data of `write` must
/// stay as it is, and what `read` brings is not there, until `flush` or `segment_queue::wait`; what notifies to another
/// node flushes. The target makes no call for it, but an MPI that carries puts out in software waits for the target to
/// call MPI (any call, any `wait_some` too).
///
/// What is written to the user's own memory on the same node, with a notification or without, may have gone to staging
/// only when the call returns, and its data be overwritten. It is in that memory when anybody has seen a notification
/// of this segment that the writer has sent there after it (by `wait_some`, `wait`, `value`, `reset`, `copy_out`), when
/// the writer has called `flush`, or `wait` of the queue it was given, or when that rank's segment has ended. So the
/// memory must stay until one of these.
///
/// **Time.** `seconds` limit what nothing of MPI's interrupts (MPI_Win_flush, for other nodes and memory by MPI_Put)
/// where MPI was started with MPI_THREAD_MULTIPLE: another thread does it then. Else they limit nothing. The same call
/// goes on with what was cut short, with `seconds` or without.
///
/// Several threads may use one segment where MPI was started with MPI_THREAD_MULTIPLE, or all ranks share memory.
/// Errors are found before anything moves: error(argument) names the argument and both ranks; error(lost) a rank of
/// another node that is known to be dead, of which nothing is asked any more.
class byte_segment : private notification_words {
 public:
  /// Collective. `bytes` of zeroes, aligned to a cache line; each rank its own number, possibly none.
  /// @throws error on all ranks alike: argument, resource (the memory is not there), mismatch (of the options)
  byte_segment(const communicator& comm, std::size_t bytes, const segment_options& options = {});
  /// Collective; the user's memory, which stays the user's and where it is. Pieces of fields, of `node_memory` and
  /// other node-shared memory of Wherry's are known to be such.
  byte_segment(const communicator& comm, std::span<std::byte> memory, const segment_options& options = {});
  /// Collective; this rank's part of a window by MPI_Win_allocate_shared, which its peers on the node read in place.
  /// The window stays the user's, and outlives the segment on all ranks.
  byte_segment(const communicator& comm, shared_window memory, const segment_options& options = {});
  /// Local. Nobody has a part yet, and this rank knows nobody's: each `offer`s its own and gives its ticket to those
  /// who shall `meet` it. The options are the same on all ranks, which is not checked. See `segment_space`.
  explicit byte_segment(const segment_space& space, const segment_options& options = {});
  /// Afterwards `memory()` of the one that was moved from is empty, `notifications()` is 0, and other calls throw
  /// error(state).
  byte_segment(byte_segment&&) noexcept;
  byte_segment& operator=(byte_segment&&) noexcept;
  /// Local. Who still writes to this rank's part, writes to memory that nobody reads; the user's own memory must
  /// outlive what others write to it.
  ~byte_segment();

  /// Local, for a segment of a `segment_space` that has no part of this rank's: makes it, as the collective
  /// constructors do. Thread safe with the calls that use other ranks' parts.
  /// @throws error(resource, state)
  segment_ticket offer(std::size_t bytes);
  segment_ticket offer(std::span<std::byte> memory);
  /// Local. This rank's part is gone; those who have met it must not use it any more.
  void withdraw();
  /// Local. From now on the rank's part is reached, until it is met again, or forgotten.
  void meet(int rank, const segment_ticket& theirs);
  void forget(int rank);
  /// Without a part there are no notifications of this rank's to look at, either.
  bool has_part() const;

  const communicator& comm() const;
  int notifications() const { return notifications_; }
  std::span<std::byte> memory() const { return mine_; }
  std::size_t bytes_of(int rank) const { return peer_at("rank", rank).bytes; }
  /// Another rank's part, to be read in place; null where this rank does not see it.
  const std::byte* in_place(int rank) const { return peer_at("rank", rank).memory; }
  /// The same to write there; what the other rank must know of it is for notifications to say.
  std::byte* reached(int rank) const { return peer_at("rank", rank).memory; }
  /// Whether words of the rank's part can be changed by `fetch_add` and `compare_swap`.
  bool is_aligned(int rank) const;
  /// "segment 'halo' of 800 bytes and 64 notifications: 2 ranks by loads and stores, 1 through the kernel, 1 by
  /// MPI_Put"
  std::string explain() const;
  /// "notified writes": what statistics and traces call it.
  std::string transport() const;
  /// What this rank has written and read, and the notifications that it has sent (as exchanges). Counted with
  /// WHERRY_STATS or WHERRY_TRACE only, where the segment was made after they were set.
  exchange_statistics statistics() const;

  void write(int to, std::size_t at, std::span<const std::byte> data, segment_queue* queue = nullptr) {
    const auto& target = part("to", to, at, data);
    if (counts_ != nullptr) counts_->count_written(data.size());
    if (target.memory != nullptr)
      copy_to(to, target.memory + at, data);
    else
      put(to, at, data, queue);
  }
  void read(int from, std::size_t at, std::span<std::byte> into, segment_queue* queue = nullptr) {
    const auto& source = part("from", from, at, into);
    if (counts_ != nullptr) counts_->count_read(into.size());
    if (source.memory != nullptr)
      copy(into.data(), source.memory + at, into.size());
    else
      get(from, at, into, queue);
  }
  /// @param value not 0, which means that there is no notification
  void notify(int to, int id, std::uint32_t value = 1) {
    const auto& target = peer_at("to", to);
    check_notification(id, value);
    if (counts_ != nullptr) counts_->count_notification();
    if (target.words != nullptr && target.memory != nullptr)
      notification_word::tell(target.words[id], value);
    else
      notify_far(to, id, value);
  }
  /// The same for those who have only so many seconds (see "Time").
  /// @return false: it is under way, and comes some time; the same call goes on with it, before another one to that
  /// rank
  bool notify(int to, int id, std::uint32_t value, double seconds);
  /// Whether such a call has been cut short, and not gone on with to its end.
  bool is_notifying(int to, int id, std::uint32_t value) const;
  /// Several, to any ranks; where they travel by MPI their ways overlap.
  void notify(std::span<const segment_notice> list);
  /// The same for those who have only so many seconds, one after the other.
  /// @return how many are told; the same call with the rest of the list goes on
  std::size_t notify(std::span<const segment_notice> list, double seconds);
  void write_notify(int to, std::size_t at, std::span<const std::byte> data, int id, std::uint32_t value = 1) {
    const auto& target = part("to", to, at, data);
    check_notification(id, value);
    if (target.words != nullptr && target.memory != nullptr) {
      if (counts_ != nullptr) count_write_notify(data.size());
      copy_to(to, target.memory + at, data);
      notification_word::tell(target.words[id], value);
    } else {
      write_notify_far(to, at, data, id, value);
    }
  }
  /// The notification is this rank's own; it is there after the data.
  void read_notify(int from, std::size_t at, std::span<std::byte> into, int id, std::uint32_t value = 1);
  void write(int to, std::span<const segment_write> list, segment_queue* queue = nullptr);
  void write_notify(int to, std::span<const segment_write> list, int id, std::uint32_t value = 1);
  void read(int from, std::span<const segment_read> list, segment_queue* queue = nullptr);
  void read_notify(int from, std::span<const segment_read> list, int id, std::uint32_t value = 1);
  /// The same for those who have only so many seconds (see "Time"). @return false: the same call goes on with it, and
  /// neither writes nor reads again; the data stays as it is until then
  bool write_notify(int to, std::span<const segment_write> list, int id, std::uint32_t value, double seconds);
  bool write_notify(int to, std::size_t at, std::span<const std::byte> data, int id, std::uint32_t value,
                    double seconds) {
    const segment_write only{at, data};
    return write_notify(to, std::span(&only, 1), id, value, seconds);
  }
  bool read_notify(int from, std::span<const segment_read> list, int id, std::uint32_t value, double seconds);
  bool read_notify(int from, std::size_t at, std::span<std::byte> into, int id, std::uint32_t value, double seconds) {
    const segment_read only{at, into};
    return read_notify(from, std::span(&only, 1), id, value, seconds);
  }

  /// Writes in pieces, each told of by itself (`id` counts them), so that who copies the data out of its segment can do
  /// so while the rest is on its way: by `copy_out` with the same place, length and id, each once.
  void write_in_pieces(int to, std::size_t at, std::span<const std::byte> data, int id);
  /// The same for those who have only so many seconds. @return as of `write_notify`
  bool write_in_pieces(int to, std::size_t at, std::span<const std::byte> data, int id, double seconds);
  /// What `write_in_pieces` brings to this rank's segment, copied from there.
  /// @return false: not all of it came in `seconds`; the call may be repeated
  /// @throws error(argument) where more pieces came than `into` takes; error(timeout)
  bool copy_out(std::size_t at, std::span<std::byte> into, int id, double seconds = no_limit);

  // This rank's own notifications, see notification_words.
  using notification_words::reset;
  using notification_words::value;
  using notification_words::wait;
  using notification_words::wait_some;
  /// The notifications of any rank of this one's node, to be waited for and taken by whoever of the node comes first
  /// (paper 5, section 4: "visible node-locally across all node-local ranks"). What other nodes notify of arrives there
  /// while their owner is in a call of MPI's, see "when it is done".
  /// @throws error(argument) where the two do not share memory
  notification_words notifications_of(int rank) const;

  /// The word of 8 bytes at `at`, a multiple of 8, of a rank's segment, before the operation. Atomic with the others',
  /// not with plain loads and stores. Blocks until it is done.
  std::uint64_t fetch_add(int on, std::size_t at, std::uint64_t value);
  std::uint64_t compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired);
  /// The same for those who have only so many seconds (see "Time"). Nothing: it is under way, and the same call goes on
  /// with it; until then it may have been done or not.
  std::optional<std::uint64_t> fetch_add(int on, std::size_t at, std::uint64_t value, double seconds);
  std::optional<std::uint64_t> compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired,
                                            double seconds);

  /// All that this rank has written and read without a queue is done, and what it has written with a notification.
  /// @return false: not all of it in `seconds` (see "Time"); the call may be repeated
  bool flush(double seconds = no_limit);

 private:
  friend class segment_queue;
  friend class staged_arrivals;
  struct state;
  struct peer {
    std::byte* memory = nullptr;  // null: not to be reached by loads and stores
    std::size_t bytes = 0;
    std::atomic<std::uint32_t>* words = nullptr;
  };
  class origin;  // what the constructors differ in
  struct announcement;
  byte_segment(const communicator& comm, const origin& from, const segment_options& options);
  void make_together(const origin& from, const segment_options& options);
  announcement announcement_of(bool in_window) const;
  segment_ticket offered(std::byte* users, std::size_t bytes);
  void attach(std::span<std::byte> block, std::span<std::byte> users, segment_ticket& ticket);
  void reach(peer& found, int node_index, const announcement& theirs, const origin& source);
  void reach_by_staging(int rank, const segment_options& options);
  void has_words(const notification_words& words) { static_cast<notification_words&>(*this) = words; }

  const peer& peer_at(std::string_view argument, int rank) const {
    require_mpi("segment");
    if (static_cast<std::size_t>(rank) >= peers_.size()) throw_no_such_rank(argument, rank);
    return peers_[static_cast<std::size_t>(rank)];
  }
  const peer& part(std::string_view argument, int rank, std::size_t at, std::size_t bytes) const {
    const auto& there = peer_at(argument, rank);
    if (at > there.bytes || bytes > there.bytes - at) throw_outside(argument, rank, at, bytes);
    return there;
  }
  /// The same for data that are, or come, somewhere in this process.
  template <class Byte>
  const peer& part(std::string_view argument, int rank, std::size_t at, std::span<Byte> here) const {
    if (here.data() == nullptr && !here.empty()) throw_null(std::is_const_v<Byte> ? "data" : "into", here.size());
    return part(argument, rank, at, here.size());
  }
  void check_notification(int id, std::uint32_t value) const {
    if (static_cast<unsigned>(id) >= static_cast<unsigned>(notifications_)) throw_no_notification(id);
    if (value == 0) throw_no_value();
  }
  /// After a move from it.
  void let_go() noexcept;
  static void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes == 8)
      std::memcpy(to, from, 8);  // one store
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

  static constexpr std::size_t long_write = 16 << 10;  // worth to think of how far away the rank's core is

  int notifications_ = 0;  // of each rank
  segment_counts* counts_ = nullptr;
  std::span<std::byte> mine_;
  std::vector<peer> peers_;
  detail::owned<std::shared_ptr<state>> state_;
};

/// Writes and reads that are waited for together, of one segment or several (GASPI's queues). Any number of them, at no
/// cost; local. Not of two threads at once.
class segment_queue {
 public:
  /// How many writes and reads have not been waited for. What was done at once is not among them.
  std::size_t size() const { return size_; }
  /// The data of all writes may be overwritten and is with the target; what was read is there.
  /// @return false: not all of it in `seconds` (`byte_segment`, "Time"); the call may be repeated
  bool wait(double seconds = no_limit);
  /// Forgets them: they are done some time (GASPI's purge).
  void purge();

 private:
  friend class byte_segment;
  struct entry {
    std::shared_ptr<byte_segment::state> segment;
    int target;
  };
  void note(const std::shared_ptr<byte_segment::state>& segment, int target);
  std::vector<entry> entries_;  // each once
  std::size_t size_ = 0;
};

}  // namespace wherry
