// Reading ends: where the windows come from is a value, what a stream is made of windows is said once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "wherry/core/communicator.hpp"
#include "wherry/transport/byte_stream.hpp"

#include "byte_channel_state.hpp"
#include "byte_messages.hpp"
#include "byte_ring.hpp"
#include "byte_waiting.hpp"
#include "byte_window.hpp"

namespace wherry {

/// Windows read in the writer's shared memory.
class ring_windows {
 public:
  ring_windows(std::string_view where, const communicator& comm, ring_reader reader, int writer, std::uint64_t stream)
      : where_(where), comm_(comm), reader_(reader), writer_(writer), stream_(stream) {}

  const byte_window& next();
  void finish() {
    if (std::exchange(holds_, false)) reader_.release();
  }
  void give_up(std::string_view why) { reader_.give_up(stream_, why); }
  int writer() const { return writer_; }

 private:
  std::string_view where_;
  communicator comm_;
  ring_reader reader_;
  int writer_;
  std::uint64_t stream_;
  bool holds_ = false;
};

/// Windows that are messages, read in a ring of our own.
class message_windows {
 public:
  message_windows(std::string_view where, const communicator& comm, int from, int tag)
      : ring_(comm, false), relay_(where, comm, *ring_, from, tag, {}) {}
  const byte_window& next() { return relay_.next(); }
  void finish() { relay_.finish(); }
  void give_up(std::string_view) {}
  int writer() const { return relay_.writer(); }

 private:
  ring_lease ring_;
  window_relay relay_;
};

/// The error that a window or piece brings of which the state is `abandoned`.
[[noreturn]] void throw_abandoned(std::string_view where, const communicator& comm, int writer, const std::byte* text,
                                  std::size_t bytes);
[[noreturn]] void throw_other_type(std::string_view where, const communicator& comm, int writer);

/// A reading end. `Windows`: `next()` gives the next one and takes back the one before, `finish()`, `give_up(why)`,
/// `writer()`.
template <class Windows> class window_source final : public byte_source {
 public:
  /// @param first what came before the windows, or null
  template <class... Arguments>
  window_source(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                std::unique_ptr<first_piece> first, Arguments&&... arguments)
      : where_(where),
        comm_(comm),
        fingerprint_(fingerprint),
        first_(std::move(first)),
        windows_(std::forward<Arguments>(arguments)...) {
    if (!first_) return;
    at_ = first_->data;
    end_ = at_ + first_->head.bytes;
  }
  ~window_source() override {
    if (first_) channel_state::of(comm_).give_back(std::move(first_));
  }
  window_source(const window_source&) = delete;
  window_source& operator=(const window_source&) = delete;

 private:
  void more() override {
    do {
      if (ended_) throw error(error_kind::mismatch, where_, too_short(), comm_.rank(), {windows_.writer()});
      const auto& window = load();
      at_ = window.data;
      end_ = at_ + window.head.bytes;
    } while (at_ == end_);
  }

  const byte_window& load() {
    broken_ = true;
    const auto& window = windows_.next();
    broken_ = false;
    ended_ = window.head.state != window_state::more;
    if (window.head.state == window_state::abandoned)
      throw_abandoned(where_, comm_, windows_.writer(), window.data, window.head.bytes);
    if (window.head.fingerprint != fingerprint_) throw_other_type(where_, comm_, windows_.writer());
    return window;
  }

  // Whatever is left is taken, so that neither the writer nor other readers wait for this one.
  void close(bool failed) override {
    if (broken_) return;
    if (failed) windows_.give_up(reason());
    bool longer = false;
    while (!ended_) {
      broken_ = true;
      const auto& window = windows_.next();
      broken_ = false;
      ended_ = window.head.state != window_state::more;
      longer = longer || (window.head.bytes > 0 && window.head.state != window_state::abandoned);
    }
    windows_.finish();
    if (longer && !failed) throw error(error_kind::mismatch, where_, too_long(), comm_.rank(), {windows_.writer()});
  }

  std::string reason() const {
    try {
      std::rethrow_exception(failure());
    } catch (const std::exception& problem) {
      return problem.what();
    } catch (...) {
      return "an exception";
    }
  }
  std::string too_short() const {
    return text("what rank ", windows_.writer(), " sends ends before what is read from it is whole");
  }
  std::string too_long() const { return text("rank ", windows_.writer(), " sends more than is read"); }

  std::string_view where_;
  communicator comm_;
  std::uint64_t fingerprint_;
  std::unique_ptr<first_piece> first_;
  Windows windows_;
  bool ended_ = false;
  bool broken_ = false;  // nothing more can be had, not even what is to be thrown away
};

/// A stream that is one message.
class whole_piece final : public byte_source {
 public:
  whole_piece(const communicator& comm, std::unique_ptr<first_piece> first) : comm_(comm), first_(std::move(first)) {
    at_ = first_->data;
    end_ = at_ + first_->head.bytes;
  }
  ~whole_piece() override { channel_state::of(comm_).give_back(std::move(first_)); }
  whole_piece(const whole_piece&) = delete;
  whole_piece& operator=(const whole_piece&) = delete;

 private:
  void more() override {
    throw error(error_kind::mismatch, "deep copy", "the message ends before what is read from it is whole",
                comm_.rank());
  }
  std::size_t following() const override { return 0; }
  void close(bool) override {}

  communicator comm_;
  std::unique_ptr<first_piece> first_;
};

}  // namespace wherry
