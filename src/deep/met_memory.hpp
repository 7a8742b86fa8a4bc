// Finds pointers into the middle of objects that arrive by themselves, with WHERRY_CHECK.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <typeinfo>

#include "wherry/deep/detail/tokens.hpp"

namespace wherry::deep {

/// All memory that a writer has met. An object behind a pointer that shares or observes must not lie inside another
/// object: not in the root, in an object or array that is owned or shared, or in an element of a container.
class met_memory {
 public:
  /// Records an object that was met for the first time, by a pointer that shares or observes.
  /// @throws error(argument)
  void shared(const void* first, std::size_t bytes, const std::type_info* type);
  /// Records memory that arrives in any other way; it may lie inside memory that was met before.
  /// @throws error(argument)
  void brought(const void* first, std::size_t bytes, const std::type_info* type);

  /// The type of the object that begins there; null if the address is inside an object.
  const std::type_info* type_at(const void* first) const;

 private:
  struct piece {
    std::uintptr_t end;
    const std::type_info* type;
    bool is_shared;
  };
  using pieces = std::map<std::uintptr_t, piece>;  // by their beginning

  void add(std::uintptr_t begin, const piece& added);

  pieces outermost_;  // pieces that lie in no other piece
};

/// @param type of the object behind the pointer
/// @param around of the object in which it lies
/// @param at its offset there, in bytes
/// @throws error(argument)
[[noreturn]] void refuse_inner(const std::type_info* type, const std::type_info* around, std::size_t at);
/// Refuses a pointer to the beginning of an object of another type.
/// @throws error(argument)
[[noreturn]] void refuse_other_type(const std::type_info* type, const std::type_info* known);

}  // namespace wherry::deep
