// The part of `device_fields` that runs once, at bind: it divides a plan into the device's work (packing, copying and
// unpacking) and the host's.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "wherry/core/error.hpp"

#include "device_fields.hpp"
#include "single_places.hpp"

namespace wherry {
namespace {

constexpr std::int64_t largest_field_unit = 16;

bool keeps_what_was_there(const plans::typed_reduction* how) { return how != nullptr && !how->stores; }

/// Calls `visit` with the place of each element of a block.
template <class Visit> void for_each_element(const plans::block& b, const plans::schedule& plan, const Visit& visit) {
  if (b.kind == plans::block::form::strided) {
    plans::for_each_run(b, [&](std::int64_t offset, std::int64_t bytes) {
      for (std::int64_t i = 0; i < bytes; i += b.element) visit(offset + i);
    });
  } else {
    plan.indices.for_each_place(b.list, b.skipped, b.count, [&](std::int64_t place) {
      for (std::int64_t i = 0; i < b.run; i += b.element) visit(b.offset + place * b.unit + i);
    });
  }
}

}  // namespace

std::unique_ptr<device_fields> device_fields::of(const communicator& comm, const plans::schedule& users,
                                                 plans::functions& code, bool snapshot) {
  const auto on_device = [](const plans::field_shape& f) { return f.space == memory_space::device; };
  if (std::none_of(users.fields.begin(), users.fields.end(), on_device)) return nullptr;
  const auto* by = device_in_use();
  return by == nullptr ? nullptr : std::unique_ptr<device_fields>(new device_fields(comm, *by, users, code, snapshot));
}

device_fields::device_fields(const communicator& comm, const device& by, const plans::schedule& users,
                             plans::functions& code, bool snapshot)
    : by_(by),
      host_(users),
      snapshot_(snapshot),
      mixed_(by, "between host and device"),
      node_(by, "of the same node"),
      elsewhere_(by, "of other nodes"),
      first_field_(static_cast<std::int32_t>(users.fields.size())),
      parts_(users.stages.size()),
      uploaded_(by),
      ready_(by),
      left_even_(by),
      left_odd_(by),
      done_even_(by),
      done_odd_(by),
      users_(users.fields.size(), nullptr),
      stream_(by) {
  host_.rows.clear();
  host_.copies.clear();
  for (auto& f : host_.fields) {
    on_device_.push_back(f.space == memory_space::device ? 1 : 0);
    f.space = f.space == memory_space::device ? memory_space::host : f.space;
  }
  for (const auto* packed : {&mixed_, &node_, &elsewhere_}) {
    on_device_.push_back(0);
    host_.fields.push_back({.name = detail::text("packed ", packed->name())});
  }
  code.reductions.reserve(2 * code.reductions.size());  // so that pointers to them stay valid
  for (std::size_t s = 0; s < users.stages.size(); ++s) take_stage(comm, users, s, code);
  moves_.assign(on_device_.size() + 1, 0);
  for (const auto& part : parts_)
    for (const auto* list : {&part.packed, &part.copied, &part.unpacked})
      for (const auto& m : *list)
        for (const auto* row : {&m.from, &m.to}) moves_[static_cast<std::size_t>(row->field)] = 1;
  host_.shapes.settle();
  host_.indices.settle();
  may_meet_.add(users);
  for (auto* packed : {&mixed_, &node_, &elsewhere_}) {
    packed->place(packed_memory::where::pinned);
    host_.fields[static_cast<std::size_t>(field_of(*packed))].highest = packed->bytes();
  }
  const auto bytes = are_many() ? images * pointers() * sizeof(void*) : 0;
  table_image_ = device_bytes(by, device_bytes::where::pinned, bytes);
  table_ = device_bytes(by, device_bytes::where::on_device, bytes);
  // If an operation cannot run on a device, all ranks learn it now, and not at the first start.
  in_use_ = &tables_for(largest_field_unit, false);
}

void device_fields::take_stage(const communicator& comm, const plans::schedule& users, std::size_t stage,
                               plans::functions& code) {
  auto& part = host_.stages[stage];
  part.copies.clear();
  for (auto* packed : {&node_, &elsewhere_}) packed->begin_stage();
  take_sends(comm, users, stage);
  for (auto* packed : {&node_, &elsewhere_}) packed->end_sends();
  // The same order in which the host combines: a rank's copies to itself come first, but last in a snapshot.
  if (!snapshot_) take_copies(users, stage, code);
  take_receives(comm, users, stage, code);
  if (snapshot_) take_copies(users, stage, code);
  needs_host_.push_back(part.sends.empty() && part.receives.empty() && part.copies.empty() ? 0 : 1);
}

std::int32_t device_fields::field_of(const packed_memory& where) const {
  return first_field_ + (&where == &mixed_ ? 0 : &where == &node_ ? 1 : 2);
}

packed_memory* device_fields::packed_in(std::int32_t field) {
  return field == field_of(node_) ? &node_ : field == field_of(elsewhere_) ? &elsewhere_ : nullptr;
}

/// The number of pointers: the user's fields, the three packed memories, the buffer, and the node's arrivals.
std::size_t device_fields::pointers() const { return users_.size() + 4 + node_.arrivals(); }

/// Takes room for a block's bytes on the wire, in the same elements, because both sides cut long messages by elements.
plans::block_row device_fields::slot_for(const plans::block_row& row, packed_memory& where) {
  const auto b = host_.what(row);
  const auto bytes = b.wire_bytes(), element = b.converts() ? b.wire_element : b.element;
  const std::array<std::int64_t, 1> extent{bytes / element}, stride{element};
  return host_.row_of(plans::strided_block(field_of(where), element, where.take(host_.pattern, bytes), extent, stride));
}

const plans::typed_reduction* device_fields::of_block(const plans::functions& code, int operation,
                                                      const plans::block_row& row) const {
  return operation == detail::store ? nullptr : code.on_arrival(operation, host_.shapes[row.shape].operation);
}

/// If what arrives is combined, splits a block that names a place more than once into parts that name each place once.
std::vector<std::pair<plans::block_row, plans::block_row>> device_fields::combined_once(
    const plans::block_row& from, const plans::block_row& to, const plans::typed_reduction* how) {
  if (!keeps_what_was_there(how)) return {{from, to}};
  return by_single_places(host_, from, to);
}

/// Replaces the rows of the messages that leave. Messages with equal rows share them, here as in the user's plan.
void device_fields::take_sends(const communicator& comm, const plans::schedule& users, std::size_t stage) {
  std::map<std::tuple<bool, std::size_t, std::size_t>, std::size_t> known;
  for (auto& m : host_.stages[stage].sends) {
    const bool near = comm.node_index(m.peer) >= 0;
    auto& where = packed(near);
    const auto first = m.first;
    const auto [at, is_new] = known.try_emplace({near, m.first, m.count}, host_.rows.size());
    m.first = at->second;
    if (!is_new) continue;
    for (const auto& row : std::span(users.rows).subspan(first, m.count)) {
      if (!is_on_device(row)) {
        where.note_host_memory();
        host_.rows.push_back(row);
        continue;
      }
      const auto slot = slot_for(row, where);
      parts_[stage].packed.push_back({row, slot});
      host_.rows.push_back(slot);
    }
  }
}

/// For a message that the host stores in part and combines in part: an operation by block that does so.
int device_fields::by_block(plans::functions& code, int operation) {
  if (!code.reductions[static_cast<std::size_t>(operation)].by_block.empty()) return operation;
  const auto [at, is_new] = mixtures_.try_emplace(operation, static_cast<int>(code.reductions.size()));
  if (is_new)
    code.reductions.push_back(plans::operations_by_block({code.reductions[static_cast<std::size_t>(operation)]}));
  return at->second;
}

void device_fields::take_receives(const communicator& comm, const plans::schedule& users, std::size_t stage,
                                  plans::functions& code) {
  for (auto& m : host_.stages[stage].receives) {
    const bool near = comm.node_index(m.peer) >= 0;
    auto& where = packed(near);
    const auto arrival = where.begin_arrival();
    const auto rows = std::span(users.rows).subspan(m.first, m.count);
    m.first = host_.rows.size();
    const bool some = std::any_of(rows.begin(), rows.end(), [this](const auto& row) { return is_on_device(row); });
    const bool all = std::all_of(rows.begin(), rows.end(), [this](const auto& row) { return is_on_device(row); });
    const int operation = m.operation;
    if (some && operation != detail::store) m.operation = all ? detail::store : by_block(code, operation);
    if (!all) where.note_host_memory();
    for (const auto& row : rows) {
      if (is_on_device(row)) {
        const auto slot = slot_for(row, where);
        const auto* how = of_block(code, operation, row);
        for (const auto& [from, to] : combined_once(slot, row, how))
          parts_[stage].unpacked.push_back({from, to, how, near ? arrival : none});
        host_.rows.push_back(slot);
      } else if (m.operation == operation) {
        host_.rows.push_back(row);
      } else {
        auto b = host_.what(row);
        b.operation = 0;
        host_.rows.push_back(host_.row_of(b));
      }
    }
  }
}

void device_fields::take_copies(const plans::schedule& users, std::size_t stage, const plans::functions& code) {
  auto& part = parts_[stage];
  std::int64_t buffered = 0;
  const auto between = [&](const plans::block_row& row) {
    const std::array<std::int64_t, 1> extent{host_.what(row).bytes()}, stride{1};
    const auto place = host_.row_of(plans::strided_block(first_field_ + 3, 1, buffered, extent, stride));
    buffered = plans::align_on_wire(detail::checked{host_.pattern, "bytes of a buffer"}.sum(buffered, extent[0]));
    buffer_bytes_ = std::max(buffer_bytes_, buffered);
    return place;
  };
  const auto add = [&](int operation, bool overlaps, const plans::copy_row& row) {
    auto& lists = host_.stages[stage].copies;
    if (lists.empty() || lists.back().operation != operation || lists.back().overlaps != overlaps)
      lists.push_back({operation, overlaps, host_.copies.size(), 0});
    host_.copies.push_back(row);
    ++lists.back().count;
  };
  for (const auto& list : users.stages[stage].copies)
    for (const auto& c : users.rows_of(list)) {
      const bool reads_device = is_on_device(c.from), writes_device = is_on_device(c.to);
      const auto* how = of_block(code, list.operation, c.to);
      if (!reads_device && !writes_device) {
        add(list.operation, list.overlaps, c);
      } else if (reads_device && writes_device) {
        using way = moved::way;
        const auto by = snapshot_ || list.overlaps   ? way::buffered
                        : c.from.field != c.to.field ? way::buffered_where_fields_meet
                                                     : way::direct;
        for (const auto& [from, to] : combined_once(c.from, c.to, how))
          part.copied.push_back({from, to, how, none, by, between(from)});
      } else {
        auto on_host = c;
        if (reads_device) {
          on_host.from = slot_for(c.from, mixed_);
          part.packed.push_back({c.from, on_host.from});
        }
        if (writes_device) {
          on_host.to = slot_for(c.to, mixed_);
          for (const auto& [from, to] : combined_once(on_host.to, c.to, how)) part.unpacked.push_back({from, to, how});
        }
        add(writes_device ? detail::store : list.operation, false, on_host);
      }
    }
}

/// The block that a move reads. A message from the node is read at a pointer of its own, wherever it may lie.
plans::block device_fields::source_of(const moved& m) const {
  auto from = host_.what(m.from);
  if (m.arrival == none) return from;
  from.field = first_field_ + 4 + static_cast<std::int32_t>(m.arrival);
  from.offset -= node_.arrival(m.arrival);
  return from;
}

/// Divides moves into launches. The device combines in the plan's order, so that sums of floats come out as on the
/// host: a move that writes where an earlier one writes waits for the next launch.
device_fields::waves device_fields::in_waves(const std::vector<moved>& all, std::int64_t alignment) {
  // By wave, and then by the user's own operation, if there is one.
  std::vector<std::map<const own_operation*, move_builder>> made;
  std::map<std::int32_t, std::unordered_map<std::int64_t, std::uint32_t>> taken;  // by field and place: the next wave
  const bool in_order = std::any_of(all.begin(), all.end(), [](const moved& m) { return keeps_what_was_there(m.how); });
  for (const auto& m : all) {
    std::uint32_t wave = 0;
    const auto to = host_.what(m.to);
    if (in_order) {
      auto& here = taken[m.to.field];
      for_each_element(to, host_, [&](std::int64_t place) {
        if (const auto found = here.find(place); found != here.end()) wave = std::max(wave, found->second);
      });
      for_each_element(to, host_, [&](std::int64_t place) { here[place] = wave + 1; });
    }
    const operation_on_device how(m.how);
    if (made.size() <= wave) made.resize(wave + 1);
    made[wave].try_emplace(how.own, host_, alignment).first->second.add(source_of(m), to, how);
  }
  waves result;
  for (auto& parts : made)
    for (auto& [own, part] : parts)
      result.emplace_back(by_, stream_, std::move(part), static_cast<std::uint32_t>(pointers()));
  return result;
}

void device_fields::add_copies(const std::vector<moved>& all, std::int64_t alignment, bool fields_meet,
                               stage_tables& made) {
  std::vector<moved> direct, read, written;
  for (const auto& m : all) {
    if (m.by == moved::way::direct || (m.by == moved::way::buffered_where_fields_meet && !fields_meet)) {
      direct.push_back(m);
      continue;
    }
    read.push_back({m.from, m.between});
    written.push_back({m.between, m.to, m.how});
  }
  made.copied = in_waves(direct, alignment);
  made.read = in_waves(read, alignment);
  made.written = in_waves(written, alignment);
  if (!read.empty() && buffer_.size() == 0)
    buffer_ = device_bytes(by_, device_bytes::where::on_device, static_cast<std::size_t>(buffer_bytes_));
}

const device_fields::tables& device_fields::tables_for(std::int64_t alignment, bool fields_meet) {
  const std::pair key(alignment, fields_meet);
  if (const auto known = tables_.find(key); known != tables_.end()) return known->second;
  tables all{std::vector<stage_tables>(parts_.size())};
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    auto& made = all.stages[s];
    made.packed = in_waves(parts_[s].packed, alignment);
    add_copies(parts_[s].copied, alignment, fields_meet, made);
    made.unpacked = in_waves(parts_[s].unpacked, alignment);
    all.buffered = all.buffered || !made.read.empty();
  }
  return tables_.emplace(key, std::move(all)).first->second;
}

}  // namespace wherry
