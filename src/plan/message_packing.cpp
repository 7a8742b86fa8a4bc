#include <algorithm>
#include <cstdint>

#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "core/copies_for_reader.hpp"
#include "interleaved.hpp"
#include "two_sides.hpp"

namespace wherry {
namespace {

std::byte* field_of(const plans::block_row& row, plans::field_table fields) {
  return static_cast<std::byte*>(fields[static_cast<std::size_t>(row.field)]);
}

constexpr std::size_t aligned(std::size_t end) { return (end + 15) / 16 * 16; }  // as `align_on_wire`, but unchecked

/// Rows of a message, in the role of `Rows` in interleaved.hpp. Rows that are alike have the same size on the wire.
template <class BytesOf> struct packed_rows {
  std::span<const plans::block_row> rows;
  const std::uint8_t* choice;
  std::uint8_t wanted;
  const plans::shape_table* shapes;  ///< null if there are no rows
  plans::field_table fields;
  bool to_wire;
  BytesOf bytes_of;                 ///< returns the size of a row on the wire
  const std::byte* wire = nullptr;  ///< the position of the row in question

  std::size_t size() const { return rows.size(); }
  std::size_t index_of(const plans::block_row& row) const { return static_cast<std::size_t>(&row - rows.data()); }
  bool is_moved(std::size_t i) const { return choice == nullptr || choice[i] == wanted; }
  bool is_like(std::size_t i, std::size_t other) const {
    return rows[i].shape == rows[other].shape && rows[i].field != rows[other].field && words(i) != nullptr;
  }
  bool is_of_one_field(std::size_t i, std::size_t other) const {
    return rows[i].shape == rows[other].shape && rows[i].field == rows[other].field && words(i) != nullptr;
  }
  std::int64_t from_offset(std::size_t i) const { return rows[i].offset; }
  std::int64_t to_offset(std::size_t i) const { return rows[i].offset; }
  const std::int32_t* from_words(std::size_t i) const { return to_wire ? words(i) : nullptr; }
  const std::int32_t* to_words(std::size_t i) const { return to_wire ? nullptr : words(i); }
  const std::byte* from(std::size_t i) const { return to_wire ? place(i) : wire; }
  std::byte* to(std::size_t i) const { return to_wire ? const_cast<std::byte*>(wire) : place(i); }
  std::size_t dense_bytes(std::size_t i) const { return aligned(bytes_of(rows[i])); }

 private:
  const std::int32_t* words(std::size_t i) const { return shapes->strided_words(rows[i].shape); }
  std::byte* place(std::size_t i) const { return field_of(rows[i], fields) + rows[i].offset; }
};

/// Packs in bulk, at each step as many iterations of the outermost loop as fit `bounce`; if not even one fits,
/// iterations of the next inner loop. False if no iteration of the innermost loop fits.
bool pack_together(const kernels::interleaved_copies& together, std::span<std::byte> bounce,
                   copies_for_reader& to_wire) {
  const auto& outer = together.loop[together.loops - 1];
  const auto each = static_cast<std::size_t>(outer.to);  // bytes on the wire of one iteration
  const auto at_once = static_cast<std::int64_t>(bounce.size() / together.count / each);
  auto part = together;
  if (at_once == 0) {
    if (--part.loops == 0) return false;
    for (std::int64_t i = 0; i < outer.extent; ++i) {
      if (!pack_together(part, bounce, to_wire)) return false;  // the other iterations would not fit, either
      for (std::size_t k = 0; k < part.count; ++k) {
        part.from[k] += outer.from;
        part.to[k] += outer.to;
      }
    }
    return true;
  }
  for (std::int64_t i = 0; i < outer.extent; i += at_once) {
    const auto end = std::min(i + at_once, outer.extent);
    const auto bytes = static_cast<std::size_t>(end - i) * each;
    for (std::size_t k = 0; k < part.count; ++k) part.to[k] = bounce.data() + k * bytes;
    part.make(i, end);
    for (std::size_t k = 0; k < part.count; ++k)
      to_wire.copy(together.to[k] + static_cast<std::size_t>(i) * each, part.to[k], bytes);
  }
  return true;
}

void check_functions(const plans::block_row& row, int operation, const plans::schedule& plan,
                     const plans::functions& code) {
  const auto field = static_cast<std::size_t>(row.field);
  if (field >= code.accessors.size() || !code.accessors[field].gather || !code.accessors[field].scatter)
    throw error(error_kind::argument, plan.pattern,
                detail::text("field ", field, " has no gather and scatter functions"));
  if (operation != detail::store)
    throw error(error_kind::argument, plan.pattern,
                detail::text("field ", field, " has gather and scatter functions, which cannot reduce"));
}

}  // namespace

auto detail::message_packing::rows_of(plans::field_table fields, bool to_wire) const {
  const auto bytes_of = [this](const plans::block_row& row) { return kernels_->of(row).wire_bytes; };
  return packed_rows{rows_,  choice_, wanted_, kernels_ != nullptr ? &kernels_->plan_->shapes : nullptr,
                     fields, to_wire, bytes_of};
}

detail::message_packing::message_packing(std::span<const plans::block_row> rows, int operation,
                                         const plans::schedule& plan, detail::shape_kernels& kernels,
                                         const plans::functions& code)
    : rows_(rows), kernels_(&kernels), code_(&code), operation_(operation) {
  for (const auto& row : rows_) {
    kernels.require(row.shape);
    if (kernels.of(row).kind == plans::block::form::called) check_functions(row, operation, plan, code);
  }
  measure();
}

void detail::message_packing::choose(const std::vector<std::uint8_t>& choice, std::uint8_t wanted) {
  choice_ = choice.data();
  wanted_ = wanted;
  measure();
}

void detail::message_packing::measure() {
  bytes_ = longest_ = 0;
  is_plain_ = true;
  for_each_row([&](const plans::block_row&, const detail::shape_kernels::compiled& c, std::size_t wire) {
    constexpr detail::checked size{"message", "number of bytes"};
    bytes_ = size.sum(wire, c.wire_bytes);
    longest_ = std::max(longest_, c.bytes);
    if (c.kind != plans::block::form::strided || c.bytes == 0 || c.bytes != c.wire_bytes || c.pieces > 0)
      is_plain_ = false;
  });
  together_ = {};
  kernels::find_together(rows_of({}, true), 0, together_);
  is_plain_ = is_plain_ && together_.marked.empty();
}

/// Calls `visit(row, kernels, position on the wire)`.
template <class Visit> void detail::message_packing::for_each_row(Visit&& visit) const {
  std::size_t wire = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (choice_ != nullptr && choice_[i] != wanted_) continue;
    const auto& c = kernels_->of(rows_[i]);
    visit(rows_[i], c, wire = aligned(wire));
    wire += c.wire_bytes;
  }
}

/// Calls `move(kernels, their loops, address of the row, position on the wire)`, and tests nothing that it need not:
/// for small boxes, tests take as long as the moves.
template <class Move> void detail::message_packing::for_each_plain_row(plans::field_table fields, Move&& move) const {
  const auto* const place = kernels_->place_.data();
  const auto* const compiled = kernels_->compiled_.data();
  const auto* const loops = kernels_->joints_.loops();
  std::size_t wire = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (choice_ != nullptr && choice_[i] != wanted_) continue;
    const auto& row = rows_[i];
    const auto& c = compiled[place[row.shape]];
    wire = aligned(wire);
    move(c, loops, field_of(row, fields) + row.offset, wire);
    wire += c.bytes;
  }
}

/// Calls `move(row, kernels, position on the wire, part, parts)` on a team: each thread moves a part of every long row,
/// and some of the short ones. Calls `move_both(pair, position on the wire of its first row, part, parts)` for two long
/// rows. Called blocks run code of the user's, so this thread moves them.
template <class Move, class MoveBoth> void detail::message_packing::by_team(Move&& move, MoveBoth&& move_both) const {
  const auto& team = kernels_->team();
  for_each_row([&](const plans::block_row& row, const detail::shape_kernels::compiled& c, std::size_t at) {
    if (c.kind == plans::block::form::called && c.bytes > 0) move(row, c, at, 0, 1);
  });
  team.run([&](int number) {
    int turn = 0;
    for_each_row([&](const plans::block_row& row, const detail::shape_kernels::compiled& c, std::size_t at) {
      if (c.kind == plans::block::form::called || c.bytes == 0) return;
      if (c.kind == plans::block::form::strided &&
          c.bytes >= static_cast<std::size_t>(detail::shape_kernels::piece_bytes)) {
        const auto index = static_cast<std::size_t>(&row - rows_.data());
        if (together_.pairs.has_second(index)) return;
        if (const auto* pair = together_.pairs.at(index)) return move_both(*pair, at, number, team.size());
        return move(row, c, at, number, team.size());
      }
      if (turn == number) move(row, c, at, 0, 1);
      turn = turn + 1 == team.size() ? 0 : turn + 1;
    });
  });
}

void detail::message_packing::pack(plans::field_table fields, std::byte* wire) const {
  pack_straight(fields, wire, nullptr);
}

/// @param in_bulk moves long runs; null: nothing does
void detail::message_packing::pack_straight(plans::field_table fields, std::byte* wire,
                                            copies_for_reader* in_bulk) const {
  if (is_for_team())
    return by_team(
        [&](const plans::block_row& row, const detail::shape_kernels::compiled& c, std::size_t at, int part,
            int parts) {
          if (parts == 1) return kernels_->gather(row, c, *code_, field_of(row, fields), wire + at);
          kernels_->joints_.run_part(c.gather, field_of(row, fields) + row.offset, wire + at, part, parts);
        },
        [&](const detail::row_pair& pair, std::size_t at, int part, int parts) {
          auto all = rows_of(fields, true);
          all.wire = wire + at;
          kernels::two_sides(all, pair).make_part(part, parts);
        });
  if (is_plain_ && longest_ < copies_for_reader::long_run)
    return for_each_plain_row(fields, [wire](const auto& c, const auto* loops, const std::byte* row, std::size_t at) {
      c.gather.run(loops, row, wire + at);
    });
  auto all = rows_of(fields, true);
  kernels::rows_ahead ahead;
  for_each_row([&](const plans::block_row& row, const detail::shape_kernels::compiled& c, std::size_t at) {
    const auto index = all.index_of(row);
    if (ahead.has(index) || c.bytes == 0) return;
    all.wire = wire + at;
    if (together_.marked.has(index) &&
        kernels::move_together(all, 0, index, together_, ahead, [](const auto& them) { them.make(); }))
      return;
    if (in_bulk != nullptr && c.bytes >= copies_for_reader::long_run && c.kind == plans::block::form::strided &&
        c.gather.head.loops == 0)
      return in_bulk->copy(wire + at, field_of(row, fields) + row.offset, c.bytes);
    kernels_->gather(row, c, *code_, field_of(row, fields), wire + at);
  });
}

void detail::message_packing::unpack(plans::field_table fields, const std::byte* wire) const {
  const auto* op = operation_ == detail::store ? nullptr : &code_->reductions[static_cast<std::size_t>(operation_)];
  if (op == nullptr && is_for_team())  // data that is combined keeps its order
    return by_team(
        [&](const plans::block_row& row, const detail::shape_kernels::compiled& c, std::size_t at, int part,
            int parts) {
          if (parts == 1) return kernels_->scatter(row, c, *code_, wire + at, field_of(row, fields));
          kernels_->joints_.run_part(c.scatter, wire + at, field_of(row, fields) + row.offset, part, parts);
        },
        [&](const detail::row_pair& pair, std::size_t at, int part, int parts) {
          auto all = rows_of(fields, false);
          all.wire = wire + at;
          kernels::two_sides(all, pair).make_part(part, parts);
        });
  if (is_plain_ && op == nullptr)
    return for_each_plain_row(fields, [wire](const auto& c, const auto* loops, std::byte* row, std::size_t at) {
      c.scatter.run(loops, wire + at, row);
    });
  auto all = rows_of(fields, false);
  kernels::rows_ahead ahead;
  for_each_row([&](const plans::block_row& row, const detail::shape_kernels::compiled& c, std::size_t at) {
    const auto index = all.index_of(row);
    if (ahead.has(index) || c.bytes == 0) return;
    if (op != nullptr) return kernels_->combine(row, *op, wire + at, field_of(row, fields));
    all.wire = wire + at;
    if (together_.marked.has(index) &&
        kernels::move_together(all, 0, index, together_, ahead, [](const auto& them) { them.make(); }))
      return;
    kernels_->scatter(row, c, *code_, wire + at, field_of(row, fields));
  });
}

void detail::message_packing::pack_in_bulk(plans::field_table fields, std::span<std::byte> bounce, std::byte* wire,
                                           copies_for_reader& to_wire) const {
  if (is_for_team() || to_wire.may_be_gathered_straight())
    pack_straight(fields, wire, &to_wire);
  else
    pack_by_way_of(fields, bounce, wire, to_wire);
}

void detail::message_packing::pack_plain_by_way_of(plans::field_table fields, std::span<std::byte> bounce,
                                                   std::byte* wire, copies_for_reader& to_wire) const {
  auto* const first = bounce.data();
  const auto most = bounce.size();
  std::size_t begin = 0, end = 0;  // the part of the wire that is in `bounce`
  for_each_plain_row(fields, [&, first, most](const auto& c, const auto* loops, const std::byte* row, std::size_t at) {
    if (at + c.bytes - begin > most) {
      to_wire.copy(wire + begin, first, end - begin);
      begin = at;
    }
    c.gather.run(loops, row, first + (at - begin));
    end = at + c.bytes;
  });
  to_wire.copy(wire + begin, first, end - begin);
}

void detail::message_packing::pack_by_way_of(plans::field_table fields, std::span<std::byte> bounce, std::byte* wire,
                                             copies_for_reader& to_wire) const {
  if (bytes_ <= bounce.size()) {  // then no block is in pieces, either
    pack(fields, bounce.data());
    return to_wire.copy(wire, bounce.data(), bytes_);
  }
  if (is_plain_ && longest_ <= bounce.size()) return pack_plain_by_way_of(fields, bounce, wire, to_wire);
  std::size_t begin = 0, end = 0;  // the part of the wire that is in `bounce`
  const auto flush = [&](std::size_t next) {
    to_wire.copy(wire + begin, bounce.data(), end - begin);
    begin = end = next;
  };
  const auto add = [&](std::size_t at, std::size_t bytes, const std::byte* contiguous, auto&& pack) {
    if (begin == end) begin = end = at;
    if (at + bytes - begin > bounce.size()) flush(at);
    if (bytes <= bounce.size()) {
      pack(bounce.data() + (at - begin));
      end = at + bytes;
      return;
    }
    if (contiguous != nullptr)
      to_wire.copy(wire + at, contiguous, bytes);
    else
      pack(wire + at);
    begin = end = at + bytes;
  };
  auto all = rows_of(fields, true);
  kernels::rows_ahead ahead;
  const bool none_is_marked = together_.marked.empty();
  for_each_row([&](const plans::block_row& row, const detail::shape_kernels::compiled& c, std::size_t at) {
    const auto whole = [&](std::byte* to) { kernels_->gather(row, c, *code_, field_of(row, fields), to); };
    if (none_is_marked && c.pieces == 0 && c.bytes > 0 && c.bytes <= bounce.size())
      return add(at, c.bytes, nullptr, whole);
    const auto index = all.index_of(row);
    if (ahead.has(index)) return flush(at);  // `bounce` cannot hold the wire on both sides of this row
    if (c.bytes == 0) return;
    all.wire = wire + at;
    const auto move = [&](const kernels::interleaved_copies& together) {
      flush(at);
      if (!pack_together(together, bounce, to_wire)) together.make();
    };
    if (together_.marked.has(index) && kernels::move_together(all, 0, index, together_, ahead, move)) return;
    const auto* field = field_of(row, fields);
    const bool strided = c.kind == plans::block::form::strided;
    const auto straight = [&](const detail::joint_copies::entry& gather, std::int64_t offset) {
      return strided && gather.head.loops == 0 ? field + offset : nullptr;
    };
    if (c.pieces == 0) add(at, c.bytes, straight(c.gather, row.offset), whole);
    for (std::uint32_t i = c.first_piece; i < c.first_piece + c.pieces; ++i) {
      const auto& piece = kernels_->pieces_[i];
      const auto offset = row.offset + piece.offset;
      add(at + piece.wire, piece.bytes, straight(piece.gather, offset),
          [&](std::byte* to) { kernels_->joints_.run(piece.gather, field + offset, to); });
    }
  });
  flush(end);
}

}  // namespace wherry
