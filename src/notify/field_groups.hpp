// Divides a published message into a part that is always packed and, for each of the sender's fields, a part that may
// be read in place. If a field lies in memory that the node cannot see, its part is packed too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/transport/transport.hpp"

namespace wherry {

struct field_group {
  std::int32_t field;  // number of the sender's field
  detail::message_packing packed;
  std::size_t offset;  // offset in the slot's data, if it is packed
};

struct field_groups {
  /// For each block its group, from 1 on, or 0 if it is always packed. Empty if all blocks are always packed.
  std::vector<std::uint8_t> group_of;
  detail::message_packing packed;
  std::vector<field_group> groups;

  static constexpr std::size_t alignment = 64;

  field_groups() = default;
  /// @param fields the sender's fields, each of which becomes a group
  field_groups(const plans::message& m, std::vector<std::uint8_t> which, const std::vector<std::int32_t>& fields,
               const transports::bind_request& request)
      : group_of(std::move(which)), packed(m, request.plan, request.kernels, request.code) {
    for (const auto field : fields) {
      groups.push_back({field, packed, 0});
      groups.back().packed.choose(group_of, static_cast<std::uint8_t>(groups.size()));
    }
    if (!groups.empty()) packed.choose(group_of, 0);
    auto end = packed.bytes();
    for (auto& group : groups) {
      group.offset = (end + alignment - 1) / alignment * alignment;
      end = group.offset + group.packed.bytes();
    }
    bytes_ = end;
  }
  field_groups(field_groups&&) = default;  // the packings point into `group_of`, and a move keeps its elements in place
  field_groups& operator=(field_groups&&) = default;

  std::size_t bytes() const { return bytes_; }
  std::size_t bytes_in_groups() const {
    std::size_t all = 0;
    for (const auto& group : groups) all += group.packed.bytes();
    return all;
  }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace wherry
