/// @file
/// The schedule: what one rank sends, receives and copies. The one representation that every pattern becomes and every
/// transport carries. Pure data: printable, comparable, computable without MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/core/checked.hpp"
#include "wherry/core/memory_space.hpp"
#include "wherry/plan/block.hpp"
#include "wherry/plan/element.hpp"
#include "wherry/plan/functions.hpp"

namespace wherry {

/// Store what arrives, rather than combine it: the value of `message::operation` and `local_copy::operation`.
inline constexpr int store = -1;

/// All that goes to, or comes from, one peer in one stage.
struct message {
  int peer = 0;
  /// Of what arrives: a place in `functions::reductions`, or `store`. Of what leaves: what the other side does with it,
  /// which is compared at bind; `store` says nothing of it.
  int operation = store;
  std::vector<block> blocks;

  /// Bytes on the wire: each block starts at a multiple of 16.
  std::int64_t bytes() const;
  bool operator==(const message&) const = default;
};

/// Something this rank moves to itself.
struct local_copy {
  block from, to;
  int operation = store;
  bool overlaps = false;  ///< the two share bytes: all is read, by way of a buffer, before any is written
  bool operator==(const local_copy&) const = default;
};

/// What moves at once. A stage starts when the one before it has arrived.
struct stage {
  std::vector<message> sends, receives;  ///< ascending peers, at most one message a peer and direction
  std::vector<local_copy> copies;
  bool operator==(const stage&) const = default;
};

/// What the plan knows of a field: not its address, which each start brings along.
struct field_shape {
  std::string name;
  std::int64_t element = 1;  ///< bytes
  std::int64_t lowest = 0;   ///< first byte that belongs to the field, relative to its pointer
  std::int64_t highest = 0;  ///< one past the last; blocks beyond are an error. Equal to `lowest`: unknown
  memory_space space = memory_space::host;
  element_type type{};  ///< what its elements consist of
  bool operator==(const field_shape&) const = default;
};

/// One rank's part of one communication pattern.
struct schedule {
  std::string pattern;  ///< "halo exchange", …: for messages and traces
  std::vector<field_shape> fields;
  std::vector<stage> stages;
  std::vector<std::int64_t> indices;  ///< byte offsets for indexed blocks

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

  bool operator==(const schedule&) const = default;
};

/// What the elements of a block are on the wire: as its field has them, unless its operation takes others. What a
/// user's functions move is raw bytes.
element_type leaving_type(const block& b, const schedule& plan);
element_type arriving_type(const block& b, int operation, const schedule& plan, const functions& code);

/// Where a block starts on the wire when the one before ends at `end`.
constexpr std::int64_t align_on_wire(std::int64_t end) {
  return checked{"message", "number of bytes"}.rounded_up(end, std::int64_t{16});
}

}  // namespace wherry
