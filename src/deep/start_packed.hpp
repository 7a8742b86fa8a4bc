// A structure that is packed before it leaves.
#pragma once

#include <string_view>
#include <utility>

#include "wherry/deep/detail/roots.hpp"
#include "wherry/deep/options.hpp"
#include "wherry/transport/byte_channels.hpp"

namespace wherry::deep::detail {

/// Packs all of `root`; where that fails the error goes the way that the structure would have gone.
template <class Start>
byte_flight start_packed(std::string_view where, const communicator& comm, const outgoing& root, const options& how,
                         statistics& figures, Start start) {
  packed_stream packed(where, comm, how.buffer_bytes);
  try {
    figures = root.into(packed);
  } catch (...) {
    start(std::move(packed)).leave();
    throw;
  }
  return start(std::move(packed));
}

}  // namespace wherry::deep::detail
