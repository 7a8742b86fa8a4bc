// Slots in a segment, filled by notified writes.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/communicator.hpp"

#include "mail_memory.hpp"

namespace wherry::collective {

class segment_mail final : public mail_memory {
 public:
  enum class memory : std::uint8_t {
    no_nodes,  ///< MPI_Put to windows, within the node as well
    the_nodes  ///< plain stores within the node
  };

  /// Collective.
  /// @throws error(mpi) if MPI cannot make windows
  segment_mail(const communicator& comm, memory where, std::int64_t slot);

  std::int64_t slot() const override { return slot_; }
  void put(int to, int slot, std::span<const std::byte> data) override;
  bool has_come(int from, int slot) override { return take(come_id(from, slot)); }
  const std::byte* content(int from, int slot) const override { return segment_.memory().data() + place(from, slot); }
  void tell_taken(int from, int slot) override { segment_.notify(from, taken_id(rank_, slot)); }
  bool was_taken(int to, int slot) override { return take(taken_id(to, slot)); }

 private:
  int come_id(int from, int slot) const { return slots * from + slot; }
  int taken_id(int to, int slot) const { return slots * (size_ + to) + slot; }
  std::size_t place(int from, int slot) const {
    return static_cast<std::size_t>(come_id(from, slot)) * static_cast<std::size_t>(slot_);
  }
  bool take(int id);

  int rank_, size_;
  std::int64_t slot_;
  std::vector<std::byte> windows_;  // the memory, if it is not shared by the node
  byte_segment segment_;
};

}  // namespace wherry::collective
