// The ranks that have messages in a stage, as a communicator of their own: who has none must not be waited for.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

#include "packed_side.hpp"

namespace wherry {

/// What a transport that uses collectives has of one stage.
struct collective_stage {
  packed_side sends, receives;
  unique_comm members;
  MPI_Request request = MPI_REQUEST_NULL;
  bool delivered = true;

  bool takes_part() const { return !sends.empty() || !receives.empty(); }
};

/// The stages of a plan, and what all ranks must agree on before they are bound.
struct collective_stages {
  std::vector<collective_stage> mine;
  std::size_t most = 0;                        ///< of any rank: ranks outside a process grid may have none at all
  std::size_t unit = packed_side::least_unit;  ///< as many bytes as it takes for counts to be ints
  unique_datatype type;                        ///< of a unit
};

/// Collective.
collective_stages collect_stages(const bind_request& request);

/// Collective, also for ranks without the stage: makes `members` for those that take part.
void find_members(const communicator& comm, collective_stage* stage);

/// Ranks of `peers` among the members; one entry more, so that it is never empty.
std::vector<int> ranks_among(const std::vector<int>& peers, const communicator& comm, MPI_Comm members);

}  // namespace wherry
