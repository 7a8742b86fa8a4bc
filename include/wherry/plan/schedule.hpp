/// @file
/// The schedule: the list of everything that one rank sends, receives and copies. Every pattern becomes a schedule, and
/// every transport carries it as it is. It is pure data without MPI: it can be printed, compared, and computed for a
/// million ranks in one process.
///
///     wherry::plans::schedule plan = builder.finish();
///     plan.validate(comm.rank(), comm.size());
///     std::fputs(plan.explain().c_str(), stdout);
///     wherry::exchange exchange(comm, std::move(plan));  // binds it to a transport
///
/// Patterns such as `halo_exchange` make and bind their schedules themselves. To write a pattern of your own, make one
/// with `schedule_builder`.
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

namespace wherry::plans {

/// A block in a schedule. Blocks of the same shape share it.
struct block_row {
  std::uint32_t shape = 0;  ///< place in `schedule::shapes`
  std::int32_t field = 0;
  std::int64_t offset = 0;
  bool operator==(const block_row&) const = default;
};

/// Two blocks of equal size. The first one is copied to the second one.
struct copy_row {
  block_row from, to;
  bool operator==(const copy_row&) const = default;
};

/// All data that goes to one peer, or comes from one peer, in one stage: the rows `first` to `first + count - 1` of
/// `schedule::rows`, in the order of the wire. Messages with the same contents may share their rows.
struct message {
  int peer = 0;
  /// In a receive: the operation on arriving data, a place in `functions::reductions`, or `store`. In a send: the
  /// peer's operation on the data, which is compared at bind; `store` means that it is not compared.
  int operation = detail::store;
  std::size_t first = 0, count = 0;

  bool operator==(const message&) const = default;
};

/// Copies of this rank to itself that are made in the same way: the rows `first` to `first + count - 1` of
/// `schedule::copies`.
struct copy_list {
  int operation = detail::store;
  bool overlaps = false;  ///< the two sides share bytes, so that all is read into a buffer before any is written
  std::size_t first = 0, count = 0;
  /// True if the maker of the list has checked each copy. `validate` then checks them only under `WHERRY_CHECK`.
  bool inspected = false;

  bool operator==(const copy_list&) const = default;
};

/// One copy of a list, for printing and tests.
struct local_copy {
  block from, to;
  int operation = detail::store;
  bool overlaps = false;
  bool operator==(const local_copy&) const = default;
};

/// All data that moves at once. A stage begins when all data of the previous one has arrived.
struct stage {
  std::vector<message> sends, receives;  ///< in ascending order of peers, at most one for each peer
  std::vector<copy_list> copies;
  bool operator==(const stage&) const;
};

/// The properties of a field that the plan knows. The address is not part of it: each start brings it along.
struct field_shape {
  std::string name;
  std::int64_t element = 1;  ///< bytes
  std::int64_t lowest = 0;   ///< first byte of the field, relative to its pointer
  std::int64_t highest = 0;  ///< one past the last byte; equal to `lowest`: unknown. No block may reach beyond
  memory_space space = memory_space::host;
  element_type type{};  ///< the type of its elements
  /// The address of the field at planning time, from which interleaved fields are recognised; null: unknown.
  const void* place = nullptr;
  bool operator==(const field_shape&) const;  ///< ignores `place`
};

/// The table of field pointers of one start, by `block_row::field`. They are plain addresses, which the caller owns.
using field_table = std::span<void* const>;

/// One rank's part of one communication pattern. All functions are local.
struct schedule {
  std::string pattern;  ///< "halo exchange", …: for errors and traces
  std::vector<field_shape> fields;
  std::vector<stage> stages;
  index_table indices;           ///< lists of places for indexed blocks
  shape_table shapes;            ///< the shapes of all blocks
  std::vector<block_row> rows;   ///< the blocks of all messages
  std::vector<copy_row> copies;  ///< the copies of all stages

  /// The rows of a message or of a list of copies.
  std::span<const block_row> rows_of(const message& m) const;
  std::span<const copy_row> rows_of(const copy_list& l) const;
  /// The block of a row.
  block what(const block_row& row) const;
  std::vector<block> blocks_of(const message& m) const;
  std::vector<local_copy> copies_of(const stage& s) const;
  /// Bytes of the message on the wire, where each block starts at a multiple of 16. @throws error(argument) if an int64
  /// cannot hold it
  std::int64_t bytes_of(const message& m) const;

  // For plans that you make or change by hand. Patterns use a `schedule_builder`.
  block_row row_of(const block& b);
  message make_message(int peer, int operation, std::span<const block> blocks);
  void add_copy(stage& to, const local_copy& copy);

  /// Checks the plan for a communicator of `ranks` ranks. The cost is linear.
  /// @throws error(argument) for blocks outside of their fields, peers out of range, unsorted or repeated peers,
  ///   negative sizes, copies of unequal size, and conversions without an operation or on the sending side
  void validate(int rank, int ranks) const;
  /// Looks for movements of one stage that write where another one writes or reads. Called blocks are not checked.
  /// `code` says which operations combine; operations that `code` lacks are taken to combine. The cost is n log n in
  /// the number of runs.
  /// @throws error(argument) if two arrivals of one stage store to the same byte, or if a copy writes a byte that it or
  ///   another copy of the stage reads, unless its list `overlaps`
  void check_overlaps(int rank, const functions& code = {}) const;

  // Bytes on the wire, without the gaps between blocks. @throws error(argument) if an int64 cannot hold them
  std::int64_t bytes_sent() const;
  std::int64_t bytes_received() const;
  std::int64_t bytes_copied() const;

  /// The plan as a table for people.
  std::string explain() const;
  std::string to_json() const;

  bool operator==(const schedule&) const;
};

/// Turns a schedule around: sends become receives, receives become sends, and copies change their direction. Data then
/// arrives by `operation`. The order of the stages stays the same.
void turn_around(schedule& plan, int operation);

/// The type of the elements that a block sends, and of those that it takes from the wire. The latter is the type of the
/// field unless the operation takes another one. Called blocks carry raw bytes.
element_type leaving_type(const block& b, const schedule& plan);
element_type arriving_type(const block& b, int operation, const schedule& plan, const functions& code);

/// The position on the wire at which a block starts if the previous one ends at `end`.
constexpr std::int64_t align_on_wire(std::int64_t end) {
  return detail::checked{"message", "number of bytes"}.rounded_up(end, std::int64_t{16});
}

}  // namespace wherry::plans
