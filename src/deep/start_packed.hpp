// Structures that are packed before they are sent.
#pragma once

#include <string_view>
#include <utility>

#include "wherry/deep/detail/roots.hpp"
#include "wherry/deep/options.hpp"
#include "wherry/transport/byte_channels.hpp"

namespace wherry::deep::detail {

/// Packs all of `root`. If that fails, the error is sent to the receivers in place of the structure.
template <class Start>
wherry::detail::byte_flight start_packed(std::string_view where, const communicator& comm, const outgoing& root,
                                         const options& how, copy_statistics& figures, Start start) {
  wherry::detail::packed_stream packed(where, comm, how.buffer_bytes);
  try {
    figures = root.into(packed);
  } catch (...) {
    start(std::move(packed)).leave();
    throw;
  }
  return start(std::move(packed));
}

}  // namespace wherry::deep::detail
