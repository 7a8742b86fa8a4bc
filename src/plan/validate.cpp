#include <algorithm>
#include <cstdint>
#include <limits>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry::plans {
namespace {

/// Checks the parts of one schedule, and keeps the position for the text of an error.
class validator {
 public:
  validator(const schedule& plan, int rank, int ranks)
      : plan_(plan), rank_(rank), ranks_(ranks), seen_(plan.shapes.size()) {
    constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    for (const auto& f : plan.fields)
      f.lowest == f.highest ? reach_.push_back({least, most}) : reach_.push_back({f.lowest, f.highest});
  }

  void run() {
    for (const auto& stage : plan_.stages) {
      messages(stage.sends, "send", false);
      messages(stage.receives, "receive", true);
      for (const auto& list : stage.copies) copies(list);
    }
  }

 private:
  /// The facts about a shape, known once the first block with that shape has been checked.
  struct shape_facts {
    bool checked = false, converts = false, has_wire_element = false, plain = false;
    block::form kind = block::form::strided;
    std::int64_t bytes = 0, wire_bytes = 0, lowest = 0, highest = 0;
  };

  void messages(const std::vector<message>& list, std::string_view what, bool receive) {
    int before = -1;
    for (const auto& m : list) {
      if (m.peer < 0 || m.peer >= ranks_)
        fail(detail::text("a ", what, " names rank ", m.peer, " of a communicator of ", ranks_, " ranks"));
      if (m.peer == rank_) fail(detail::text("a ", what, " goes to the rank itself: use a local copy instead"));
      if (m.peer <= before) fail(detail::text("the ", what, "s are not in ascending order of peers at rank ", m.peer));
      before = m.peer;
      inside(m.first, m.count, plan_.rows.size(), what);
      for (const auto& row : plan_.rows_of(m)) receive ? arrives(row, m.operation, what) : leaves(row, what);
    }
  }

  void copies(const copy_list& list) {
    inside(list.first, list.count, plan_.copies.size(), "copy");
    if (list.inspected && !current_settings().check) return;
    for (const auto& [from, to] : plan_.rows_of(list)) {
      const auto read = leaves(from, "copy"), written = arrives(to, list.operation, "copy");
      if (read != written) fail(detail::text("a copy reads ", read, " bytes but writes ", written));
    }
  }

  /// Checks a block that is sent, and returns its bytes on the wire.
  std::int64_t leaves(const block_row& row, std::string_view what) {
    const auto& facts = inside(row, what);
    if (facts.has_wire_element)
      fail(detail::text("a ", what, " converts where it leaves: only incoming data can be converted"));
    return facts.bytes;
  }

  std::int64_t arrives(const block_row& row, int operation, std::string_view what) {
    const auto& facts = inside(row, what);
    if (facts.converts) check_conversion(plan_.what(row), operation, what);
    return facts.wire_bytes;
  }

  void check_conversion(const block& b, int operation, std::string_view what) const {
    if (b.kind == block::form::called || operation == detail::store)
      fail(detail::text("a ", what, " converts elements of ", b.wire_element, " bytes into ", b.element,
                        " but names no operation that does so"));
    if (b.wire_element < 0 || b.element <= 0 || b.run % b.element != 0)
      fail(detail::text("a ", what, " converts elements of ", b.wire_element, " bytes into ", b.element, " in rows of ",
                        b.run));
  }

  void inside(std::size_t first, std::size_t count, std::size_t rows, std::string_view what) const {
    if (first > rows || count > rows - first)
      fail(detail::text("a ", what, " names ", count, " rows from ", first, " on, of ", rows));
  }

  const shape_facts& inside(const block_row& row, std::string_view what) {
    // Nearly all blocks are strided, have a shape that was met before, and lie inside their field.
    if (row.field >= 0 && static_cast<std::size_t>(row.field) < reach_.size() && row.shape < seen_.size()) {
      const auto& known = seen_[row.shape];
      const auto& field = reach_[static_cast<std::size_t>(row.field)];
      std::int64_t lowest = 0, highest = 0;
      if (known.plain && !__builtin_add_overflow(row.offset, known.lowest, &lowest) &&
          !__builtin_add_overflow(row.offset, known.highest, &highest) && lowest >= field.lowest &&
          highest <= field.highest)
        return known;
    }
    return look_inside(row, what);
  }

  const shape_facts& look_inside(const block_row& row, std::string_view what) {
    if (row.field < 0 || static_cast<std::size_t>(row.field) >= plan_.fields.size())
      fail(detail::text("a ", what, " names field ", row.field, " of ", plan_.fields.size()));
    if (row.shape >= seen_.size()) fail(detail::text("a ", what, " names shape ", row.shape, " of ", seen_.size()));
    auto& facts = seen_[row.shape];
    if (!facts.checked) look_at(row.shape, facts, what);
    const auto& field = plan_.fields[static_cast<std::size_t>(row.field)];
    if (facts.kind == block::form::indexed) inside_indexed(plan_.what(row), field, what);
    if (facts.kind != block::form::strided || facts.bytes == 0 || field.lowest == field.highest) return facts;
    constexpr detail::checked reach{"block", "reach of the bytes"};
    const auto lowest = reach.sum(row.offset, facts.lowest), highest = reach.sum(row.offset, facts.highest);
    if (lowest < field.lowest || highest > field.highest)
      fail(detail::text("a ", what, " touches bytes ", lowest, " to ", highest, " of field ", row.field, " '",
                        field.name, "', which has bytes ", field.lowest, " to ", field.highest));
    return facts;
  }

  void look_at(std::uint32_t shape, shape_facts& facts, std::string_view what) const {
    const block b = plan_.shapes[shape];
    if (b.run < 0 || b.count < 0) fail(detail::text("a ", what, " has a negative size"));
    if (b.loops < 0 || b.loops > max_block_rank) fail(detail::text("a ", what, " has ", int{b.loops}, " loops"));
    for (int d = 0; d < b.loops; ++d)
      if (b.loop[static_cast<std::size_t>(d)].extent < 0) fail(detail::text("a ", what, " has a negative extent"));
    facts = {true, b.converts(), b.wire_element != 0, false, b.kind, b.bytes()};
    // A conversion of elements without bytes is reported later, with a better text.
    facts.wire_bytes = b.element > 0 ? b.wire_bytes() : facts.bytes;
    if (b.kind != block::form::strided || facts.bytes == 0) return;
    facts.lowest = b.lowest();
    facts.highest = b.highest();
    facts.plain = true;
  }

  void inside_indexed(const block& b, const field_shape& field, std::string_view what) const {
    const auto& lists = plan_.indices;
    if (b.list < 0 || b.list >= lists.size())
      fail(detail::text("a ", what, " names list ", b.list, " of ", lists.size()));
    const auto places = lists.count(b.list);
    if (b.skipped < 0 || b.skipped > places || b.count > places - b.skipped)
      fail(detail::text("a ", what, " names ", b.count, " indices from ", b.skipped, " on, of ", places));
    if (field.lowest == field.highest || b.count == 0) return;
    constexpr detail::checked reach{"block", "reach of the bytes"};
    for (const auto place : {lists.lowest(b.list), lists.highest(b.list)}) {
      const auto at = reach.sum(b.offset, reach.product(place, b.unit));
      if (at < field.lowest || at > field.highest || b.run > field.highest - at)
        fail(detail::text("a ", what, " names byte ", at, " of field ", b.field, " '", field.name,
                          "', which has bytes ", field.lowest, " to ", field.highest));
    }
  }

  [[noreturn]] void fail(std::string_view what) const { throw error(error_kind::argument, plan_.pattern, what, rank_); }

  const schedule& plan_;
  int rank_, ranks_;
  struct bytes_of_field {
    std::int64_t lowest, highest;
  };
  std::vector<bytes_of_field> reach_;  // of each field; everything for a field of unknown size
  std::vector<shape_facts> seen_;      // for each shape
};

struct piece {
  std::int32_t field;
  std::int64_t first, last;
  bool written = true;
};

void add_pieces(const schedule& plan, const block& b, std::vector<piece>& pieces, bool written = true) {
  if (b.kind == block::form::strided && b.bytes() > 0)
    for_each_run(b, [&](std::int64_t at, std::int64_t bytes) { pieces.push_back({b.field, at, at + bytes, written}); });
  if (b.kind == block::form::indexed)
    plan.indices.for_each_place(b.list, b.skipped, b.count, [&](std::int64_t place) {
      const auto at = b.offset + place * b.unit;
      pieces.push_back({b.field, at, at + b.run, written});
    });
}

void sort_by_place(std::vector<piece>& pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const piece& a, const piece& b) { return a.field != b.field ? a.field < b.field : a.first < b.first; });
}

/// The first byte that one copy of a stage writes and the same or another copy reads. Copies of a list that `overlaps`
/// read everything before they write, but the result of other copies that write there is not defined.
const piece* read_and_written(std::vector<piece>& pieces) {
  sort_by_place(pieces);
  std::int32_t field = -1;
  std::int64_t until[2] = {};  // the end of what is read, and of what is written
  for (const auto& p : pieces) {
    if (p.field != field) field = p.field, until[0] = until[1] = p.first;
    if (p.first < until[p.written ? 0 : 1]) return &p;
    auto& mine = until[p.written ? 1 : 0];
    mine = std::max(mine, p.last);
  }
  return nullptr;
}

}  // namespace

void schedule::validate(int rank, int ranks) const { validator(*this, rank, ranks).run(); }

void schedule::check_overlaps(int rank, const functions& code) const {
  const auto stores = [&](int operation, const block& b) {
    if (operation == detail::store) return true;
    if (static_cast<std::size_t>(operation) >= code.reductions.size()) return false;
    const auto* op = code.on_arrival(operation, b.operation);
    return op == nullptr || op->stores;
  };
  const auto written = [&](std::vector<piece>& pieces, int operation, const block_row& row) {
    if (const auto b = what(row); stores(operation, b)) add_pieces(*this, b, pieces);
  };
  for (const auto& stage : stages) {
    std::vector<piece> pieces;
    for (const auto& m : stage.receives)
      for (const auto& row : rows_of(m)) written(pieces, m.operation, row);
    for (const auto& list : stage.copies)
      for (const auto& c : rows_of(list)) written(pieces, list.operation, c.to);
    sort_by_place(pieces);
    for (std::size_t i = 1; i < pieces.size(); ++i)
      if (pieces[i].field == pieces[i - 1].field && pieces[i].first < pieces[i - 1].last)
        throw error(error_kind::argument, pattern,
                    detail::text("two arrivals write byte ", pieces[i].first, " of field ", pieces[i].field, " '",
                                 fields[static_cast<std::size_t>(pieces[i].field)].name, '\''),
                    rank);
    pieces.clear();
    for (const auto& list : stage.copies) {
      if (list.overlaps) continue;
      for (const auto& c : rows_of(list)) {
        add_pieces(*this, what(c.from), pieces, false);
        add_pieces(*this, what(c.to), pieces);
      }
    }
    if (const auto* both = read_and_written(pieces))
      throw error(error_kind::argument, pattern,
                  detail::text("a copy reads byte ", both->first, " of field ", both->field,
                               ", which a copy at the same time writes"),
                  rank);
  }
}

}  // namespace wherry::plans
