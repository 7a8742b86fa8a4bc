#include "byte_flight.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "byte_channel_state.hpp"
#include "byte_messages.hpp"
#include "flight/abandonable.hpp"

namespace wherry {

bool detail::byte_flight::state::test() {
  if (!poll()) return false;
  if (failed()) std::rethrow_exception(failure());
  if (problem) std::rethrow_exception(problem);
  return true;
}

bool detail::byte_flight::state::advance() {
  if (!move()) {
    if (has_left_) tell_others();
    return false;
  }
  record->end();
  return true;
}

bool detail::byte_flight::state::let_go() noexcept {
  const turn mine(*this);
  has_left_ = true;
  progress();
  return over() && !failed();
}

detail::byte_flight::byte_flight() = default;
detail::byte_flight::byte_flight(std::unique_ptr<state> what) : state_(std::move(what)), where_(state_->where) {
  companions::tend_graveyard();
  state_->drive_in_waits();
}
detail::byte_flight::byte_flight(detail::byte_flight&&) noexcept = default;

detail::byte_flight& detail::byte_flight::operator=(detail::byte_flight&& other) noexcept {
  detail::byte_flight replaced(std::move(*this));  // its destructor waits
  state_ = std::move(other.state_);
  where_ = other.where_;
  return *this;
}

detail::byte_flight::~byte_flight() {
  if (is_worth_waiting_for()) {
    try {
      wait();
    } catch (...) {  // a destructor cannot report it
    }
  }
  std::move(*this).leave();
}

bool detail::byte_flight::is_worth_waiting_for() const {
  return state_ && !state_->waited_in_vain && destructor_may_wait();
}

void detail::byte_flight::leave() && { abandon_flight(std::move(state_)); }

detail::byte_flight::state& detail::byte_flight::live() const {
  if (!state_)
    throw error(error_kind::state, where_.empty() ? "byte_flight" : where_,
                "nothing is in flight: this object was never started, or it has been moved from");
  return *state_;
}

void detail::byte_flight::must_be_under_way() const {
  const auto& s = live();
  if (detail::is_forked_child()) detail::require_mpi(where_, s.comm.rank());
  if (detail::mpi_has_ended() && !s.over())
    throw error(error_kind::state, where_, "MPI has ended, so the message in flight can no longer arrive",
                s.comm.rank());
}

bool detail::byte_flight::test() {
  must_be_under_way();
  if (!state_->test()) return false;
  state_->at_the_end();
  return true;
}

void detail::byte_flight::wait() {
  must_be_under_way();
  try {
    wait_until(
        state_->comm, where_, [&] { return state_->test(); },
        [&](std::vector<int>& ranks) { state_->append_missing(ranks); }, state_->record.get());
  } catch (const error& failure) {
    state_->waited_in_vain = failure.kind() == error_kind::timeout || failure.kind() == error_kind::lost;
    throw;
  }
  state_->at_the_end();
}

void detail::byte_flight::wait_or_withdraw() {
  try {
    wait();
  } catch (...) {
    if (!state_->waited_in_vain || !state_->withdraw()) throw;
    wait();
    if (state_->was_withdrawn()) throw;
  }
}

std::unique_ptr<byte_source> detail::byte_flight::bytes() { return state_->bytes(); }
int detail::byte_flight::source() const { return state_ ? state_->source() : -1; }
bool detail::byte_flight::under_way() const { return state_ && !state_->over(); }

std::string detail::byte_flight::transport() const {
  const turn mine(live());
  return state_->record->transport();
}

exchange_statistics detail::byte_flight::statistics() const {
  const turn mine(live());
  return state_->record->figures();
}

std::string detail::byte_flight::explain() const {
  const turn mine(live());
  const auto& s = *state_;
  const auto moved = s.record->figures();
  auto out = detail::text(s.where, ", rank ", s.comm.rank(), " of ", s.comm.size(), ", ", s.other_end(), ": ");
  out += s.record->has_moved() ? detail::text(moved.bytes_sent + moved.bytes_received, " B by ", s.record->transport(),
                                              s.over() ? ", complete" : ", under way")
                               : std::string("nothing has come yet");
  return out + '\n' + explain_ways(s.comm);
}

void posted_messages::add(const communicator& comm, const void* from, std::size_t bytes, int to, int tag) {
  entries_.push_back({{}, to});
  entries_.back().message.send(comm, from, bytes, to, tag);
}

bool posted_messages::done() {
  while (first_ < entries_.size() && entries_[first_].message.done()) ++first_;
  return first_ == entries_.size();
}

void posted_messages::append_missing(std::vector<int>& ranks) const {
  for (std::size_t i = first_; i < entries_.size(); ++i) ranks.push_back(entries_[i].to);
}

send_flight::send_flight(std::string_view called, const communicator& on, const std::vector<int>& to, int tag,
                         std::uint64_t fingerprint, std::unique_ptr<window_list> list, int body_tag,
                         std::optional<stray_streams> others)
    : state(called, on, std::make_shared<stream_record>(called, channel_state::of(on)->log(), true)),
      to_(to),
      list_(std::move(list)),
      others_(std::move(others)) {
  auto& head = list_->first->head;
  if (head.route != stream_route::abandoned)
    head.route = list_->windows.empty() ? stream_route::none : stream_route::posted;
  head.fingerprint = fingerprint;
  head.body_tag = body_tag;
  for (auto& window : list_->windows) window->head.fingerprint = fingerprint;
  record->goes_to(to);
  count();
  for (const int peer : to) {
    messages_.add(comm, list_->first.get(), list_->first->message_bytes(), peer, tag);
    for (const auto& window : list_->windows)
      messages_.add(comm, window.get(), window->message_bytes(), peer, body_tag);
    if (head.route == stream_route::posted)
      for (int i = 1; i < windows_ahead; ++i) messages_.add(comm, nullptr, 0, peer, body_tag);
  }
}

// The reason for giving up does not count as data.
void send_flight::count() const {
  if (list_->first->head.route == stream_route::abandoned) return;
  record->goes_by(stream_way::messages);
  record->add(list_->first->head.bytes);
  for (const auto& window : list_->windows) record->add(window->head.bytes);
}

std::string send_flight::other_end() const {
  return to_.empty() ? "to nobody" : detail::text("to rank ", list_of(to_));
}

void send_flight::at_the_end() {
  if (const auto others = std::exchange(others_, std::nullopt)) others->refuse();
}

}  // namespace wherry
