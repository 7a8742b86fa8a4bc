#include "byte_messages.hpp"

#include <algorithm>

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

void window_sender::send_padding() {
  for (const int peer : to_)
    for (int i = 1; i < windows_ahead; ++i) padding_.emplace_back().send(comm_, nullptr, 0, peer, tag_);
}

bool window_sender::all_done() {
  return all_done_of(padding_) &&
         std::all_of(under_way_.begin(), under_way_.end(), [](auto& m) { return all_done_of(m); });
}

void window_sender::append_missing(std::vector<int>& ranks) const {
  for (const auto& messages : under_way_)
    for (std::size_t i = 0; i < messages.size(); ++i)
      if (messages[i].under_way()) ranks.push_back(to_[i]);
}

void window_relay::post(std::uint64_t end) {
  while (posted_ < end && ring_.is_free(posted_) && on_.done(posted_)) {
    auto& receive = receives_[posted_ % ring_writer::windows];
    receive.receive(comm_, &ring_.window(posted_), sizeof(byte_window), from_, tag_);
    ++posted_;
  }
}

const byte_window* window_relay::next() {
  const auto number = ring_.next();
  post(number + windows_ahead);
  if (posted_ <= number || !receives_[number % ring_writer::windows].done()) return nullptr;
  auto& window = ring_.window(number);
  ring_.publish();
  on_.send(window, number);
  if (window.head.state != window_state::more) {
    end_ = ring_.next() + windows_ahead - 1;
    on_.send_padding();
  }
  return &window;
}

bool window_relay::all_here() { return posted_ >= end_ && all_done_of(receives_); }

bool window_relay::finish() {
  post(end_);
  return all_here() && on_.all_done();
}

void window_relay::append_missing(std::vector<int>& ranks) const {
  on_.append_missing(ranks);
  if (end_ == 0 && posted_ <= ring_.next())
    append_readers_behind(comm_, ring_, ranks);
  else
    ranks.push_back(from_);
}

}  // namespace wherry
