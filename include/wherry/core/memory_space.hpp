/// @file
/// Where memory lives. Part of every view and every plan, so that a device is an addition and not a rebuild.
#pragma once

#include <string_view>

namespace wherry {

/// Where the bytes of a field are.
enum class memory_space : unsigned char {
  host,         ///< ordinary memory of this process
  node_shared,  ///< Wherry's arena: memory that the other ranks of the node can read in place
  device        ///< memory of an accelerator; the host may not touch it
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
