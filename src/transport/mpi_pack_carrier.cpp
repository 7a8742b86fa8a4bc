// The transport `mpi_pack`: MPI_Pack and MPI_Unpack on derived datatypes, as in GCL's default version (GCL, section 3).
#include <memory>

#include "request_carrier.hpp"
#include "staging.hpp"
#include "transports.hpp"
#include "typed_message.hpp"

namespace wherry {
namespace {

/// The packing buffer of a piece.
struct packed_piece {
  std::vector<std::byte> room;
  int bytes;  // as MPI counts them
};

struct leg : request_leg {
  typed_message content;
  std::vector<packed_piece> wires;
};

class mpi_pack_carrier final : public request_carrier<mpi_pack_carrier, leg> {
 public:
  explicit mpi_pack_carrier(const transports::bind_request& request) : request_carrier(request) {
    require_staging(request);
    const auto make = [&](bool receive) {
      return [&, receive](stage_part& part, const plans::message& m) { return make_leg(part, m, receive, request); };
    };
    make_stages(request, make(true), make(false));
  }

  template <class Piece> static void for_each_piece(leg& l, Piece&& piece) {
    for (auto& wire : l.wires) piece(wire.room.data(), wire.bytes, MPI_PACKED);
  }

  void before_send(leg& s, plans::field_table fields) const {
    s.content.before_send(fields);
    for (std::size_t i = 0; i < s.wires.size(); ++i) {
      auto& [room, at] = s.wires[i];
      at = 0;
      for (const auto& p : s.content.pieces()[i]) {
        const auto [count, type] = what_of(p);
        check_mpi(PMPI_Pack(s.content.address(p, fields), count, type, room.data(), static_cast<int>(room.size()), &at,
                            comm_),
                  "MPI_Pack");
      }
    }
  }

  void after_receive(const leg& r, plans::field_table fields) const {
    for (std::size_t i = 0; i < r.wires.size(); ++i) {
      int at = 0;
      for (const auto& p : r.content.pieces()[i]) {
        const auto [count, type] = what_of(p);
        check_mpi(PMPI_Unpack(r.wires[i].room.data(), r.wires[i].bytes, &at, r.content.address(p, fields), count, type,
                              comm_),
                  "MPI_Unpack");
      }
    }
    r.content.after_receive(fields);
  }

 private:
  struct counted_type {
    int count;
    MPI_Datatype type;
  };
  /// MPICH 4.0 packs too few bytes of a contiguous derived type once some hundred datatypes exist, so contiguous parts
  /// are packed as MPI_BYTE.
  static counted_type what_of(const typed_message::part& p) {
    return p.bytes > 0 ? counted_type{p.bytes, MPI_BYTE} : counted_type{1, p.type.get()};
  }

  leg make_leg(stage_part& part, const plans::message& m, bool receive, const transports::bind_request& request) const {
    leg result{{m.peer}, typed_message(m, receive, request, false), {}};
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
      room += 1024;
      result.wires.push_back({std::vector<std::byte>(room), static_cast<int>(room)});
    }
    part.add_requests(result, result.wires.size());
    return result;
  }
};

}  // namespace

std::unique_ptr<transports::carrier> bind_mpi_pack(const transports::bind_request& request) {
  return std::make_unique<mpi_pack_carrier>(request);
}

}  // namespace wherry
