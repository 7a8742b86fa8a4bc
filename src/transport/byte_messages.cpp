#include "byte_messages.hpp"

#include <algorithm>
#include <cstring>

#include "channel/pending_message.hpp"

namespace wherry {
namespace {

template <class Messages> bool all_done_of(Messages& messages) {
  return std::all_of(messages.begin(), messages.end(), [](pending_message& m) { return m.done(); });
}

}  // namespace

void window_sender::send(const byte_window& window, std::uint64_t number) {
  auto& messages = under_way_[number % ring_writer::windows];
  messages.resize(to_.size());
  for (std::size_t i = 0; i < to_.size(); ++i) messages[i].send(comm_, &window, window.message_bytes(), to_[i], tag_);
}

bool window_sender::done(std::uint64_t number) { return all_done_of(under_way_[number % ring_writer::windows]); }

void window_sender::send_last_word(const byte_window& word) {
  for (const int peer : to_) at_the_end_.emplace_back().send(comm_, &word, word.message_bytes(), peer, tag_);
  send_padding();
}

void window_sender::send_padding() {
  for (const int peer : to_)
    for (int i = 1; i < windows_ahead; ++i) at_the_end_.emplace_back().send(comm_, nullptr, 0, peer, tag_);
}

bool window_sender::all_done() {
  return all_done_of(at_the_end_) &&
         std::all_of(under_way_.begin(), under_way_.end(), [](auto& m) { return all_done_of(m); });
}

void window_sender::append_missing(std::vector<int>& ranks) const {
  for (const auto& messages : under_way_)
    for (std::size_t i = 0; i < messages.size(); ++i)
      if (messages[i].under_way()) ranks.push_back(to_[i]);
}

byte_window& window_relay::place_of(std::uint64_t number) {
  return scratch_ && number >= thrown_away_ ? scratch_[number % windows_ahead] : ring_.window(number);
}

void window_relay::post(std::uint64_t end) {
  while (posted_ < end && (scratch_ || (ring_.is_free(posted_) && on_.done(posted_)))) {
    auto& receive = receives_[posted_ % ring_writer::windows];
    receive.receive(comm_, &place_of(posted_), sizeof(byte_window), from_, tag_);
    ++posted_;
  }
}

const byte_window* window_relay::next() {
  post(arrived_ + windows_ahead);
  if (posted_ <= arrived_ || !receives_[arrived_ % ring_writer::windows].done()) return nullptr;
  const auto& window = place_of(arrived_++);
  if (window.head.state != window_state::more) end_ = arrived_ + windows_ahead - 1;
  if (!scratch_) pass_on(window);
  return &window;
}

void window_relay::pass_on(const byte_window& window) {
  const auto number = ring_.next();
  ring_.publish();
  on_.send(window, number);
  if (end_ == 0) return;
  ring_.end();
  on_.send_padding();
}

void window_relay::abandon(std::string_view reason) {
  if (end_ != 0 || scratch_ || !ring_.may_abandon()) return;
  auto memory = fresh_windows(windows_ahead);
  auto& last = ring_.last_word();
  reason = reason.substr(0, 1024);
  last.head = {stream_, 0, static_cast<std::uint32_t>(reason.size()), window_state::abandoned, -1};
  std::memcpy(last.data, reason.data(), reason.size());
  thrown_away_ = posted_;
  scratch_ = std::move(memory);
  ring_.abandon();
  on_.send_last_word(last);
}

bool window_relay::all_here() { return posted_ >= end_ && all_done_of(receives_); }

bool window_relay::finish() {
  post(end_);
  return all_here() && on_.all_done();
}

void window_relay::append_missing(std::vector<int>& ranks) const {
  on_.append_missing(ranks);
  if (end_ == 0 && posted_ <= arrived_)
    append_readers_behind(comm_, ring_, ranks);
  else
    ranks.push_back(from_);
}

}  // namespace wherry
