// The transport `reference`, the oracle of the others. Each block is a message of its own, moved element by element in
// the plainest way. It shares no packing code with any other transport; speed is not its concern.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "wherry/core/settings.hpp"

#include "request_carrier.hpp"
#include "staging.hpp"
#include "transports.hpp"

namespace wherry {
namespace {

/// One block on its way.
struct parcel {
  plans::block shape;
  int operation;  // of its message
  std::vector<std::byte> wire;
  std::vector<std::int64_t> listed;  // the places of an indexed block
};

std::int64_t bytes_of_element(const plans::block& b) {
  if (b.kind == plans::block::form::indexed) return b.run;
  return b.run % b.element == 0 ? b.element : 1;
}

/// The place of element number `n` of a block, in bytes from the field's pointer.
std::int64_t place_of(const parcel& p, std::int64_t n) {
  const auto& b = p.shape;
  if (b.kind == plans::block::form::indexed) return b.offset + p.listed[static_cast<std::size_t>(n)] * b.unit;
  const std::int64_t byte = n * bytes_of_element(b);
  std::int64_t place = b.offset + byte % b.run, row = byte / b.run;
  for (int d = 0; d < b.loops; ++d) {
    const auto& l = b.loop[static_cast<std::size_t>(d)];
    place += row % l.extent * l.stride;
    row /= l.extent;
  }
  return place;
}

struct leg : request_leg {
  std::vector<parcel> parcels;
};

class reference_carrier final : public request_carrier<reference_carrier, leg> {
 public:
  explicit reference_carrier(const transports::bind_request& request)
      : request_carrier(request), plan_(request.plan), code_(request.code), limit_(current_settings().message_limit) {
    require_staging(request);
    const auto make = [&](stage_part& part, const plans::message& m) {
      leg l{{m.peer}, {}};
      for (const auto& b : plan_.blocks_of(m))
        if (b.bytes() > 0) l.parcels.push_back(make_parcel(m, b));
      std::size_t pieces = 0;
      for_each_piece(l, [&](std::byte*, int, MPI_Datatype) { ++pieces; });
      part.add_requests(l, pieces);
      return l;
    };
    make_stages(request, make, make);
  }

  template <class Piece> void for_each_piece(leg& l, Piece&& piece) const {
    for (auto& p : l.parcels)
      for (std::size_t at = 0; at < p.wire.size(); at += limit_)
        piece(p.wire.data() + at, static_cast<int>(std::min(limit_, p.wire.size() - at)), MPI_BYTE);
  }
  void before_send(leg& s, plans::field_table fields) const {
    for (auto& p : s.parcels) take_out(p, fields);
  }
  void after_receive(const leg& r, plans::field_table fields) const {
    for (const auto& p : r.parcels) put_in(p, fields);
  }

 private:
  parcel make_parcel(const plans::message& m, const plans::block& b) const {
    parcel made{b, m.operation, std::vector<std::byte>(static_cast<std::size_t>(b.wire_bytes())), {}};
    if (b.kind == plans::block::form::indexed)
      plan_.indices.for_each_place(b.list, b.skipped, b.count,
                                   [&](std::int64_t place) { made.listed.push_back(place); });
    return made;
  }

  void take_out(parcel& p, plans::field_table fields) const {
    const auto& b = p.shape;
    const auto* field = static_cast<const std::byte*>(fields[static_cast<std::size_t>(b.field)]);
    if (b.kind == plans::block::form::called) {
      code_.accessors[static_cast<std::size_t>(b.field)].gather(field, b.offset, p.wire.data());
      return;
    }
    const std::int64_t element = bytes_of_element(b);
    for (std::int64_t n = 0; n < b.bytes() / element; ++n)
      std::memcpy(p.wire.data() + n * element, field + place_of(p, n), static_cast<std::size_t>(element));
  }

  void put_in(const parcel& p, plans::field_table fields) const {
    const auto& b = p.shape;
    auto* field = static_cast<std::byte*>(fields[static_cast<std::size_t>(b.field)]);
    if (b.kind == plans::block::form::called) {
      code_.accessors[static_cast<std::size_t>(b.field)].scatter(field, b.offset, p.wire.data());
      return;
    }
    const auto* op = code_.on_arrival(p.operation, b.operation);
    const std::int64_t element = bytes_of_element(b), arriving = b.bytes_on_wire(element);
    for (std::int64_t n = 0; n < b.bytes() / element; ++n) {
      auto* into = field + place_of(p, n);
      const auto* from = p.wire.data() + n * arriving;
      if (op == nullptr)
        std::memcpy(into, from, static_cast<std::size_t>(element));
      else
        op->apply(into, from, static_cast<std::size_t>(element) / op->element);
    }
  }

  const plans::schedule& plan_;
  const plans::functions& code_;
  std::size_t limit_;
};

}  // namespace

std::unique_ptr<transports::carrier> bind_reference(const transports::bind_request& request) {
  return std::make_unique<reference_carrier>(request);
}

}  // namespace wherry
