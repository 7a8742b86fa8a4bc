// Receiving without blocking. Whichever route the sender has chosen, the stream ends up in a list of windows.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "wherry/core/error.hpp"

#include "byte_channel_state.hpp"
#include "byte_flight.hpp"
#include "byte_messages.hpp"
#include "byte_sources.hpp"
#include "channel/pending_message.hpp"

namespace wherry {
namespace {

/// The windows of a list. Each is freed when it has been read.
class list_windows {
 public:
  list_windows(std::unique_ptr<window_list> list, int writer) : list_(std::move(list)), writer_(writer) {}
  const byte_window* next() {
    if (at_ > 0) list_->windows[at_ - 1].reset();
    return list_->windows[at_++].get();
  }
  bool finish() { return true; }
  void give_up(std::string_view) {}
  void leave() {}
  bool owes() const { return false; }
  bool is_over() const { return false; }
  int writer() const { return writer_; }
  void append_missing(std::vector<int>&) const {}

 private:
  std::unique_ptr<window_list> list_;
  std::size_t at_ = 0;
  int writer_;
};

std::shared_ptr<stream_record> record_of(std::string_view called, const communicator& on) {
  return std::make_shared<stream_record>(called, channel_state::of(on)->log(), false);
}

}  // namespace

std::unique_ptr<byte_source> read_list(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                                       int writer, std::unique_ptr<window_list> list) {
  auto first = std::move(list->first);
  if (list->windows.empty()) return std::make_unique<whole_piece>(where, comm, writer, std::move(first), nullptr);
  auto rest = std::make_unique<arriving_windows<list_windows>>(std::move(list), writer);
  return std::make_unique<window_source<list_windows>>(where, comm, fingerprint, std::move(first), std::move(rest),
                                                       nullptr);
}

receive_flight::receive_flight(std::string_view called, const communicator& on, int from, int tag,
                               std::uint64_t fingerprint)
    : receive_flight(called, on, from, tag, fingerprint, {}, -1, record_of(called, on)) {}

receive_flight::receive_flight(std::string_view called, const communicator& on, int from, int tag,
                               std::uint64_t fingerprint, std::vector<int> to, int named,
                               std::shared_ptr<stream_record> counted)
    : state(called, on, std::move(counted)),
      from_(from),
      tag_(tag),
      named_(named),
      fingerprint_(fingerprint),
      to_(std::move(to)),
      list_(std::make_unique<window_list>()) {
  if (from >= 0) record->comes_from(from);  // so that the statistics of a wait name this rank
  first_message_.receive(comm, list_->first.get(), sizeof(first_piece), from, tag);
}

receive_flight::receive_flight(std::string_view called, const communicator& on, int from, std::uint64_t fingerprint,
                               std::unique_ptr<first_piece> first, pending_message first_message)
    : state(called, on, record_of(called, on)),
      from_(from),
      tag_(0),
      fingerprint_(fingerprint),
      list_(std::make_unique<window_list>(std::move(first))),
      first_message_(std::move(first_message)),
      withdrawing_(true) {}

void receive_flight::fail(std::string_view what, int peer, error_kind kind) {
  problem = std::make_exception_ptr(error(kind, where, what, comm.rank(), {peer}));
}

void receive_flight::fail_abandoned(const std::byte* why, std::size_t bytes) {
  if (problem) return;
  const std::string_view reason(reinterpret_cast<const char*>(why), bytes);
  fail(detail::text("rank ", from_, " has given up: ", reason), from_, error_kind::state);
}

void receive_flight::pass_on(const void* from, std::size_t bytes) {
  for (const int peer : to_) passed_on_.add(comm, from, bytes, peer, tag_);
}

// The reason for giving up does not count as data.
void receive_flight::count(const byte_window& window) {
  if (window.head.state != window_state::abandoned) record->add(window.head.bytes);
}

void receive_flight::look_at_first() {
  const auto& first = *list_->first;
  pass_on(&first, first.message_bytes());
  body_tag_ = first.head.body_tag;
  const bool same = first.head.magic == first_piece::expected_magic && first.head.fingerprint == fingerprint_;
  const auto refusal = detail::text("rank ", comm.rank(), " reads another type");
  if (!same && first.head.route != stream_route::abandoned)
    fail(detail::text("rank ", from_, " sends another type than rank ", comm.rank(), " reads"), from_,
         error_kind::mismatch);
  if (is_another_root(named_, first.head.root) && first.head.route != stream_route::abandoned)
    fail(another_root(comm, named_, first.head.root), first.head.root, error_kind::mismatch);
  if (first.head.route != stream_route::abandoned) {
    record->goes_by(first.head.route == stream_route::ring ? stream_way::rings : stream_way::messages);
    record->add(first.head.bytes);
  }
  switch (first.head.route) {
    case stream_route::none:
      complete_ = true;
      break;
    case stream_route::abandoned:
      fail_abandoned(first.data, first.head.bytes);
      complete_ = true;
      break;
    case stream_route::ring:
      ring_.emplace(comm, comm.node_index(from_), first.head.ring, 0);
      ring_->begin_at(first.head.position);
      if (same)
        ring_->accept(first.head.position);
      else
        ring_->give_up(first.head.position, refusal);
      break;
    case stream_route::messages:
      answer_.accepted = same ? 1 : 0;
      if (!same) std::strncpy(answer_.why, refusal.c_str(), sizeof answer_.why - 1);
      answer_message_.send(comm, &answer_, sizeof answer_, from_, body_tag_ + 1);
      complete_ = !same;
      break;
    case stream_route::posted:
      break;
  }
}

bool receive_flight::withdraw() {
  const turn mine(*this);
  if (first_here_) return false;
  first_message_.cancel();
  withdrawing_ = true;
  return true;
}

bool receive_flight::move() {
  if (!first_here_) {
    MPI_Status status{};
    if (!first_message_.done(&status)) return false;
    if (withdrawing_) withdrawn_ = pending_message::was_cancelled(status);
    if (withdrawn_) return true;
    from_ = status.MPI_SOURCE;
    record->comes_from(from_);
    first_here_ = true;
    look_at_first();
  }
  if (!complete_) complete_ = ring_ ? advance_ring() : advance_messages();
  return complete_ && passed_on_.done() && answer_message_.done();
}

// Leaves the ring. The windows that are left there are thrown away by the writer, or here.
void receive_flight::tell_others() {
  if (!ring_ || complete_) return;
  has_left_ring_ = true;
  ring_->leave(list_->first->head.position);
}

bool receive_flight::advance_ring() {
  if (has_left_ring_ && !ring_->catch_up()) return false;
  if (has_left_ring_ && ring_->was_passed(list_->first->head.position)) return true;
  while (ring_->ready()) {
    const auto& window = ring_->window();
    auto& copy = list_->windows.emplace_back(fresh_window());
    std::memcpy(copy.get(), &window, window.message_bytes());
    ring_->release();
    count(*copy);
    if (copy->head.state == window_state::more) continue;
    if (copy->head.state == window_state::abandoned) fail_abandoned(copy->data, copy->head.bytes);
    return true;
  }
  return false;
}

void receive_flight::post_windows() {
  while (receives_.size() < arrived_ + windows_ahead) {
    auto& window = list_->windows.emplace_back(fresh_window());
    receives_.emplace_back().receive(comm, window.get(), sizeof(byte_window), from_, body_tag_);
  }
}

bool receive_flight::advance_messages() {
  for (;;) {
    const bool ended = arrived_ > 0 && list_->windows[arrived_ - 1]->head.state != window_state::more;
    if (ended) break;
    post_windows();
    if (!receives_[arrived_].done()) return false;
    const auto& window = *list_->windows[arrived_++];
    count(window);
    pass_on(&window, window.message_bytes());
  }
  if (!std::all_of(receives_.begin(), receives_.end(), [](pending_message& m) { return m.done(); })) return false;
  for (std::size_t i = 1; i < windows_ahead; ++i) pass_on(nullptr, 0);
  list_->windows.resize(arrived_);
  const auto& last = *list_->windows.back();
  if (last.head.state == window_state::abandoned) fail_abandoned(last.data, last.head.bytes);
  return true;
}

void receive_flight::append_missing(std::vector<int>& ranks) const {
  if (!complete_ && from_ >= 0) ranks.push_back(from_);
  passed_on_.append_missing(ranks);
}

std::unique_ptr<byte_source> receive_flight::bytes() {
  return read_list(where, comm, fingerprint_, from_, std::move(list_));
}

}  // namespace wherry
