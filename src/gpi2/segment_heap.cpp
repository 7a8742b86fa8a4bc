#include "segment_heap.hpp"

#include <algorithm>

#include "wherry/core/error.hpp"

#include "core/cache_line.hpp"
#include "core/patience.hpp"

namespace wherry::gpi2 {
namespace {

constexpr std::size_t least_bytes = std::size_t{1} << 20, most_in_reserve = std::size_t{1} << 28;
constexpr gaspi_timeout_t moment = 100;  // milliseconds, after which other work is driven

/// The highest number that is free. Programs take the low ones, because they count from 0.
gaspi_segment_id_t free_id(const caller& who) {
  gaspi_number_t most = 0, used = 0;
  check(who, "gaspi_segment_max", gaspi_segment_max(&most));
  check(who, "gaspi_segment_num", gaspi_segment_num(&used));
  std::vector<gaspi_segment_id_t> ids(used + 1);  // one more, so that the pointer is never null
  if (used > 0) check(who, "gaspi_segment_list", gaspi_segment_list(used, ids.data()));
  ids.resize(used);
  for (auto id = most; id-- > 0;)
    if (std::find(ids.begin(), ids.end(), static_cast<gaspi_segment_id_t>(id)) == ids.end())
      return static_cast<gaspi_segment_id_t>(id);
  throw error(error_kind::resource, who.where,
              detail::text("transport 'gpi2' needs one more of GASPI's segments, but all ", most,
                           " are in use: raise segment_max of GASPI's configuration"),
              who.rank);
}

}  // namespace

bool segment_heap::cut(segment& from, piece& p) {
  const auto offset = from.bytes.take(p.bytes);
  if (!offset) return false;
  const auto first = from.notifications.take(p.notifications);
  if (!first) {
    from.bytes.give_back(*offset, p.bytes);
    return false;
  }
  p.segment = from.id;
  p.offset = static_cast<gaspi_offset_t>(*offset);
  p.memory = from.memory + *offset;
  p.first = static_cast<gaspi_notification_id_t>(*first);
  return true;
}

bool segment_heap::cut_from_any(std::vector<segment>& segments, piece& p) {
  if (p.bytes == 0 && p.notifications == 0) return true;
  return std::any_of(segments.begin(), segments.end(), [&](segment& s) { return cut(s, p); });
}

bool segment_heap::has(const std::vector<std::pair<std::size_t, gaspi_number_t>>& wanted) const {
  const std::lock_guard lock(guard_);
  auto segments = segments_;
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
    piece p{.bytes = in_lines(one.first), .notifications = one.second};
    return cut_from_any(segments, p);
  });
}

piece segment_heap::take(const caller& who, std::size_t bytes, gaspi_number_t notifications) {
  if (notifications > notifications_)
    throw error(error_kind::resource, who.where,
                detail::text("transport 'gpi2' needs a notification for each of ", notifications,
                             " messages of a stage, but a segment of GASPI has ", notifications_,
                             ": raise notification_num of its configuration"),
                who.rank);
  const std::lock_guard lock(guard_);
  piece p{.bytes = in_lines(bytes), .notifications = notifications};
  if (!cut_from_any(segments_, p)) cut(add(who, p.bytes), p);
  for (gaspi_number_t i = 0; i < p.notifications; ++i) {
    gaspi_notification_t before = 0;
    const auto id = static_cast<gaspi_notification_id_t>(p.first + i);
    check(who, "gaspi_notify_reset", gaspi_notify_reset(p.segment, id, &before));
  }
  return p;
}

/// The length of the next segment: as much as all others have together, so that few segments become many bytes. A
/// network pins these bytes; so until 16 segments exist, this reserve is limited to 256 MiB, and larger segments are no
/// larger than needed.
std::size_t segment_heap::length_of_next(std::size_t bytes) const {
  std::size_t all = 0;
  for (const auto& s : segments_) all += s.length;
  if (segments_.size() < 16) all = std::min(all, most_in_reserve);
  return std::max({bytes, all, least_bytes});
}

segment_heap::segment& segment_heap::add(const caller& who, std::size_t bytes) {
  const auto id = free_id(who);
  auto length = length_of_next(bytes);
  auto made = gaspi_segment_alloc(id, length, GASPI_MEM_UNINITIALIZED);
  if (made != GASPI_SUCCESS && length > bytes && bytes > 0)  // then only as much as is needed
    made = gaspi_segment_alloc(id, length = bytes, GASPI_MEM_UNINITIALIZED);
  if (made != GASPI_SUCCESS)
    throw error(error_kind::resource, who.where,
                detail::text("transport 'gpi2': gaspi_segment_alloc of ", length, " bytes failed (", int{made}, ')'),
                who.rank);
  gaspi_pointer_t memory = nullptr;
  check(who, "gaspi_segment_ptr", gaspi_segment_ptr(id, &memory));
  return segments_.emplace_back(
      segment{id, length, static_cast<std::byte*>(memory), free_ranges(length), free_ranges(notifications_), {}});
}

void segment_heap::give_back(const piece& p) noexcept {
  const std::lock_guard lock(guard_);
  for (auto& s : segments_)
    if (s.id == p.segment && p.memory != nullptr) {
      s.bytes.give_back(p.offset, p.bytes);
      s.notifications.give_back(p.first, p.notifications);
    }
  drop_one_unused();
}

/// If two segments are unused, deletes the smaller one. The other stays, because making a segment and telling others of
/// it takes long.
void segment_heap::drop_one_unused() noexcept {
  auto smallest = segments_.end();
  int unused = 0;
  for (auto s = segments_.begin(); s != segments_.end(); ++s) {
    if (!s->is_unused()) continue;
    ++unused;
    if (smallest == segments_.end() || s->length < smallest->length) smallest = s;
  }
  if (unused < 2 || gaspi_segment_delete(smallest->id) != GASPI_SUCCESS) return;
  segments_.erase(smallest);
}

void segment_heap::let_in(const communicator& comm, const caller& who, gaspi_segment_id_t id, int peer,
                          gaspi_rank_t rank) {
  const std::lock_guard lock(guard_);
  const auto found = std::find_if(segments_.begin(), segments_.end(), [id](const segment& s) { return s.id == id; });
  if (found == segments_.end()) return;
  if (found->knows_rank.size() <= rank) found->knows_rank.resize(rank + std::size_t{1}, 0);
  if (found->knows_rank[rank] != 0) return;
  patience patient(comm, who.where, "gaspi_segment_register");
  const auto until_done = [&](const char* name, auto call) {
    for (;;) {
      const gaspi_return_t status = call();
      if (status == GASPI_SUCCESS) return;
      if (status != GASPI_TIMEOUT) throw_failure(who, name, status, peer, rank);
      patient.pause([peer](std::vector<int>& missing) { missing.push_back(peer); });
    }
  };
  until_done("gaspi_connect", [rank] { return gaspi_connect(rank, moment); });
  until_done("gaspi_segment_register", [id, rank] { return gaspi_segment_register(id, rank, moment); });
  found->knows_rank[rank] = 1;
}

}  // namespace wherry::gpi2
