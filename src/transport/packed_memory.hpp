// The memory in which a rank's device packs the messages to the node, or to other nodes, and in which the messages from
// there lie, as they are on the wire, until the device unpacks them. It is pinned memory of the host, from which every
// transport can send; or device memory, for transports that reach it; or device memory in two buffers that alternate
// from start to start and are lent to the peers, whose devices read them. If all messages are read in the peers'
// memory, there is none.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/device/device.hpp"

#include "device/device_handles.hpp"

namespace wherry {

class packed_memory {
 public:
  enum class where : std::uint8_t { pinned, on_device, lent, at_peers };

  packed_memory(const device& by, std::string name) : by_(by), name_(std::move(name)) {}

  const device& by() const { return by_; }
  const std::string& name() const { return name_; }

  // These calls take the room that the plan needs, in the plan's order.

  /// Adds room behind the room that was taken before, and returns its offset. @throws error(argument) if an int64
  /// cannot count the bytes
  std::int64_t take(std::string_view pattern, std::int64_t bytes);
  void begin_stage() { leaving_.push_back({bytes_, bytes_}); }
  /// All messages that leave in the stage have taken their room.
  void end_sends() { leaving_.back().last = bytes_; }
  /// Begins the next message that arrives, and returns its number.
  std::size_t begin_arrival();
  std::int64_t arrival(std::size_t number) const { return arrivals_[number].first; }
  std::size_t arrivals() const { return arrivals_.size(); }
  /// Notes that a part of some message lies in host memory.
  void note_host_memory() { host_too_ = true; }
  bool is_all_on_device() const { return !host_too_; }
  std::int64_t bytes() const { return bytes_; }

  // Where the memory is. @throws error(resource) if there is none

  void place(where space);
  /// Takes no memory here: messages that leave lie elsewhere, and messages that arrive are read where peers lend them.
  void leave_at_peers();
  /// Takes two buffers on the device, and lends them.
  void lend(detail::device_ticket& ticket);
  where space() const { return space_; }
  /// For transports that lend: the message that arrives at `first` is read at `place`, in one of two buffers.
  void read_from(std::int64_t first, const std::array<void*, 2>& place);

  std::byte* buffer(std::uint32_t which) const;
  void* arrives_at(std::size_t number, std::uint32_t which) const;
  /// Bytes between the two buffers.
  std::size_t stride() const { return stride_; }
  /// Keeps the memory until the last peer has given it back, even if this object goes before.
  std::shared_ptr<const void> keep() const { return memory_; }

  // If the peers have not read the buffer yet, messages are packed aside and brought in later.

  /// @throws error(resource)
  void make_aside();
  std::byte* aside() const { return aside_.get(); }
  /// Copies the messages that leave in the stage from there to the buffer.
  void bring_in(device_stream stream, std::size_t stage, std::uint32_t which) const;

 private:
  struct range {
    std::int64_t first, last;
  };
  struct arriving {
    std::int64_t first;
    std::array<void*, 2> elsewhere;  // null: where it is packed
  };

  const device& by_;
  std::string name_;
  std::int64_t bytes_ = 0;
  bool host_too_ = false;
  std::vector<range> leaving_;  // by stage
  std::vector<arriving> arrivals_;
  where space_ = where::pinned;
  std::size_t stride_ = 0;
  std::shared_ptr<device_bytes> memory_;
  device_bytes aside_;
};

}  // namespace wherry
