// The transport `datatype`: MPI sends from and receives into the fields themselves. Each message is one struct datatype
// with absolute addresses. These datatypes depend on the field pointers, so the datatypes for the last few tables of
// pointers are kept; with double buffers nothing is built twice.
#include "datatype_carrier.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "wherry/core/settings.hpp"

#include "channel/message_requests.hpp"
#include "typed_message.hpp"

namespace wherry {
namespace {

constexpr std::size_t tables_kept = 8;

/// The datatypes of all messages for one table of field pointers.
struct bound_types {
  std::vector<void*> fields;
  std::vector<unique_datatype> types;  // stage by stage, receives before sends, piece by piece
  std::uint64_t last_use = 0;
};

unique_datatype struct_of(const typed_message& m, const typed_message::piece& parts, field_table fields) {
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
  return unique_datatype(made);
}

class datatype_carrier final : public carrier {
 public:
  explicit datatype_carrier(const bind_request& request) {
    for (const auto& part : request.stages) {
      stages_.push_back({{}, {}, 0, {request.comm.handle(), request.tag}, true});
      auto& mine = stages_.back();
      mine.first_type = types_;
      // A snapshot must have left the fields when `start` returns, and must not arrive before `wait`: it needs a
      // buffer.
      for (const auto& m : part.receives) add(mine.receives, typed_message(m, true, request, request.snapshot));
      for (const auto& m : part.sends) add(mine.sends, typed_message(m, false, request, request.snapshot));
    }
  }

  void start_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    const auto& bound = types_for(fields);
    auto type = bound.types.begin() + static_cast<std::ptrdiff_t>(part.first_type);
    part.delivered = false;
    part.requests.clear();
    for (const auto& r : part.receives)
      for (std::size_t i = 0; i < r.pieces().size(); ++i)
        part.requests.receive(MPI_BOTTOM, 1, (type++)->get(), r.peer());
    for (auto& s : part.sends) {
      s.before_send(fields);
      for (std::size_t i = 0; i < s.pieces().size(); ++i) part.requests.send(MPI_BOTTOM, 1, (type++)->get(), s.peer());
    }
  }

  bool test_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    if (part.delivered) return true;
    if (!part.requests.done()) return false;
    for (const auto& r : part.receives) r.after_receive(fields);
    part.delivered = true;
    return true;
  }

  /// MPI uses the fields themselves, and a message that is being sent cannot be called back. So this waits until the
  /// peers have taken this rank's messages, or until the timeout.
  void let_go(std::size_t number, field_table, field_table substitutes) override {
    auto& part = stages_[number];
    if (part.delivered) return;
    constexpr double at_least = 10;  // seconds for a peer to come
    const auto first = types_for(substitutes).types.begin() + static_cast<std::ptrdiff_t>(part.first_type);
    part.requests.withdraw("transport 'datatype'", std::max(at_least, current_settings().timeout), [&](std::size_t i) {
      return message_requests::destination{MPI_BOTTOM, 1, first[static_cast<std::ptrdiff_t>(i)].get()};
    });
  }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    stages_[number].requests.append_missing(peers);
  }

 private:
  struct stage_part {
    std::vector<typed_message> receives, sends;
    std::size_t first_type;
    message_requests requests;
    bool delivered;
  };

  void add(std::vector<typed_message>& list, typed_message m) {
    types_ += m.pieces().size();
    list.push_back(std::move(m));
  }

  const bound_types& types_for(field_table fields) {
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

  void build(bound_types& into, field_table fields) const {
    into.last_use = 0;  // not to be found if this throws
    into.types.clear();
    into.fields.assign(fields.begin(), fields.end());
    for (const auto& part : stages_)
      for (const auto* list : {&part.receives, &part.sends})
        for (const auto& m : *list)
          for (const auto& parts : m.pieces()) into.types.push_back(struct_of(m, parts, fields));
    into.last_use = uses_;
  }

  std::vector<stage_part> stages_;
  std::size_t types_ = 0;
  std::array<bound_types, tables_kept> kept_;
  std::uint64_t uses_ = 0;
};

}  // namespace

std::unique_ptr<carrier> bind_datatype(const bind_request& request) {
  return std::make_unique<datatype_carrier>(request);
}

}  // namespace wherry
