// Streams that are packed as a whole and sent afterwards.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "wherry/core/error.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "byte_channel_state.hpp"
#include "byte_flight.hpp"

namespace wherry {

detail::packed_stream::packed_stream(std::string_view where, const communicator& comm, std::size_t limit)
    : where_(where), comm_(comm), limit_(limit), list_(std::make_unique<window_list>()) {
  at_ = list_->first->data;
  end_ = at_ + first_piece::capacity;
}

detail::packed_stream::~packed_stream() = default;

void detail::packed_stream::close_window() {
  if (list_->windows.empty()) {
    before_ = static_cast<std::size_t>(at_ - list_->first->data);
    list_->first->head.bytes = static_cast<std::uint32_t>(before_);
    return;
  }
  auto& window = *list_->windows.back();
  const auto bytes = static_cast<std::size_t>(at_ - window.data);
  window.head.bytes = static_cast<std::uint32_t>(bytes);
  before_ += bytes;
}

void detail::packed_stream::more(std::size_t) {
  close_window();
  // Beyond the limit bytes are only counted, for the error; the last window is filled again and again.
  if (limit_ == 0 || before_ <= limit_ || list_->windows.empty()) list_->windows.push_back(fresh_window());
  auto& window = *list_->windows.back();
  window.head = {};
  at_ = window.data;
  end_ = at_ + byte_window::capacity;
}

void detail::packed_stream::finish() {
  close_window();
  at_ = end_ = nullptr;
  if (!list_->windows.empty()) list_->windows.back()->head.state = window_state::last;
  if (limit_ != 0 && before_ > limit_)
    throw error(error_kind::argument, where_,
                detail::text("the buffer of ", limit_, " bytes is too small: the structure needs ", before_),
                comm_.rank());
}

void detail::packed_stream::abandon(std::string_view why) noexcept {
  at_ = end_ = nullptr;
  list_->windows.clear();
  auto& first = *list_->first;
  why = why.substr(0, 1024);
  std::memcpy(first.data, why.data(), why.size());
  first.head.bytes = static_cast<std::uint32_t>(why.size());
  first.head.route = stream_route::abandoned;
}

std::size_t detail::packed_stream::bytes() const { return before_; }
std::unique_ptr<window_list> detail::packed_stream::take() && { return std::move(list_); }

detail::byte_flight detail::start_send(std::string_view where, const communicator& comm, int to, detail::stream_tag tag,
                                       std::uint64_t fingerprint, detail::packed_stream&& packed) {
  detail::check_rank(where, comm, to);
  require_reach(where, comm, to);
  auto list = std::move(packed).take();
  const int body_tag = list->windows.empty() ? 0 : next_body_tag();
  return detail::byte_flight(
      std::make_unique<send_flight>(where, comm, std::vector{to}, tag.mpi(), fingerprint, std::move(list), body_tag));
}

detail::byte_flight detail::start_receive(std::string_view where, const communicator& comm, int from,
                                          detail::stream_tag tag, std::uint64_t fingerprint) {
  if (from != MPI_ANY_SOURCE) detail::check_rank(where, comm, from);
  return detail::byte_flight(std::make_unique<receive_flight>(where, comm, from, tag.mpi(), fingerprint));
}

}  // namespace wherry
