// The state of a segment besides the addresses of its peers: its memory, and MPI's windows if not all memory is shared.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/channel/byte_segment.hpp"

#include "core/copies_for_reader.hpp"
#include "core/patience.hpp"
#include "core/rank_lives.hpp"
#include "limited_call.hpp"
#include "segment_space.hpp"
#include "segment_staging.hpp"
#include "window_pool.hpp"

namespace wherry {

/// See segment_state.cpp. Collective.
bool must_swap_own_words(const communicator& comm);

exchange_statistics statistics_of(const detail::segment_counts& counts);

/// Identifies a call with a time limit, so that the next equal call continues it.
struct call_mark {
  enum kind : unsigned char { flush, fetch_add, compare_swap, notify, write, read } what;
  int on = 0;
  std::size_t at = 0;
  std::uint64_t first = 0, second = 0;
  bool operator==(const call_mark&) const = default;
};

/// The data that other ranks have staged for the rank whose notifications are looked at.
class staged_arrivals {
 public:
  void settle() const;

 private:
  friend class byte_segment;
  staged_arrivals(byte_segment::state* state, int rank) : state_(state), rank_(rank) {}
  byte_segment::state* state_;
  int rank_;
};

/// Long writes to one rank of the node, by any thread.
class long_writes {
 public:
  explicit long_writes(double worth_it = reader_distance::where_writers_read) : copies_(worth_it) {}

  /// False if another thread is writing.
  bool try_copy(std::byte* there, std::span<const std::byte> data) {
    if (busy_.test_and_set(std::memory_order_acquire)) return false;
    copies_.message(there, data.data(), data.size());
    busy_.clear(std::memory_order_release);
    return true;
  }

 private:
  std::atomic_flag busy_;
  copies_for_reader copies_;
};

struct byte_segment::state {
  static constexpr const char* handle = "segment";

  state(const communicator& where, const std::string& name);
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state();

  struct long_writes_to {
    long_writes whole, in_pieces{reader_distance::where_pieces_overlap};
  };

  void resize(std::size_t ranks);
  bool is_through_kernel(int rank) const { return across[static_cast<std::size_t>(rank)].process != 0; }
  void write_through_kernel(int to, std::size_t at, std::span<const std::byte> data) const;
  void read_through_kernel(int from, std::size_t at, std::span<std::byte> into) const;
  // These go through MPI. @throws error(lost) for a rank of another node that is known to be dead
  void put(int to, std::size_t at, std::span<const std::byte> data);
  void get(int from, std::size_t at, std::span<std::byte> into);
  /// Copies to memory that is reached by stores. Whatever is announced next comes after the data.
  void copy_long(int rank, std::byte* there, std::span<const std::byte> bytes, long_writes long_writes_to::* as);
  /// Begins to put a word. The value must stay where it is until `flush_words`; without that call, an MPI may keep it
  /// until this rank's next MPI call.
  void put_word(int to, int id, const std::uint32_t& value);
  void flush_words(int to);
  std::uint64_t fetch_add(int on, std::size_t at, std::uint64_t value);
  std::uint64_t compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired);
  void require_alive(int rank) const { wherry::require_alive(comm, called, rank); }
  void check(double seconds) const { require_seconds(seconds, called, comm.rank()); }
  void open_windows(std::span<std::byte> memory, std::span<std::byte> notifications);
  /// Completes everything that goes to this rank or comes from it.
  void flush(int target) {
    bring_staged(target);
    if (!is_through_kernel(target)) flush_puts(target);
  }
  void flush_puts(int target);
  void note_puts(int target);
  bool has_new_puts(int target) const;
  /// Completes the puts to and the gets from this rank that were begun since the last wait for them.
  void flush_new_puts(int target) {
    if (has_new_puts(target)) flush_puts(target);
  }
  /// Makes a call that nothing can interrupt, within `seconds`. Begins the call, or continues the one with this mark.
  /// Returns nothing if it is still under way. `call` must keep this object alive.
  std::optional<std::uint64_t> within(const call_mark& which, double seconds,
                                      const std::function<std::uint64_t()>& call);
  /// Notes a call that ran out of time after its data had been written, or read. An equal call finds the note once.
  void note_cut_short(const call_mark& which);
  bool take_cut_short(const call_mark& which);
  bool has_cut_short() const { return number_cut_short.load(std::memory_order_relaxed) != 0; }
  /// Forgets the reads, which are complete.
  void forget_reads_cut_short();
  bool is_under_way(const call_mark& which);
  bool has_calls_under_way() const { return number_of_calls.load(std::memory_order_relaxed) != 0; }
  /// `flush` with a time limit.
  static bool flush_within(const std::shared_ptr<state>& self, int target, double seconds);
  /// Stages a write. Never waits. False: the data must be written in another way.
  bool stage(int to, std::size_t at, std::span<const std::byte> bytes);
  /// Brings the data that this rank has staged for `to` to its place.
  void bring_staged(int to);
  /// Brings the data to its place that any rank has staged for `rank` before something that this rank has seen.
  void settle(int rank);
  /// From now on this rank's memory need not exist.
  void close_staging() noexcept;
  void drain(staged_ring& ring, int rank);
  void bring_there(int rank, std::size_t at, std::span<const std::byte> bytes);
  /// The places in the windows at which the data and the notifications of the rank begin.
  MPI_Aint data_of(int rank) const { return met.empty() ? 0 : met[static_cast<std::size_t>(rank)].data; }
  MPI_Aint words_of(int rank) const { return met.empty() ? 0 : met[static_cast<std::size_t>(rank)].words; }
  /// True if words of the rank are changed by MPI. All ranks must use the same way, MPI or the processor's
  /// instructions.
  bool swaps_by_mpi(int on) const { return met.empty() ? windows != nullptr : data_of(on) != 0; }
  bool is_aligned(int on) const { return met.empty() ? words_are_aligned : met[static_cast<std::size_t>(on)].aligned; }
  /// Detaches this rank's pieces from the window of the space.
  void detach() noexcept;

  struct process_part {
    std::uint64_t process = 0;  // 0: not reached through the kernel
    std::uint64_t address = 0;
  };

  communicator comm;
  static constexpr const char* transport = "notified writes";
  std::string called;                                 // includes the user's name
  std::unique_ptr<detail::segment_counts> counts;     // null: nothing is counted
  std::shared_ptr<std::byte> block;                   // the words, and the data unless it is the user's
  std::vector<process_part> across;                   // one for each rank
  std::unique_ptr<long_writes_to[]> to_node;          // one for each rank of the node
  std::vector<std::atomic<std::uint64_t>*> departed;  // for each rank of the node: ranks that let go of its block
  bool words_are_aligned = false;                     // on all ranks
  std::shared_ptr<window_pool> windows;               // null: all ranks reach each other by loads and stores
  window_pool::window data, words;                    // windows from the pool
  bool swaps_own_words = false;                       // see segment_state.cpp
  // Staging, see segment_staging.hpp; one for each rank that has any.
  std::size_t most_staged = 0;
  std::vector<std::unique_ptr<staged_writer>> staged;
  std::vector<staged_table*> tables;
  std::vector<staged_arrivals> arrivals;
  std::shared_ptr<bool> block_is_gone = std::make_shared<bool>(false);
  std::vector<put_count> own_puts;
  std::vector<put_count>* puts = &own_puts;  // the counts of the window, which segments of a space share
  // For segments of a space, whose ranks are met one by one:
  struct met_rank {
    MPI_Aint data = 0, words = 0;
    bool aligned = false;
  };
  std::vector<met_rank> met;                              // empty: the segment was made collectively
  std::shared_ptr<channels::segment_space::state> space;  // its window is `data` and `words`
  std::vector<std::byte*> attached;
  bool reaches_through_kernel = true;
  std::size_t limit = 0;           // bytes of the largest MPI message
  std::mutex guard;                // protects the following members
  std::vector<int> unflushed;      // targets of writes and reads without a queue
  std::vector<char> is_unflushed;  // one for each rank
  std::vector<std::pair<call_mark, std::shared_ptr<limited_call>>> calls;
  std::atomic<int> number_of_calls{0};
  std::vector<call_mark> cut_short;
  std::atomic<int> number_cut_short{0};
};

}  // namespace wherry
