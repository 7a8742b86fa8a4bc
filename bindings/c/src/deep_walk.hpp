// Structures that a table of the program's describes: from memory to bytes and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "wherry/c/deep.h"

namespace wherry_c {

using packed_bytes = std::vector<std::byte>;

/// An array of structures, or of plain elements.
struct deep_array {
  std::byte* first = nullptr;
  std::size_t count = 0;
  const wherry_deep_type* type = nullptr;  ///< null: plain elements
  std::size_t bytes = 0;                   ///< of an element
  bool is_text = false;                    ///< ends with 0
};

/// How arrays are allocated and freed.
struct deep_memory {
  void* (*allocate)(std::size_t, void*) = nullptr;
  void (*release)(void*, void*) = nullptr;
  void* context = nullptr;

  /// @throws std::bad_alloc
  std::byte* make(std::size_t bytes) const;
  void free(void* memory) const;
};

/// Checks a table, with all that it leads to. @throws error(argument)
void check_type(const wherry_deep_type* type, std::string_view where);
/// A number by which two sides compare their tables, which have been checked.
std::uint64_t fingerprint_of(const wherry_deep_type& type);

/// All arrays that a root leads to, in the order in which they are met. @throws error(argument) for a negative count,
/// or an array that two pointers own
class deep_walk {
 public:
  deep_walk(const deep_array& root, std::string_view where);

  /// Follows one array after the other, and calls `visit.array(array)` before, and `visit.pointer(pointer, token,
  /// count)` for each of its pointers: 0 is null, 1 a new array, n + 2 the one with number n; of a pointer into an
  /// array its place plus 1.
  template <class Visitor> void run(Visitor&& visit);
  const std::vector<deep_array>& arrays() const { return arrays_; }

 private:
  struct known {
    std::size_t number;
    bool owned;
  };
  template <class Called> void check_apart(const deep_array& fresh, const Called& called) const;
  std::uint64_t token_of(const deep_array& in, std::byte* element, const wherry_deep_pointer& pointer,
                         std::uint64_t& count);

  std::string_view where_;
  std::vector<deep_array> arrays_;
  std::map<std::uintptr_t, known> numbers_;  // by address
};

/// @throws as `deep_walk`
packed_bytes pack_deeply(const deep_array& root, std::string_view where);
/// @return the root. @throws error(mismatch) for another type, error(argument) for damaged bytes, std::bad_alloc; all
/// that
///   had been made is freed then
deep_array unpack_deeply(std::span<const std::byte> from, const wherry_deep_type& type, const deep_memory& memory,
                         std::string_view where);
void free_deeply(const deep_array& root, const deep_memory& memory, std::string_view where);

}  // namespace wherry_c
