// The results of a `move_builder`, in the memory of the device.
#pragma once

#include <cstdint>

#include "device_handles.hpp"
#include "move_builder.hpp"

namespace wherry {

class move_table {
 public:
  move_table() = default;
  /// @param fields the number of pointers that each launch gets
  move_table(const device& by, device_stream stream, move_builder made, std::uint32_t fields);

  bool empty() const { return what_.how_many_pieces == 0; }
  /// Makes all moves, in the stream.
  void run(device_stream stream, const field_places& fields) const {
    if (!empty()) by_->move(stream, what_, fields);
  }

 private:
  const device* by_ = nullptr;
  device_bytes memory_;
  device_moves what_;
};

}  // namespace wherry
