#include <iomanip>
#include <sstream>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry::plans {
namespace {

std::string shape_of(const block& b, const index_table& lists) {
  const auto conversion =
      b.converts() ? detail::text(", elements of ", b.wire_element, " B become ", b.element, " B") : "";
  if (b.kind == block::form::indexed) return detail::text(b.run, " B × ", lists.explain(b.list), conversion);
  if (b.kind == block::form::called) return detail::text("region ", b.offset, ", ", b.run, " B");
  std::string out = detail::text(b.run, " B");
  for (int d = 0; d < b.loops; ++d) {
    const auto& l = b.loop[static_cast<std::size_t>(d)];
    out += detail::text(" × ", l.extent, " (stride ", l.stride, ")");
  }
  return out + conversion;
}

void json_block(std::ostringstream& out, const block& b) {
  constexpr const char* forms[] = {"strided", "indexed", "called"};
  out << "{\"form\":\"" << forms[static_cast<int>(b.kind)] << "\",\"field\":" << b.field << ",\"offset\":" << b.offset
      << ",\"run\":" << b.run << ",\"bytes\":" << b.wire_bytes();
  if (b.operation != detail::store) out << ",\"operation\":" << b.operation;
  if (b.converts()) out << ",\"element\":" << b.element << ",\"wire_element\":" << b.wire_element;
  out << ",\"loops\":[";
  for (int d = 0; d < b.loops; ++d) {
    const auto& l = b.loop[static_cast<std::size_t>(d)];
    out << (d > 0 ? "," : "") << '[' << l.extent << ',' << l.stride << ']';
  }
  out << "]}";
}

void json_messages(std::ostringstream& out, const schedule& plan, const std::vector<message>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    out << (i > 0 ? "," : "") << "{\"peer\":" << list[i].peer << ",\"bytes\":" << plan.bytes_of(list[i])
        << ",\"operation\":" << list[i].operation << ",\"blocks\":[";
    bool first = true;
    for (const auto& row : plan.rows_of(list[i])) {
      if (!std::exchange(first, false)) out << ',';
      json_block(out, plan.what(row));
    }
    out << "]}";
  }
}

std::string counted(std::size_t number, const char* word) {
  return std::to_string(number) + ' ' + word + (number == 1 ? "" : "s");
}

}  // namespace

std::string schedule::explain() const {
  std::ostringstream out;
  out << pattern << ": " << counted(fields.size(), "field") << ", " << counted(stages.size(), "stage") << ", sends "
      << bytes_sent() << " B, receives " << bytes_received() << " B, copies " << bytes_copied() << " B\n";
  const auto row = [&](std::size_t stage, std::string_view way, int peer, const block& b) {
    out << std::setw(5) << stage << "  " << std::left << std::setw(8) << way << std::right << std::setw(6)
        << (peer < 0 ? std::string("self") : std::to_string(peer)) << std::setw(7) << b.field << std::setw(12)
        << b.wire_bytes() << "  " << shape_of(b, indices) << '\n';
  };
  out << "stage  what      peer  field       bytes  shape, innermost first\n";
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (const auto& m : stages[s].sends)
      for (const auto& b : rows_of(m)) row(s, "send", m.peer, what(b));
    for (const auto& m : stages[s].receives)
      for (const auto& b : rows_of(m)) row(s, "receive", m.peer, what(b));
    for (const auto& list : stages[s].copies)
      for (const auto& c : rows_of(list)) row(s, "copy", -1, what(c.to));
  }
  return std::move(out).str();
}

std::string schedule::to_json() const {
  std::ostringstream out;
  out << "{\"pattern\":\"" << pattern << "\",\"fields\":" << fields.size() << ",\"stages\":[";
  for (std::size_t s = 0; s < stages.size(); ++s) {
    out << (s > 0 ? "," : "") << "{\"sends\":[";
    json_messages(out, *this, stages[s].sends);
    out << "],\"receives\":[";
    json_messages(out, *this, stages[s].receives);
    out << "],\"copies\":[";
    bool first = true;
    for (const auto& list : stages[s].copies)
      for (const auto& c : rows_of(list)) {
        out << (std::exchange(first, false) ? "" : ",") << "{\"from\":";
        json_block(out, what(c.from));
        out << ",\"to\":";
        json_block(out, what(c.to));
        out << ",\"operation\":" << list.operation << '}';
      }
    out << "]}";
  }
  out << "]}";
  return std::move(out).str();
}

}  // namespace wherry::plans
