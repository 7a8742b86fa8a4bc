#include "collective_carrier.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "wherry/core/settings.hpp"

#include "block_datatype.hpp"
#include "core/collective.hpp"
#include "staging.hpp"

namespace wherry {

collective_carrier::collective_carrier(const transports::bind_request& request) {
  detail::collectively(request.comm, request.plan.pattern, [&] { require_staging(request); });
  std::vector<std::uint64_t> mine{request.stages.size(), packed_side::least_unit};
  const std::size_t limit = current_settings().message_limit;
  for (const auto& part : request.stages) {
    const auto& s = stages_.emplace_back(
        collective_stage{packed_side(part.sends, request), packed_side(part.receives, request), {}});
    while (std::max(s.sends.bytes(), s.receives.bytes()) / mine[1] > limit) mine[1] *= 2;
  }
  // All ranks meet here, so the collective calls that follow, which make communicators, may block.
  const auto most = patient::allreduce(request.comm, request.plan.pattern, mine, patient::most);
  most_ = static_cast<std::size_t>(most[0]);
  unit_ = static_cast<std::size_t>(most[1]);
  plans::block whole;
  whole.run = static_cast<std::int64_t>(unit_);
  type_ = block_datatype(whole, request.plan);
  MPI_Datatype type = type_.get();
  check_mpi(PMPI_Type_commit(&type), "MPI_Type_commit");
}

void collective_carrier::start_stage(std::size_t number, plans::field_table fields) {
  auto& s = stages_[number];
  s.delivered = !s.takes_part();
  if (s.delivered) return;
  s.sends.pack(fields);
  s.receives.mark();
  begin(number, s);
}

bool collective_carrier::test_stage(std::size_t number, plans::field_table fields) {
  auto& s = stages_[number];
  if (s.delivered) return true;
  int done = 0;
  check_mpi(PMPI_Test(&s.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
  if (done == 0) return false;
  s.receives.unpack(fields);
  return s.delivered = true;
}

void collective_carrier::append_missing(std::size_t number, std::vector<int>& peers) const {
  const auto& s = stages_[number];
  if (s.delivered) return;
  const auto before = peers.size();
  s.receives.append_marked(peers);
  if (peers.size() > before) return;
  for (const auto* side : {&s.receives, &s.sends})
    peers.insert(peers.end(), side->peers().begin(), side->peers().end());
}

void collective_carrier::find_members(const communicator& comm, collective_stage* stage) {
  const bool takes_part = stage != nullptr && stage->takes_part();
  MPI_Comm members = MPI_COMM_NULL;
  check_mpi(PMPI_Comm_split(comm.private_handle(), takes_part ? 0 : MPI_UNDEFINED, comm.rank(), &members),
            "MPI_Comm_split");
  if (!takes_part) return;
  stage->members = detail::unique_comm(members);
  check_mpi(PMPI_Comm_set_errhandler(members, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

std::vector<int> ranks_among(const std::vector<int>& peers, const communicator& comm, MPI_Comm members) {
  MPI_Group from = MPI_GROUP_NULL, to = MPI_GROUP_NULL;
  check_mpi(PMPI_Comm_group(comm.private_handle(), &from), "MPI_Comm_group");
  check_mpi(PMPI_Comm_group(members, &to), "MPI_Comm_group");
  std::vector<int> result(peers.size() + 1);
  check_mpi(PMPI_Group_translate_ranks(from, static_cast<int>(peers.size()), peers.data(), to, result.data()),
            "MPI_Group_translate_ranks");
  PMPI_Group_free(&from);
  PMPI_Group_free(&to);
  return result;
}

}  // namespace wherry
