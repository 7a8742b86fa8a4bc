// Reading ends. The origin of the windows is a template parameter, so that the rules of a stream of windows are written
// once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "wherry/core/communicator.hpp"
#include "wherry/core/error.hpp"
#include "wherry/transport/byte_stream.hpp"

#include "byte_channel_state.hpp"
#include "byte_messages.hpp"
#include "byte_ring.hpp"
#include "byte_waiting.hpp"
#include "byte_window.hpp"
#include "channel/pending_message.hpp"
#include "flight/abandonable.hpp"

namespace wherry {

/// Windows that are read in the writer's shared memory.
class ring_windows {
 public:
  ring_windows(std::string_view where, const communicator& comm, ring_reader reader, int writer, std::uint64_t stream)
      : where_(where), comm_(comm), reader_(reader), writer_(writer), stream_(stream) {}
  /// For a broadcast.
  ring_windows(std::string_view where, const communicator& comm, const channel_state::broadcast_places& places,
               int writer, std::uint64_t stream);
  /// The broadcast counts as awaited until this object ends.
  void keep(awaited_broadcast awaited) { awaited_ = std::move(awaited); }

  /// True if the next window has come. @throws error(mismatch), once, for windows of a broadcast for which this rank
  /// has named another root
  bool is_here();
  const byte_window* next();
  bool finish() {
    if (std::exchange(holds_, false)) reader_.release();
    return true;
  }
  void give_up(std::string_view why) { reader_.give_up(stream_, why); }
  void leave();
  bool owes() const { return !has_left_; }
  bool is_over() const { return is_over_; }
  int writer() const { return writer_; }
  void append_missing(std::vector<int>& ranks) const { ranks.push_back(writer_); }

 private:
  bool has_come_back();
  void skip(std::uint64_t strange);

  std::string_view where_;
  communicator comm_;
  ring_reader reader_;
  int writer_;
  std::uint64_t stream_;
  awaited_broadcast awaited_;
  bool is_broadcast_ = false, holds_ = false, has_left_ = false, is_over_ = false, has_complained_ = false;
};

/// Windows that are messages, read in a ring of this rank's own.
class message_windows {
 public:
  /// @param refusal empty: the sender is asked for the windows, unless they are already under way; else the reason for
  ///   refusing them
  message_windows(const communicator& comm, const first_piece& first, int from, std::string_view refusal);
  const byte_window* next() { return relay_.next(); }
  bool finish() { return answer_message_.done() && (refused_ || relay_.finish()); }
  void give_up(std::string_view) {}
  void leave() {}
  bool owes() const { return true; }
  bool is_over() const { return false; }
  int writer() const { return relay_.writer(); }
  void append_missing(std::vector<int>& ranks) const { relay_.append_missing(ranks); }

 private:
  stream_answer answer_;
  pending_message answer_message_;
  ring_lease ring_;
  window_relay relay_;
  bool refused_ = false;
};

/// Windows of a broadcast that arrive by messages, are read by this rank and by the other ranks of the node, and are
/// passed on.
class relayed_windows {
 public:
  relayed_windows(std::string_view where, const communicator& comm, ring_lease ring, std::uint64_t stream, int from,
                  int tag, std::vector<int> to)
      : reason_(detail::text(where, ", rank ", comm.rank(), ": it released the stream that it had to pass on")),
        ring_(std::move(ring)),
        relay_(comm, *ring_, stream, from, tag, std::move(to)) {}
  const byte_window* next() { return relay_.next(); }
  bool finish() { return relay_.finish(); }
  void give_up(std::string_view why) { reason_ = why; }  // the others read on, as long as this is driven
  void leave() { relay_.abandon(reason_); }
  bool owes() const { return true; }
  bool is_over() const { return false; }
  int writer() const { return relay_.writer(); }
  void append_missing(std::vector<int>& ranks) const { relay_.append_missing(ranks); }

 private:
  std::string reason_;
  ring_lease ring_;
  window_relay relay_;
};

/// Windows that arrive. Their reader may let go at any time; the windows that are left are then taken and thrown away,
/// so that neither the writer nor other readers wait for this reader. `Windows` must have these functions:
/// - `next()` returns the next window, or null if none has come, and gives back the window before.
/// - `finish()` gives back the last window, and returns true when everything is complete.
/// - `give_up(why)` is called if this reader wants no more windows but is still driven.
/// - `leave()` is called if it is perhaps never driven again: from then on nobody waits for this reader, unless it
///   `owes()` something to others. The writer may go on without it; `is_over()` is true once it has.
/// - `writer()` and `append_missing(ranks)` name the ranks that are waited for.
template <class Windows> class arriving_windows final : public flight {
 public:
  template <class... Arguments>
  explicit arriving_windows(Arguments&&... arguments) : windows_(std::forward<Arguments>(arguments)...) {}

  const byte_window* next() {
    const auto* window = windows_.next();
    if (window != nullptr) ended_ = window->head.state != window_state::more;
    begun_ = begun_ || window != nullptr;
    return window;
  }
  bool ended() const { return ended_; }
  void expect_none() { ended_ = true; }
  /// Takes the windows that have come. @return true if everything is complete
  bool drain() {
    while (!ended_)
      if (next() == nullptr) return windows_.is_over();
    return windows_.finish();
  }
  Windows& windows() { return windows_; }

  bool let_go() {
    take_off();
    progress();
    return !in_flight() && !failed();
  }
  bool owes() const override { return in_flight() && begun_ && windows_.owes(); }

 private:
  /// Called only after `let_go`.
  bool advance() override {
    if (drain()) return true;
    windows_.leave();
    return false;
  }

  Windows windows_;
  bool begun_ = false, ended_ = false;
};

/// Throws the error whose text came in a window or first piece with the state `abandoned`.
[[noreturn]] void throw_abandoned(std::string_view where, const communicator& comm, int writer, const std::byte* text,
                                  std::size_t bytes);
/// True if this rank has named a root (`named` is not negative) and the data that came is another root's.
inline bool is_another_root(int named, int come) { return named >= 0 && come != named; }
std::string another_root(const communicator& comm, int named, int come);
/// @throws error(mismatch) if they are different roots
void compare_roots(std::string_view where, const communicator& comm, int named, int come);
[[noreturn]] void throw_other_type(std::string_view where, const communicator& comm, int writer);

/// The reading end of a stream of windows.
template <class Windows> class window_source final : public byte_source {
 public:
  /// @param first the message before the windows, or null
  /// @param log   null: what arrives is counted elsewhere
  window_source(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                std::unique_ptr<first_piece> first, std::unique_ptr<arriving_windows<Windows>> rest,
                std::shared_ptr<stream_log> log, int named = -1)
      : where_(where),
        comm_(comm),
        fingerprint_(fingerprint),
        named_(named),
        first_(std::move(first)),
        channels_(channel_state::of(comm)),
        rest_(std::move(rest)),
        record_(where, std::move(log), false) {
    const bool rings = std::is_same_v<Windows, ring_windows> || (first_ && first_->head.route == stream_route::ring);
    record_.goes_by(rings ? stream_way::rings : stream_way::messages);
    record_.comes_from(writer());
    if (!first_) return;
    record_.add(first_->head.bytes);
    at_ = first_->data;
    end_ = at_ + first_->head.bytes;
  }
  ~window_source() override { channels_->give_back(std::move(first_)); }
  window_source(const window_source&) = delete;
  window_source& operator=(const window_source&) = delete;

 private:
  void more() override {
    do {
      if (rest_->ended()) throw error(error_kind::mismatch, where_, too_short(), comm_.rank(), {writer()});
      const auto& window = load();
      record_.add(window.head.bytes);
      at_ = window.data;
      end_ = at_ + window.head.bytes;
    } while (at_ == end_);
  }

  const byte_window& load() {
    const byte_window* window = nullptr;
    wait([&] { return (window = rest_->next()) != nullptr; });
    if (window->head.state == window_state::abandoned)
      throw_abandoned(where_, comm_, writer(), window->data, window->head.bytes);
    compare_roots(where_, comm_, named_, window->head.root);
    if (window->head.fingerprint != fingerprint_) throw_other_type(where_, comm_, writer());
    return *window;
  }

  template <class Ready> void wait(Ready ready) {
    broken_ = true;
    const auto append_missing = [&](std::vector<int>& ranks) { rest_->windows().append_missing(ranks); };
    wait_until(comm_, where_, ready, append_missing, &record_);
    broken_ = false;
  }

  // Takes the windows that are left, so that neither the writer nor other readers wait for this reader.
  void close(bool failed) override {
    if (failed && !rest_->ended()) rest_->windows().give_up(reason());
    if (broken_) return;
    bool longer = false;
    while (!rest_->ended()) {
      const byte_window* window = nullptr;
      wait([&] { return (window = rest_->next()) != nullptr; });
      longer = longer || (window->head.bytes > 0 && window->head.state != window_state::abandoned);
    }
    wait([&] { return rest_->drain(); });
    if (longer && !failed) throw error(error_kind::mismatch, where_, too_long(), comm_.rank(), {writer()});
  }

  int writer() const { return rest_->windows().writer(); }
  std::string reason() const {
    try {
      std::rethrow_exception(failure());
    } catch (const std::exception& problem) {
      return problem.what();
    } catch (...) {
      return "an exception was thrown that is not a std::exception";
    }
  }
  std::string too_short() const {
    return detail::text("the message of rank ", writer(), " ends before the object is complete");
  }
  std::string too_long() const {
    return detail::text("the message of rank ", writer(), " is longer than the object that is read");
  }

  std::string_view where_;
  communicator comm_;
  std::uint64_t fingerprint_;
  int named_;  // the root that this rank named for a broadcast, or -1
  std::unique_ptr<first_piece> first_;
  std::shared_ptr<channel_state> channels_;
  abandonable<arriving_windows<Windows>> rest_;
  stream_record record_;
  bool broken_ = false;  // this end has waited in vain; the graveyard takes the rest
};

/// A stream that is a single message.
class whole_piece final : public byte_source {
 public:
  whole_piece(std::string_view where, const communicator& comm, int writer, std::unique_ptr<first_piece> first,
              std::shared_ptr<stream_log> log)
      : comm_(comm),
        first_(std::move(first)),
        channels_(channel_state::of(comm)),
        record_(where, std::move(log), false) {
    record_.add(first_->head.bytes);
    record_.goes_by(stream_way::messages);
    record_.comes_from(writer);
    at_ = first_->data;
    end_ = at_ + first_->head.bytes;
  }
  ~whole_piece() override { channels_->give_back(std::move(first_)); }
  whole_piece(const whole_piece&) = delete;
  whole_piece& operator=(const whole_piece&) = delete;

 private:
  void more() override {
    throw error(error_kind::mismatch, "deep copy", "the message ends before the object is complete", comm_.rank());
  }
  std::size_t following() const override { return 0; }
  void close(bool) override {}

  communicator comm_;
  std::unique_ptr<first_piece> first_;
  std::shared_ptr<channel_state> channels_;
  stream_record record_;
};

}  // namespace wherry
