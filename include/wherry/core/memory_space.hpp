/// @file
/// The kinds of memory in which a field can lie. Every view and every plan records one.
#pragma once

#include <string_view>

namespace wherry {

/// The kind of memory that holds the bytes of a field.
enum class memory_space : unsigned char {
  host,         ///< ordinary memory of this process
  node_shared,  ///< the arena: memory that the other ranks of the node can read in place
  device        ///< memory of an accelerator, which the host may not touch
};

constexpr std::string_view to_string(memory_space space) {
  switch (space) {
    case memory_space::host:
      return "host";
    case memory_space::node_shared:
      return "node_shared";
    case memory_space::device:
      return "device";
  }
  return "unknown";
}

}  // namespace wherry
