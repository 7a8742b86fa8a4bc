// What a fuzzer makes of bytes: a file of one of several types, read in one of several ways. Whatever the bytes are,
// reading gives a structure that can be walked, written and freed, or a wherry::error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wherry_fuzz {

/// The first byte says which type and how it is read (`way`), and whether all checksums are made right before.
struct way {
  unsigned type = 0;
  bool is_signed = false, buffered = false, in_arena = false, searchable = false;

  static way of(std::byte first);
  std::byte byte() const;
};

inline constexpr unsigned types = 9;

/// Reads. Ends the program where something is wrong that a sanitizer would not see.
/// @return whether there was a structure
bool run_case(std::span<const std::byte> bytes);

/// The same with a file of structures of the type, larger with `size`, for a corpus.
std::vector<std::byte> make_case(const way& how, std::uint64_t seed, int size);

}  // namespace wherry_fuzz
