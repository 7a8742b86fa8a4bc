// The transport `reference`, the oracle of the others. Each block is a message of its own, moved element by element in
// the plainest way. It shares no packing code with any other transport; speed is not its concern.
#include "reference_carrier.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "wherry/core/settings.hpp"

#include "channel/message_requests.hpp"
#include "staging.hpp"

namespace wherry {
namespace {

/// One block on its way.
struct parcel {
  message part_of;
  block shape;
  std::vector<std::byte> wire;
  std::vector<std::int64_t> listed;  // the places of an indexed block
};

std::int64_t bytes_of_element(const block& b) {
  if (b.kind == block::form::indexed) return b.run;
  return b.run % b.element == 0 ? b.element : 1;
}

/// The place of element number `n` of a block, in bytes from the field's pointer.
std::int64_t place_of(const parcel& p, std::int64_t n) {
  const auto& b = p.shape;
  if (b.kind == block::form::indexed) return b.offset + p.listed[static_cast<std::size_t>(n)] * b.unit;
  const std::int64_t byte = n * bytes_of_element(b);
  std::int64_t place = b.offset + byte % b.run, row = byte / b.run;
  for (int d = 0; d < b.loops; ++d) {
    const auto& l = b.loop[static_cast<std::size_t>(d)];
    place += row % l.extent * l.stride;
    row /= l.extent;
  }
  return place;
}

class reference_carrier final : public carrier {
 public:
  explicit reference_carrier(const bind_request& request)
      : plan_(request.plan), code_(request.code), limit_(current_settings().message_limit) {
    require_staging(request);
    for (const auto& part : request.stages) {
      stages_.push_back({parcels(part.sends), parcels(part.receives), {request.comm.handle(), request.tag}, true});
    }
  }

  void start_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    part.stored = false;
    part.requests.clear();
    for (auto& p : part.receives)
      for (std::size_t at = 0; at < p.wire.size(); at += limit_)
        part.requests.receive(p.wire.data() + at, size_at(p, at), MPI_BYTE, p.part_of.peer);
    for (auto& p : part.sends) {
      take_out(p, fields);
      for (std::size_t at = 0; at < p.wire.size(); at += limit_)
        part.requests.send(p.wire.data() + at, size_at(p, at), MPI_BYTE, p.part_of.peer);
    }
  }

  bool test_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    if (part.stored) return true;
    if (!part.requests.done()) return false;
    for (const auto& p : part.receives) put_in(p, fields);
    part.stored = true;
    return true;
  }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    stages_[number].requests.append_missing(peers);
  }

 private:
  struct stage_part {
    std::vector<parcel> sends, receives;
    message_requests requests;
    bool stored;
  };

  std::vector<parcel> parcels(const std::vector<message>& list) const {
    std::vector<parcel> result;
    for (const auto& m : list)
      for (const auto& b : plan_.blocks_of(m))
        if (b.bytes() > 0) result.push_back(make_parcel(m, b));
    return result;
  }

  parcel make_parcel(const message& m, const block& b) const {
    parcel made{m, b, std::vector<std::byte>(static_cast<std::size_t>(b.wire_bytes())), {}};
    if (b.kind == block::form::indexed)
      plan_.indices.for_each_place(b.list, b.skipped, b.count,
                                   [&](std::int64_t place) { made.listed.push_back(place); });
    return made;
  }

  int size_at(const parcel& p, std::size_t at) const { return static_cast<int>(std::min(limit_, p.wire.size() - at)); }

  void take_out(parcel& p, field_table fields) const {
    const auto& b = p.shape;
    const auto* field = static_cast<const std::byte*>(fields[static_cast<std::size_t>(b.field)]);
    if (b.kind == block::form::called) {
      code_.accessors[static_cast<std::size_t>(b.field)].gather(field, b.offset, p.wire.data());
      return;
    }
    const std::int64_t element = bytes_of_element(b);
    for (std::int64_t n = 0; n < b.bytes() / element; ++n)
      std::memcpy(p.wire.data() + n * element, field + place_of(p, n), static_cast<std::size_t>(element));
  }

  void put_in(const parcel& p, field_table fields) const {
    const auto& b = p.shape;
    auto* field = static_cast<std::byte*>(fields[static_cast<std::size_t>(b.field)]);
    if (b.kind == block::form::called) {
      code_.accessors[static_cast<std::size_t>(b.field)].scatter(field, b.offset, p.wire.data());
      return;
    }
    const auto* op = code_.on_arrival(p.part_of.operation, b.operation);
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

  const schedule& plan_;
  const functions& code_;
  std::size_t limit_;
  std::vector<stage_part> stages_;
};

}  // namespace

std::unique_ptr<carrier> bind_reference(const bind_request& request) {
  return std::make_unique<reference_carrier>(request);
}

}  // namespace wherry
