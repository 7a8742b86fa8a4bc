// The common part of the transports that use one MPI collective for each stage. They do not extend `message_wise`,
// because MPI tells nothing about a single message of a collective. The ranks with messages in a stage form
// a communicator of their own, because no rank must wait for a rank without messages.
#pragma once

#include <cstddef>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/transport/transport.hpp"

#include "packed_side.hpp"

namespace wherry {

/// The ranks that `peers` have in `members`. The result has one entry more, so that it is never empty.
std::vector<int> ranks_among(const std::vector<int>& peers, const communicator& comm, MPI_Comm members);

/// One stage. Its messages are packed, and one collective among its members carries them.
struct collective_stage {
  packed_side sends, receives;
  detail::unique_comm members;
  MPI_Request request = MPI_REQUEST_NULL;
  bool delivered = true;

  bool takes_part() const { return !sends.empty() || !receives.empty(); }
};

class collective_carrier : public transports::carrier {
 public:
  void start_stage(std::size_t number, plans::field_table fields) override;
  bool test_stage(std::size_t number, plans::field_table fields) override;
  /// MPI does not tell which peer is late, so this is inferred: where nothing has arrived, the mark that `start_stage`
  /// left in the buffer still stands. If no mark stands, all peers are appended.
  void append_missing(std::size_t number, std::vector<int>& peers) const override;

 protected:
  /// Collective. A derived class then binds each stage from 0 to `most_stages() - 1`, which is collective, too.
  explicit collective_carrier(const transports::bind_request& request);

  /// The largest number of stages that any rank has. Ranks outside a process grid may have no stage at all.
  std::size_t most_stages() const { return most_; }
  /// This rank's stage, or null if it has none of that number.
  collective_stage* stage(std::size_t number) { return number < stages_.size() ? &stages_[number] : nullptr; }
  /// The number of bytes that MPI counts as one element, so large that all counts fit into an int; and its datatype.
  std::size_t unit() const { return unit_; }
  MPI_Datatype unit_type() const { return type_.get(); }
  /// Collective, also for ranks that do not have the stage. Makes `members`, the communicator of the ranks that take
  /// part.
  static void find_members(const communicator& comm, collective_stage* stage);

 private:
  /// Calls the collective. The stage is packed already.
  virtual void begin(std::size_t number, collective_stage& s) = 0;

  std::vector<collective_stage> stages_;
  std::size_t most_ = 0, unit_ = packed_side::least_unit;
  detail::unique_datatype type_;
};

}  // namespace wherry
