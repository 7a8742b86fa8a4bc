// A published message in parts: what is packed anyway, and what may be read in place, for each of the sender's fields
// by itself: where one lies in memory that the node does not see, its part goes packed, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/transport/transport.hpp"

namespace wherry {

struct field_group {
  std::int32_t field;  // the sender's
  detail::message_packing packed;
  std::size_t offset;  // in the slot's data, if it goes packed
};

struct field_groups {
  std::vector<std::uint8_t> group_of;  // of each block from 1 on, 0: packed anyway. Empty: all are
  detail::message_packing packed;
  std::vector<field_group> groups;

  static constexpr std::size_t alignment = 64;

  field_groups() = default;
  /// @param fields the sender's, a group each
  field_groups(const message& m, std::vector<std::uint8_t> which, const std::vector<std::int32_t>& fields,
               const bind_request& request)
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
  field_groups(field_groups&&) = default;  // the packings point into the list, which stays where it is
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
