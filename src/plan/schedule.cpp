#include "wherry/plan/schedule.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

constexpr checked total_size{"schedule", "number of bytes"};

/// Checks the parts of one schedule; keeps where it is, for the error text.
class validator {
 public:
  validator(const schedule& plan, int rank, int ranks) : plan_(plan), rank_(rank), ranks_(ranks) {}

  void run() const {
    for (const auto& stage : plan_.stages) {
      messages(stage.sends, "send", false);
      messages(stage.receives, "receive", true);
      for (const auto& copy : stage.copies) {
        leaves(copy.from, "copy");
        arrives(copy.to, copy.operation, "copy");
        if (copy.from.bytes() != copy.to.wire_bytes())
          fail(text("a copy reads ", copy.from.bytes(), " bytes but writes ", copy.to.wire_bytes()));
      }
    }
  }

 private:
  void messages(const std::vector<message>& list, std::string_view what, bool receive) const {
    int before = -1;
    for (const auto& m : list) {
      if (m.peer < 0 || m.peer >= ranks_)
        fail(text("a ", what, " names rank ", m.peer, " of a communicator of ", ranks_));
      if (m.peer == rank_) fail(text("a ", what, " goes to the rank itself: that is a local copy"));
      if (m.peer <= before) fail(text("the ", what, "s are not in ascending order of peers at rank ", m.peer));
      before = m.peer;
      for (const auto& b : m.blocks) receive ? arrives(b, m.operation, what) : leaves(b, what);
    }
  }

  void leaves(const block& b, std::string_view what) const {
    inside(b, what);
    if (b.wire_element != 0) fail(text("a ", what, " converts where it leaves: only what arrives can be converted"));
  }

  void arrives(const block& b, int operation, std::string_view what) const {
    inside(b, what);
    if (!b.converts()) return;
    if (b.kind == block::form::called || operation == store)
      fail(text("a ", what, " converts elements of ", b.wire_element, " bytes into ", b.element,
                " but names no operation that does so"));
    if (b.wire_element < 0 || b.element <= 0 || b.run % b.element != 0)
      fail(
          text("a ", what, " converts elements of ", b.wire_element, " bytes into ", b.element, " in rows of ", b.run));
  }

  void inside(const block& b, std::string_view what) const {
    if (b.field < 0 || static_cast<std::size_t>(b.field) >= plan_.fields.size())
      fail(text("a ", what, " names field ", b.field, " of ", plan_.fields.size()));
    if (b.run < 0 || b.count < 0) fail(text("a ", what, " has a negative size"));
    if (b.loops < 0 || b.loops > max_block_rank) fail(text("a ", what, " has ", int{b.loops}, " loops"));
    for (int d = 0; d < b.loops; ++d)
      if (b.loop[static_cast<std::size_t>(d)].extent < 0) fail(text("a ", what, " has a negative extent"));
    const auto& field = plan_.fields[static_cast<std::size_t>(b.field)];
    if (b.kind == block::form::indexed) return inside_indexed(b, field, what);
    if (b.kind != block::form::strided || b.bytes() == 0 || field.lowest == field.highest) return;
    if (b.lowest() < field.lowest || b.highest() > field.highest)
      fail(text("a ", what, " touches bytes ", b.lowest(), " to ", b.highest(), " of field ", b.field, " '", field.name,
                "', which has bytes ", field.lowest, " to ", field.highest));
  }

  void inside_indexed(const block& b, const field_shape& field, std::string_view what) const {
    const auto indices = std::ssize(plan_.indices);
    if (b.offset < 0 || b.offset > indices || b.count > indices - b.offset)
      fail(text("a ", what, " names ", b.count, " indices from ", b.offset, " on, of ", indices));
    if (field.lowest == field.highest) return;
    for (std::int64_t i = b.offset; i < b.offset + b.count; ++i) {
      const auto at = plan_.indices[static_cast<std::size_t>(i)];
      if (at < field.lowest || at > field.highest || b.run > field.highest - at)
        fail(text("a ", what, " names byte ", at, " of field ", b.field, " '", field.name, "', which has bytes ",
                  field.lowest, " to ", field.highest));
    }
  }

  [[noreturn]] void fail(std::string_view what) const { throw error(error_kind::argument, plan_.pattern, what, rank_); }

  const schedule& plan_;
  int rank_, ranks_;
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
    for (std::int64_t i = b.offset; i < b.offset + b.count; ++i) {
      const auto at = plan.indices[static_cast<std::size_t>(i)];
      pieces.push_back({b.field, at, at + b.run, written});
    }
}

void sort_by_place(std::vector<piece>& pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const piece& a, const piece& b) { return a.field != b.field ? a.field < b.field : a.first < b.first; });
}

/// The first byte that one copy of a stage writes and another, or the same, reads. Those that know that they overlap
/// read first; of what others write there is still no telling.
const piece* read_and_written(std::vector<piece>& pieces) {
  sort_by_place(pieces);
  std::int32_t field = -1;
  std::int64_t until[2] = {};  // where what is read, and what is written, ends
  for (const auto& p : pieces) {
    if (p.field != field) field = p.field, until[0] = until[1] = p.first;
    if (p.first < until[p.written ? 0 : 1]) return &p;
    auto& mine = until[p.written ? 1 : 0];
    mine = std::max(mine, p.last);
  }
  return nullptr;
}

std::int64_t sum(const std::vector<message>& list) {
  std::int64_t total = 0;
  for (const auto& m : list)
    for (const auto& b : m.blocks) total = total_size.sum(total, b.wire_bytes());
  return total;
}

std::string shape_of(const block& b) {
  const auto conversion = b.converts() ? text(", elements of ", b.wire_element, " B become ", b.element, " B") : "";
  if (b.kind == block::form::indexed) return text(b.count, " indices × ", b.run, " B", conversion);
  if (b.kind == block::form::called) return text("region ", b.offset, ", ", b.run, " B");
  std::string out = text(b.run, " B");
  for (int d = 0; d < b.loops; ++d) {
    const auto& l = b.loop[static_cast<std::size_t>(d)];
    out += text(" × ", l.extent, " (stride ", l.stride, ")");
  }
  return out + conversion;
}

void json_block(std::ostringstream& out, const block& b) {
  constexpr const char* forms[] = {"strided", "indexed", "called"};
  out << "{\"form\":\"" << forms[static_cast<int>(b.kind)] << "\",\"field\":" << b.field << ",\"offset\":" << b.offset
      << ",\"run\":" << b.run << ",\"bytes\":" << b.wire_bytes();
  if (b.converts()) out << ",\"element\":" << b.element << ",\"wire_element\":" << b.wire_element;
  out << ",\"loops\":[";
  for (int d = 0; d < b.loops; ++d) {
    const auto& l = b.loop[static_cast<std::size_t>(d)];
    out << (d > 0 ? "," : "") << '[' << l.extent << ',' << l.stride << ']';
  }
  out << "]}";
}

void json_messages(std::ostringstream& out, const std::vector<message>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    out << (i > 0 ? "," : "") << "{\"peer\":" << list[i].peer << ",\"bytes\":" << list[i].bytes()
        << ",\"operation\":" << list[i].operation << ",\"blocks\":[";
    for (std::size_t k = 0; k < list[i].blocks.size(); ++k) {
      if (k > 0) out << ',';
      json_block(out, list[i].blocks[k]);
    }
    out << "]}";
  }
}

}  // namespace

std::int64_t message::bytes() const {
  std::int64_t end = 0;
  for (const auto& b : blocks) end = total_size.sum(align_on_wire(end), b.wire_bytes());
  return end;
}

element_type leaving_type(const block& b, const schedule& plan) {
  return b.kind == block::form::called ? element_type{} : plan.fields[static_cast<std::size_t>(b.field)].type;
}

element_type arriving_type(const block& b, int operation, const schedule& plan, const functions& code) {
  if (operation == store) return leaving_type(b, plan);
  const auto taken = code.reductions[static_cast<std::size_t>(operation)].wire_type;
  return taken.kind == element_kind::bytes && !b.converts() ? leaving_type(b, plan) : taken;
}

void schedule::validate(int rank, int ranks) const { validator(*this, rank, ranks).run(); }

void schedule::check_overlaps(int rank, const functions& code) const {
  const auto stores = [&](int operation) {
    return operation == store || (static_cast<std::size_t>(operation) < code.reductions.size() &&
                                  code.reductions[static_cast<std::size_t>(operation)].stores);
  };
  for (const auto& stage : stages) {
    std::vector<piece> pieces;
    for (const auto& m : stage.receives)
      if (stores(m.operation))
        for (const auto& b : m.blocks) add_pieces(*this, b, pieces);
    for (const auto& c : stage.copies)
      if (stores(c.operation)) add_pieces(*this, c.to, pieces);
    sort_by_place(pieces);
    for (std::size_t i = 1; i < pieces.size(); ++i)
      if (pieces[i].field == pieces[i - 1].field && pieces[i].first < pieces[i - 1].last)
        throw error(error_kind::argument, pattern,
                    text("two arrivals write byte ", pieces[i].first, " of field ", pieces[i].field), rank);
    pieces.clear();
    for (const auto& c : stage.copies) {
      if (c.overlaps) continue;
      add_pieces(*this, c.from, pieces, false);
      add_pieces(*this, c.to, pieces);
    }
    if (const auto* both = read_and_written(pieces))
      throw error(
          error_kind::argument, pattern,
          text("a copy reads byte ", both->first, " of field ", both->field, ", which a copy at the same time writes"),
          rank);
  }
}

std::int64_t schedule::bytes_sent() const {
  std::int64_t total = 0;
  for (const auto& s : stages) total = total_size.sum(total, sum(s.sends));
  return total;
}

std::int64_t schedule::bytes_received() const {
  std::int64_t total = 0;
  for (const auto& s : stages) total = total_size.sum(total, sum(s.receives));
  return total;
}

std::int64_t schedule::bytes_copied() const {
  std::int64_t total = 0;
  for (const auto& s : stages)
    for (const auto& c : s.copies) total = total_size.sum(total, c.to.wire_bytes());
  return total;
}

std::string schedule::explain() const {
  std::ostringstream out;
  out << pattern << ": " << fields.size() << " fields, " << stages.size() << " stages, sends " << bytes_sent()
      << " B, receives " << bytes_received() << " B, copies " << bytes_copied() << " B\n";
  const auto row = [&](std::size_t stage, std::string_view what, int peer, const block& b) {
    out << std::setw(5) << stage << "  " << std::left << std::setw(8) << what << std::right << std::setw(6)
        << (peer < 0 ? std::string("self") : std::to_string(peer)) << std::setw(7) << b.field << std::setw(12)
        << b.wire_bytes() << "  " << shape_of(b) << '\n';
  };
  out << "stage  what      peer  field       bytes  shape, innermost first\n";
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (const auto& m : stages[s].sends)
      for (const auto& b : m.blocks) row(s, "send", m.peer, b);
    for (const auto& m : stages[s].receives)
      for (const auto& b : m.blocks) row(s, "receive", m.peer, b);
    for (const auto& c : stages[s].copies) row(s, "copy", -1, c.to);
  }
  return std::move(out).str();
}

std::string schedule::to_json() const {
  std::ostringstream out;
  out << "{\"pattern\":\"" << pattern << "\",\"fields\":" << fields.size() << ",\"stages\":[";
  for (std::size_t s = 0; s < stages.size(); ++s) {
    out << (s > 0 ? "," : "") << "{\"sends\":[";
    json_messages(out, stages[s].sends);
    out << "],\"receives\":[";
    json_messages(out, stages[s].receives);
    out << "],\"copies\":[";
    for (std::size_t i = 0; i < stages[s].copies.size(); ++i) {
      const auto& c = stages[s].copies[i];
      out << (i > 0 ? "," : "") << "{\"from\":";
      json_block(out, c.from);
      out << ",\"to\":";
      json_block(out, c.to);
      out << ",\"operation\":" << c.operation << '}';
    }
    out << "]}";
  }
  out << "]}";
  return std::move(out).str();
}

}  // namespace wherry
