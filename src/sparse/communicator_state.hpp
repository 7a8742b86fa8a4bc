// The state that sparse exchanges keep with a communicator: the board of its node, memory for elements that leave, and
// the number of the next call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "cells.hpp"
#include "core/arena_block.hpp"
#include "core/consensus_mail.hpp"
#include "core/node_map.hpp"

namespace wherry::sparse {

class exchange_work;

/// Memory for the elements that leave a rank. If the node shares memory, readers find them in the arena. A few single
/// elements are packed on the heap and copied to the arena in bulk, because single stores to lines that another core
/// has read are slow; many elements, and long runs, are packed in the arena.
struct send_buffer {
  std::byte* data = nullptr;   ///< where elements are packed
  std::byte* shown = nullptr;  ///< where the node reads them; null: nowhere
  std::size_t capacity = 0;
  std::uint64_t last_call = 0;  ///< the number of the cells whose readers may still need it
  bool is_taken = false;

  static constexpr std::size_t most_copied = 1 << 20;  ///< bytes
  arena_block shared;
  std::unique_ptr<std::byte[]> own;
};

class communicator_state {
 public:
  /// The state of a communicator. Collective the first time, local from then on.
  /// @throws as `detail::collectively`
  static std::shared_ptr<communicator_state> of(const communicator& comm);

  explicit communicator_state(const communicator& on);
  communicator_state(const communicator_state&) = delete;
  communicator_state& operator=(const communicator_state&) = delete;
  ~communicator_state();

  /// True if `rank` and this rank exchange elements through cells.
  bool has_cell(int rank) const { return shares_ && comm.node_index(rank) >= 0; }
  bool shares_memory() const { return shares_; }
  /// True if all ranks have cells for each other. The same on all ranks.
  bool is_one_node() const { return one_node_; }
  /// A call has a number for each of its hops in node-shared memory, and these cells become free when the ranks of the
  /// node have finished the hop that had them before.
  static constexpr std::size_t hops_of_call = 3;
  struct hop_cells {
    std::uint64_t number = 0, before = 0;
  };
  using cells_of_call = std::array<hop_cells, hops_of_call>;
  /// The cells of the next call. The numbers are the same on all ranks. Threads may call it.
  cells_of_call next_call();
  /// Ends a call on this rank: it reads no more cells of the call, and gives back `lent`, the memory of its elements,
  /// unless that is null. A second call has no effect on the cells. Threads may call it.
  void end_call(const cells_of_call& cells, send_buffer* lent);

  /// Lends memory for this many bytes until `end_call` or `give_back`. Threads may call all three.
  /// @param by_runs true if long runs will be packed
  /// @throws error(resource)
  send_buffer& take_buffer(std::size_t bytes, bool by_runs = false);
  /// @param last_call the call whose readers still need the memory; 0: nobody does
  void give_back(send_buffer& lent, std::uint64_t last_call);
  /// The place of this rank's shared memory in its arena, and that of another rank's in this process.
  std::size_t place_of(const std::byte* memory) const { return *comm.arena()->offset_of(memory); }
  const std::byte* memory_of(int member, std::size_t place) const { return comm.arena()->address(member, place); }

  /// A piece of work for the next call: one that has been parked, or a new one.
  std::unique_ptr<exchange_work> take_work();
  /// Keeps a piece of work that has ended, with its memory.
  void park(std::unique_ptr<exchange_work> ended) noexcept;
  /// The letters of agreements. Not to be used after `has_ended`.
  consensus_mail& mail() const { return mail_; }

  const communicator comm;
  cell_board board;
  node_map nodes;
  /// True once the communicator has been freed: nothing of it may be touched any more.
  bool has_ended = false;

 private:
  static std::shared_ptr<communicator_state> find_or_make(const communicator& comm);
  void make_board();
  bool is_free(const send_buffer& one) const;
  void allocate(send_buffer& one, std::size_t bytes);

  consensus_mail& mail_;
  bool shares_ = false, one_node_ = false;
  std::shared_ptr<std::byte> block_;
  std::uint64_t next_call_ = 1;
  std::mutex guard_;
  std::vector<std::unique_ptr<send_buffer>> buffers_;
  std::vector<std::unique_ptr<exchange_work>> parked_;
};

}  // namespace wherry::sparse
