// The phases of an exchange in GCL's terms: pack, then start_exchange, or post_receives and do_sends, wait, unpack.
#pragma once

#include <span>
#include <string_view>

#include "wherry/core/error.hpp"
#include "wherry/halo/halo_exchange.hpp"

#include "gcl/tags.hpp"

namespace GCL::detail {

/// `post_receives` and `do_sends` are the two halves of `start_exchange`. In Wherry receives are ready from the bind
/// on, and sends leave at once, so that this class only checks that both halves are called.
class two_halves {
 public:
  explicit two_halves(std::string_view pattern) : pattern_(pattern) {}

  void post_receives() { posted_ = true; }
  void do_sends() {
    require(!sent_, "'do_sends' was called again before 'wait'");
    sent_ = true;
  }
  /// Called before `wait` does anything.
  void require_started() const {
    require(sent_, posted_ ? "'wait' was called without 'do_sends'" : "'wait' was called without 'start_exchange'");
    require(posted_, "'wait' was called without 'post_receives'");
  }
  /// Called after `wait` has succeeded: after a timeout the exchange is still in flight.
  void over() { posted_ = sent_ = false; }

 private:
  void require(bool holds, std::string_view otherwise) const {
    if (!holds) throw wherry::error(wherry::error_kind::state, pattern_, otherwise);
  }

  std::string_view pattern_;
  bool posted_ = false, sent_ = false;
};

/// GCL's calls for a `Pattern` without pack and unpack, by means of its `begin` and `end`.
template <class Pattern> class started_in_halves {
 public:
  void exchange() {
    start_exchange();
    wait();
  }
  /// Starts the exchange; its data must not be touched until `wait` returns.
  void start_exchange() {
    post_receives();
    do_sends();
  }
  /// The two halves of `start_exchange`.
  void post_receives() { halves_.post_receives(); }
  void do_sends() {
    static_cast<Pattern*>(this)->begin();
    halves_.do_sends();
  }
  void wait() {
    halves_.require_started();
    static_cast<Pattern*>(this)->end();
    halves_.over();
  }

 protected:
  explicit started_in_halves(std::string_view pattern) : halves_(pattern) {}

 private:
  two_halves halves_;
};

/// One exchange in flight, of a pattern with pack and unpack. `pack` copies the data that leaves out of the fields and
/// sends it at once, because there is no gain in waiting. The data that arrives stays outside the fields until
/// `unpack`, which therefore also waits.
class split_phase {
 public:
  explicit split_phase(std::string_view pattern) : pattern_(pattern), halves_(pattern) {}

  void pack(wherry::halo_exchange& exchange, std::span<void* const> fields) {
    require(now_ == phase::idle, "'pack' was called again before 'unpack'");
    exchange.bound().start(fields);
    running_ = &exchange;
    packed_ = fields.size();
    now_ = phase::packed;
  }
  void post_receives() {
    require(now_ != phase::arrived, "'post_receives' was called before 'unpack'");
    halves_.post_receives();
  }
  void do_sends() {
    require(now_ == phase::packed, "'do_sends' was called without 'pack'");
    halves_.do_sends();
  }
  void start() {
    require(now_ == phase::packed, "'start_exchange' was called without 'pack'");
    halves_.post_receives();
    halves_.do_sends();
  }
  void wait() {
    halves_.require_started();
    halves_.over();
    now_ = phase::arrived;
  }
  void unpack(std::span<void* const> fields) {
    require(now_ == phase::arrived, "'unpack' was called before the exchange");
    if (fields.size() != packed_)
      throw wherry::error(wherry::error_kind::argument, pattern_,
                          wherry::detail::text("'unpack' names ", fields.size(), " fields, but 'pack' named ", packed_),
                          running_->bound().comm().rank());
    running_->bound().wait(fields);
    now_ = phase::idle;
  }

 private:
  enum class phase { idle, packed, arrived };
  void require(bool holds, std::string_view otherwise) const {
    if (!holds) throw wherry::error(wherry::error_kind::state, pattern_, otherwise);
  }

  std::string_view pattern_;
  two_halves halves_;
  phase now_ = phase::idle;
  wherry::halo_exchange* running_ = nullptr;
  std::size_t packed_ = 0;
};

template <int Version> wherry::halo_options options(std::vector<int> axes, bool snapshot) {
  wherry::halo_options result;
  result.axes = std::move(axes);
  result.carry.transport = transport_of<Version>();
  result.carry.snapshot = snapshot;
  return result;
}

/// The result of `pattern()`: as much of GCL's lower level as programs use.
template <class Grid> class grid_of_pattern {
 public:
  using grid_type = Grid;
  explicit grid_of_pattern(const Grid& grid) : grid_(&grid) {}
  const Grid& proc_grid() const { return *grid_; }

 private:
  const Grid* grid_;
};

}  // namespace GCL::detail
