/// @file
/// The copy engine compiles schedules to loops. It chooses the kernel of each shape once: contiguous, long runs, short
/// runs of a fixed size, index lists, or transpositions between layouts. It reads the blocks from the schedule itself.
/// Transports use it; users do not.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/thread_team.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {
class copies_for_reader;
}  // namespace wherry

namespace wherry::detail {

/// Two strided blocks that are walked together: a contiguous run, and loops with a stride in bytes on each side. The
/// innermost loop comes first.
struct joint_loop {
  std::int64_t extent = 1, from = 0, to = 0;
};
struct joint_head {
  std::int64_t run = 0;
  std::int32_t tile = 0;  ///< iterations of a tile, in which the two innermost loops are walked; 0: row by row
  std::int32_t loops = 0;
};
using copy_kernel = void (*)(const joint_head& shape, const joint_loop* loops, const std::byte* from, std::byte* to);

struct joint_shape;

/// An indexed block without its field and its offset.
struct listed_places {
  std::int64_t list = 0, skipped = 0, count = 0, unit = 1, run = 0;
};

/// Compiled strided copies, without the addresses of their two sides.
class joint_copies {
 public:
  struct entry {
    copy_kernel kernel = nullptr;
    joint_head head;
    std::uint32_t first_loop = 0;

    void run(const joint_loop* loops, const std::byte* from, std::byte* to) const {
      kernel(head, loops + first_loop, from, to);
    }
  };
  entry add(const joint_shape& shape);
  void run(const entry& what, const std::byte* from, std::byte* to) const { what.run(loops(), from, to); }
  const joint_loop* loops() const { return loops_.data(); }
  /// Makes the part of the copy that thread `part` of `parts` threads makes.
  void run_part(const entry& what, const std::byte* from, std::byte* to, int part, int parts) const;

 private:
  std::vector<joint_loop> loops_;
};

/// The kernels that move the blocks of one plan between the fields and the wire, for those shapes that were required.
/// The object that binds the plan owns it; it keeps a pointer to the plan.
class shape_kernels {
 public:
  static constexpr std::int64_t piece_bytes = 32 << 10;  // fits the first-level cache
  /// The least number of bytes that a team moves together. Less is moved before its threads have noticed the task.
  static constexpr std::size_t team_bytes = 128 << 10;

  /// @param piece long strided blocks are packed in bulk in pieces of about this many bytes; the wire stays the same
  explicit shape_kernels(const plans::schedule& plan, std::int64_t piece = piece_bytes) : plan_(&plan), piece_(piece) {}
  /// Makes the kernels as above, but a team moves long messages.
  shape_kernels(const plans::schedule& plan, thread_team team) : shape_kernels(plan) { team_ = std::move(team); }

  const thread_team& team() const { return team_; }

  /// Makes sure that there is a kernel for this shape.
  void require(std::uint32_t shape);

 private:
  friend class message_packing;
  friend class direct_copies;

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct piece_of_block {
    std::int64_t offset = 0;
    std::size_t wire = 0, bytes = 0;
    joint_copies::entry gather;
  };
  struct compiled {
    plans::block::form kind = plans::block::form::strided;
    std::uint32_t first_piece = 0, pieces = 0;
    std::uint32_t list = 0;  // place of an indexed shape in `lists_`
    std::size_t bytes = 0, wire_bytes = 0;
    joint_copies::entry gather, scatter;  // from field to wire, and from wire to field
  };
  const compiled& of(const plans::block_row& row) const { return compiled_[place_[row.shape]]; }

  // Strided blocks, which are the most frequent, are moved without another call.
  void gather(const plans::block_row& row, const compiled& c, const plans::functions& code, const std::byte* field,
              std::byte* wire) const {
    if (c.kind == plans::block::form::strided)
      joints_.run(c.gather, field + row.offset, wire);
    else
      gather_listed(row, c, code, field, wire);
  }
  void scatter(const plans::block_row& row, const compiled& c, const plans::functions& code, const std::byte* wire,
               std::byte* field) const {
    if (c.kind == plans::block::form::strided)
      joints_.run(c.scatter, wire, field + row.offset);
    else
      scatter_listed(row, c, code, wire, field);
  }
  void gather_listed(const plans::block_row& row, const compiled& c, const plans::functions& code,
                     const std::byte* field, std::byte* wire) const;
  void scatter_listed(const plans::block_row& row, const compiled& c, const plans::functions& code,
                      const std::byte* wire, std::byte* field) const;
  void combine(const plans::block_row& row, const plans::typed_reduction& op, const std::byte* wire,
               std::byte* field) const;

  joint_copies::entry joined(const plans::block& from, const plans::block& to);
  void cut(const plans::block& b, std::int64_t offset, std::size_t wire);

  bool is_for_team(std::size_t bytes) const { return bytes >= team_bytes && team_.size() > 1; }

  const plans::schedule* plan_;
  std::int64_t piece_;
  thread_team team_;
  std::vector<std::uint32_t> place_;  // in `compiled_`, by shape
  std::vector<compiled> compiled_;
  std::vector<piece_of_block> pieces_;
  std::vector<listed_places> lists_;
  joint_copies joints_;
};

/// A set of rows, with one bit for each row.
class row_marks {
 public:
  void add(std::size_t row) {
    if (row / 64 >= bits_.size()) bits_.resize(row / 64 + 1);
    bits_[row / 64] |= std::uint64_t{1} << row % 64;
  }
  bool empty() const { return bits_.empty(); }
  bool has(std::size_t row) const { return row / 64 < bits_.size() && (bits_[row / 64] >> row % 64 & 1) != 0; }
  /// The first row of the set from `row` on; `end` if there is none before it.
  std::size_t next(std::size_t row, std::size_t end) const {
    while (row < end && row / 64 < bits_.size()) {
      if (const auto left = bits_[row / 64] >> row % 64; left != 0)
        return std::min(end, row + static_cast<std::size_t>(std::countr_zero(left)));
      row = (row / 64 + 1) * 64;
    }
    return end;
  }

 private:
  std::vector<std::uint64_t> bits_;
};

/// Two rows that are moved together. On the wire, the second row begins `apart_on_wire` bytes after the first one; 0
/// for copies.
struct row_pair {
  std::size_t first, second, apart_on_wire;
};

/// Pairs of rows, in ascending order of their first rows.
class row_pairs {
 public:
  void add(const row_pair& pair) {
    pairs_.push_back(pair);
    seconds_.add(pair.second);
  }
  /// The pair that begins with the row `first`; null if there is none.
  const row_pair* at(std::size_t first) const {
    const auto found = std::ranges::lower_bound(pairs_, first, {}, &row_pair::first);
    return found != pairs_.end() && found->first == first ? &*found : nullptr;
  }
  bool has_second(std::size_t row) const { return seconds_.has(row); }
  std::span<const row_pair> all() const { return pairs_; }

 private:
  std::vector<row_pair> pairs_;
  row_marks seconds_;
};

/// The rows that may be moved together with later rows; see src/plan/interleaved.hpp and two_sides.hpp.
struct rows_together {
  row_marks marked;  // all such rows, except those of a team
  row_pairs pairs;   // rows on both sides of an axis
};

/// Packs and unpacks one message between the fields and its bytes on the wire. It keeps pointers to the plan, the
/// kernels and the functions, which must outlive it. The calls allocate nothing.
class message_packing {
 public:
  message_packing() = default;
  /// @param rows rows of `plan`, or of a list that the caller keeps
  message_packing(std::span<const plans::block_row> rows, int operation, const plans::schedule& plan,
                  shape_kernels& kernels, const plans::functions& code);
  message_packing(const plans::message& m, const plans::schedule& plan, shape_kernels& kernels,
                  const plans::functions& code)
      : message_packing(plan.rows_of(m), m.operation, plan, kernels, code) {}

  /// Restricts the message to the rows whose entry in `choice`, one for each row, is `wanted`. The caller keeps the
  /// list.
  void choose(const std::vector<std::uint8_t>& choice, std::uint8_t wanted);

  /// Gathers the blocks in `wire`. Both pointers belong to the caller.
  void pack(plans::field_table fields, std::byte* wire) const;
  /// Gathers the blocks in a `wire` that another core has just read and will read again. The data is gathered in
  /// `bounce`, which stays in this core's cache, and then copied in bulk in the way that suits the distance of the
  /// other core. Call this between `begin` and `end` of `to_wire`.
  void pack_in_bulk(plans::field_table fields, std::span<std::byte> bounce, std::byte* wire,
                    copies_for_reader& to_wire) const;
  /// Stores the data in the fields, or combines it with the message's operation, in the order of the blocks.
  void unpack(plans::field_table fields, const std::byte* wire) const;

  /// Bytes of the message on the wire.
  std::size_t bytes() const { return bytes_; }
  /// The number of rows that may be moved together with a row on the other side of an axis.
  std::size_t two_sided() const { return together_.pairs.all().size(); }

 private:
  template <class Visit> void for_each_row(Visit&& visit) const;
  template <class Move> void for_each_plain_row(plans::field_table fields, Move&& move) const;
  auto rows_of(plans::field_table fields, bool to_wire) const;
  template <class Move, class MoveBoth> void by_team(Move&& move, MoveBoth&& move_both) const;
  void pack_straight(plans::field_table fields, std::byte* wire, copies_for_reader* in_bulk) const;
  void pack_by_way_of(plans::field_table fields, std::span<std::byte> bounce, std::byte* wire,
                      copies_for_reader& to_wire) const;
  void pack_plain_by_way_of(plans::field_table fields, std::span<std::byte> bounce, std::byte* wire,
                            copies_for_reader& to_wire) const;
  bool is_for_team() const { return kernels_ != nullptr && kernels_->is_for_team(bytes_); }
  void measure();

  std::span<const plans::block_row> rows_;
  const shape_kernels* kernels_ = nullptr;
  const plans::functions* code_ = nullptr;
  const std::uint8_t* choice_ = nullptr;
  std::uint8_t wanted_ = 0;
  int operation_ = store;
  std::size_t bytes_ = 0;
  rows_together together_;
  // True if all rows are strided and in one piece, take as many bytes in the field as on the wire, and cannot be moved
  // together with another row. Most messages of many small blocks are so.
  bool is_plain_ = false;
  std::size_t longest_ = 0;  // bytes of the longest row
};

/// Copies blocks directly from one set of fields to another, or to the same set: from the rank to itself, or from a
/// neighbour's memory. The two sides may have different layouts, and different shapes of equal size. It keeps pointers
/// as `message_packing` does.
class direct_copies {
 public:
  direct_copies() = default;
  /// @param lists lists of copies of `plan`
  /// @param careful copies between two fields go through a buffer, because the two may lie in the same memory
  direct_copies(std::span<const plans::copy_list> lists, const plans::schedule& plan, shape_kernels& kernels,
                const plans::functions& code, bool careful = false);

  /// Makes the copies. A copy from a field without an address is left out.
  void run(plans::field_table from, plans::field_table to) const;
  bool empty() const { return ways_.empty(); }
  /// The number of copies that may be made together with a copy on the other side of an axis.
  std::size_t two_sided() const { return together_.pairs.all().size(); }

 private:
  bool is_for_team(const plans::copy_list& list) const;
  std::uint32_t way_of(const plans::copy_row& c, bool by_team, class joint_index& known);
  void find_together();
  void find_plain();
  void run_plain(const plans::copy_list& list, std::size_t begin, std::size_t end, const std::uint32_t* ways,
                 plans::field_table from, plans::field_table to) const;
  void run_rows(const plans::copy_list& list, std::size_t begin, std::size_t end, const std::uint32_t* ways,
                plans::field_table from, plans::field_table to) const;
  void run_by_team(const plans::copy_list& list, std::size_t base, plans::field_table from,
                   plans::field_table to) const;
  void run_buffered(const plans::copy_row& c, int operation, const std::byte* from, std::byte* to) const;

  std::span<const plans::copy_list> lists_;
  std::vector<char> by_team_;  // for each list: a team makes its copies
  const plans::schedule* plan_ = nullptr;
  const shape_kernels* kernels_ = nullptr;
  const plans::functions* code_ = nullptr;
  std::vector<std::uint32_t> ways_;  // for each copy: the number of a pair kernel, a joint shape, or `buffered`
  rows_together together_;
  struct stretch {
    std::size_t begin, end;  // copies of all lists, numbered in order
  };
  std::vector<stretch> plain_;  // in ascending order; copies by pair kernels from one field to one field
  struct joint {
    joint_copies::entry how;
    bool in_parts;  // each thread of a team moves a part
  };

  std::vector<joint> joints_;
  joint_copies loops_;
  mutable std::vector<std::byte> buffer_;  // as large as the largest copy that goes through it
};

/// The name of the kernel that `message_packing` chooses for a block, for `explain`.
std::string_view kernel_name(const plans::block& b);

}  // namespace wherry::detail
