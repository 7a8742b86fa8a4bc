// The memory of mailboxes: two slots for every pair of ranks and direction, with signals that a slot is full or has
// been emptied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wherry::collective {

/// The interface of the memories: windows, segments, coarrays.
class mail_memory {
 public:
  static constexpr int slots = 2;  ///< from one rank to another

  mail_memory() = default;
  mail_memory(const mail_memory&) = delete;
  mail_memory& operator=(const mail_memory&) = delete;
  virtual ~mail_memory() = default;

  /// The bytes of a slot.
  virtual std::int64_t slot() const = 0;
  /// Writes to this rank's slot at `to`, which is empty. `data` may be changed when this returns.
  virtual void put(int to, int slot, std::span<const std::byte> data) = 0;
  /// True once for every `put` of that rank.
  virtual bool has_come(int from, int slot) = 0;
  virtual const std::byte* content(int from, int slot) const = 0;
  virtual void tell_taken(int from, int slot) = 0;
  /// True once for every `tell_taken` of that rank.
  virtual bool was_taken(int to, int slot) = 0;
};

}  // namespace wherry::collective
