// Where the device of this rank packs what goes to the ranks of one reach, and where what comes from them lies until it
// unpacks it, as it is on the wire: a message follows the other. It is pinned memory of the host, which every transport
// sends from; or memory of the device, for rows of the table that reach it; or such memory in two buffers that
// alternate from start to start, lent to the peers, whose devices read there. Where all is read at the peers there is
// none.
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

  // What the plan has, in its order.

  /// Room behind what there is. @throws error(argument) where an int64 cannot count it
  std::int64_t take(std::string_view pattern, std::int64_t bytes);
  void begin_stage() { leaving_.push_back({bytes_, bytes_}); }
  /// All that leaves in the stage has its room.
  void end_sends() { leaving_.back().last = bytes_; }
  /// A message that arrives follows. Its number.
  std::size_t begin_arrival();
  std::int64_t arrival(std::size_t number) const { return arrivals_[number].first; }
  std::size_t arrivals() const { return arrivals_.size(); }
  /// A message has memory of the host, too.
  void note_host_memory() { host_too_ = true; }
  bool is_all_on_device() const { return !host_too_; }
  std::int64_t bytes() const { return bytes_; }

  // Where it is. @throws error(resource) where there is none

  void place(where space);
  /// None here: what leaves has a memory of its own, and what arrives is read where peers lend it.
  void leave_at_peers();
  /// Two buffers on the device, for others.
  void lend(device_ticket& ticket);
  where space() const { return space_; }
  /// Of a transport that lends: what arrives in the message that begins here is read there, in either buffer.
  void read_from(std::int64_t first, const std::array<void*, 2>& place);

  std::byte* buffer(std::uint32_t which) const;
  void* arrives_at(std::size_t number, std::uint32_t which) const;
  /// Bytes between the two buffers.
  std::size_t stride() const { return stride_; }
  /// It lasts until the last peer has given it back, whoever else has gone.
  std::shared_ptr<const void> keep() const { return memory_; }

  // Where nobody has room for what leaves: it is packed beside and brought in later.

  /// @throws error(resource)
  void make_aside();
  std::byte* aside() const { return aside_.get(); }
  /// Copies what leaves in the stage from there to its buffer.
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
