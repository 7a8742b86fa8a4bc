#include "mailboxes.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace wherry::collective {
namespace {

/// Of a rank's slots together, as long as each has a little.
constexpr std::int64_t most_memory = 4 << 20, least_slot = 512, most_slot = 64 << 10;

std::int64_t slot_among(int ranks) { return std::clamp(most_memory / (2 * ranks) / 64 * 64, least_slot, most_slot); }

std::size_t memory_among(int ranks) {
  return 2 * static_cast<std::size_t>(ranks) * static_cast<std::size_t>(slot_among(ranks));
}

byte_segment segment_for(const communicator& comm, putting how, std::vector<std::byte>& windows) {
  const segment_options options{.notifications = 4 * comm.size(), .through_kernel = false, .counted = false};
  return how == putting::by_windows ? byte_segment(comm, std::span(windows), options)
                                    : byte_segment(comm, memory_among(comm.size()), options);
}

}  // namespace

mailboxes::mailboxes(const communicator& comm, putting how)
    : rank_(comm.rank()),
      size_(comm.size()),
      slot_(slot_among(comm.size())),
      windows_(how == putting::by_windows ? memory_among(comm.size()) : 0),
      segment_(segment_for(comm, how, windows_)),
      sent_(static_cast<std::size_t>(size_)),
      received_(static_cast<std::size_t>(size_)) {}

bool mailboxes::try_send(int to, const std::byte* data, std::int64_t bytes) {
  auto& part = sent_[static_cast<std::size_t>(to)];
  if (part >= 2) {
    const int taken = taken_id(to, part);
    if (segment_.value(taken) == 0) return false;
    segment_.reset(taken);
  }
  segment_.write_notify(to, place(rank_, part), std::span(data, static_cast<std::size_t>(bytes)), data_id(rank_, part));
  ++part;
  return true;
}

bool mailboxes::try_receive(int from, std::byte* into, std::int64_t bytes) {
  auto& part = received_[static_cast<std::size_t>(from)];
  const int come = data_id(from, part);
  if (segment_.value(come) == 0) return false;
  if (bytes > 0) std::memcpy(into, segment_.memory().data() + place(from, part), static_cast<std::size_t>(bytes));
  segment_.reset(come);
  segment_.notify(from, taken_id(rank_, part));
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
  for (auto& one : letters_) all = (one.over || advance(one)) && all;
  if (all) letters_.clear();
  return all;
}

void mailed_messages::append_missing(std::vector<int>& ranks) const {
  for (const auto& one : letters_)
    if (!one.over) ranks.push_back(one.peer);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
}

}  // namespace wherry::collective
