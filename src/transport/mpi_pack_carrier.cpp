// The transport `mpi_pack`: MPI_Pack and MPI_Unpack on derived datatypes, as in GCL's default version (GCL, section 3).
#include "mpi_pack_carrier.hpp"

#include <memory>

#include "channel/message_requests.hpp"
#include "staging.hpp"
#include "typed_message.hpp"

namespace wherry {
namespace {

/// A message with a packing buffer for each piece.
struct packed_message {
  typed_message content;
  std::vector<std::vector<std::byte>> wires;
};

class mpi_pack_carrier final : public carrier {
 public:
  explicit mpi_pack_carrier(const bind_request& request) : comm_(request.comm.handle()) {
    require_staging(request);
    for (const auto& part : request.stages) {
      stages_.push_back({{}, {}, {comm_, request.tag}, true});
      for (const auto& m : part.sends) stages_.back().sends.push_back(make(m, false, request));
      for (const auto& m : part.receives) stages_.back().receives.push_back(make(m, true, request));
    }
  }

  void start_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    part.unpacked = false;
    part.requests.clear();
    for (auto& r : part.receives)
      for (auto& wire : r.wires)
        part.requests.receive(wire.data(), static_cast<int>(wire.size()), MPI_PACKED, r.content.peer());
    for (auto& s : part.sends) {
      s.content.before_send(fields);
      for (std::size_t i = 0; i < s.wires.size(); ++i) send(part, s, i, fields);
    }
  }

  bool test_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    if (part.unpacked) return true;
    if (!part.requests.done()) return false;
    for (const auto& r : part.receives) unpack(r, fields);
    part.unpacked = true;
    return true;
  }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    stages_[number].requests.append_missing(peers);
  }

 private:
  struct stage_part {
    std::vector<packed_message> sends, receives;
    message_requests requests;
    bool unpacked;
  };

  struct counted_type {
    int count;
    MPI_Datatype type;
  };
  /// MPICH 4.0 packs too few bytes of a contiguous derived type once some hundred datatypes exist, so contiguous parts
  /// are packed as MPI_BYTE.
  static counted_type what_of(const typed_message::part& p) {
    return p.bytes > 0 ? counted_type{p.bytes, MPI_BYTE} : counted_type{1, p.type.get()};
  }

  packed_message make(const message& m, bool receive, const bind_request& request) const {
    packed_message result{typed_message(m, receive, request, false), {}};
    for (auto& parts : result.content.pieces()) {
      std::size_t room = 0;
      for (auto& p : parts) {
        int bytes = 0;
        MPI_Datatype type = p.type.get();
        check_mpi(PMPI_Type_commit(&type), "MPI_Type_commit");
        check_mpi(PMPI_Pack_size(1, type, comm_, &bytes), "MPI_Pack_size");
        room += static_cast<std::size_t>(bytes);
      }
      // MPI may add a header for each call, and the other side may have cut the same bytes into more calls.
      result.wires.emplace_back(room + 1024);
    }
    return result;
  }

  void send(stage_part& part, packed_message& s, std::size_t piece, field_table fields) const {
    auto& wire = s.wires[piece];
    int at = 0;
    for (const auto& p : s.content.pieces()[piece]) {
      const auto [count, type] = what_of(p);
      check_mpi(
          PMPI_Pack(s.content.address(p, fields), count, type, wire.data(), static_cast<int>(wire.size()), &at, comm_),
          "MPI_Pack");
    }
    part.requests.send(wire.data(), at, MPI_PACKED, s.content.peer());
  }

  void unpack(const packed_message& r, field_table fields) const {
    for (std::size_t i = 0; i < r.wires.size(); ++i) {
      const auto& wire = r.wires[i];
      int at = 0;
      for (const auto& p : r.content.pieces()[i]) {
        const auto [count, type] = what_of(p);
        check_mpi(PMPI_Unpack(wire.data(), static_cast<int>(wire.size()), &at, r.content.address(p, fields), count,
                              type, comm_),
                  "MPI_Unpack");
      }
    }
    r.content.after_receive(fields);
  }

  MPI_Comm comm_;
  std::vector<stage_part> stages_;
};

}  // namespace

std::unique_ptr<carrier> bind_mpi_pack(const bind_request& request) {
  return std::make_unique<mpi_pack_carrier>(request);
}

}  // namespace wherry
