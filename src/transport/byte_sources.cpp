#include "byte_sources.hpp"

namespace wherry {

const byte_window& ring_windows::next() {
  finish();
  for (;;) {
    wait_until(comm_, where_, [&] { return reader_.ready(); }, writer_);
    const auto& window = reader_.window();
    if (window.head.stream == stream_) {
      holds_ = true;
      return window;
    }
    // The writer has not been able to end its stream, and begun another.
    if (window.head.stream > stream_)
      throw error(error_kind::state, where_, text("rank ", writer_, " has given up an earlier stream"), comm_.rank(),
                  {writer_});
    // This rank has given up an earlier stream before it was complete.
    reader_.release();
  }
}

void throw_abandoned(std::string_view where, const communicator& comm, int writer, const std::byte* reason,
                     std::size_t bytes) {
  throw error(error_kind::state, where,
              text("rank ", writer, " has given up: ", std::string_view(reinterpret_cast<const char*>(reason), bytes)),
              comm.rank(), {writer});
}

void throw_other_type(std::string_view where, const communicator& comm, int writer) {
  throw error(error_kind::mismatch, where,
              text("rank ", writer, " sends another type than rank ", comm.rank(), " reads"), comm.rank(), {writer});
}

}  // namespace wherry
