#include <algorithm>

#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "core/copies_for_reader.hpp"
#include "interleaved.hpp"

namespace wherry {
namespace {

std::byte* field_of(const block_row& row, field_table fields) {
  return static_cast<std::byte*>(fields[static_cast<std::size_t>(row.field)]);
}

constexpr std::size_t aligned(std::size_t end) { return (end + 15) / 16 * 16; }  // as `align_on_wire`, checked before

/// What of a message's rows is moved.
struct chosen_rows {
  std::span<const block_row> rows;
  const std::uint8_t* choice;
  std::uint8_t wanted;
  const shape_table* shapes;
};
enum class way { to_wire, from_wire };

/// A row at this place of the wire, and those after it that lie between it in their fields, to be moved together; they
/// are noted. Mostly there are none, which is to be seen at once.
/// @param bytes_of what a row takes on the wire
/// @return false: only itself, and nothing is filled in
template <class BytesOf>
bool find_interleaved(const chosen_rows& all, const block_row& row, field_table fields, std::byte* wire,
                      BytesOf&& bytes_of, way where, kernels::interleaved_copies& together,
                      kernels::rows_ahead& ahead) {
  const auto* words = all.shapes != nullptr ? all.shapes->strided_words(row.shape) : nullptr;
  if (!kernels::leaves_gaps(words)) return false;
  const auto index = static_cast<std::size_t>(&row - all.rows.data());
  const auto end = std::min(all.rows.size(), index + kernels::rows_ahead::most);
  const std::byte *const first = field_of(row, fields) + row.offset, *last = first;
  const auto add = [&](const std::byte* place, std::byte* packed) {
    auto* const there = const_cast<std::byte*>(place);
    where == way::to_wire ? together.add(there, packed) : together.add(packed, there);
  };
  auto* const begin = wire;
  wire += aligned(bytes_of(row));
  kernels::rows_before before(kernels::is_nested(words));
  const kernels::row_ranges ranges(words);
  // Nobody writes what is packed.
  const auto written_by = [&](const block_row& one, const std::byte* place) {
    return where == way::from_wire ? ranges.of(all.shapes->strided_words(one.shape), place) : kernels::row_range{};
  };
  before.add_joined({}, written_by(row, first));
  for (auto i = index + 1; i < end && together.count < together.most; ++i) {
    const auto& next = all.rows[i];
    if (all.choice != nullptr && all.choice[i] != all.wanted) continue;
    const auto* const place = field_of(next, fields) + next.offset;
    const auto written = written_by(next, place);
    if (next.shape == row.shape && next.field != row.field && kernels::lies_between(words, first, last, place) &&
        !ahead.has(i) && before.let_join({}, written)) {
      if (together.count == 0) add(first, begin);
      add(place, wire);
      ahead.add(i);
      last = place;
      before.add_joined({}, written);
    } else if (!before.add_passed({}, written)) {
      break;
    }
    wire += aligned(bytes_of(next));
  }
  if (together.count == 0) return false;
  kernels::set_walk(together, where == way::to_wire ? words : nullptr, where == way::to_wire ? nullptr : words);
  return true;
}

/// Packs in bulk as many iterations of the outermost loop at a time as `bounce` takes. False: not even one.
bool pack_together(const kernels::interleaved_copies& together, std::span<std::byte> bounce,
                   copies_for_reader& to_wire) {
  const auto& outer = together.loop[together.loops - 1];
  const auto each = static_cast<std::size_t>(outer.to);  // bytes of an iteration on the wire
  const auto at_once = static_cast<std::int64_t>(bounce.size() / together.count / each);
  if (at_once == 0) return false;
  auto part = together;
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

void check_functions(const block_row& row, int operation, const schedule& plan, const functions& code) {
  const auto field = static_cast<std::size_t>(row.field);
  if (field >= code.accessors.size() || !code.accessors[field].gather || !code.accessors[field].scatter)
    throw error(error_kind::argument, plan.pattern, text("field ", field, " has no gather and scatter functions"));
  if (operation != store)
    throw error(error_kind::argument, plan.pattern, "a reduction is not possible on gather and scatter functions");
}

}  // namespace

message_packing::message_packing(std::span<const block_row> rows, int operation, const schedule& plan,
                                 shape_kernels& kernels, const functions& code)
    : rows_(rows), kernels_(&kernels), code_(&code), operation_(operation) {
  for (const auto& row : rows_) {
    kernels.require(row.shape);
    if (kernels.of(row).kind == block::form::called) check_functions(row, operation, plan, code);
  }
  measure();
}

void message_packing::choose(const std::vector<std::uint8_t>& choice, std::uint8_t wanted) {
  choice_ = choice.data();
  wanted_ = wanted;
  measure();
}

void message_packing::measure() {
  bytes_ = 0;
  for_each_row([&](const block_row&, const shape_kernels::compiled& c, std::size_t wire) {
    constexpr checked size{"message", "number of bytes"};
    bytes_ = size.sum(wire, c.wire_bytes);
  });
}

/// Calls `visit(row, kernels, bytes on the wire before it)`.
template <class Visit> void message_packing::for_each_row(Visit&& visit) const {
  std::size_t wire = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (choice_ != nullptr && choice_[i] != wanted_) continue;
    const auto& c = kernels_->of(rows_[i]);
    visit(rows_[i], c, wire = aligned(wire));
    wire += c.wire_bytes;
  }
}

/// Calls `move(row, kernels, bytes on the wire before it, part, parts)` by a team: of long rows each moves a part, of
/// short ones each some. What is called is the user's, and called by this thread.
template <class Move> void message_packing::by_team(Move&& move) const {
  const auto& team = kernels_->team();
  for_each_row([&](const block_row& row, const shape_kernels::compiled& c, std::size_t at) {
    if (c.kind == block::form::called && c.bytes > 0) move(row, c, at, 0, 1);
  });
  team.run([&](int number) {
    int turn = 0;
    for_each_row([&](const block_row& row, const shape_kernels::compiled& c, std::size_t at) {
      if (c.kind == block::form::called || c.bytes == 0) return;
      if (c.kind == block::form::strided && c.bytes >= static_cast<std::size_t>(shape_kernels::piece_bytes))
        return move(row, c, at, number, team.size());
      if (turn == number) move(row, c, at, 0, 1);
      turn = turn + 1 == team.size() ? 0 : turn + 1;
    });
  });
}

void message_packing::pack(field_table fields, std::byte* wire) const {
  if (is_for_team())
    return by_team([&](const block_row& row, const shape_kernels::compiled& c, std::size_t at, int part, int parts) {
      if (parts == 1) return kernels_->gather(row, c, *code_, field_of(row, fields), wire + at);
      kernels_->joints_.run_part(c.gather, field_of(row, fields) + row.offset, wire + at, part, parts);
    });
  const chosen_rows all{rows_, choice_, wanted_, kernels_ != nullptr ? &kernels_->plan_->shapes : nullptr};
  const auto bytes_of = [this](const block_row& row) { return kernels_->of(row).wire_bytes; };
  kernels::rows_ahead ahead;
  for_each_row([&](const block_row& row, const shape_kernels::compiled& c, std::size_t at) {
    if (ahead.reach(static_cast<std::size_t>(&row - rows_.data())) || c.bytes == 0) return;
    kernels::interleaved_copies together;
    if (find_interleaved(all, row, fields, wire + at, bytes_of, way::to_wire, together, ahead)) return together.make();
    kernels_->gather(row, c, *code_, field_of(row, fields), wire + at);
  });
}

void message_packing::unpack(field_table fields, const std::byte* wire) const {
  const auto* op = operation_ == store ? nullptr : &code_->reductions[static_cast<std::size_t>(operation_)];
  if (op == nullptr && is_for_team())  // what is combined keeps its order
    return by_team([&](const block_row& row, const shape_kernels::compiled& c, std::size_t at, int part, int parts) {
      if (parts == 1) return kernels_->scatter(row, c, *code_, wire + at, field_of(row, fields));
      kernels_->joints_.run_part(c.scatter, wire + at, field_of(row, fields) + row.offset, part, parts);
    });
  const chosen_rows all{rows_, choice_, wanted_, kernels_ != nullptr ? &kernels_->plan_->shapes : nullptr};
  const auto bytes_of = [this](const block_row& row) { return kernels_->of(row).wire_bytes; };
  kernels::rows_ahead ahead;
  for_each_row([&](const block_row& row, const shape_kernels::compiled& c, std::size_t at) {
    if (ahead.reach(static_cast<std::size_t>(&row - rows_.data())) || c.bytes == 0) return;
    if (op != nullptr) return kernels_->combine(row, *op, wire + at, field_of(row, fields));
    kernels::interleaved_copies together;
    auto* const from = const_cast<std::byte*>(wire) + at;
    if (find_interleaved(all, row, fields, from, bytes_of, way::from_wire, together, ahead)) return together.make();
    kernels_->scatter(row, c, *code_, wire + at, field_of(row, fields));
  });
}

void message_packing::pack_in_bulk(field_table fields, std::span<std::byte> bounce, std::byte* wire,
                                   copies_for_reader& to_wire) const {
  if (is_for_team() || to_wire.may_be_stored_straight())
    pack(fields, wire);
  else
    pack_by_way_of(fields, bounce, wire, to_wire);
}

void message_packing::pack_by_way_of(field_table fields, std::span<std::byte> bounce, std::byte* wire,
                                     copies_for_reader& to_wire) const {
  if (bytes_ <= bounce.size()) {  // then no block is in pieces either
    pack(fields, bounce.data());
    return to_wire.copy(wire, bounce.data(), bytes_);
  }
  std::size_t begin = 0, end = 0;  // what of the wire is in `bounce`
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
  const chosen_rows all{rows_, choice_, wanted_, kernels_ != nullptr ? &kernels_->plan_->shapes : nullptr};
  const auto bytes_of = [this](const block_row& row) { return kernels_->of(row).wire_bytes; };
  kernels::rows_ahead ahead;
  for_each_row([&](const block_row& row, const shape_kernels::compiled& c, std::size_t at) {
    if (ahead.reach(static_cast<std::size_t>(&row - rows_.data())))
      return flush(at);  // `bounce` holds nothing on both sides of it
    if (c.bytes == 0) return;
    kernels::interleaved_copies together;
    if (find_interleaved(all, row, fields, wire + at, bytes_of, way::to_wire, together, ahead)) {
      flush(at);
      if (!pack_together(together, bounce, to_wire)) together.make();
      return;
    }
    const auto* field = field_of(row, fields);
    const bool strided = c.kind == block::form::strided;
    const auto straight = [&](const joint_copies::entry& gather, std::int64_t offset) {
      return strided && gather.head.loops == 0 ? field + offset : nullptr;
    };
    if (c.pieces == 0)
      add(at, c.bytes, straight(c.gather, row.offset),
          [&](std::byte* to) { kernels_->gather(row, c, *code_, field, to); });
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
