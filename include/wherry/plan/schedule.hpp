/// @file
/// The schedule: what one rank sends, receives and copies. The one representation that every pattern becomes and every
/// transport carries as it is: a table of shapes, and rows of 16 bytes. Pure data: printable, comparable, computable
/// without MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wherry/core/checked.hpp"
#include "wherry/core/memory_space.hpp"
#include "wherry/plan/block.hpp"
#include "wherry/plan/element.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/index_table.hpp"
#include "wherry/plan/shape_table.hpp"

namespace wherry {

/// A block in a schedule: what has the same shape shares it.
struct block_row {
  std::uint32_t shape = 0;  ///< place in `schedule::shapes`
  std::int32_t field = 0;
  std::int64_t offset = 0;
  bool operator==(const block_row&) const = default;
};

/// Two blocks of equal size, of which one is copied to the other.
struct copy_row {
  block_row from, to;
  bool operator==(const copy_row&) const = default;
};

/// All that goes to, or comes from, one peer in one stage: rows of `schedule::rows`, in wire order. Messages that carry
/// the same may share their rows.
struct message {
  int peer = 0;
  /// Of what arrives: a place in `functions::reductions`, or `store`. Of what leaves: what the other side does with it,
  /// which is compared at bind; `store` says nothing of it.
  int operation = detail::store;
  std::size_t first = 0, count = 0;

  bool operator==(const message&) const = default;
};

/// Things that this rank moves to itself, in one way: rows of `schedule::copies`.
struct copy_list {
  int operation = detail::store;
  bool overlaps = false;  ///< the two sides share bytes: all is read, by way of a buffer, before any is written
  std::size_t first = 0, count = 0;
  /// Whoever made them has looked at each of them: `validate` takes his word, but under `WHERRY_CHECK`.
  bool inspected = false;

  bool operator==(const copy_list&) const = default;
};

/// One of them, to look at.
struct local_copy {
  block from, to;
  int operation = detail::store;
  bool overlaps = false;
  bool operator==(const local_copy&) const = default;
};

/// What moves at once. A stage starts when the one before it has arrived.
struct stage {
  std::vector<message> sends, receives;  ///< ascending peers, at most one message a peer and direction
  std::vector<copy_list> copies;
  bool operator==(const stage&) const;
};

/// What the plan knows of a field: not its address, which each start brings along.
struct field_shape {
  std::string name;
  std::int64_t element = 1;  ///< bytes
  std::int64_t lowest = 0;   ///< first byte that belongs to the field, relative to its pointer
  std::int64_t highest = 0;  ///< one past the last; blocks beyond are an error. Equal to `lowest`: unknown
  memory_space space = memory_space::host;
  element_type type{};  ///< what its elements consist of
  /// Where it lay when it was planned, by which fields are found that lie between each other; null: unknown.
  const void* place = nullptr;
  bool operator==(const field_shape&) const;  ///< but for the place
};

/// The table of field pointers of one start.
using field_table = std::span<void* const>;

/// One rank's part of one communication pattern.
struct schedule {
  std::string pattern;  ///< "halo exchange", …: for messages and traces
  std::vector<field_shape> fields;
  std::vector<stage> stages;
  index_table indices;           ///< lists of places for indexed blocks
  shape_table shapes;            ///< of all blocks
  std::vector<block_row> rows;   ///< the blocks of all messages
  std::vector<copy_row> copies;  ///< of all stages

  std::span<const block_row> rows_of(const message& m) const;
  std::span<const copy_row> rows_of(const copy_list& l) const;
  block what(const block_row& row) const;
  std::vector<block> blocks_of(const message& m) const;
  std::vector<local_copy> copies_of(const stage& s) const;
  /// Bytes on the wire: each block starts at a multiple of 16.
  std::int64_t bytes_of(const message& m) const;

  // For a plan of one's own, or one that is changed. What patterns make comes from `schedule_builder`.
  block_row row_of(const block& b);
  message make_message(int peer, int operation, std::span<const block> blocks);
  void add_copy(stage& to, const local_copy& copy);

  /// Throws `error(argument)` for blocks outside their fields, peers out of range, unsorted or repeated peers,
  /// negative sizes, copies of unequal size, conversions without an operation or on the sending side. Linear.
  void validate(int rank, int ranks) const;
  /// Throws `error(argument)` when two arrivals of one stage write the same byte (those that combine may), or a copy
  /// writes what it or another copy of the stage reads, where nobody knows what is read (see `local_copy::overlaps`).
  /// n log n in the runs. `code` tells which operations do: all, where it has none of them.
  void check_overlaps(int rank, const functions& code = {}) const;

  // As on the wire. @throws error(argument) where an int64 cannot count them.
  std::int64_t bytes_sent() const;
  std::int64_t bytes_received() const;
  std::int64_t bytes_copied() const;

  /// A table a person can read.
  std::string explain() const;
  std::string to_json() const;

  bool operator==(const schedule&) const;
};

/// Core to halo becomes halo to core: what was sent is received and what was received is sent, for `operation`.
void turn_around(schedule& plan, int operation);

/// What the elements of a block are on the wire: as its field has them, unless its operation takes others. What a
/// user's functions move is raw bytes.
element_type leaving_type(const block& b, const schedule& plan);
element_type arriving_type(const block& b, int operation, const schedule& plan, const functions& code);

/// Where a block starts on the wire when the one before ends at `end`.
constexpr std::int64_t align_on_wire(std::int64_t end) {
  return checked{"message", "number of bytes"}.rounded_up(end, std::int64_t{16});
}

}  // namespace wherry
