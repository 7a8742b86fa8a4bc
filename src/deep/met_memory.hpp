// Finds pointers into the middle of what arrives by itself, where WHERRY_CHECK asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <typeinfo>

#include "wherry/deep/detail/tokens.hpp"

namespace wherry::deep {

/// All memory that a writer has met. What a pointer shares or observes must lie in nothing else: not in the root, an
/// object or array that is owned or shared, or the elements of a container.
class met_memory {
 public:
  /// Met for the first time by a pointer that shares or observes. @throws error(argument)
  void shared(const void* first, std::size_t bytes, const std::type_info* type);
  /// Brought by anything else; may lie in what has been met. @throws error(argument)
  void brought(const void* first, std::size_t bytes, const std::type_info* type);

  /// Of what begins there; null: it is inside of something.
  const std::type_info* type_at(const void* first) const;

 private:
  struct piece {
    std::uintptr_t end;
    const std::type_info* type;
    bool is_shared;
  };
  using pieces = std::map<std::uintptr_t, piece>;  // by where they begin

  void add(std::uintptr_t begin, const piece& added);

  pieces outermost_;  // what lies in nothing else
};

/// @param type of what the pointer points to @param around of what it lies in @param at how many bytes from there
/// @throws error(argument)
[[noreturn]] void refuse_inner(const std::type_info* type, const std::type_info* around, std::size_t at);
/// Of a pointer to where an object of another type begins. @throws error(argument)
[[noreturn]] void refuse_other_type(const std::type_info* type, const std::type_info* known);

}  // namespace wherry::deep
