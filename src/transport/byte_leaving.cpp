#include "byte_leaving.hpp"

#include <cstring>
#include <utility>

namespace wherry {

leaving_stream::leaving_stream(const communicator& comm, int to, int tag, std::uint64_t fingerprint)
    : comm_(comm),
      channels_(channel_state::of(comm)),
      to_(to),
      tag_(tag),
      shared_(streams_share_memory(comm) && comm.node_index(to) >= 0),
      fingerprint_(fingerprint),
      first_(channels_->take_piece()) {
  first_->head.fingerprint = fingerprint;
}

leaving_stream::leaving_stream(const communicator& comm, ring_lease ring, std::vector<int> children, int tag,
                               std::uint64_t fingerprint, std::uint64_t stream)
    : comm_(comm),
      channels_(channel_state::of(comm)),
      open_(true),
      has_children_(!children.empty()),
      fingerprint_(fingerprint),
      stream_(stream),
      ring_(std::move(ring)) {
  ring_->begin(stream);
  sender_.emplace(comm, std::move(children), tag);
}

leaving_stream::~leaving_stream() {
  if (first_) channels_->give_back(std::move(first_));
}

void leaving_stream::open_windows() {
  ring_ = ring_lease(comm_, shared_ ? ring_use::pair : ring_use::messages);
  stream_ = ring_->next();
  ring_->begin(stream_);
  auto& head = first_->head;
  if (shared_) {
    head.route = stream_route::ring;
    head.ring = ring_->offset();
    head.position = stream_;
    return;
  }
  head.route = stream_route::messages;
  head.body_tag = next_body_tag();
  sender_.emplace(comm_, std::vector{to_}, head.body_tag);
  answer_ = std::make_unique<stream_answer>();
  answer_message_.receive(comm_, answer_.get(), sizeof *answer_, to_, head.body_tag + 1);
}

void leaving_stream::send_first(std::size_t bytes, bool all) {
  first_->head.bytes = static_cast<std::uint32_t>(bytes);
  open_ = true;
  ended_ = all;
  if (!all) open_windows();
  first_message_.send(comm_, first_.get(), first_->message_bytes(), to_, tag_);
}

bool leaving_stream::has_room() {
  const auto number = ring_->next();
  return ring_->is_free(number) && (!sender_ || sender_->done(number));
}

void leaving_stream::send_window(std::size_t bytes, window_state state) {
  const auto number = ring_->next();
  auto& full = ring_->window(number);
  full.head = {stream_, fingerprint_, static_cast<std::uint32_t>(bytes), state, to_ < 0 ? comm_.rank() : -1};
  ring_->publish();
  ended_ = state != window_state::more;
  if (ended_) ring_->end();
  if (!sender_) return;
  sender_->send(full, number);
  if (ended_) sender_->send_padding();
}

void leaving_stream::send_last_word(std::string_view reason) {
  auto& last = ring_->last_word();
  last.head = {stream_, fingerprint_, static_cast<std::uint32_t>(reason.size()), window_state::abandoned, -1};
  std::memcpy(last.data, reason.data(), reason.size());
  ring_->abandon();
  ended_ = true;
  if (sender_) sender_->send_last_word(last);
}

std::optional<std::string> leaving_stream::refusal() const {
  if (answer_)
    return answer_message_.under_way() || answer_->accepted != 0 ? std::nullopt
                                                                 : std::optional<std::string>(answer_->why);
  if (to_ < 0 || !ring_ || !ring_->has_given_up(0, stream_)) return std::nullopt;
  return ring_->why(0).text;
}

bool leaving_stream::accepted() const { return sender_ || !ring_ || ring_->has_accepted(0, stream_); }

void leaving_stream::append_missing(std::vector<int>& ranks) const {
  if (to_ >= 0) {
    ranks.push_back(to_);
    return;
  }
  sender_->append_missing(ranks);
  append_readers_behind(comm_, *ring_, ranks);
}

bool leaving_stream::try_to_end() {
  std::string_view reason = reason_;
  if (reason.empty()) reason = "it released the stream before its end";
  const auto put_reason = [&](std::byte* at) { std::memcpy(at, reason.data(), reason.size()); };
  if (!open_) {
    put_reason(first_->data);
    first_->head.route = stream_route::abandoned;
    send_first(reason.size(), true);
  } else if (answer_ && refusal()) {
    ended_ = true;
  } else if (has_room()) {
    put_reason(window().data);
    send_window(reason.size(), window_state::abandoned);
  } else if (ring_->may_abandon()) {
    send_last_word(reason);
  }
  return ended_;
}

bool leaving_stream::let_go() {
  take_off();
  progress();
  return !in_flight() && !failed();
}

bool leaving_stream::advance() { return (ended_ || try_to_end()) && all_gone(); }

}  // namespace wherry
