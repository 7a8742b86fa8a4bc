#include "arena_heap.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iterator>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "arena_layout.hpp"
#include "available_memory.hpp"
#include "large_page.hpp"

namespace wherry {
namespace {

constexpr std::size_t page = arena_layout::page, line = 64;

/// The amount that is committed before the machine's free memory is looked up again, since other ranks take from it,
/// too.
constexpr std::size_t slice = std::size_t{64} << 20;

constexpr std::size_t round_down(std::size_t value, std::size_t to) { return value / to * to; }
constexpr std::size_t round_up(std::size_t value, std::size_t to) { return round_down(value + to - 1, to); }

}  // namespace

arena_heap::arena_heap(std::unique_ptr<arena_owned_file> file, std::size_t asked, bool cut, std::string why)
    : file_(std::move(file)), asked_(asked), cut_(cut), why_cut_(std::move(why)) {
  detail::watch_forks();
  free_[arena_layout::data] = end() - arena_layout::data;
}

std::uint64_t arena_heap::new_owner() {
  const std::lock_guard lock(guard_);
  return ++owners_;
}

std::size_t arena_heap::used() const {
  const std::lock_guard lock(guard_);
  return used_;
}

void* arena_heap::allocate(std::size_t bytes, std::size_t alignment, std::uint64_t owner, detail::arena_contents what,
                           const thread_team& touched_by) {
  if (detail::is_forked_child())
    detail::require_mpi("node_arena::allocate");  // a child sees its parent's memory, not a copy
  std::vector<retired> gone;                      // destroyed after the guard is released
  const std::lock_guard lock(guard_);
  gone = free_released();
  if (bytes >= end()) fail(bytes, {});  // before it is rounded up
  bytes = round_up(std::max<std::size_t>(bytes, 1), line);
  alignment = std::max(alignment, bytes >= large_page ? large_page : line);
  for (const auto& [hole, space] : free_) {
    const std::size_t start = round_up(hole, alignment);
    if (start - hole + bytes <= space) return take(hole, start, bytes, owner, what, touched_by);
  }
  fail(bytes, {});
}

void* arena_heap::take(std::size_t hole, std::size_t start, std::size_t bytes, std::uint64_t owner,
                       detail::arena_contents what, const thread_team& touched_by) {
  std::byte* memory = at(start);
  if (bytes >= large_page) madvise(memory, bytes, MADV_HUGEPAGE);
  if (touched_by.size() > 1 && bytes >= large_page) give_back(start, start + bytes);  // the threads make the pages
  std::vector<std::pair<std::size_t, std::size_t>> used_before;
  if (what == detail::arena_contents::zeros)
    committed_.for_each_in(start, start + bytes,
                           [&](std::size_t first, std::size_t last) { used_before.emplace_back(first, last); });
  commit(start, bytes, touched_by);
  kept_.remove(start, start + bytes);
  const std::size_t hole_end = hole + free_[hole];
  free_.erase(hole);
  if (start > hole) free_[hole] = start - hole;
  if (start + bytes < hole_end) free_[start + bytes] = hole_end - start - bytes;
  allocated_[start] = {bytes, owner, detail::node_arena::frees()};
  used_ += bytes;
  for (const auto& [first, last] : used_before) std::memset(at(first), 0, last - first);
  return memory;
}

namespace {

/// Returns errno, or 0.
int change_pages(int file, int how, std::size_t begin, std::size_t end) {
  int status = 0;
  do status = fallocate(file, how, static_cast<off_t>(begin), static_cast<off_t>(end - begin));
  while (status != 0 && errno == EINTR);
  return status != 0 ? errno : 0;
}
int allocate_pages(int file, std::size_t begin, std::size_t end) { return change_pages(file, 0, begin, end); }
int free_pages(int file, std::size_t begin, std::size_t end) {
  return change_pages(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin, end);
}

}  // namespace

/// Each thread commits a part, because a page lies near the core that makes it.
int arena_heap::commit_by(const thread_team& team, std::size_t first, std::size_t last) {
  std::atomic<int> failure{0};
  team.run_by_their_own([&](int number) {
    const auto parts = static_cast<std::size_t>(team.size()), part = static_cast<std::size_t>(number);
    const auto begin_of = [&](std::size_t i) { return first + (last - first) / page * i / parts * page; };
    const auto end = part + 1 == parts ? last : begin_of(part + 1);
    for (std::size_t at = begin_of(part); at < end && failure.load(std::memory_order_relaxed) == 0; at += slice)
      if (const int why = allocate_pages(file_->descriptor(), at, std::min(end, at + slice)); why != 0) failure = why;
  });
  return failure;
}

void arena_heap::commit(std::size_t start, std::size_t bytes, const thread_team& touched_by) {
  const std::size_t first = round_down(start, page), last = round_up(start + bytes, page);
  if (committed_.hold(first, last)) return;  // the system would examine every page
  // The pages up to there were made in vain. This piece needs the memory that is kept for later ones.
  const auto give_up = [&](std::size_t until, std::string_view why) {
    if (bytes < large_page)
      committed_.add(first, until);
    else
      give_back(first, std::min(until, start + bytes));
    if (kept_.empty()) fail(bytes, why);
    keep_at_most(0);
    commit(start, bytes, touched_by);
  };
  if (touched_by.size() > 1 && bytes >= large_page) {
    const auto shortage = memory_shortage(last - first);
    if (!shortage.empty()) return give_up(first, shortage);
    if (const int reason = commit_by(touched_by, first, last); reason != 0)
      return give_up(last, detail::text("the system says: ", std::strerror(reason)));
    return committed_.add(first, last);
  }
  for (std::size_t at = first; at < last;) {
    const std::size_t next = std::min(last, at + slice);
    if (unchecked_ += next - at; unchecked_ >= slice / 8) {
      unchecked_ = 0;
      if (const auto shortage = memory_shortage(last - at); !shortage.empty()) return give_up(at, shortage);
    }
    if (const int reason = allocate_pages(file_->descriptor(), at, next); reason != 0)
      return give_up(at, detail::text("the system says: ", std::strerror(reason)));
    at = next;
  }
  committed_.add(first, last);
}

void arena_heap::fail(std::size_t bytes, std::string_view why) const {
  const auto reason = why.empty() ? std::string() : detail::text(", and ", why);
  throw error(error_kind::resource, "node_arena::allocate",
              detail::text("there is no node-shared memory left for ", bytes, " bytes: ", used_, " are in use of ",
                           end(), " reserved", reason, " (WHERRY_ARENA_SIZE sets how much is reserved)"));
}

bool arena_heap::has_had(std::size_t place, std::uint64_t since) const {
  const std::lock_guard lock(guard_);
  const auto behind = allocated_.upper_bound(place);
  if (behind == allocated_.begin()) return false;
  const auto& [begin, what] = *std::prev(behind);
  return place < begin + what.bytes && what.made <= since;
}

void arena_heap::deallocate(void* pointer) noexcept {
  if (pointer == nullptr || detail::is_forked_child()) return;
  const std::lock_guard lock(guard_);
  free_place(static_cast<std::size_t>(static_cast<std::byte*>(pointer) - mapping()->base()));
}

void arena_heap::retire(void* pointer, std::function<bool()> released, std::shared_ptr<const void> keep) {
  if (detail::is_forked_child()) return;
  retired one{
      {static_cast<std::size_t>(static_cast<std::byte*>(pointer) - mapping()->base())}, std::move(released), {}};
  if (keep) one.kept.push_back(std::move(keep));
  const std::lock_guard lock(guard_);
  retired_.push_back(std::move(one));
}

void arena_heap::retire_all_of(std::uint64_t owner, std::function<bool()> released) {
  if (detail::is_forked_child()) return;
  std::vector<retired> gone;  // destroyed after the guard is released
  const std::lock_guard lock(guard_);
  gone = free_released();
  retired all{{}, std::move(released), {}};
  for (const auto& [place, what] : allocated_)
    if (what.owner == owner) all.places.push_back(place);
  // Entries that wait for something else wait for the owner's ranks instead: a peer that is gone will never say that it
  // has read. Objects that they keep (memory of a device that a peer still reads) must last as long.
  const auto theirs = std::partition(retired_.begin(), retired_.end(),
                                     [&](const retired& r) { return allocated_.at(r.places.front()).owner != owner; });
  for (auto r = theirs; r != retired_.end(); ++r)
    std::move(r->kept.begin(), r->kept.end(), std::back_inserter(all.kept));
  std::move(theirs, retired_.end(), std::back_inserter(gone));
  retired_.erase(theirs, retired_.end());
  retired_.push_back(std::move(all));
}

bool arena_heap::keeps_for_others() {
  if (detail::is_forked_child()) return true;  // its parent ends whatever there is
  std::vector<retired> gone;                   // destroyed after the guard is released
  const std::lock_guard lock(guard_);
  gone = free_released();
  return std::any_of(retired_.begin(), retired_.end(), [](const retired& r) { return !r.kept.empty(); });
}

/// The entries may keep memory of a device, whose release takes time or calls this heap. So the caller destroys them
/// after it has released the guard.
std::vector<arena_heap::retired> arena_heap::free_released() {
  const auto first = std::partition(retired_.begin(), retired_.end(), [](const retired& r) { return !r.released(); });
  std::vector<retired> gone(std::make_move_iterator(first), std::make_move_iterator(retired_.end()));
  retired_.erase(first, retired_.end());
  for (const auto& r : gone)
    for (const std::size_t place : r.places) free_place(place);
  return gone;
}

void arena_heap::give_back(std::size_t first, std::size_t last) noexcept {
  kept_.remove(first, last);
  first = round_up(first, page);
  last = round_down(last, page);
  if (first < last && free_pages(file_->descriptor(), first, last) == 0) committed_.remove(first, last);
}

/// Keeps the lowest pages, because the next piece will lie there.
void arena_heap::keep_at_most(std::size_t bytes) noexcept {
  for (auto all = kept_.bytes(); all > bytes; all = kept_.bytes()) {
    const auto [first, last] = kept_.back();
    give_back(std::max(first, round_down(last - std::min(all - bytes, last - first), page)), last);
  }
}

/// New pages cost more than most of the work on them, so arrays that follow one another, as when a mesh is refined
/// again, get the pages of their predecessors. No more is kept than is in use, and only if there is plenty of memory,
/// because no other process can have it.
bool arena_heap::may_keep(std::size_t bytes) const noexcept {
  constexpr std::size_t plenty = 16;
  const auto all = kept_.bytes() + bytes;
  if (all > used_) return false;
  struct statvfs room{};
  if (fstatvfs(file_->descriptor(), &room) != 0) return false;
  const bool has_limit = room.f_blocks != 0;
  if (has_limit && room.f_bavail * room.f_frsize / plenty < all) return false;
  try {
    return memory_shortage(plenty * all).empty();
  } catch (const std::exception&) {
    return false;
  }
}

void arena_heap::free_place(std::size_t place) noexcept {
  const auto found = allocated_.find(place);
  if (found == allocated_.end()) return;
  std::size_t start = place, bytes = found->second.bytes;
  allocated_.erase(found);
  detail::arena_frees.fetch_add(1, std::memory_order_relaxed);
  used_ -= bytes;
  if (bytes >= large_page) {
    const std::size_t whole = round_down(bytes, page);
    if (may_keep(whole))
      kept_.add(start, start + whole);
    else
      give_back(start, start + whole);
  }
  keep_at_most(used_);
  auto next = free_.lower_bound(start);
  if (next != free_.end() && next->first == start + bytes) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += bytes;
      return;
    }
  }
  free_[start] = bytes;
}

}  // namespace wherry
