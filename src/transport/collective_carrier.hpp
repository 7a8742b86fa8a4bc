// What the transports that use one collective of MPI's a stage have in common. The ranks that have messages in a stage
// are a communicator of their own: a rank without any must not be waited for.
#pragma once

#include <cstddef>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/transport/transport.hpp"

#include "packed_side.hpp"

namespace wherry {

/// Ranks of `peers` among the members; one entry more, so that it is never empty.
std::vector<int> ranks_among(const std::vector<int>& peers, const communicator& comm, MPI_Comm members);

/// One stage: packed, then carried by one collective among its members.
struct collective_stage {
  packed_side sends, receives;
  unique_comm members;
  MPI_Request request = MPI_REQUEST_NULL;
  bool delivered = true;

  bool takes_part() const { return !sends.empty() || !receives.empty(); }
};

class collective_carrier : public carrier {
 public:
  void start_stage(std::size_t number, field_table fields) override;
  bool test_stage(std::size_t number, field_table fields) override;
  /// MPI does not tell which peer is late, but where nothing has arrived the mark of `start_stage` still stands. Where
  /// no mark does, all peers are named.
  void append_missing(std::size_t number, std::vector<int>& peers) const override;

 protected:
  /// Collective. A derived class then binds each stage from 0 to `most_stages()`, which is collective, too.
  explicit collective_carrier(const bind_request& request);

  /// Of any rank: ranks outside a process grid may have no stage at all.
  std::size_t most_stages() const { return most_; }
  /// This rank's, or null.
  collective_stage* stage(std::size_t number) { return number < stages_.size() ? &stages_[number] : nullptr; }
  /// As many bytes as it takes for counts to be ints, and their datatype.
  std::size_t unit() const { return unit_; }
  MPI_Datatype unit_type() const { return type_.get(); }
  /// Collective, also for ranks without the stage: makes `members` of the ranks that take part.
  static void find_members(const communicator& comm, collective_stage* stage);

 private:
  /// Calls the collective of a stage that is packed.
  virtual void begin(std::size_t number, collective_stage& s) = 0;

  std::vector<collective_stage> stages_;
  std::size_t most_ = 0, unit_ = packed_side::least_unit;
  unique_datatype type_;
};

}  // namespace wherry
