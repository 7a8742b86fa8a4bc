// The inside of an exchange: the calls of its user, and the threads and waits that drive it between them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/node_arena.hpp"
#include "wherry/transport/exchange.hpp"

#include "complete_senders.hpp"
#include "exchange_binding.hpp"
#include "executor.hpp"
#include "flight/flight.hpp"
#include "part_gates.hpp"

namespace wherry {

/// The user's calls drive it. The progress thread drives it if the user asks for that. Waits for anything else drive it
/// if it has several stages, a device, or a message that a start still owes.
struct exchange::state final : flight {
  state(const communicator& where, std::shared_ptr<const wherry::plans::schedule> what, plans::functions with,
        const carry_options& how);
  ~state() override;

  void set_fields(std::span<void* const> table);
  /// @param in_parts true: data leaves when its parts are ready
  void start(bool in_parts = false);
  bool test();
  void wait();
  std::span<const int> wait_some();

  void divide(int parts, const std::function<void(const plans::block_row&, std::vector<int>&)>& parts_of);
  void ready(int part);
  /// True if it was started in parts, and some parts are not ready.
  bool lacks_parts() const { return started && in_parts_ && !gates_->is_open(part_gates::every_part); }

  bool owes() const override { return running_->owes(); }
  /// Called when nobody will wait for the exchange: from now on it uses neither the user's fields nor the user's code.
  /// If it cannot do without the fields, the program ends, because continuing would write to memory that may belong to
  /// others.
  /// @return true if the exchange is complete
  bool let_go() noexcept;

  exchange_statistics statistics() const;

  exchange_binding bound;
  bool started = false;  // by the user, who has not learned of the end yet
  bool in_vain = false;  // the user has waited, and got an error instead

 private:
  bool advance() override { return running_->advance(); }
  bool advance_by_others() override;
  bool has_news() const override { return running_->has_news(); }

  void attach(const exchange_binding& made);
  void require_mpi(std::string_view call) const;
  void require_fields() const;
  void require_started(std::string_view call);
  /// @throws error(state) if a field was freed since it was set
  void require_unfreed(std::string_view when) {
    if (detail::node_arena::frees() != frees_seen_) look_for_freed(when);
  }
  void look_for_freed(std::string_view when);
  void launch(bool in_parts);
  bool is_over() { return poll() && (failed() || running_->is_delivered()); }
  template <class Done> void wait_until(Done done);
  void end();
  void append_missing(std::vector<int>& peers);
  bool may_send() const;

  const bool measured_;
  std::uint64_t frees_seen_ = 0;  // frees of the arena when the fields were set, or last found there
  bool told_ = false;             // `test` has returned true
  bool in_parts_ = false;         // this start
  unsigned idle_tests_ = 0;
  double seconds_waiting_ = 0;

  std::unique_ptr<executor> whole_;
  std::unique_ptr<part_gates> gates_;  // null: no parts
  std::unique_ptr<executor> by_parts_;
  executor* running_ = nullptr;  // one of the two
  bool anybody_may_send_ = false;
  std::optional<complete_senders> arrivals_;  // made by the first `wait_some`
};

}  // namespace wherry
