#include "wherry/plan/schedule.hpp"

#include <algorithm>
#include <utility>

#include "shape_figures.hpp"

namespace wherry::plans {

bool stage::operator==(const stage&) const = default;
bool field_shape::operator==(const field_shape& other) const {
  return name == other.name && element == other.element && lowest == other.lowest && highest == other.highest &&
         space == other.space && type == other.type;
}
bool schedule::operator==(const schedule&) const = default;
namespace {

constexpr detail::checked total_size{"schedule", "number of bytes"};

/// The sizes of blocks on the wire, each computed once for a shape.
class wire_sizes {
 public:
  explicit wire_sizes(const schedule& plan) : plan_(plan), known_(plan.shapes.size(), -1) {}

  std::int64_t of(const block_row& row) {
    auto& bytes = known_[row.shape];
    if (bytes < 0) bytes = wire_bytes_of(plan_.shapes, row.shape);
    return bytes;
  }
  std::int64_t of(const std::vector<message>& list) {
    std::int64_t total = 0;
    for (const auto& m : list)
      for (const auto& row : plan_.rows_of(m)) total = total_size.sum(total, of(row));
    return total;
  }

 private:
  const schedule& plan_;
  std::vector<std::int64_t> known_;
};

}  // namespace

std::span<const block_row> schedule::rows_of(const message& m) const {
  return std::span(rows).subspan(m.first, m.count);
}
std::span<const copy_row> schedule::rows_of(const copy_list& l) const {
  return std::span(copies).subspan(l.first, l.count);
}

block schedule::what(const block_row& row) const {
  block b = shapes[row.shape];
  b.field = row.field;
  b.offset = row.offset;
  return b;
}

std::vector<block> schedule::blocks_of(const message& m) const {
  std::vector<block> result;
  for (const auto& row : rows_of(m)) result.push_back(what(row));
  return result;
}

std::vector<local_copy> schedule::copies_of(const stage& s) const {
  std::vector<local_copy> result;
  for (const auto& list : s.copies)
    for (const auto& [from, to] : rows_of(list))
      result.push_back({what(from), what(to), list.operation, list.overlaps});
  return result;
}

std::int64_t schedule::bytes_of(const message& m) const {
  std::int64_t end = 0;
  for (const auto& row : rows_of(m)) end = total_size.sum(align_on_wire(end), wire_bytes_of(shapes, row.shape));
  return end;
}

block_row schedule::row_of(const block& b) { return {shapes.number_of(b), b.field, b.offset}; }

message schedule::make_message(int peer, int operation, std::span<const block> blocks) {
  const message made{peer, operation, rows.size(), blocks.size()};
  for (const auto& b : blocks) rows.push_back(row_of(b));
  return made;
}

void schedule::add_copy(stage& to, const local_copy& copy) {
  const bool goes_on = !to.copies.empty() && to.copies.back().operation == copy.operation &&
                       to.copies.back().overlaps == copy.overlaps && !to.copies.back().inspected &&
                       to.copies.back().first + to.copies.back().count == copies.size();
  if (!goes_on) to.copies.push_back({copy.operation, copy.overlaps, copies.size(), 0});
  copies.push_back({row_of(copy.from), row_of(copy.to)});
  ++to.copies.back().count;
}

void turn_around(schedule& plan, int operation) {
  for (auto& stage : plan.stages) {
    std::swap(stage.sends, stage.receives);
    for (auto* messages : {&stage.sends, &stage.receives})
      for (auto& m : *messages) m.operation = operation;
    for (auto& list : stage.copies) list.operation = operation;
  }
  for (auto& c : plan.copies) std::swap(c.from, c.to);
}

element_type leaving_type(const block& b, const schedule& plan) {
  return b.kind == block::form::called ? element_type{} : plan.fields[static_cast<std::size_t>(b.field)].type;
}

element_type arriving_type(const block& b, int operation, const schedule& plan, const functions& code) {
  const auto* op = code.on_arrival(operation, b.operation);
  if (op == nullptr) return leaving_type(b, plan);
  const auto taken = op->wire_type;
  return taken.kind == element_kind::bytes && !b.converts() ? leaving_type(b, plan) : taken;
}

std::int64_t schedule::bytes_sent() const {
  wire_sizes sizes(*this);
  std::int64_t total = 0;
  for (const auto& s : stages) total = total_size.sum(total, sizes.of(s.sends));
  return total;
}

std::int64_t schedule::bytes_received() const {
  wire_sizes sizes(*this);
  std::int64_t total = 0;
  for (const auto& s : stages) total = total_size.sum(total, sizes.of(s.receives));
  return total;
}

std::int64_t schedule::bytes_copied() const {
  wire_sizes sizes(*this);
  std::int64_t total = 0;
  for (const auto& s : stages)
    for (const auto& list : s.copies)
      for (const auto& c : rows_of(list)) total = total_size.sum(total, sizes.of(c.to));
  return total;
}

}  // namespace wherry::plans
