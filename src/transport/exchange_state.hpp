// What is behind an exchange.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/node_arena.hpp"
#include "wherry/transport/exchange.hpp"

#include "channel/progress_thread.hpp"
#include "choice.hpp"
#include "core/terms.hpp"
#include "device_fields.hpp"
#include "lane.hpp"
#include "meeting_fields.hpp"
#include "part_gates.hpp"
#include "substitute_fields.hpp"

namespace wherry {

/// With `snapshot` a copy to oneself has two halves: out of the fields at start, into them at the end.
struct snapshot_copy {
  detail::message_packing out, in;
  std::vector<std::byte> buffer;
};

/// Driven by the user's calls; with a progress thread by that too, and with several stages, or once a start owed
/// a message, by whoever waits for anything. Where others may drive, only the holder of the turn does.
struct exchange::state final : progressive {
  state(const communicator& where, std::shared_ptr<const wherry::schedule> what, functions with,
        const carry_options& how);
  ~state() override;

  void set_fields(std::span<void* const> table);
  /// @param in_parts what leaves waits for its parts
  void start(bool in_parts = false);
  bool test();
  void wait();
  std::span<const int> wait_some();

  void divide(int parts, const std::function<void(const block_row&, std::vector<int>&)>& parts_of);
  void ready(int part);
  /// Whether it was started in parts of which some are not ready.
  bool lacks_parts() const;

  void progress() noexcept override;  // by whoever else drives it
  bool owes() const override;
  bool failed() const override { return failure_ != nullptr; }

  /// Nobody will wait for it: from now on it needs neither the user's fields nor the user's code. Where it cannot do
  /// without the fields the program ends, since what follows would be written to memory of others.
  void let_go() noexcept;

  exchange_statistics statistics() const;
  std::string transport() const;

  communicator comm;
  int tag;  // taken before anything can fail on some ranks alone: all have to go on with the same ones
  std::vector<char> goes_on_;  // of the stages: packets that do not wait for those before; empty: none is one
  const std::shared_ptr<const wherry::schedule> kept;  // as the user sees it
  functions code;
  std::exception_ptr refused_;  // by the device, which all ranks have to hear of
  std::unique_ptr<device_fields> on_device;
  const wherry::schedule& plan;  // as the host carries it: without what is in device memory
  const std::string called;      // the pattern, with the name that the user has given it
  detail::shape_kernels kernels;
  carry_options options;
  transport_choice choice;
  std::vector<std::unique_ptr<lane>> lanes;
  bool started = false;  // by the user, who has not been told of the end yet
  bool in_vain = false;  // the user has waited, and was told of an error instead

 private:
  void check_plan();
  terms terms_of(const std::string& transport) const;
  void find_needed_fields();
  void compile_copies();
  void require_mpi(std::string_view call) const;
  void require_fields() const;
  /// @throws error(state) where a field was freed since it was given
  void require_unfreed(std::string_view when) {
    if (node_arena::frees() != frees_seen_) look_for_freed(when);
  }
  void look_for_freed(std::string_view when);
  void attach();
  void join_companions();
  void show_in_trace();
  bool others_drive() const { return with_thread_ || with_companions_ || gates_; }
  bool has_messages(std::size_t number) const;
  bool has_messages_later() const;
  bool owes_from_fields() const;
  void launch();
  std::unique_ptr<device_fields> find_device(const carry_options& how);
  void set_on_device(std::span<void* const> table);
  void begin_stage();
  void wait_for_packing();
  [[noreturn]] void throw_still_packing() const;
  void append_who_has_not_read(std::vector<int>& peers);
  bool has_room(std::size_t stage);
  bool pack();
  void tell_read(std::uint64_t read);
  void send_stage();
  bool goes_on();
  void copy_own();
  bool advance();
  void send_owed() noexcept;
  void drive() noexcept;
  // exchange_parts.cpp
  void require_parts(bool in_parts) const;
  std::vector<int> parts_of(const message& m, const std::vector<std::vector<int>>& parts_of_row) const;
  void hold_stage();
  void let_pass();
  bool all_has_passed() const;
  bool is_under_way(std::size_t lane) const;
  bool may_send() const;
  // exchange_arrivals.cpp
  void prepare_arrivals();
  void find_arrivals(bool over);
  void hear(std::size_t lane, std::size_t message, int rank);
  bool poll();
  bool is_over();
  void end();
  void append_missing(std::vector<int>& peers);

  bool measured_;
  int traced_ = -1;                            // what the trace knows it as
  std::unique_ptr<carrier> checker_;           // with WHERRY_CHECK
  std::vector<detail::direct_copies> copies_;  // one a stage
  meeting_fields may_meet_;
  std::uint64_t frees_seen_ = 0;  // of the arena's pieces, when the fields were given, or last found to be there
  bool fields_meet_ = false;      // of this start
  std::vector<detail::direct_copies> careful_;  // instead of `copies_` then; made the first time
  std::vector<snapshot_copy> snapshots_;        // one a copy, instead of `copies_`
  std::vector<void*> fields_;
  std::vector<char> needed_;  // a field that no block names may have no address
  std::size_t stage_ = 0;
  bool leaves_device_ = false;   // what the stage sends is still to be packed there, or
  bool is_packing_ = false;      // is being packed
  std::uint64_t told_read_ = 0;  // the last start of which peers know that the device has read what they sent
  bool told_ = false;            // test has said that it is over
  unsigned idle_tests_ = 0;
  exchange_statistics counted_;
  std::exception_ptr failure_;  // of the progress thread, for the user's next test or wait
  substitute_fields substitutes_;

  /// What waits at a gate in a stage: a message, all that a lane sends, or the copies to oneself.
  struct held_back {
    static constexpr std::size_t all = ~std::size_t{0}, copies = all;
    std::size_t lane, message, gate;
    bool has_passed;
  };
  std::unique_ptr<part_gates> gates_;
  std::vector<std::vector<held_back>> held_back_;  // by stage
  std::size_t last_gate_ = 0;                      // of all parts: an exchange ends when all are ready
  bool anybody_may_send_ = false;
  bool holds_ = false;  // this start

  struct sender {
    int rank, messages, missing;
  };
  std::vector<sender> senders_;                   // to this rank, ascending; made when somebody first waits for some
  std::vector<std::vector<std::uint8_t>> heard_;  // by lane and message of the stage: what was counted already
  std::uint64_t heard_start_ = 0;
  std::size_t heard_stage_ = 0;
  std::vector<int> arrived_;
  bool may_owe_ = false;
  bool is_given_up_ = false;                  // by the user
  attachment with_thread_, with_companions_;  // last: ended first
};

}  // namespace wherry
