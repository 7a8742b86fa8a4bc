// One call, from its arguments to its result: its memory, and the task that does it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"

#include "algorithm_carrier.hpp"
#include "core/patience.hpp"
#include "implementations.hpp"

namespace wherry::collective {

/// Runs a call from its first step to its last. It refers to the user's call, which must stay.
class steps {
 public:
  steps(const call& users, communicator_state& on, int chosen)
      : on_(on),
        row_(implementations()[static_cast<std::size_t>(chosen)]),
        terms_(begin(users, on, row_)),
        number_(on.sequence.number()),
        prepared_(on.pool),
        invocation_{users, on, prepared_.dense()} {
    using needs = collective::implementation::needs;
    if (row_.wants != needs::users_call)
      prepared_.prepare(users, on.comm.rank(), on.comm.size(), on.around.get(), terms_);
    if (row_.wants != needs::dense_call_and_tag) return;
    invocation_.tag = on.own_tag >= 0 ? on.own_tag : on.comm.next_tag();
    on.sequence.look_far(number_);
    room_ = on.rooms.take(on.pool);
    invocation_.room = room_.get();
  }
  steps(const steps&) = delete;
  steps& operator=(const steps&) = delete;
  ~steps() {
    if (room_) on_.rooms.give_back(std::move(room_));
  }

  communicator_state& on() const { return on_; }
  const collective::implementation& row() const { return row_; }

  void start() { task_ = row_.start(row_, invocation_); }
  /// True if the call has ended and the user's buffers are filled.
  bool advance() {
    if (!task_.progress()) return false;
    prepared_.finish();
    return true;
  }
  void append_missing(std::vector<int>& ranks) const { task_.append_missing(ranks); }
  /// Checks whether other ranks have objected to the call.
  /// @throws error
  void look() {
    const bool is_mpis = row_.wants == collective::implementation::needs::users_call;
    on_.sequence.look_from_wait(number_, is_mpis ? 0 : terms_.of(0), terms_.mark());
  }
  patience wait() const { return {on_.comm, name_of(invocation_.users.kind), "collective", number_}; }

  /// Gives the call up: ranks no longer agree on the next call. If MPI takes part in it, this object must last for
  /// good.
  void give_up() {
    if (room_) room_->messages.cancel();
    if (invocation_.of_mpi != nullptr) on_.left_to_mpi.push_back(invocation_.of_mpi);
    // Also withdraws what it has shown to others.
    if (row_.wants == collective::implementation::needs::dense_call) task_ = {};
    on_.give_up(invocation_.users.kind, number_);
  }

 private:
  static call_terms begin(const call& users, communicator_state& on, const collective::implementation& row) {
    if (row.wants != collective::implementation::needs::users_call)
      return on.sequence.begin(call_terms(users, on.comm.size()));
    on.sequence.begin_of_mpi();
    return {};
  }

  communicator_state& on_;
  const collective::implementation& row_;
  call_terms terms_;
  std::uint64_t number_;
  prepared_call prepared_;
  invocation invocation_;
  std::unique_ptr<carrier_room> room_;
  task task_;
};

}  // namespace wherry::collective
