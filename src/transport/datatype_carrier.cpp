// The transport `datatype`: MPI sends from and receives into the fields themselves. Each message is one struct datatype
// with absolute addresses. These datatypes depend on the field pointers, so the datatypes for the last few tables of
// pointers are kept; with double buffers nothing is built twice.
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "request_carrier.hpp"
#include "transports.hpp"
#include "typed_message.hpp"

namespace wherry {
namespace {

constexpr std::size_t tables_kept = 8;

/// The datatypes of all messages for one table of field pointers.
struct bound_types {
  std::vector<void*> fields;
  std::vector<detail::unique_datatype> types;  // stage by stage, receives before sends, piece by piece
  std::uint64_t last_use = 0;
};

detail::unique_datatype struct_of(const typed_message& m, const typed_message::piece& parts,
                                  plans::field_table fields) {
  std::vector<int> lengths(parts.size(), 1);
  std::vector<MPI_Aint> places;
  std::vector<MPI_Datatype> types;
  for (const auto& p : parts) {
    PMPI_Get_address(m.address(p, fields), &places.emplace_back());
    types.push_back(p.type.get());
  }
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_create_struct(static_cast<int>(parts.size()), lengths.data(), places.data(), types.data(), &made),
            "MPI_Type_create_struct");
  check_mpi(PMPI_Type_commit(&made), "MPI_Type_commit");
  return detail::unique_datatype(made);
}

struct leg : request_leg {
  typed_message content;
  std::size_t first_type;  // among those of all stages
};

class datatype_carrier final : public request_carrier<datatype_carrier, leg> {
 public:
  explicit datatype_carrier(const transports::bind_request& request) : request_carrier(request) {
    // A snapshot must have left the fields when `start` returns, and must not arrive before `wait`: it needs a buffer.
    const auto make = [&](bool receive) {
      return [&, receive](stage_part& part, const plans::message& m) {
        leg l{{m.peer}, typed_message(m, receive, request, request.snapshot), types_};
        types_ += l.content.pieces().size();
        part.add_requests(l, l.content.pieces().size());
        return l;
      };
    };
    make_stages(request, make(true), make(false));
    for (auto& part : stages_) part.in_order = true;  // since `let_go` does not say which messages it completes
  }

  void start_receiving(std::size_t number, plans::field_table fields) override {
    types_in_use_ = &types_for(fields);
    request_carrier::start_receiving(number, fields);
  }

  template <class Piece> void for_each_piece(leg& l, Piece&& piece) const {
    for (std::size_t i = 0; i < l.requests; ++i) piece(MPI_BOTTOM, 1, types_in_use_->types[l.first_type + i].get());
  }
  static void before_send(leg& s, plans::field_table fields) { s.content.before_send(fields); }
  static void after_receive(const leg& r, plans::field_table fields) { r.content.after_receive(fields); }

  /// MPI uses the fields themselves, and a message that is being sent cannot be called back. So this waits until the
  /// peers have taken this rank's messages, or until the timeout.
  void let_go(std::size_t number, plans::field_table, plans::field_table substitutes) override {
    auto& part = stages_[number];
    if (part.outstanding == 0) return;
    for (const auto& r : part.receives)
      for (auto i = r.first_request; i < r.first_request + r.requests; ++i)
        if (part.requests[i] != MPI_REQUEST_NULL) check_mpi(PMPI_Cancel(&part.requests[i]), "MPI_Cancel");
    const auto cancelled = end(part, part.receives);
    const auto& types = types_for(substitutes).types;
    for (const auto i : cancelled) {
      const auto& r = part.receives[part.receive_of[i]];
      check_mpi(PMPI_Irecv(MPI_BOTTOM, 1, types[r.first_type + i - r.first_request].get(), r.peer, tag_, comm_,
                           &part.requests[i]),
                "MPI_Irecv");
    }
    // Only now: the peer may be withdrawing as well, and may wait for the receives that were just posted.
    end(part, part.sends);
    part.outstanding = cancelled.size();
  }

 private:
  /// Waits for the requests of messages, and returns those that were cancelled.
  /// @throws error(timeout) that names the peer
  static std::vector<std::size_t> end(stage_part& part, const std::vector<leg>& legs) {
    constexpr double at_least = 10;  // seconds for a peer to come
    const double seconds = std::max(at_least, current_settings().timeout), began = PMPI_Wtime();
    std::vector<std::size_t> cancelled;
    for (const auto& l : legs)
      for (auto i = l.first_request; i < l.first_request + l.requests; ++i) {
        MPI_Status status;
        int was_cancelled = 0;
        for (int complete = 0; check_mpi(PMPI_Test(&part.requests[i], &complete, &status), "MPI_Test"), complete == 0;
             sched_yield())
          if (PMPI_Wtime() - began > seconds)
            throw error(error_kind::timeout, "transport 'datatype'",
                        detail::text("MPI still uses the fields of an abandoned exchange, because rank ", l.peer,
                                     " did not start it within another ", seconds, " s"),
                        -1, {l.peer});
        check_mpi(PMPI_Test_cancelled(&status, &was_cancelled), "MPI_Test_cancelled");
        if (was_cancelled != 0) cancelled.push_back(i);
      }
    return cancelled;
  }

  const bound_types& types_for(plans::field_table fields) {
    ++uses_;
    for (auto& kept : kept_)
      if (kept.last_use > 0 && std::equal(fields.begin(), fields.end(), kept.fields.begin(), kept.fields.end())) {
        kept.last_use = uses_;
        return kept;
      }
    auto& oldest = *std::min_element(
        kept_.begin(), kept_.end(), [](const bound_types& a, const bound_types& b) { return a.last_use < b.last_use; });
    build(oldest, fields);
    return oldest;
  }

  void build(bound_types& into, plans::field_table fields) const {
    into.last_use = 0;  // not to be found if this throws
    into.types.clear();
    into.fields.assign(fields.begin(), fields.end());
    for (const auto& part : stages_)
      for (const auto* list : {&part.receives, &part.sends})
        for (const auto& l : *list)
          for (const auto& parts : l.content.pieces()) into.types.push_back(struct_of(l.content, parts, fields));
    into.last_use = uses_;
  }

  std::size_t types_ = 0;
  const bound_types* types_in_use_ = nullptr;
  std::array<bound_types, tables_kept> kept_;
  std::uint64_t uses_ = 0;
};

}  // namespace

std::unique_ptr<transports::carrier> bind_datatype(const transports::bind_request& request) {
  return std::make_unique<datatype_carrier>(request);
}

}  // namespace wherry
