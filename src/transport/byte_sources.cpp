#include "byte_sources.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wherry/core/error.hpp"

namespace wherry {

ring_windows::ring_windows(std::string_view where, const communicator& comm,
                           const channel_state::broadcast_places& places, int writer, std::uint64_t stream)
    : ring_windows(
          where, comm,
          ring_reader(comm, comm.node_index(writer), places.offsets[static_cast<std::size_t>(comm.node_index(writer))],
                      comm.node_index(comm.rank())),
          writer, stream) {
  is_broadcast_ = true;
}

bool ring_windows::is_here() {
  if (!has_come_back() || !reader_.ready()) return false;
  const auto stream = reader_.window().head.stream;
  if (stream < stream_ && !channel_state::of(comm_)->is_awaited(stream)) skip(stream);
  return stream == stream_;  // other streams belong to other readers of this rank
}

bool ring_windows::has_come_back() {
  if (is_over_ || !reader_.catch_up()) return false;
  is_over_ = reader_.was_passed(stream_);
  return !is_over_;
}

void ring_windows::leave() {
  finish();
  if (!has_come_back()) return;
  if (is_broadcast_ && !channel_state::of(comm_)->may_leave(stream_)) return;
  has_left_ = true;
  reader_.leave(stream_);
}

void ring_windows::skip(std::uint64_t strange) {
  while (reader_.ready() && reader_.window().head.stream == strange) reader_.release();
  if (std::exchange(has_complained_, true)) return;
  throw error(error_kind::mismatch, where_,
              detail::text("the ranks named different roots: rank ", writer_, " was the root of broadcast number ",
                           strange, ", which rank ", comm_.rank(), " did not take from there"),
              comm_.rank(), {writer_});
}

const byte_window* ring_windows::next() {
  finish();
  if (!is_here()) return nullptr;
  holds_ = true;
  return &reader_.window();
}

message_windows::message_windows(const communicator& comm, const first_piece& first, int from, std::string_view refusal)
    : ring_(comm, ring_use::messages), relay_(comm, *ring_, ring_->next(), from, first.head.body_tag, {}) {
  if (first.head.route != stream_route::messages) return;
  refused_ = !refusal.empty();
  answer_.accepted = refused_ ? 0 : 1;
  std::memcpy(answer_.why, refusal.data(), std::min(refusal.size(), sizeof answer_.why - 1));
  answer_message_.send(comm, &answer_, sizeof answer_, from, first.head.body_tag + 1);
}

void throw_abandoned(std::string_view where, const communicator& comm, int writer, const std::byte* reason,
                     std::size_t bytes) {
  throw error(
      error_kind::state, where,
      detail::text("rank ", writer, " has given up: ", std::string_view(reinterpret_cast<const char*>(reason), bytes)),
      comm.rank(), {writer});
}

std::string another_root(const communicator& comm, int named, int come) {
  return detail::text("the ranks name different roots: rank ", comm.rank(), " names rank ", named,
                      ", and what has come is rank ", come, "'s");
}

void compare_roots(std::string_view where, const communicator& comm, int named, int come) {
  if (is_another_root(named, come))
    throw error(error_kind::mismatch, where, another_root(comm, named, come), comm.rank(), {come});
}

void throw_other_type(std::string_view where, const communicator& comm, int writer) {
  throw error(error_kind::mismatch, where,
              detail::text("rank ", writer, " sends another type than rank ", comm.rank(), " reads"), comm.rank(),
              {writer});
}

}  // namespace wherry
