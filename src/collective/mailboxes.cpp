#include "mailboxes.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace wherry::collective {
namespace {

constexpr std::int64_t cache_line = 64;
/// The most bytes of a rank's slots together, while each slot has at least `least_slot`.
constexpr std::int64_t most_memory = 4 << 20, least_slot = 512, most_slot = 64 << 10;

int parity(std::uint64_t part) { return static_cast<int>(part % mail_memory::slots); }

}  // namespace

std::int64_t slot_among(int ranks, std::int64_t bytes) {
  if (bytes == 0) return std::clamp(most_memory / (2 * ranks) / cache_line * cache_line, least_slot, most_slot);
  const std::int64_t all = static_cast<std::int64_t>(mail_memory::slots) * ranks;
  return std::max<std::int64_t>(1, (bytes / all + cache_line - 1) / cache_line) * cache_line;
}

mailboxes::mailboxes(std::unique_ptr<mail_memory> memory, int ranks)
    : memory_(std::move(memory)), sent_(static_cast<std::size_t>(ranks)), received_(static_cast<std::size_t>(ranks)) {}

bool mailboxes::try_send(int to, const std::byte* data, std::int64_t bytes) {
  auto& part = sent_[static_cast<std::size_t>(to)];
  if (part >= mail_memory::slots && !memory_->was_taken(to, parity(part))) return false;
  memory_->put(to, parity(part), std::span(data, static_cast<std::size_t>(bytes)));
  ++part;
  return true;
}

bool mailboxes::try_receive(int from, std::byte* into, std::int64_t bytes) {
  auto& part = received_[static_cast<std::size_t>(from)];
  if (!memory_->has_come(from, parity(part))) return false;
  if (bytes > 0) std::memcpy(into, memory_->content(from, parity(part)), static_cast<std::size_t>(bytes));
  memory_->tell_taken(from, parity(part));
  ++part;
  return true;
}

void mailed_messages::receive(std::byte* into, std::int64_t bytes, int peer, bool even_empty) {
  if (bytes > 0 || even_empty) letters_.push_back({peer, into, bytes, 0, false, false});
}

void mailed_messages::send(const std::byte* from, std::int64_t bytes, int peer, bool even_empty) {
  if (bytes > 0 || even_empty) letters_.push_back({peer, const_cast<std::byte*>(from), bytes, 0, true, false});
}

bool mailed_messages::advance(letter& one) {
  do {
    const auto now = std::min(by_->slot(), one.bytes - one.at);
    if (!(one.leaves ? by_->try_send(one.peer, one.data + one.at, now)
                     : by_->try_receive(one.peer, one.data + one.at, now)))
      return false;
    one.at += now;
  } while (one.at < one.bytes);
  return one.over = true;
}

bool mailed_messages::done() {
  bool all = true;
  const letter* before = nullptr;
  for (auto& one : letters_) {
    const bool in_turn = before == nullptr || before->over || before->peer != one.peer || before->leaves != one.leaves;
    all = (one.over || (in_turn && advance(one))) && all;
    before = &one;
  }
  if (all) letters_.clear();
  return all;
}

void mailed_messages::append_missing(std::vector<int>& ranks) const {
  for (const auto& one : letters_)
    if (!one.over) ranks.push_back(one.peer);
}

}  // namespace wherry::collective
