// How an exchange goes through its stages, from its start until everything has arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "exchange_binding.hpp"
#include "part_gates.hpp"
#include "substitute_fields.hpp"

namespace wherry {

/// Takes the starts of an exchange through its stages; a stage begins when everything of the stage before has arrived.
/// This class is for fields in host memory that are ready as a whole. Derived classes override the steps that differ
/// for other fields.
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
  /// Makes progress on behalf of a thread that is not the exchange's owner.
  virtual bool advance_by_others() { return advance(); }
  /// Called by the owner when everything has arrived. True if the data is in the fields, or will be there before later
  /// work in the stream in which the owner waits.
  virtual bool is_delivered() { return true; }

  std::size_t stage() const { return stage_; }
  /// True if everything of this stage has arrived in the fields.
  virtual bool has_arrived(std::size_t stage) const { return stage < stage_; }
  /// True if this message of a lane has arrived. `stage` is the current stage.
  virtual bool has_arrived(std::size_t stage, std::size_t lane, std::size_t message) const {
    return of_.lanes[lane]->carried->has_delivered(stage, message);
  }

  /// True if a peer waits for a message that this rank sends only when the exchange is driven.
  virtual bool owes() const;
  virtual bool has_news() const { return false; }
  virtual void append_missing(std::vector<int>& peers);
  /// Called when the owner has given up. Afterwards nothing touches the owner's fields.
  /// @param are_there true: the fields' memory still exists, so that data may be read from it
  virtual void let_go(bool are_there) noexcept;

  /// For starts in parts: these gates stay closed until parts are ready.
  virtual void hold_for(part_gates&) {}
  virtual void start_in_parts() { start(); }
  /// Called by the holder of the turn, which need not be the owner. Sends the messages that waited only for parts that
  /// are now ready.
  virtual void go_on_with_parts() {}

 protected:
  virtual void start_stage();
  /// True if this carrier has started the stage.
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

/// For snapshots. Other threads than the owner's may send the messages that the start owes, but nothing arrives before
/// the owner asks for it.
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
