#include "live_memory.hpp"

#include <map>
#include <mutex>

namespace wherry {
namespace {

struct piece {
  const std::byte* end;
  std::uint64_t number;
};

struct pieces {
  std::mutex guard;
  std::map<const std::byte*, piece> all;  // by their first byte
  std::uint64_t last = 0;
};

/// Never destroyed: fields may be static.
pieces& known() {
  static auto& instance = *new pieces;
  return instance;
}

}  // namespace

void note_piece(const void* first, std::size_t bytes) {
  const auto* begin = static_cast<const std::byte*>(first);
  auto& [guard, all, last] = known();
  const std::lock_guard lock(guard);
  all[begin] = {begin + bytes, ++last};
}

void forget_piece(const void* first) noexcept {
  auto& [guard, all, last] = known();
  const std::lock_guard lock(guard);
  all.erase(static_cast<const std::byte*>(first));
}

std::uint64_t piece_at(const void* address) {
  const auto* at = static_cast<const std::byte*>(address);
  auto& [guard, all, last] = known();
  const std::lock_guard lock(guard);
  const auto behind = all.upper_bound(at);
  if (behind == all.begin()) return 0;
  const auto& [end, number] = std::prev(behind)->second;
  return at < end ? number : 0;
}

}  // namespace wherry
