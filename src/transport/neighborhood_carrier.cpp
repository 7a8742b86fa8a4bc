// neighborhood: packed, then one neighbourhood collective a stage on a graph communicator of the ranks that have
// messages in it.
#include "neighborhood_carrier.hpp"

#include <algorithm>
#include <array>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "block_datatype.hpp"

namespace wherry {
namespace {

// Counts and displacements are ints, so they count units of bytes: as many as it takes to stay below the limit. (The
// variant with wide displacements, MPI_Ineighbor_alltoallw, was seen to lose one-way messages in MPICH 4.0.2.)
constexpr std::uint64_t least_unit = 16;

/// Stands at the end of what has not arrived. Real data may look the same: then an error text names a rank too many.
constexpr std::array<std::byte, 8> marker = {std::byte{0x57}, std::byte{0x48}, std::byte{0x45}, std::byte{0x52},
                                             std::byte{0x52}, std::byte{0x59}, std::byte{0x3F}, std::byte{0xA5}};

/// All messages of one direction, one after the other in one buffer.
struct side {
  std::vector<int> peers;
  std::vector<message_packing> packings;
  std::vector<std::byte> wire;
  std::vector<int> counts, displacements;  // in units
};

side make_side(const std::vector<message>& list, const bind_request& request) {
  side s;
  for (const auto& m : list) {
    s.peers.push_back(m.peer);
    s.packings.emplace_back(m.blocks, m.operation, request.plan, request.code);
  }
  return s;
}

std::size_t bytes_of(const side& s) {
  std::size_t total = 0;
  for (const auto& packing : s.packings) total += packing.bytes();
  return total;
}

void lay_out(side& s, std::size_t unit) {
  std::size_t end = 0;
  for (const auto& packing : s.packings) {
    const std::size_t units = (packing.bytes() + unit - 1) / unit;
    s.counts.push_back(static_cast<int>(units));
    s.displacements.push_back(static_cast<int>(end));
    end += units;
  }
  s.counts.emplace_back(0);  // MPIs dislike null pointers, even for nothing
  s.displacements.emplace_back(0);
  s.wire.resize(std::max<std::size_t>(end, 1) * unit);
}

/// Ranks of `peers` in the communicator of the ranks that take part.
std::vector<int> translate(const std::vector<int>& peers, MPI_Comm from, MPI_Comm to) {
  MPI_Group from_group = MPI_GROUP_NULL, to_group = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(from, &from_group), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(to, &to_group), "MPI_Comm_group");
  std::vector<int> result(peers.size() + 1);  // MPIs dislike null pointers, even for nothing
  check_mpi(
      MPI_Group_translate_ranks(from_group, static_cast<int>(peers.size()), peers.data(), to_group, result.data()),
      "MPI_Group_translate_ranks");
  MPI_Group_free(&from_group);
  MPI_Group_free(&to_group);
  return result;
}

class neighborhood_carrier final : public carrier {
 public:
  explicit neighborhood_carrier(const bind_request& request) {
    // Ranks outside a process grid may have no stages at all; they take part in binding the others'.
    std::uint64_t mine[2] = {request.plan.stages.size(), least_unit}, most[2] = {};
    for (const auto& part : request.plan.stages) {
      auto& s = stages_.emplace_back();
      s.sends = make_side(part.sends, request);
      s.receives = make_side(part.receives, request);
      const std::size_t limit = current_settings().message_limit;
      while (std::max(bytes_of(s.sends), bytes_of(s.receives)) / mine[1] > limit) mine[1] *= 2;
    }
    check_mpi(MPI_Allreduce(mine, most, 2, MPI_UINT64_T, MPI_MAX, request.comm.handle()), "MPI_Allreduce");
    unit_ = static_cast<std::size_t>(most[1]);
    block whole;
    whole.run = static_cast<std::int64_t>(unit_);
    unit_type_ = block_datatype(whole, request.plan);
    MPI_Datatype type = unit_type_.get();
    check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
    for (std::size_t s = 0; s < most[0]; ++s) bind_stage(s < stages_.size() ? &stages_[s] : nullptr, request.comm);
  }

  ~neighborhood_carrier() override {
    // A collective cannot be given up. Where an error leaves one under way, its buffers stay with it for good.
    for (auto& s : stages_)
      if (s.request != MPI_REQUEST_NULL) new stage_part(std::move(s));
  }

  void start_stage(std::size_t number, field_table fields) override {
    auto& s = stages_[number];
    s.delivered = s.sends.peers.empty() && s.receives.peers.empty();
    if (s.delivered) return;
    auto &out = s.sends, &in = s.receives;
    for (std::size_t i = 0; i < out.peers.size(); ++i) out.packings[i].pack(fields, address(out, i));
    for (std::size_t i = 0; i < in.peers.size(); ++i)
      if (in.counts[i] > 0) std::copy(marker.begin(), marker.end(), in.wire.begin() + marker_place(in, i));
    check_mpi(MPI_Ineighbor_alltoallv(out.wire.data(), out.counts.data(), out.displacements.data(), unit_type_.get(),
                                      in.wire.data(), in.counts.data(), in.displacements.data(), unit_type_.get(),
                                      s.graph.get(), &s.request),
              "MPI_Ineighbor_alltoallv");
  }

  bool test_stage(std::size_t number, field_table fields) override {
    auto& s = stages_[number];
    if (s.delivered) return true;
    int done = 0;
    check_mpi(MPI_Test(&s.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) return false;
    for (std::size_t i = 0; i < s.receives.peers.size(); ++i)
      s.receives.packings[i].unpack(fields, address(s.receives, i));
    s.delivered = true;
    return true;
  }

  /// MPI does not tell who of the neighbours is late, but where nothing has been written the marker still stands. All
  /// of them, where none does.
  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    const auto& s = stages_[number];
    if (s.delivered) return;
    const auto& in = s.receives;
    const auto before = peers.size();
    for (std::size_t i = 0; i < in.peers.size(); ++i)
      if (in.counts[i] > 0 && std::equal(marker.begin(), marker.end(), in.wire.begin() + marker_place(in, i)))
        peers.push_back(in.peers[i]);
    if (peers.size() == before) peers.insert(peers.end(), in.peers.begin(), in.peers.end());
  }

 private:
  struct stage_part {
    side sends, receives;
    unique_comm graph;
    MPI_Request request = MPI_REQUEST_NULL;
    bool delivered = true;
  };

  void bind_stage(stage_part* s, const communicator& comm) const {
    const bool takes_part = s != nullptr && !(s->sends.peers.empty() && s->receives.peers.empty());
    MPI_Comm members = MPI_COMM_NULL, graph = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(comm.handle(), takes_part ? 0 : MPI_UNDEFINED, comm.rank(), &members), "MPI_Comm_split");
    if (!takes_part) return;
    const unique_comm owned(members);
    const auto sources = translate(s->receives.peers, comm.handle(), members);
    const auto targets = translate(s->sends.peers, comm.handle(), members);
    check_mpi(MPI_Dist_graph_create_adjacent(members, static_cast<int>(s->receives.peers.size()), sources.data(),
                                             MPI_UNWEIGHTED, static_cast<int>(s->sends.peers.size()), targets.data(),
                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph),
              "MPI_Dist_graph_create_adjacent");
    s->graph = unique_comm(graph);
    check_mpi(MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    lay_out(s->sends, unit_);
    lay_out(s->receives, unit_);
  }

  /// Where the marker stands in what comes from the i-th peer.
  std::ptrdiff_t marker_place(const side& s, std::size_t i) const {
    const auto end = static_cast<std::size_t>(s.displacements[i] + s.counts[i]) * unit_;
    return static_cast<std::ptrdiff_t>(end - marker.size());
  }
  std::byte* address(side& s, std::size_t i) const {
    return s.wire.data() + static_cast<std::size_t>(s.displacements[i]) * unit_;
  }

  std::vector<stage_part> stages_;
  std::size_t unit_ = least_unit;
  unique_datatype unit_type_;
};

}  // namespace

std::unique_ptr<carrier> bind_neighborhood(const bind_request& request) {
  return std::make_unique<neighborhood_carrier>(request);
}

}  // namespace wherry
