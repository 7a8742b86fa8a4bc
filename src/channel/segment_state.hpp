// What a segment holds besides the places of its peers: its memory, and MPI's windows where not all of it is shared.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "wherry/channel/byte_segment.hpp"

#include "window_pool.hpp"

namespace wherry {

struct byte_segment::state {
  explicit state(const communicator& where) : comm(where) {}
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state();

  bool is_through_kernel(int rank) const { return across[static_cast<std::size_t>(rank)].process != 0; }
  void write_through_kernel(int to, std::size_t at, std::span<const std::byte> data) const;
  void read_through_kernel(int from, std::size_t at, std::span<std::byte> into) const;
  void put(int to, std::size_t at, std::span<const std::byte> data);
  void get(int from, std::size_t at, std::span<std::byte> into);
  /// The value stays where it is until `flush_words`, without which an MPI may keep it until this rank's next call.
  void put_word(int to, int id, const std::uint32_t& value);
  void flush_words(int to);
  std::uint64_t fetch_add(int on, std::size_t at, std::uint64_t value);
  std::uint64_t compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired);
  void open_windows(std::span<std::byte> memory, std::span<std::byte> notifications);
  /// All that goes to this rank, or comes from it, is done.
  void flush(int target);

  struct process_part {
    std::uint64_t process = 0;  // 0: not reached so
    std::uint64_t address = 0;
  };

  communicator comm;
  std::shared_ptr<std::byte> block;                   // the words, and data that is not the user's
  std::vector<process_part> across;                   // a rank each
  std::vector<std::atomic<std::uint64_t>*> departed;  // of each rank of the node: how many have let go of its block
  bool words_are_aligned = false;                     // on all ranks
  std::shared_ptr<window_pool> windows;               // null: all ranks reach each other by loads and stores
  window_pool::window data, words;                    // of those
  bool swaps_own_words = false;                       // see segment_state.cpp
  std::size_t limit = 0;                              // largest message
  std::mutex guard;                                   // of what follows
  std::vector<int> unflushed;                         // targets of writes and reads without a queue
  std::vector<char> is_unflushed;                     // a rank each
};

}  // namespace wherry
