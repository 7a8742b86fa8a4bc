#include "device_fields.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

constexpr std::int64_t largest_unit = 16;

std::int64_t alignment_of(const void* place) {
  const auto bits = reinterpret_cast<std::uintptr_t>(place) | static_cast<std::uintptr_t>(largest_unit);
  return std::int64_t{1} << std::countr_zero(bits);
}

}  // namespace

device_fields::~device_fields() { finish(); }

void device_fields::settle() {
  for (const auto* packed : {&node_, &elsewhere_})
    host_.fields[static_cast<std::size_t>(field_of(*packed))].space =
        packed->space() == packed_memory::where::pinned ? memory_space::host : memory_space::device;
}

void device_fields::set(plans::field_table users, std::vector<void*>& host) {
  std::int64_t alignment = largest_unit;
  bool changed = false;
  for (std::size_t f = 0; f < users.size(); ++f) {
    if (on_device_[f] == 0 || moves_[f] == 0) continue;
    if (users[f] != users_[f] && !by_.owns(users[f]))
      throw error(
          error_kind::argument, host_.pattern,
          detail::text("field ", f, " '", host_.fields[f].name, "' is said to be in device memory, but device '",
                       by_.name, "' does not know its pointer"));
    changed = changed || users[f] != users_[f];
    alignment = std::min(alignment, alignment_of(users[f]));
  }
  if (changed || !is_set_) {
    in_use_ = &tables_for(alignment, may_meet_.any(users));
    is_set_ = false;  // unless all of it succeeds
    std::copy(users.begin(), users.end(), users_.begin());
    upload();
    is_set_ = true;
  }
  for (std::size_t f = 0; f < users.size(); ++f) host[f] = on_device_[f] != 0 ? nullptr : users[f];
  auto* packed = host.data() + first_field_;
  for (const auto* one : {&mixed_, &node_, &elsewhere_}) *packed++ = one->buffer(0);
}

/// True if all work of a start is in the user's stream when `start` returns, so that no other stream waits for its end.
/// Then no event is recorded, because events cost as much as a small halo.
bool device_fields::is_alone() const {
  return by_.finish_all != nullptr && !snapshot_ && !changes_streams_ && !in_use_->buffered && parts_ready_.empty() &&
         std::all_of(needs_host_.begin(), needs_host_.end(), [](char host) { return host == 0; });
}

/// Records the end of a start in the user's stream. Call it only while that stream is known to exist: between start and
/// wait, and in a scope of `in_stream`.
void device_fields::mark_end() {
  if (!unmarked_) return;
  by_.record(done(), *unmarked_);
  unmarked_.reset();
}

void device_fields::mark_end_or_finish() {
  if (!unmarked_) return;
  const auto* users = in_stream::current();
  if (users != nullptr && *users == *unmarked_) return mark_end();
  by_.finish_all();
  unmarked_.reset();
}

/// The stream for the next work, behind all earlier work on which it depends.
device_stream device_fields::stream() {
  if (users_stream_) return *users_stream_;
  if (!follows_) return stream_;
  mark_end_or_finish();
  by_.hold_until(stream_, done());
  follows_ = false;
  return stream_;
}

void device_fields::upload() {
  const auto bytes = pointers() * sizeof(void*);
  if (are_many()) by_.await(uploaded_);  // the image may still be read
  for (std::uint32_t image = 0; image < images; ++image) {
    auto* to = places_[image].few;
    if (are_many()) {
      places_[image].many = reinterpret_cast<void* const*>(table_.get() + image * bytes);
      to = reinterpret_cast<void**>(table_image_.get() + image * bytes);
    }
    put_places(to, image == beside ? 0 : image, image == beside);
  }
  if (!are_many()) return;
  by_.copy(stream(), table_.get(), table_image_.get(), table_image_.size());
  by_.record(uploaded_, stream_);
  is_uploaded_ = false;
}

void device_fields::put_places(void** next, std::uint32_t which, bool aside) const {
  const auto put = [&next](void* place) { *next++ = place; };
  for (auto* place : users_) put(place);
  const bool is_lent = node_.space() == packed_memory::where::lent;
  put(mixed_.buffer(0));
  put(aside && is_lent ? node_.aside() : node_.buffer(is_lent ? which : 0));
  put(elsewhere_.buffer(0));
  put(buffer_.get());
  for (std::size_t i = 0; i < node_.arrivals(); ++i) put(node_.arrives_at(i, which));
}

void device_fields::run(const waves& all, std::uint32_t image) {
  if (all.empty()) return;
  const auto where = stream();
  for (const auto& one : all) one.run(where, places_[image]);
}

void device_fields::begin() {
  const auto* users = in_stream::current();
  waits_for_user_ = users != nullptr;
  has_ended_ = false;
  if (users == nullptr) {
    static_cast<void>(stream());  // waits for the start before, while `done()` is its event
  } else {
    if (unmarked_ && *unmarked_ != *users) {
      mark_end_or_finish();
      changes_streams_ = true;
    }
    // The device may still be unpacking data of the start before, for which work in this stream would not wait.
    if (delivered_in_ && *delivered_in_ != *users) by_.hold_until(*users, done());
    if (are_many() && !is_uploaded_ && !(is_uploaded_ = by_.has_happened(uploaded_))) by_.hold_until(*users, uploaded_);
    if (in_use_->buffered) by_.hold_until(*users, done());  // of the start before
    users_stream_ = *users;
  }
  ++start_;
}

void device_fields::started() {
  if (!users_stream_) return;
  unmarked_ = std::exchange(users_stream_, std::nullopt);
  follows_ = true;
  if (!is_alone()) mark_end();
}

void device_fields::started_in_vain() noexcept {
  try {
    started();
  } catch (...) {  // as in `finish`
    unmarked_.reset();
  }
}

/// Makes later work wait for the work that is in the user's stream now, if there is one.
void device_fields::hold_for_user() {
  const auto* users = in_stream::current();
  if (users == nullptr) return;
  by_.record(ready_, *users);
  by_.hold_until(stream(), ready_);
}

void device_fields::divide(std::size_t parts) {
  finish();
  parts_ready_.clear();
  for (std::size_t part = 0; part < parts; ++part) parts_ready_.emplace_back(by_);
}

void device_fields::ready(std::size_t part) {
  const auto* users = in_stream::current();
  if (users == nullptr) return;
  auto& one = parts_ready_[part];
  by_.record(one.at, *users);
  one.start = start_;
}

void device_fields::hold_for_parts() {
  for (auto& one : parts_ready_)
    if (std::exchange(one.start, 0) == start_) by_.hold_until(stream(), one.at);
}

void device_fields::leave(std::size_t stage, bool has_room) {
  if (is_let_go_) return;
  hold_for_parts();
  if (stage != std::exchange(ahead_, none)) {
    run(in_use_->stages[stage].packed, has_room ? parity() : beside);
    if (!has_room) aside_ = stage;
    if (needs_host_[stage]) by_.record(left(stage), stream());
  }
  run(in_use_->stages[stage].copied, parity());
  run(in_use_->stages[stage].read, parity());
  if (snapshot_)
    by_.record(left(stage), stream());  // again: from here on the fields belong to the user
  else
    run(in_use_->stages[stage].written, parity());
}

void device_fields::leave_ahead(std::size_t stage) {
  if (is_let_go_) return;
  run(in_use_->stages[stage].packed, parity());
  if (needs_host_[stage]) by_.record(left(stage), stream());
  ahead_ = stage;
}

void device_fields::bring_in(std::size_t stage) {
  node_.bring_in(stream(), stage, parity());
  by_.record(left(stage), stream());
  if (stage == aside_)
    aside_ = none;
  else
    aside_from_ = stage + 1;
}

void device_fields::arrive(std::size_t stage) {
  if (is_let_go_) return;
  if (snapshot_) hold_for_user();  // the fields belong to the user until he waits
  run(in_use_->stages[stage].unpacked, parity());
  if (snapshot_) run(in_use_->stages[stage].written, parity());
}

void device_fields::end() {
  if (std::exchange(has_ended_, true)) return;
  // If `follows_` is set, all work of this start is in the user's stream, and its end is recorded there.
  if (!follows_) by_.record(done(), stream_);
  ended_ = start_;
}

bool device_fields::is_delivered() {
  const auto* users = in_stream::current();
  delivered_in_ = users != nullptr ? std::optional(*users) : std::nullopt;
  if (unmarked_ && users != nullptr && *users == *unmarked_) return true;
  mark_end();
  if (users == nullptr) return by_.has_happened(done());
  by_.hold_until(*users, done());
  return true;
}

/// If the event was recorded again meanwhile, it stands for a later start. The answer then comes late, but never too
/// early.
std::uint64_t device_fields::last_read() {
  if (unmarked_) return read_ = ended_;  // nothing arrives
  while (read_ < ended_ && by_.has_happened((read_ + 1) % 2 == 0 ? done_even_ : done_odd_)) ++read_;
  return read_;
}

void device_fields::finish() noexcept {
  try {
    by_.finish(stream());
  } catch (...) {  // a failed device touches no memory any more
  }
}

void device_fields::let_go(std::size_t stage) noexcept {
  const bool aside = node_.space() == packed_memory::where::lent && stage < parts_.size();
  if (aside) node_.make_aside();  // without memory the program ends: the peers wait for what only this rank has
  try {
    if (aside) upload();
    for (auto s = stage; s < parts_.size(); ++s) run(in_use_->stages[s].packed, aside ? beside : parity());
  } catch (...) {  // as in `finish`
  }
  finish();
  if (aside) aside_from_ = std::min(std::exchange(aside_, none), stage);  // a snapshot may be aside already
  is_let_go_ = true;
}

std::string device_fields::explain() const {
  std::string out = detail::text("device '", by_.name, "':\n");
  const auto launches = [](const waves& all) {
    return std::count_if(all.begin(), all.end(), [](const move_table& one) { return !one.empty(); });
  };
  for (const auto* packed : {&node_, &elsewhere_, &mixed_}) {
    if (packed->bytes() == 0) continue;
    using where = packed_memory::where;
    const char* const place = packed->space() == where::pinned      ? " B of pinned memory"
                              : packed->space() == where::on_device ? " B of its own memory"
                              : packed->space() == where::at_peers  ? " B where peers lend them"
                                                                    : " B of its own memory, twice, lent to peers";
    out += detail::text("  packed ", packed->name(), ": ", packed->bytes(), place, '\n');
  }
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    const auto& made = in_use_->stages[s];
    out += detail::text("  stage ", s, ": ", parts_[s].packed.size(), " blocks packed by ", launches(made.packed),
                        " launches, ", parts_[s].copied.size(), " copied by ",
                        launches(made.copied) + launches(made.read) + launches(made.written), ", ",
                        parts_[s].unpacked.size(), " unpacked by ", launches(made.unpacked), '\n');
  }
  return out;
}

}  // namespace wherry
