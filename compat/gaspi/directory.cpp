#include "directory.hpp"

#include <cstring>
#include <new>
#include <span>

#include "wherry/core/error.hpp"

namespace wherry::gaspi {

directory::directory(const communicator& comm) : segment_(comm, sizeof(table), {.notifications = 0}) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  mine_ = std::launder(reinterpret_cast<table*>(segment_.memory().data()));
  for (int rank = 0; rank < comm.size(); ++rank)
    near_.push_back(reinterpret_cast<const table*>(segment_.memory_of(rank)));
}

void directory::enter(int id, const channels::segment_ticket& ticket) {
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

// The entry's own number identifies the announcement, so that a repeated call continues this one, not an older one.
bool directory::announce_to(int rank, std::uint64_t number, double seconds) {
  return near_[static_cast<std::size_t>(rank)] != nullptr || segment_.fetch_add(rank, 0, number, seconds).has_value();
}

// Questions without an answer are leaked, because another node may still write the answer to their memory.
directory::~directory() {
  static auto* const kept = new std::vector<std::unique_ptr<question>>;
  for (auto& [whom, open] : asked_)
    if (open) kept->push_back(std::move(open));
}

directory::listing directory::read(const question& asked) {
  listing found;
  std::uint64_t number = 0, again = 0;
  const auto* at = asked.answer.data();
  std::memcpy(&number, at, sizeof number);
  std::memcpy(&found.ticket, at += sizeof number, sizeof found.ticket);
  std::memcpy(&again, at += sizeof found.ticket, sizeof again);
  found.is_there = number != 0 && number == again;
  return found;
}

std::optional<directory::listing> directory::find(int rank, int id, double seconds) {
  if (const auto* const near = near_[static_cast<std::size_t>(rank)]) {
    const auto& e = near->entries[id];
    return e.number.load(std::memory_order_acquire) != 0 ? listing{true, e.ticket} : listing{};
  }
  const auto now = stamp(rank, id),
             forgotten = forgotten_[static_cast<std::size_t>(id)].load(std::memory_order_acquire);
  auto& asked = asked_[{rank, id}];
  while (true) {
    if (!asked) {
      auto fresh = std::make_unique<question>();
      fresh->stamp = now;
      fresh->forgotten = forgotten;
      const auto at = offsetof(table, entries) + sizeof(entry) * static_cast<std::size_t>(id);
      segment_.read(rank, at, fresh->answer, &fresh->answered);
      asked = std::move(fresh);
    }
    if (!asked->answered.wait(seconds)) return std::nullopt;
    const auto done = std::exchange(asked, nullptr);
    if (done->stamp == now && done->forgotten == forgotten)
      return read(*done);  // else the question is older than a change
  }
}

}  // namespace wherry::gaspi
