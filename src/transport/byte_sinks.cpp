#include "byte_sinks.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "wherry/core/error.hpp"

#include "byte_flight.hpp"

namespace wherry {

stream_sink::stream_sink(std::string_view where, const communicator& comm, std::unique_ptr<leaving_stream> stream,
                         std::vector<int> to, std::optional<stray_streams> others)
    : where_(where),
      comm_(comm),
      stream_(std::move(stream)),
      others_(std::move(others)),
      record_(where, stream_->log(), true) {
  record_.goes_to(std::move(to));
  at_ = stream_->first_data();
  if (at_ != nullptr) end_ = at_ + stream_->first_capacity();
}

template <class Ready> void stream_sink::wait(Ready ready) {
  try {
    wait_until(
        comm_, where_,
        [&] {
          const bool is_ready = ready();  // may receive the refusal
          if (const auto why = stream_->refusal()) refuse(*why);
          return is_ready;
        },
        [&](std::vector<int>& ranks) { stream_->append_missing(ranks); }, &record_);
  } catch (const error& failure) {
    in_vain_ = failure.kind() == error_kind::timeout || failure.kind() == error_kind::lost;
    throw;
  }
}

void stream_sink::refuse(const std::string& why) const {
  std::vector<int> readers;
  stream_->append_missing(readers);
  throw error(error_kind::mismatch, where_,
              detail::text("rank ", readers.front(), " does not accept the message: ", why), comm_.rank(), readers);
}

void stream_sink::more(std::size_t) {
  if (auto* first = stream_->first_data())
    send_first(first, false);
  else if (at_ != nullptr)
    hand_over(window_state::more);
  begin_window(stream_->is_read_in_place() && !long_run_);
}

// A long run needs no staging: it is copied to the ring in one go.
void stream_sink::write_long(const std::byte* from, std::size_t bytes) {
  long_run_ = bytes >= byte_staging::capacity;
  byte_sink::write_long(from, bytes);
  long_run_ = false;
}

void stream_sink::put(std::byte* to, const std::byte* from, std::size_t bytes) {
  const bool in_ring = stream_->is_read_in_place() && !staged_ && stream_->first_data() == nullptr;
  in_ring ? stream_->put(to, from, bytes) : byte_sink::put(to, from, bytes);
}

void stream_sink::send_first(std::byte* first, bool all) {
  const auto bytes = static_cast<std::size_t>(at_ - first);
  record_.add(bytes);
  stream_->send_first(bytes, all);
}

void stream_sink::begin_window(bool staged) {
  wait([&] { return stream_->has_room(); });
  staged_ = staged;
  at_ = staged ? staging_.data() : stream_->window().data;
  end_ = at_ + (staged ? std::min(offered_, byte_staging::capacity) : offered_);
  // The first windows are short, so that the reader can begin early.
  offered_ = std::min(2 * offered_, byte_window::capacity);
}

void stream_sink::hand_over(window_state state) {
  auto& window = stream_->window();
  const auto bytes = static_cast<std::size_t>(at_ - (staged_ ? staging_.data() : window.data));
  if (staged_) stream_->put(window.data, staging_.data(), bytes);
  wait([&] { return stream_->may_send(); });
  record_.add(bytes);
  stream_->send_window(bytes, state);
}

void stream_sink::finish() {
  if (auto* first = stream_->first_data()) {
    send_first(first, true);
  } else {
    if (at_ == nullptr) begin_window(false);
    hand_over(window_state::last);
  }
  at_ = end_ = nullptr;
  finished_ = true;
  if (stream_->leaves_in_messages()) record_.goes_by(stream_way::messages);
  if (stream_->is_read_in_place()) record_.goes_by(stream_way::rings);
  wait([&] { return stream_->accepted() && stream_->all_gone(); });
  if (others_) others_->refuse();
}

void stream_sink::abandon(std::string_view why) noexcept {
  if (finished_) return;
  finished_ = true;
  at_ = end_ = nullptr;
  try {
    stream_->give_up(why);
    const auto is_over = [&] { return stream_->let_go() || stream_->failed(); };
    if (!is_over() && !in_vain_) wait_until(comm_, where_, is_over, -1);
  } catch (...) {  // nobody can be told; the graveyard goes on trying
  }
}

void self_sink::finish() {
  packed_.advance(static_cast<std::size_t>(at_ - begin_));
  at_ = end_ = nullptr;
  packed_.finish();
  detail::start_send(where_, comm_, comm_.rank(), tag_, fingerprint_, std::move(packed_)).leave();
}

void self_sink::more(std::size_t) {
  if (begin_ != nullptr) packed_.advance(static_cast<std::size_t>(at_ - begin_));
  begin_ = at_ = packed_.reserve(largest_reservation);
  end_ = at_ + largest_reservation;
}

void detail::check_that_mpi_runs(std::string_view where) { detail::require_mpi(where); }

void detail::check_rank(std::string_view where, const communicator& comm, int rank) {
  detail::check_that_mpi_runs(where);
  if (rank < 0 || rank >= comm.size())
    throw error(error_kind::argument, where,
                detail::text("there is no rank ", rank, " in a communicator of ", comm.size(), " ranks"), comm.rank());
}

std::unique_ptr<byte_sink> detail::open_send(std::string_view where, const communicator& comm, int to,
                                             detail::stream_tag tag, std::uint64_t fingerprint) {
  detail::check_rank(where, comm, to);
  require_reach(where, comm, to);
  if (to == comm.rank()) return std::make_unique<self_sink>(where, comm, tag, fingerprint);
  return std::make_unique<stream_sink>(where, comm, std::make_unique<leaving_stream>(comm, to, tag.mpi(), fingerprint),
                                       std::vector{to});
}

}  // namespace wherry
