#include "device_fields.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

constexpr std::int64_t largest_unit = 16;

std::int64_t alignment_of(const void* place) {
  const auto bits = reinterpret_cast<std::uintptr_t>(place) | static_cast<std::uintptr_t>(largest_unit);
  return std::int64_t{1} << std::countr_zero(bits);
}

bool keeps_what_was_there(const reduction* how) { return how != nullptr && !how->stores; }

/// Calls `visit` with each element of a block, by its place.
template <class Visit> void for_each_element(const block& b, const schedule& plan, const Visit& visit) {
  if (b.kind == block::form::strided) {
    for_each_run(b, [&](std::int64_t offset, std::int64_t bytes) {
      for (std::int64_t i = 0; i < bytes; i += b.element) visit(offset + i);
    });
  } else {
    plan.indices.for_each_place(b.list, b.skipped, b.count,
                                [&](std::int64_t place) { visit(b.offset + place * b.unit); });
  }
}

}  // namespace

std::unique_ptr<device_fields> device_fields::of(const schedule& users, functions& code, bool snapshot) {
  const auto on_device = [](const field_shape& f) { return f.space == memory_space::device; };
  if (std::none_of(users.fields.begin(), users.fields.end(), on_device)) return nullptr;
  const auto* by = device_in_use();
  return by == nullptr ? nullptr : std::unique_ptr<device_fields>(new device_fields(*by, users, code, snapshot));
}

device_fields::device_fields(const device& by, const schedule& users, functions& code, bool snapshot)
    : by_(by),
      host_(users),
      snapshot_(snapshot),
      pinned_field_(static_cast<std::int32_t>(users.fields.size())),
      buffer_field_(pinned_field_ + 1),
      parts_(users.stages.size()),
      uploaded_(by),
      ready_(by),
      left_(by),
      done_(by),
      fields_(users.fields.size() + 2, nullptr),
      stream_(by) {
  host_.rows.clear();
  host_.copies.clear();
  for (auto& f : host_.fields) {
    on_device_.push_back(f.space == memory_space::device ? 1 : 0);
    f.space = f.space == memory_space::device ? memory_space::host : f.space;
  }
  on_device_.push_back(0);
  host_.fields.push_back({.name = "pinned memory"});
  code.reductions.reserve(2 * code.reductions.size());  // pointers to them stay
  for (std::size_t s = 0; s < users.stages.size(); ++s) {
    auto& part = host_.stages[s];
    part.copies.clear();
    take_sends(users, s);
    // As the host combines: what a rank sends to itself first, but of a snapshot last.
    if (!snapshot) take_copies(users, s, code);
    take_receives(users, s, code);
    if (snapshot) take_copies(users, s, code);
    needs_host_.push_back(part.sends.empty() && part.receives.empty() && part.copies.empty() ? 0 : 1);
  }
  moves_.assign(on_device_.size(), 0);
  for (const auto& part : parts_)
    for (const auto* list : {&part.packed, &part.copied, &part.unpacked})
      for (const auto& m : *list)
        for (const auto* row : {&m.from, &m.to}) moves_[static_cast<std::size_t>(row->field)] = 1;
  host_.shapes.settle();
  may_meet_.add(users);
  const auto bytes = static_cast<std::size_t>(pinned_bytes_);
  host_.fields.back().highest = pinned_bytes_;
  pinned_ = device_bytes(by, device_bytes::where::pinned, bytes);
  const auto pointers = fields_.size() * sizeof(void*);
  table_image_ = device_bytes(by, device_bytes::where::pinned, pointers);
  table_ = device_bytes(by, device_bytes::where::on_device, pointers);
  // What the operations cannot do on a device all ranks hear now, and not at the first start.
  in_use_ = &tables_for(largest_unit, false);
}

device_fields::~device_fields() { let_go(parts_.size()); }

/// Room in pinned memory for what a block has on the wire: in the same elements, by which both sides cut what is long.
block_row device_fields::slot_for(const block_row& row) {
  const auto b = host_.what(row);
  const auto bytes = b.wire_bytes(), element = b.converts() ? b.wire_element : b.element;
  const std::array<std::int64_t, 1> extent{bytes / element}, stride{element};
  const auto slot = host_.row_of(strided_block(pinned_field_, element, pinned_bytes_, extent, stride));
  pinned_bytes_ = align_on_wire(checked{host_.pattern, "bytes of pinned memory"}.sum(pinned_bytes_, bytes));
  return slot;
}

const reduction* device_fields::of_block(const functions& code, int operation, const block_row& row) const {
  return operation == store ? nullptr : code.on_arrival(operation, host_.shapes[row.shape].operation);
}

/// Messages with equal rows share them, and so do they here.
void device_fields::take_sends(const schedule& users, std::size_t stage) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
  for (auto& m : host_.stages[stage].sends) {
    const auto [at, is_new] = known.try_emplace({m.first, m.count}, host_.rows.size());
    m.first = at->second;
    if (!is_new) continue;
    for (const auto& row : std::span(users.rows).subspan(at->first.first, at->first.second)) {
      if (!is_on_device(row)) {
        host_.rows.push_back(row);
        continue;
      }
      const auto slot = slot_for(row);
      parts_[stage].packed.push_back({row, slot, nullptr});
      host_.rows.push_back(slot);
    }
  }
}

/// An operation for messages of which the host stores a part, for the device.
int device_fields::by_block(functions& code, int operation) {
  if (!code.reductions[static_cast<std::size_t>(operation)].by_block.empty()) return operation;
  const auto [at, is_new] = mixtures_.try_emplace(operation, static_cast<int>(code.reductions.size()));
  if (is_new) code.reductions.push_back(operations_by_block({code.reductions[static_cast<std::size_t>(operation)]}));
  return at->second;
}

void device_fields::take_receives(const schedule& users, std::size_t stage, functions& code) {
  for (auto& m : host_.stages[stage].receives) {
    const auto rows = std::span(users.rows).subspan(m.first, m.count);
    m.first = host_.rows.size();
    const bool some = std::any_of(rows.begin(), rows.end(), [this](const auto& row) { return is_on_device(row); });
    const bool all = std::all_of(rows.begin(), rows.end(), [this](const auto& row) { return is_on_device(row); });
    const int operation = m.operation;
    if (some && operation != store) m.operation = all ? store : by_block(code, operation);
    for (const auto& row : rows) {
      if (is_on_device(row)) {
        const auto slot = slot_for(row);
        parts_[stage].unpacked.push_back({slot, row, of_block(code, operation, row)});
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

void device_fields::take_copies(const schedule& users, std::size_t stage, const functions& code) {
  auto& part = parts_[stage];
  std::int64_t buffered = 0;
  const auto between = [&](const block_row& row) {
    const std::array<std::int64_t, 1> extent{host_.what(row).bytes()}, stride{1};
    const auto place = host_.row_of(strided_block(buffer_field_, 1, buffered, extent, stride));
    buffered = align_on_wire(checked{host_.pattern, "bytes of a buffer"}.sum(buffered, extent[0]));
    buffer_bytes_ = std::max(buffer_bytes_, buffered);
    return place;
  };
  const auto add = [&](int operation, bool overlaps, const copy_row& row) {
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
        part.copied.push_back({c.from, c.to, how, by, between(c.from)});
      } else {
        auto on_host = c;
        if (reads_device) {
          on_host.from = slot_for(c.from);
          part.packed.push_back({c.from, on_host.from, nullptr});
        }
        if (writes_device) {
          on_host.to = slot_for(c.to);
          part.unpacked.push_back({on_host.to, c.to, how});
        }
        add(writes_device ? store : list.operation, false, on_host);
      }
    }
}

/// What is combined is so in the plan's order, so that sums of floats come out as on the host: what meets what came
/// before it waits for the next launch.
device_fields::waves device_fields::in_waves(const std::vector<moved>& all, std::int64_t alignment) {
  std::vector<move_builder> made;
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
    while (made.size() <= wave) made.emplace_back(host_, alignment);
    made[wave].add(host_.what(m.from), to, operation_on_device(m.how));
  }
  waves result;
  for (auto& one : made) result.emplace_back(by_, stream_, std::move(one), static_cast<std::uint32_t>(fields_.size()));
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
    read.push_back({m.from, m.between, nullptr});
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
  tables all(parts_.size());
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    all[s].packed = in_waves(parts_[s].packed, alignment);
    add_copies(parts_[s].copied, alignment, fields_meet, all[s]);
    all[s].unpacked = in_waves(parts_[s].unpacked, alignment);
  }
  return tables_.emplace(key, std::move(all)).first->second;
}

void device_fields::set(field_table users, std::vector<void*>& host) {
  std::int64_t alignment = largest_unit;
  bool changed = false;
  for (std::size_t f = 0; f < users.size(); ++f) {
    if (on_device_[f] == 0 || moves_[f] == 0) continue;
    if (users[f] != fields_[f] && !by_.owns(users[f]))
      throw error(error_kind::argument, host_.pattern,
                  text("field ", f, " '", host_.fields[f].name, "' is said to be in device memory, but '", by_.name,
                       "' knows nothing of its pointer"));
    changed = changed || users[f] != fields_[f];
    alignment = std::min(alignment, alignment_of(users[f]));
  }
  if (changed || !is_set_) {
    in_use_ = &tables_for(alignment, may_meet_.any(users));
    is_set_ = false;  // unless all of it is there
    std::copy(users.begin(), users.end(), fields_.begin());
    fields_[static_cast<std::size_t>(pinned_field_)] = pinned_.get();
    fields_[static_cast<std::size_t>(buffer_field_)] = buffer_.get();
    upload();
    is_set_ = true;
  }
  for (std::size_t f = 0; f < users.size(); ++f) host[f] = on_device_[f] != 0 ? nullptr : users[f];
  host.back() = pinned_.get();
}

void device_fields::upload() {
  by_.await(uploaded_);  // the image may still be read
  std::memcpy(table_image_.get(), fields_.data(), table_image_.size());
  by_.copy(stream_, table_.get(), table_image_.get(), table_image_.size());
  by_.record(uploaded_, stream_);
}

void device_fields::run(const waves& all) {
  for (const auto& one : all) one.run(stream_, reinterpret_cast<void* const*>(table_.get()));
}

void device_fields::begin() {
  const auto* users = in_stream::current();
  waits_for_user_ = users != nullptr;
  has_ended_ = false;
  if (users == nullptr) return;
  by_.record(ready_, *users);
  by_.hold_until(stream_, ready_);
}

void device_fields::leave(std::size_t stage) {
  if (is_let_go_) return;
  run((*in_use_)[stage].packed);
  if (needs_host_[stage]) by_.record(left_, stream_);
  run((*in_use_)[stage].copied);
  run((*in_use_)[stage].read);
  if (!snapshot_) run((*in_use_)[stage].written);
}

void device_fields::wait_left(std::size_t stage) {
  if (!has_left(stage)) by_.await(left_);
}

void device_fields::arrive(std::size_t stage) {
  if (is_let_go_) return;
  run((*in_use_)[stage].unpacked);
  if (snapshot_) run((*in_use_)[stage].written);
}

void device_fields::end() {
  if (!is_let_go_ && !std::exchange(has_ended_, true)) by_.record(done_, stream_);
}

bool device_fields::is_delivered() {
  const auto* users = in_stream::current();
  if (users == nullptr) return by_.has_happened(done_);
  by_.hold_until(*users, done_);
  return true;
}

void device_fields::let_go(std::size_t stage) noexcept {
  try {
    for (; stage < parts_.size(); ++stage) run((*in_use_)[stage].packed);
    by_.finish(stream_);
  } catch (...) {  // a device that has failed touches nothing any more
  }
  is_let_go_ = true;
}

std::string device_fields::explain() const {
  std::string out =
      text("device '", by_.name, "': ", pinned_bytes_, " B of pinned memory between it and the transports\n");
  const auto launches = [](const waves& all) {
    return std::count_if(all.begin(), all.end(), [](const move_table& one) { return !one.empty(); });
  };
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    const auto& made = (*in_use_)[s];
    out += text("  stage ", s, ": ", parts_[s].packed.size(), " blocks packed by ", launches(made.packed),
                " launches, ", parts_[s].copied.size(), " copied by ",
                launches(made.copied) + launches(made.read) + launches(made.written), ", ", parts_[s].unpacked.size(),
                " unpacked by ", launches(made.unpacked), '\n');
  }
  return out;
}

}  // namespace wherry
