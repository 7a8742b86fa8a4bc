// Copies that say how they use the caches move the same bytes as any other, whatever their length and alignment, and
// nothing beside them.
#include "core/bulk_copy.hpp"

#include <vector>

#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

using copy_function = void (*)(std::byte*, const std::byte*, std::size_t);

void check_all_lengths(copy_function copy, std::size_t to_at, std::size_t from_at) {
  constexpr std::size_t most = 300, room = 512;
  constexpr std::byte untouched{0xee};
  for (std::size_t bytes = 0; bytes <= most; ++bytes) {
    alignas(64) std::byte from[room], to[room];
    for (std::size_t i = 0; i < room; ++i) {
      from[i] = static_cast<std::byte>(i * 7 + bytes);
      to[i] = untouched;
    }
    copy(to + to_at, from + from_at, bytes);
    bool right = true;
    for (std::size_t i = 0; i < room; ++i) {
      const bool inside = i >= to_at && i < to_at + bytes;
      right = right && to[i] == (inside ? from[from_at + i - to_at] : untouched);
    }
    CHECK(right);
  }
}

}  // namespace

WHERRY_UNIT_TEST(copies_past_the_caches_move_what_memcpy_moves) {
  for (const std::size_t to_at : {0, 1, 15, 16, 33, 63})
    for (const std::size_t from_at : {0, 1, 8, 17, 63}) check_all_lengths(wherry::copy_past_caches, to_at, from_at);
}

WHERRY_UNIT_TEST(copies_in_bulk_move_what_memcpy_moves) {
  for (const std::size_t to_at : {0, 1, 63})
    for (const std::size_t from_at : {0, 1, 63}) check_all_lengths(wherry::bulk_copy, to_at, from_at);
}
