// How an exchange goes through its stages, from its start until all has arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "exchange_binding.hpp"
#include "part_gates.hpp"
#include "substitute_fields.hpp"

namespace wherry {

/// Takes the starts of an exchange through its stages: a stage begins when the one before has arrived. This one is for
/// fields in the host's memory that are ready as a whole; other executors override what is different for them.
class executor {
 public:
  explicit executor(exchange_binding& of) : of_(of), stages_(of.plan.stages.size()) {}
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;
  virtual ~executor() = default;

  /// Begins start number `of.starts`: the first stage leaves, as far as it can.
  virtual void start();
  /// Makes progress. Returns true when the last stage has arrived.
  virtual bool advance();
  /// The same by others than the exchange's owner.
  virtual bool advance_by_others() { return advance(); }
  /// For the owner, when all has arrived: is it in his fields, or will it be in the stream in which he waits?
  virtual bool is_delivered() { return true; }

  std::size_t stage() const { return stage_; }
  /// Has all of this stage arrived in the fields?
  virtual bool has_arrived(std::size_t stage) const { return stage < stage_; }
  /// Has this message of a lane that `stage` brings?
  virtual bool has_arrived(std::size_t stage, std::size_t lane, std::size_t message) const {
    return of_.lanes[lane]->carried->has_delivered(stage, message);
  }

  /// Does a peer wait for what this rank sends only when it is driven?
  virtual bool owes() const;
  virtual bool has_news() const { return false; }
  virtual void append_missing(std::vector<int>& peers);
  /// The owner has given up: nothing touches his fields any more.
  /// @param are_there they are still there to be read
  virtual void let_go(bool are_there) noexcept;

  // Starts in parts, for executors that can have any.

  /// These gates are closed until parts are ready.
  virtual void hold_for(const part_gates&) {}
  virtual void start_in_parts() { start(); }
  /// For the holder of the turn, who need not be the owner: what waited only for parts that are ready now goes on.
  virtual void go_on_with_parts() {}

 protected:
  virtual void start_stage();
  /// Has this carrier started the stage?
  virtual bool has_started([[maybe_unused]] std::size_t carrier) const { return true; }
  virtual bool owes_from_fields() const;
  bool has_messages_later() const;
  bool is_last_stage() const { return stage_ + 1 >= stages_; }

  exchange_binding& of_;
  const std::size_t stages_;
  std::size_t stage_ = 0;

 private:
  substitute_fields substitutes_;
};

/// For a snapshot: others than the owner may send what the start owes, but nothing arrives before the owner asks.
class snapshot_executor final : public executor {
 public:
  using executor::executor;
  bool advance() override;
  bool advance_by_others() override;
  void let_go(bool are_there) noexcept override;

 private:
  void start_stage() override;

  bool is_given_up_ = false;
};

}  // namespace wherry
