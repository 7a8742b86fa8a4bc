// The writing end of a stream from one rank to another.
#include <algorithm>
#include <cstring>
#include <optional>

#include "wherry/core/error.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "byte_channel_state.hpp"
#include "byte_flight.hpp"
#include "byte_messages.hpp"
#include "byte_staging.hpp"
#include "byte_waiting.hpp"

namespace wherry {
namespace {

class send_sink final : public byte_sink {
 public:
  send_sink(std::string_view where, const communicator& comm, int to, stream_tag tag, std::uint64_t fingerprint)
      : where_(where),
        comm_(comm),
        channels_(channel_state::of(comm)),
        to_(to),
        tag_(tag.mpi()),
        shared_(comm.arena() != nullptr && comm.node_index(to) >= 0),
        first_(channels_.take_piece()) {
    first_->head.fingerprint = fingerprint;
    at_ = first_->data;
    end_ = at_ + first_piece_bytes(shared_);
  }
  ~send_sink() override {
    // After an error MPI may still read from this memory: it is left to it.
    if (first_message_.under_way())
      static_cast<void>(first_.release());
    else
      channels_.give_back(std::move(first_));
    if (sender_ && !sender_->all_done()) ring_.lose();
  }
  send_sink(const send_sink&) = delete;
  send_sink& operator=(const send_sink&) = delete;

  void finish() override;
  void abandon(std::string_view why) noexcept override;

 private:
  void more(std::size_t bytes) override;
  void write_long(const std::byte* from, std::size_t bytes) override;
  void send_first(stream_route route);
  void open_ring();
  void open_messages();
  void await_answer();
  void hand_over(window_state state);
  void begin_window(bool staged);
  void look_at_reader() const;
  void wait_for_verdict();
  void offer_nothing() { at_ = end_ = nullptr; }

  std::string_view where_;
  communicator comm_;
  channel_state& channels_;
  int to_, tag_;
  bool shared_, finished_ = false;
  std::unique_ptr<first_piece> first_;
  pending_message first_message_, answer_message_;
  stream_answer answer_;
  std::uint64_t stream_ = 0;
  ring_lease ring_;
  std::optional<window_sender> sender_;
  byte_staging staging_;
  std::size_t offered_ = std::size_t{16} << 10;
  bool open_ = false, answered_ = false, staged_ = false, long_run_ = false;
};

void send_sink::send_first(stream_route route) {
  first_->head.route = route;
  if (route != stream_route::abandoned) first_->head.bytes = static_cast<std::uint32_t>(at_ - first_->data);
  first_message_.send(comm_, first_.get(), first_->message_bytes(), to_, tag_);
}

void send_sink::open_ring() {
  ring_ = ring_lease(comm_, true);
  stream_ = ring_->next();
  first_->head.ring = ring_->offset();
  first_->head.position = stream_;
  send_first(stream_route::ring);
}

void send_sink::open_messages() {
  ring_ = ring_lease(comm_, false);
  stream_ = ring_->next();
  const int tag = channels_.next_body_tag(comm_);
  sender_.emplace(comm_, std::vector{to_}, tag);
  answer_message_.receive(comm_, &answer_, sizeof answer_, to_, tag + 1);
  first_->head.body_tag = tag;
  send_first(stream_route::messages);
}

void send_sink::more(std::size_t) {
  if (!open_) {
    open_ = true;
    shared_ ? open_ring() : open_messages();
  } else {
    hand_over(window_state::more);
  }
  begin_window(!sender_ && !long_run_);
}

// A long run needs no staging: it is copied to the ring as it is.
void send_sink::write_long(const std::byte* from, std::size_t bytes) {
  long_run_ = bytes >= byte_staging::capacity;
  byte_sink::write_long(from, bytes);
  long_run_ = false;
}

void send_sink::begin_window(bool staged) {
  const auto number = ring_->next();
  wait_until(
      comm_, where_,
      [&] {
        if (!sender_) look_at_reader();
        return ring_->is_free(number) && (!sender_ || sender_->done(number));
      },
      to_);
  staged_ = staged;
  at_ = staged ? staging_.data() : ring_->window(number).data;
  end_ = at_ + (staged ? std::min(offered_, byte_staging::capacity) : offered_);
  // The first windows are short, so that the reader begins early.
  offered_ = std::min(2 * offered_, byte_window::capacity);
}

void send_sink::hand_over(window_state state) {
  const auto number = ring_->next();
  auto& window = ring_->window(number);
  const auto bytes = static_cast<std::size_t>(at_ - (staged_ ? staging_.data() : window.data));
  if (staged_) staging_.copy_to(window, bytes);
  window.head = {stream_, first_->head.fingerprint, static_cast<std::uint32_t>(bytes), state};
  if (sender_ && !answered_) await_answer();
  ring_->publish();
  if (!sender_) return;
  sender_->send(window, number);
  if (state != window_state::more) sender_->send_padding();
}

void send_sink::await_answer() {
  wait_until(comm_, where_, [&] { return answer_message_.done(); }, to_);
  answered_ = true;
  if (answer_.accepted == 0)
    throw error(error_kind::mismatch, where_, text("rank ", to_, " does not take it: ", answer_.why), comm_.rank(),
                {to_});
}

void send_sink::look_at_reader() const {
  if (ring_->has_given_up(0, stream_))
    throw error(error_kind::mismatch, where_, text("rank ", to_, " does not take it: ", ring_->why(0).text),
                comm_.rank(), {to_});
}

void send_sink::wait_for_verdict() {
  wait_until(
      comm_, where_,
      [&] {
        look_at_reader();
        return ring_->has_accepted(0, stream_);
      },
      to_);
}

void send_sink::finish() {
  if (!open_) {
    send_first(stream_route::none);
  } else {
    hand_over(window_state::last);
    if (!sender_) wait_for_verdict();
  }
  offer_nothing();
  finished_ = true;
  wait_until(comm_, where_, [&] { return first_message_.done() && (!sender_ || sender_->all_done()); }, to_);
}

void send_sink::abandon(std::string_view why) noexcept {
  if (finished_) return;
  finished_ = true;
  offer_nothing();
  why = why.substr(0, 1024);
  try {
    if (!open_) {
      std::memcpy(first_->data, why.data(), why.size());
      first_->head.bytes = static_cast<std::uint32_t>(why.size());
      send_first(stream_route::abandoned);
      wait_until(comm_, where_, [&] { return first_message_.done(); }, to_);
      return;
    }
    if (sender_ && answered_ && answer_.accepted == 0) return;
    const auto number = ring_->next();
    wait_until(comm_, where_, [&] { return ring_->is_free(number) && (!sender_ || sender_->done(number)); }, to_);
    staged_ = false;
    at_ = ring_->window(number).data + why.size();
    std::memcpy(ring_->window(number).data, why.data(), why.size());
    hand_over(window_state::abandoned);
    offer_nothing();
    wait_until(comm_, where_, [&] { return first_message_.done() && (!sender_ || sender_->all_done()); }, to_);
  } catch (...) {  // nobody is there to be told
  }
}

/// To oneself: packed, and left to be received.
class self_sink final : public byte_sink {
 public:
  self_sink(std::string_view where, const communicator& comm, stream_tag tag, std::uint64_t fingerprint)
      : where_(where), comm_(comm), tag_(tag), fingerprint_(fingerprint), packed_(where, comm) {}

  void finish() override {
    packed_.advance(static_cast<std::size_t>(at_ - begin_));
    packed_.finish();
    auto& channels = channel_state::of(comm_);
    channels.leave(std::make_unique<send_flight>(where_, comm_, std::vector{comm_.rank()}, tag_.mpi(), fingerprint_,
                                                 std::move(packed_).take(), channels.next_body_tag(comm_)));
    at_ = end_ = nullptr;
  }
  void abandon(std::string_view) noexcept override {}

 private:
  void more(std::size_t) override {
    if (begin_ != nullptr) packed_.advance(static_cast<std::size_t>(at_ - begin_));
    begin_ = at_ = packed_.reserve(largest_reservation);
    end_ = at_ + largest_reservation;
  }

  std::string_view where_;
  communicator comm_;
  stream_tag tag_;
  std::uint64_t fingerprint_;
  packed_stream packed_;
  std::byte* begin_ = nullptr;
};

}  // namespace

void check_rank(std::string_view where, const communicator& comm, int rank) {
  if (rank < 0 || rank >= comm.size())
    throw error(error_kind::argument, where, text("there is no rank ", rank, " in a communicator of ", comm.size()),
                comm.rank());
}

std::unique_ptr<byte_sink> open_send(std::string_view where, const communicator& comm, int to, stream_tag tag,
                                     std::uint64_t fingerprint) {
  check_rank(where, comm, to);
  if (to == comm.rank()) return std::make_unique<self_sink>(where, comm, tag, fingerprint);
  return std::make_unique<send_sink>(where, comm, to, tag, fingerprint);
}

}  // namespace wherry
