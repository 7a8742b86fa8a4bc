#include "directory.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>

#include "wherry/core/error.hpp"

namespace wherry::gaspi {

directory::directory(const communicator& comm) : segment_(comm, sizeof(table), {.notifications = 0}) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  mine_ = std::launder(reinterpret_cast<table*>(segment_.memory().data()));
  for (int rank = 0; rank < comm.size(); ++rank)
    near_.push_back(reinterpret_cast<const table*>(segment_.in_place(rank)));
}

void directory::enter(int id, const segment_ticket& ticket) {
  auto& e = mine_->entries[id];
  e.ticket = ticket;
  e.again = ++numbers_;
  e.number.store(numbers_, std::memory_order_release);
}

void directory::strike(int id) {
  auto& e = mine_->entries[id];
  e.number.store(0, std::memory_order_release);
  e.again = 0;
}

void directory::announce_to(int rank) {
  if (near_[static_cast<std::size_t>(rank)] == nullptr) segment_.fetch_add(rank, 0, 1);
}

std::optional<segment_ticket> directory::find(int rank, int id) {
  if (const auto* const near = near_[static_cast<std::size_t>(rank)]) {
    const auto& e = near->entries[id];
    const auto number = e.number.load(std::memory_order_acquire);
    if (number == 0) return std::nullopt;
    return e.ticket;
  }
  std::array<std::byte, sizeof(entry)> copy;
  const auto at = sizeof(std::uint64_t) * 8 + sizeof(entry) * static_cast<std::size_t>(id);
  segment_.read(rank, at, copy);
  segment_.flush();
  std::uint64_t number = 0, again = 0;
  segment_ticket ticket;
  std::memcpy(&number, copy.data(), sizeof number);
  std::memcpy(&ticket, copy.data() + sizeof number, sizeof ticket);
  std::memcpy(&again, copy.data() + sizeof number + sizeof ticket, sizeof again);
  if (number == 0 || number != again) return std::nullopt;
  return ticket;
}

}  // namespace wherry::gaspi
